"""Mixtures of two decision rules, which reach any point between theirs in ROC space.

A mixture can select exactly as many cases as a budget allows. It assigns each case to one of two
rules at random; drawn from the ids, the same case gets the same answer every time and everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import check_lengths, complete
from rocspace._base.checks import check_not_negative, check_rng
from rocspace._base.frozen import Result
from rocspace._base.text import brief
from rocspace.combine.rules import Constant, Rule, Scores, ThresholdRule
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.counts.paired import PairedScores
from rocspace.hull.convex import Classifier, RocHull, roc_hull

_ON = 1e-9  # a point this near to a path counts as on it


# --- draws by ids -----------------------------------------------------------------------------

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


@explained
def uniform_of(ids: ArrayLike, *, rng: int = 0) -> Vector:
    """Return a pseudo-random number in [0, 1) for each id, always the same.

    Parameters
    ----------
    ids : array-like of whole numbers or texts, shape (n,)
        What identifies a case. The number 17 and the text "17" are different ids.
    rng : int, default 0
        A seed; another whole number gives other numbers.

    Returns
    -------
    ndarray of float64, shape (n,)
        Multiples of 2**-53, the same on every machine and in every version.

    Raises
    ------
    TypeError
        If ids are neither whole numbers nor texts.
    ValueError
        If an id is missing.

    Notes
    -----
    SplitMix64 of the number; of a text, of its 64-bit BLAKE2b digest in UTF-8.

    References
    ----------
    Steele, Lea and Flood (2014), a paper on this alone.

    Examples
    --------
    >>> uniform_of([1, 2, 3]).round(3)
    array([0.883, 0.432, 0.026])
    """
    array = complete(ids, "ids")
    z = _as_uint64(array) * np.uint64(_GOLDEN) + np.uint64((rng * 0xD1342543DE82EF95) & _MASK)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _as_uint64(array: Array) -> NDArray[np.uint64]:
    if array.dtype.kind == "O" and all(isinstance(x, int | np.integer) for x in array):
        return np.array([int(x) & _MASK for x in array], dtype=np.uint64)
    if array.dtype.kind in "iub":
        wide = np.uint64 if array.dtype.kind != "i" else np.int64
        return array.astype(wide).view(np.uint64)
    if array.dtype.kind in "US" or all(isinstance(x, str | bytes) for x in array):
        distinct, place = np.unique(array, return_inverse=True)
        return np.array([_digest(x) for x in distinct.tolist()], dtype=np.uint64)[place]
    msg = f"ids have the type {array.dtype}. Identify cases by whole numbers or by texts."
    raise TypeError(msg)


def _digest(text: str | bytes) -> int:
    raw = text.encode() if isinstance(text, str) else text
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "little")


# --- mixtures -----------------------------------------------------------------------------------


class MixtureSpread(Result):
    """Standard deviations of a mixture's rates on given cases, over its random draws.

    Attributes
    ----------
    fpr, tpr : float
        Of the two rates; nan without the class.
    selected : float
        Of the number of cases called positive.

    See Also
    --------
    Mixture.spread
    """

    fpr: float
    tpr: float
    selected: float


class Mixture(Result):
    """Two rules, one of which, chosen at random, decides each case.

    Attributes
    ----------
    low, high : Rule
        The rules.
    share : float
        Probability in [0, 1] that `high` decides; `low` does otherwise.
    fpr, tpr : float
        Expected rates, from those of the two rules where these were chosen.
    rng : int
        Seed of this mixture's draws by ids, to separate them from those of other mixtures.

    See Also
    --------
    at_budget, mixture_at, RulePath.mixture

    Examples
    --------
    >>> from rocspace.combine import Constant, ThresholdRule
    >>> half = Mixture(low=Constant(False), high=ThresholdRule("a", 1), share=0.5, fpr=0.1, tpr=0.4)
    >>> half.decide([0, 1, 1, 1], ids=["bob", "ann", "eve", "joe"])
    array([False,  True, False, False])
    """

    low: Rule
    high: Rule
    share: float
    fpr: float
    tpr: float
    rng: int = 0

    def __post_init__(self) -> None:
        checks.check_fraction("share", self.share)

    def _columns(self) -> dict[str, Any]:
        rules = {"low": [str(self.low)], "high": [str(self.high)]}
        return rules | {name: [getattr(self, name)] for name in ("share", "fpr", "tpr", "rng")}

    @property
    def names(self) -> frozenset[str]:
        """Names of the scores that it needs."""
        return self.low.names | self.high.names

    def chances(self, scores: Scores) -> Vector:
        """Return the probability that each case is called positive: 0 or 1 where rules agree.

        Parameters
        ----------
        scores : mapping of str to array-like, PairedScores, or array-like
            As for `ThresholdRule.decide`.

        Returns
        -------
        ndarray of float64, shape (n,)
            Never above one.

        Examples
        --------
        >>> from rocspace.combine import Constant, ThresholdRule
        >>> rules = {"low": Constant(False), "high": ThresholdRule("a", 1)}
        >>> half = Mixture(**rules, share=0.5, fpr=0.1, tpr=0.4)
        >>> half.chances([0, 1, 2])
        array([0. , 0.5, 0.5])
        """
        low, high = self.low.decide(scores), self.high.decide(scores)
        return np.where(low == high, low, np.where(high, self.share, 1 - self.share))

    def decide(
        self,
        scores: Scores,
        *,
        ids: ArrayLike | None = None,
        rng: np.random.Generator | int | None = None,
    ) -> Mask:
        """Decide each case.

        Parameters
        ----------
        scores : mapping of str to array-like, PairedScores, or array-like
            As for `ThresholdRule.decide`.
        ids : array-like, shape (n,), optional
            Ids of the cases, for draws that are always the same; see `uniform_of`. Equal ids
            have the same draw.
        rng : numpy.random.Generator or int, optional
            Generator or seed, for new draws.

        Returns
        -------
        ndarray of bool, shape (n,)
            Whether each case is called positive.

        Raises
        ------
        ValueError
            If the rules differ and neither `ids` nor `rng` is given, or both are.
        """
        low, high = self.low.decide(scores), self.high.decide(scores)
        if self.share in (0, 1):
            return high if self.share == 1 else low
        if (ids is None) == (rng is None):
            msg = "A mixture decides at random: give it ids of the cases, or rng, and not both."
            raise ValueError(msg)
        if ids is None:
            drawn = check_rng(rng).random(low.size)
        else:
            drawn = uniform_of(ids, rng=self.rng)
            check_lengths({"scores": low.size, "ids": drawn.size})
        return np.where(drawn < self.share, high, low)

    def expected(self, *, n_pos: float, n_neg: float) -> ConfusionMatrix:
        """Return the expected confusion matrix of so many cases.

        Parameters
        ----------
        n_pos, n_neg : float
            How many positives and negatives.

        Returns
        -------
        ConfusionMatrix
            Expectations, not whole numbers.
        """
        tp, fp = self.tpr * n_pos, self.fpr * n_neg
        return ConfusionMatrix(tp=tp, fp=fp, fn=n_pos - tp, tn=n_neg - fp)

    def spread(self, data: PairedScores) -> MixtureSpread:
        """Return how far the random draws move the rates of these cases.

        Parameters
        ----------
        data : PairedScores
            Cases with the scores that it needs.

        Returns
        -------
        MixtureSpread
            Standard deviations over the draws alone.

        Notes
        -----
        The variance of fpr is ``k (1 - k) d / N`` with k the share of `high` and d the share
        of the N negatives on which the two rules differ.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> from rocspace.combine import Constant, ThresholdRule
        >>> rules = {"low": Constant(False), "high": ThresholdRule("a", 1)}
        >>> half = Mixture(**rules, share=0.5, fpr=0.1, tpr=0.4)
        >>> spread = half.spread(pair_scores([0, 0, 1, 1], {"a": [0, 1, 1, 2]}))
        >>> round(spread.fpr, 3), round(spread.tpr, 3), round(spread.selected, 3)
        (0.25, 0.354, 0.866)
        """
        differ = self.low.decide(data) != self.high.decide(data)
        variance = self.share * (1 - self.share)
        weight = data.case_weight

        def deviation(chosen: Mask, whole: float) -> float:
            if whole == 0:
                return float("nan")
            return float(np.sqrt(variance * (weight[chosen & differ] ** 2).sum())) / whole

        sides = (~data.label, data.label)
        fpr, tpr = (deviation(side, float(weight[side].sum())) for side in sides)
        return MixtureSpread(fpr=fpr, tpr=tpr, selected=deviation(differ, 1.0))


# --- paths --------------------------------------------------------------------------------------


class RulePath(Result):
    """Rules from the most conservative to the most liberal, of which neighbours are mixed.

    Attributes
    ----------
    fpr, tpr : ndarray of float64, shape (m,)
        Rates of the rules, both non-decreasing.
    rules : tuple of Rule
        The rules.

    Raises
    ------
    ValueError
        If there are no rules, lengths differ, or the rates fall.

    See Also
    --------
    path_of, rule_path
    """

    fpr: Vector
    tpr: Vector
    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        for name in ("fpr", "tpr"):
            column = np.array(checks.check_fraction(name, getattr(self, name)), ndmin=1)
            if (np.diff(column) < 0).any():
                msg = f"{name} falls along the path. Sort the rules, conservative ones first."
                raise ValueError(msg)
            object.__setattr__(self, name, column)
        super().__post_init__()
        sizes = {"fpr": self.fpr.size, "tpr": self.tpr.size, "rules": len(self.rules)}
        check_lengths(sizes)
        if not self.rules:
            msg = "A path needs at least one rule."
            raise ValueError(msg)

    def __len__(self) -> int:
        """Return the number of rules."""
        return len(self.rules)

    def _about(self) -> str:
        shown = "; ".join(map(str, self.rules[:4])) + ("; ..." if len(self) > 4 else "")
        return f"{len(self)} rules: {shown}"

    def _columns(self) -> dict[str, Any]:
        return {"fpr": self.fpr, "tpr": self.tpr, "rule": list(map(str, self.rules))}

    @property
    def slopes(self) -> Vector:
        """Slopes from each rule to the next; nan between equal points."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.diff(self.tpr) / np.diff(self.fpr)

    @property
    def auc(self) -> float:
        """Area under the path; under its hull if it is one, corners included."""
        return float(np.trapezoid(self.tpr, self.fpr))

    def optimal(self, slope: float) -> int:
        """Return the rule that costs least, if the path is a hull.

        Parameters
        ----------
        slope : float
            Slope of the lines of equal cost, in [0, inf]; see
            `rocspace.operating.Costs.iso_performance_slope`.

        Returns
        -------
        int
            Its index; of several, that of the most conservative.

        Raises
        ------
        ValueError
            If the slope is negative or NaN.
        """
        check_not_negative("slope", slope)
        if slope == np.inf:  # a rise straight up costs nothing
            return int(np.flatnonzero(self.fpr == self.fpr[0])[-1])
        return int(np.count_nonzero(self.slopes > slope * (1 + 1e-12)))

    def mixture(self, i: int, share: float = 0.0, *, rng: int = 0) -> Mixture:
        """Return the mixture of rule i and the next one.

        Parameters
        ----------
        i : int
            Index of the more conservative rule.
        share : float, default 0
            Probability that the next rule decides.
        rng : int, default 0
            Seed of its draws by ids, to separate them from those of other mixtures.

        Returns
        -------
        Mixture
            At ``point[i] + share (point[i + 1] - point[i])``.

        Examples
        --------
        >>> from rocspace import roc_hull, tabulate
        >>> path = path_of(roc_hull(tabulate([0, 0, 1, 1], [1, 3, 2, 4])))
        >>> mixture = path.mixture(1, 0.5)
        >>> mixture.fpr, mixture.tpr
        (0.25, 0.75)
        """
        j = min(i + 1, len(self) - 1)
        fpr, tpr = (float(x[i] + share * (x[j] - x[i])) for x in (self.fpr, self.tpr))
        low, high = self.rules[i], self.rules[j]
        return Mixture(low=low, high=high, share=share, fpr=fpr, tpr=tpr, rng=rng)


