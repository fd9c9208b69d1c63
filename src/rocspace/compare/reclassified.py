"""Reclassification: how many cases a second model moves to where they belong (NRI, IDI).

These numbers are asked for, and easy to misread; `reclassification` says why.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, level_of, said
from rocspace._base.checks import check_choice, check_fraction, check_level
from rocspace._base.frozen import Result
from rocspace._base.text import brief, pvalue
from rocspace.counts.paired import PairedScores
from rocspace.curves.sweep import check_probabilities
from rocspace.inference.components import need_cases, score_columns, two_scores
from rocspace.results.estimates import AreaEstimate, Estimate, Scale
from rocspace.results.interval import Interval
from rocspace.results.limits import floor_note, touching_pvalue
from rocspace.results.proportions import normal_quantile, tango_limits
from rocspace.results.test import Alternative, TestResult, student_tail
from rocspace.results.unseen import ClassMean, part_of_case

NriScale: TypeAlias = Literal["score", "identity"]
"""How the interval of a net reclassification is computed."""

_IDI = (-2.0, 2.0)  # the range of the IDI
_DOUBT = 0.01  # p value below which probabilities are said not to be calibrated


class NetReclassification(Estimate):
    """A net reclassification improvement, with intervals and a test that few moves do not break.

    Attributes
    ----------
    value, se, method, range, df
        As for `Estimate`; the standard error is the plain one, of a difference of two shares.
    moves : tuple of tuple of int
        For each class that takes part: how many of its cases moved the right way, the wrong way,
        and how many cases it has.

    See Also
    --------
    reclassification
    """

    moves: tuple[tuple[int, int, int], ...]

    def interval(self, level: float = 0.95, *, scale: Scale | NriScale | None = None) -> Interval:
        """Return a confidence interval.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : {"score", "identity"}, default "score"
            "score" is Tango's interval of paired shares in each class, and for both classes
            together the two added by squared distances. "identity" is value +- z se.

        Returns
        -------
        Interval
            Inside the range; "score" is never a single point.

        Raises
        ------
        ValueError
            If the level or the scale is not one of those named.

        References
        ----------
        Tango (1998), equations 24 to 26; Newcombe (1998), method 10, for adding squared distances.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> scores = {"old": [0.2, 0.6, 0.4, 0.1, 0.3], "new": [0.6, 0.7, 0.3, 0.1, 0.6]}
        >>> found = reclassification(pair_scores([1, 1, 1, 0, 0], scores), cuts=[0.5])
        >>> low, high = found.event_nri_estimate.interval()
        >>> print(f"{low:.3f} to {high:.3f}")
        -0.415 to 0.792
        """
        check_level(level)
        scale = scale or "score"
        check_choice("scale", scale, NriScale)
        z = normal_quantile(level)
        if scale == "identity":
            ends = self.value - z * self.se, self.value + z * self.se
        else:
            each = [_tango(*move, z) for move in self.moves]
            own = [(right - wrong) / n for right, wrong, n in self.moves]
            down = np.sqrt(sum((x - low) ** 2 for x, (low, _) in zip(own, each, strict=True)))
            up = np.sqrt(sum((high - x) ** 2 for x, (_, high) in zip(own, each, strict=True)))
            ends = self.value - float(down), self.value + float(up)
        low, high = self.range
        return Interval(
            low=max(low, ends[0]),
            high=min(high, ends[1]),
            level=level,
            method=f"{self.method}, {scale}",
        )

    def test(self, *, alternative: Alternative = "two-sided") -> TestResult:
        """Test whether as many cases move the right way as the wrong way.

        Parameters
        ----------
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            Alternative hypothesis.

        Returns
        -------
        TestResult
            Of one class McNemar's test, without a correction. Of both classes, p belongs to the
            level at which the interval ends at 0.

        Raises
        ------
        ValueError
            If the alternative is not one of those named.

        Notes
        -----
        It tests nothing else than that. A model can move cases the right way because its
        probabilities are too extreme; and if both models were fitted to these cases, moves the
        right way are what fitting does, so that p is far too small.

        References
        ----------
        McNemar (1947), a paper on this alone; Pepe, Fan, Feng, Gerds and Hilden (2015), a paper on
        this alone.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> scores = {"old": [0.2, 0.6, 0.4, 0.1, 0.3], "new": [0.6, 0.7, 0.3, 0.1, 0.6]}
        >>> found = reclassification(pair_scores([1, 1, 1, 0, 0], scores))
        >>> print(f"{found.event_nri_estimate.test().pvalue:.3f}")
        0.564
        """
        check_choice("alternative", alternative, Alternative)
        if len(self.moves) > 1:
            p = touching_pvalue(self, 0.0, alternative)
            statistic = self.value / self.se if self.se > 0 else float("nan")
            method = "interval"
        else:
            right, wrong, _ = self.moves[0]
            statistic = (right - wrong) / np.sqrt(right + wrong) if right + wrong else 0.0
            p, method = student_tail(float(statistic), float("inf"), alternative), "McNemar"
        return TestResult(
            statistic=float(statistic),
            pvalue=p,
            alternative=alternative,
            method=f"{self.method}, {method}",
            difference=self.value,
            note=floor_note(p) if method == "interval" else "",
        )


def _tango(right: int, wrong: int, n: int, z: float) -> tuple[float, float]:
    low, high = tango_limits(np.array([float(right)]), np.array([float(wrong)]), float(n), z)
    return float(low[0]), float(high[0])


def _net(method: str, *moves: tuple[int, int, int]) -> NetReclassification:
    shares = [(right / n, wrong / n, n) for right, wrong, n in moves]
    value = sum(right - wrong for right, wrong, _ in shares)
    squared = sum((right + wrong - (right - wrong) ** 2) / n for right, wrong, n in shares)
    reach = float(len(moves))
    return NetReclassification(
        value=float(value),
        se=float(np.sqrt(squared)),
        method=method,
        range=(-reach, reach),
        moves=moves,
    )


# --- the result -------------------------------------------------------------------------------


class Reclassification(Result):
    """What a second model changes in the probabilities of the same cases.

    Attributes
    ----------
    names : tuple of str
        The first and the second model.
    cuts : ndarray of float64, shape (m,)
        Probabilities that divide the risk categories; empty where every change counts.
    events, non_events : ndarray of int64, shape (m + 1, m + 1)
        Positives and negatives by category: rows are the first model, columns the second.
    event_nri_estimate, non_event_nri_estimate : NetReclassification
        Share of the positives that moved up minus the share that moved down; of the negatives down
        minus up. In [-1, 1].
    nri_estimate : NetReclassification
        Their sum, in [-2, 2]. It gives a positive and a negative the same weight whatever the
        prevalence and the costs, so that neither of both can be read from it.
    idi_estimate : Estimate
        Integrated discrimination improvement: how much farther the mean probabilities of both
        classes are apart, in [-2, 2].
    cautions : tuple of str
        What speaks against reading these numbers in these data.

    See Also
    --------
    reclassification
    """

    names: tuple[str, str]
    cuts: Vector
    events: Array
    non_events: Array
    event_nri_estimate: NetReclassification
    non_event_nri_estimate: NetReclassification
    nri_estimate: NetReclassification
    idi_estimate: Estimate
    cautions: tuple[str, ...]

    @property
    def event_nri(self) -> float:
        """Net share of the positives that moved up."""
        return self.event_nri_estimate.value

    @property
    def non_event_nri(self) -> float:
        """Net share of the negatives that moved down."""
        return self.non_event_nri_estimate.value

    @property
    def nri(self) -> float:
        """Sum of both net shares."""
        return self.nri_estimate.value

    @property
    def idi(self) -> float:
        """Gain in the difference of the mean probabilities of both classes."""
        return self.idi_estimate.value

    def _about(self) -> str:
        first, second = self.names
        kind = f"{self.cuts.size + 1} categories" if self.cuts.size else "no categories"
        return f"{first} to {second}, {kind}: NRI {brief(self.nri)}, IDI {brief(self.idi)}"

    def _card(self) -> Card:
        rows = {"From, to": " to ".join(self.names)}
        for name, found in self._estimates().items():
            shown = said(found)
            rows[name] = f"{shown.value} ({level_of()} interval {shown.interval})"
        rows["p, net moves up of positives"] = pvalue(self.event_nri_estimate.test().pvalue)
        rows["p, net moves down of negatives"] = pvalue(self.non_event_nri_estimate.test().pvalue)
        caution = {f"Caution {i}": text for i, text in enumerate(self.cautions, 1)}
        return Card(rows=rows | caution)

    def _estimates(self) -> dict[str, Estimate]:
        return {
            "event NRI": self.event_nri_estimate,
            "non-event NRI": self.non_event_nri_estimate,
            "NRI": self.nri_estimate,
            "IDI": self.idi_estimate,
        }

    def _columns(self) -> dict[str, Any]:
        found = self._estimates()
        rows = [each._columns() for each in found.values()]
        columns: dict[str, Any] = {"measure": list(found)}
        return columns | {name: [row[name][0] for row in rows] for name in rows[0]}


@explained
def reclassification(
    data: PairedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    cuts: ArrayLike | None = None,
) -> Reclassification:
    """Net reclassification (NRI) and integrated discrimination improvement (IDI) of two models.

    Parameters
    ----------
    data : PairedScores
        Labels and probabilities of the same cases, which neither model was fitted to; both classes
        present.
    first, second : str, optional
        The old and the new model; needed unless there are exactly two scores, the old one first.
        Positive numbers are in favour of the second.
    cuts : array-like of float, optional
        Probabilities at which a higher risk category begins, inside (0, 1); by default every change
        of a probability is a move (category-free NRI).

    Returns
    -------
    Reclassification
        The net moves of both classes, their sum and the IDI, each with interval and test, the
        tables of categories, and cautions.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError
        If the data are not paired scores, or there are more than two and none is named.
    ValueError
        If scores are not probabilities, a cut is not inside (0, 1), or cases have weights or
        clusters.

    Notes
    -----
    O(n). Both numbers reward probabilities that are too extreme: a model that ranks the cases
    exactly as another one, and moves all probabilities away from the prevalence, has a positive IDI
    and a positive NRI with tiny p values, though it is worse. Neither is a proper score. In
    independent data, the NRI of models with a useless marker is often positive; in the data that
    the models were fitted to, the standard errors of the IDI and of the NRI are wrong under the
    hypothesis that the marker is useless. Report differences of areas (`auc_difference`), of log
    losses (`rocspace.costs.loss_difference`) or of net benefits; test a marker by the likelihood
    ratio test of the models.

    The interval of the IDI is "unseen" of `Estimate.interval`, our own: in each class half a case
    is added that has the smallest, or the largest, gain of all cases. A few positives often lack
    the gains that some positives have. In six situations with 6 to 30 positives (1,000 samples
    each) it covers in 95.4 to 98.5 percent at level .95; ``scale="moderated"``, the former default,
    in 88 to 95, and ``scale="t"`` in 90 to 95. Where these hold, it is 2 to 34 percent wider.

    `cautions` names models whose probabilities are not calibrated in these data (Spiegelhalter's
    test, p below .01).

    References
    ----------
    Pencina, D'Agostino, D'Agostino and Vasan (2008), a paper on this alone; Pencina, D'Agostino and
    Steyerberg (2011), a paper on this alone, without categories. What speaks against both: Hilden
    and Gerds (2014), a paper on this alone; Pepe, Fan, Feng, Gerds and Hilden (2015), a paper on
    this alone; Kerr, McClelland, Brown and Lumley (2011), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, pair_scores
    >>> data = datasets.load("uci_scores").where("dataset", "sonar")
    >>> cases = pair_scores(data.y_true, {name: data.columns[name] for name in ("nb", "rf")})
    >>> found = reclassification(cases)
    >>> print(f"NRI {found.nri:.3f}, IDI {found.idi:.3f}, {len(found.cautions)} caution")
    NRI -0.633, IDI -0.005, 2 caution
    """
    need_cases("reclassification", data)
    names = two_scores("reclassification", data, first, second)
    if data.weight is not None or data.cluster is not None:
        what = "weights" if data.weight is not None else "clusters"
        msg = f"reclassification counts independent cases, but these have {what}. Leave them out."
        raise ValueError(msg)
    at = np.unique(check_fraction("cuts", [] if cuts is None else cuts))
    if at.size and not 0 < at[0] <= at[-1] < 1:
        msg = f"cuts are {at.tolist()}, but must lie strictly between 0 and 1."
        raise ValueError(msg)
    old, new = (data.score[:, j].astype(np.float64) for j in score_columns(data, names))
    for name, p in zip(names, (old, new), strict=True):
        rises = data.rises(name)
        check_probabilities(f"reclassification of {name!r}", [p.min(), p.max()], rises)
    before, after = (np.searchsorted(at, p, "right") for p in (old, new))
    step = np.sign(after - before if at.size else new - old)
    label = data.label
    moved = [(int((step[own] > 0).sum()), int((step[own] < 0).sum())) for own in (label, ~label)]
    (pos_up, pos_down), (neg_up, neg_down) = moved
    n_pos = int(label.sum())
    event = pos_up, pos_down, n_pos
    non_event = neg_down, neg_up, int(label.size - n_pos)
    return Reclassification(
        names=names,
        cuts=at,
        events=_crossed(before[label], after[label], at.size + 1),
        non_events=_crossed(before[~label], after[~label], at.size + 1),
        event_nri_estimate=_net("event NRI", event),
        non_event_nri_estimate=_net("non-event NRI", non_event),
        nri_estimate=_net("NRI", event, non_event),
        idi_estimate=_idi(new - old, label),
        cautions=tuple(_cautions(names, (old, new), label)),
    )


def _crossed(before: Array, after: Array, k: int) -> Array:
    return np.bincount(before * k + after, minlength=k * k).reshape(k, k)


def _idi(gain: Vector, label: Mask) -> AreaEstimate:
    """Return the difference of the mean gains of both classes."""
    parts = gain[label], gain[~label]
    spread = [float(x.var(ddof=1)) / x.size if x.size > 1 else float("nan") for x in parts]
    squared = sum(spread)
    few = sum(v**2 / (x.size - 1) for v, x in zip(spread, parts, strict=True) if x.size > 1)
    low, high = _IDI
    value = float(parts[0].mean() - parts[1].mean())
    return AreaEstimate(
        value=value,
        se=float(np.sqrt(squared)),
        method="IDI",
        range=_IDI,
        df=squared**2 / few if few > 0 else float("inf"),
        n_pairs=float(min(x.size for x in parts)),
        classes=_with_unseen((value - low) / (high - low), (parts[0], -parts[1]), gain),
        farther=True,
    )


def _with_unseen(
    value: float, parts: tuple[Vector, Vector], gain: Vector
) -> tuple[ClassMean, ...] | None:
    """Return what each class adds to the IDI, as a share of its range from -2 to 2.

    An unseen case may have the smallest or the largest gain of all cases; None if all are equal.
    """
    if gain.min() == gain.max():
        return None
    ends = (gain.min(), gain.max()), (-gain.max(), -gain.min())
    width = _IDI[1] - _IDI[0]
    found = []
    for x, (low, high) in zip(parts, ends, strict=True):
        mean, spread = float(x.mean()), float(x.var()) / width**2
        below, above = (value + (float(end) - mean) / width for end in (low, high))
        found.append(ClassMean(x.size, spread, below, above, part_of_case(spread, x.size)))
    return tuple(found)


def _cautions(
    names: tuple[str, str], probabilities: tuple[Vector, Vector], label: Mask
) -> list[str]:
    """Return what speaks against the numbers: models that are not calibrated."""
    found = []
    for name, p in zip(names, probabilities, strict=True):
        spread = float(((1 - 2 * p) ** 2 * p * (1 - p)).sum())
        excess = float(((label - p) * (1 - 2 * p)).sum())
        unsure = spread > 0 or excess != 0
        z = excess / np.sqrt(spread) if spread > 0 else float("inf")
        tail = student_tail(float(z), float("inf"), "two-sided") if unsure else 1.0
        if tail < _DOUBT:
            found.append(
                f"the probabilities of {name!r} are not calibrated (p {pvalue(tail)}), "
                "which NRI and IDI can reward"
            )
    return found