@explained
def path_of(
    hull: RocHull, *, higher_is_positive: bool | Mapping[str, bool] | None = None
) -> RulePath:
    """Return the rules at the vertices of a hull.

    Parameters
    ----------
    hull : RocHull
        The hull of any number of classifiers.
    higher_is_positive : bool, or mapping of names to bool, optional
        Whether larger scores are more positive; a mapping gives each classifier its own
        direction, True where it leaves one out. By default one direction for all, read
        from the hull's threshold for rejecting every case.

    Returns
    -------
    RulePath
        One rule for each vertex; where several reach it, the first.

    References
    ----------
    Fawcett (2006), section 10.

    Examples
    --------
    >>> from rocspace import roc_hull, tabulate
    >>> path = path_of(roc_hull(tabulate([0, 0, 1, 1], [1, 3, 2, 4])))
    >>> [str(rule) for rule in path.rules]
    ['never', 'score >= 4', 'score >= 2', 'score >= 1']
    """
    all_lower = any(p.name == "never" and p.threshold == -np.inf for p in hull.points[0])
    given = not all_lower if higher_is_positive is None else higher_is_positive

    def rule_of(name: str, threshold: Any) -> Rule:
        if name in ("never", "always") and abs(threshold) == np.inf:
            return Constant(name == "always")
        higher = given.get(name, True) if isinstance(given, Mapping) else given
        return ThresholdRule(name, threshold, higher)

    rules = tuple(rule_of(points[0].name, points[0].threshold) for points in hull.points)
    return RulePath(fpr=hull.fpr, tpr=hull.tpr, rules=rules)


@explained
def rule_path(classifiers: Mapping[str, Classifier | Sequence[Classifier]]) -> RulePath:
    """Return the rules along the convex hull of any number of classifiers.

    Parameters
    ----------
    classifiers : mapping
        As for `rocspace.hull.roc_hull`; tables and curves have their direction.

    Returns
    -------
    RulePath
        From "never" to "always"; each rule is optimal for some costs and class mix.

    Raises
    ------
    SingleClassError
        If a class is missing somewhere.

    References
    ----------
    Fawcett (2006), sections 6 and 10, after Provost and Fawcett (2001).

    Examples
    --------
    >>> from rocspace import tabulate
    >>> rule_path({"a": tabulate([0, 1, 0, 1], [1, 2, 3, 4])})
    RulePath(4 rules: never; a >= 4; a >= 2; a >= 1)
    """
    lower = {
        name: False
        for name, given in classifiers.items()
        for one in (given if isinstance(given, Sequence) else [given])
        if not getattr(one, "higher_is_positive", True)
    }
    return path_of(roc_hull(classifiers), higher_is_positive=lower)


@explained
def mixture_at(
    path: RulePath,
    *,
    fpr: float | None = None,
    tpr: float | None = None,
    point: tuple[float, float] | None = None,
    rng: int = 0,
) -> Mixture:
    """Return the mixture at a place on a path.

    Parameters
    ----------
    path : RulePath
        Rules to mix.
    fpr : float, optional
        The false positive rate wanted; where the path rises straight up, its upper end.
    tpr : float, optional
        The true positive rate wanted; where the path is level, its left end.
    point : tuple of float, optional
        Both rates, of a point on the path.
    rng : int, default 0
        Seed of its draws by ids, to separate them from those of other mixtures.

    Returns
    -------
    Mixture
        Of two neighbours on the path, or one rule alone with ``share == 0``.

    Raises
    ------
    ValueError
        If not exactly one of fpr, tpr and point is given, or the path does not reach it.

    References
    ----------
    Fawcett (2006), section 10.

    Examples
    --------
    >>> from rocspace.combine import ThresholdRule
    >>> a, b = ThresholdRule("s", 3), ThresholdRule("s", 2)
    >>> path = RulePath(fpr=[0.1, 0.3], tpr=[0.5, 0.7], rules=(a, b))
    >>> round(mixture_at(path, fpr=0.15).share, 12)
    0.25
    """
    given = {"fpr": fpr, "tpr": tpr, "point": point}
    asked = [name for name, value in given.items() if value is not None]
    if len(asked) != 1:
        msg = f"Give one of fpr, tpr and point; here are {', '.join(asked) or 'none'}."
        raise ValueError(msg)
    if point is not None:
        return _at_point(path, point, rng)
    if fpr is not None:  # the last of equal ones is the highest, the first of them the leftmost
        return _where(path, "fpr", path.fpr, fpr, rng, last=True)
    return _where(path, "tpr", path.tpr, tpr, rng)


def _where(
    path: RulePath, name: str, x: Vector, wanted: Any, rng: int, *, last: bool = False
) -> Mixture:
    """Return the mixture where x, which does not fall along the path, has the value wanted."""
    if not x[0] <= wanted <= x[-1]:
        msg = f"{name} is {float(wanted)}, but the path goes from {brief(x[0])} to {brief(x[-1])}."
        raise ValueError(msg)
    i = int(np.searchsorted(x, wanted, "right" if last else "left"))
    i -= last or bool(x[i] > wanted)
    share = 0.0 if wanted <= x[i] else min(float((wanted - x[i]) / (x[i + 1] - x[i])), 1.0)
    return path.mixture(i, share, rng=rng)


def _at_point(path: RulePath, point: tuple[float, float], rng: int) -> Mixture:
    f, t = point
    for i in range(len(path)):
        j = min(i + 1, len(path) - 1)
        df, dt = path.fpr[j] - path.fpr[i], path.tpr[j] - path.tpr[i]
        along = f - path.fpr[i] + t - path.tpr[i]
        share = min(max(float(along / (df + dt)), 0.0), 1.0) if df + dt > 0 else 0.0
        mixture = path.mixture(i, share, rng=rng)
        if abs(mixture.fpr - f) <= _ON and abs(mixture.tpr - t) <= _ON:
            return mixture
    msg = f"({f}, {t}) is not on the path. Ask for its fpr, or its tpr, alone."
    raise ValueError(msg)


@explained
def at_budget(
    path: RulePath, *, selected: float, n_pos: float, n_neg: float, rng: int = 0
) -> Mixture:
    """Return the mixture that selects a given number of cases.

    Parameters
    ----------
    path : RulePath
        Rules to mix.
    selected : float
        How many cases to select: the budget.
    n_pos, n_neg : float
        How many positives and negatives there will be. Shares may be given instead, if
        `selected` is a share too.
    rng : int, default 0
        Seed of its draws by ids, to separate them from those of other mixtures.

    Returns
    -------
    Mixture
        Its ``expected(n_pos=..., n_neg=...)`` calls `selected` cases positive.

    Raises
    ------
    ValueError
        If the number is not between those that the ends of the path select.

    Notes
    -----
    O(m), exact but for rounding: along a path the number rises linearly between rules.

    References
    ----------
    Fawcett (2006), section 10, where an early rounding leaves 22 of 800 places empty.

    Examples
    --------
    The CoIL Challenge 2000: 4000 customers, 240 of whom will buy, room for 800.

    >>> from rocspace.combine import ThresholdRule
    >>> a, b = ThresholdRule("A", 0.5), ThresholdRule("B", 0.5)
    >>> path = RulePath(fpr=[0.1, 0.25], tpr=[0.2, 0.6], rules=(a, b))
    >>> best = at_budget(path, selected=800, n_pos=240, n_neg=3760)
    >>> round(best.share, 7), round(best.fpr, 7), round(best.tpr, 7)
    (0.569697, 0.1854545, 0.4278788)
    """
    if not (n_pos >= 0 and n_neg >= 0 and n_pos + n_neg > 0):
        msg = f"n_pos is {n_pos} and n_neg {n_neg}, but there must be cases to select from."
        raise ValueError(msg)
    # Of rules that select equally many, the first finds no fewer positives: it is on the hull.
    return _where(path, "selected", path.fpr * n_neg + path.tpr * n_pos, selected, rng)
