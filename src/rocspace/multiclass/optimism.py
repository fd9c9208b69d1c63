"""Optimism of chosen weights of classes: how much their cost on the same cases is too low."""

from __future__ import annotations

from math import isqrt
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.checks import check_choice, check_rng, check_times
from rocspace._base.frozen import Result, own
from rocspace._base.progress import Progress
from rocspace._base.text import brief, general
from rocspace.multiclass.cases import MulticlassScores
from rocspace.multiclass.costs import ClassCostsLike, Priors
from rocspace.multiclass.decisions import (
    ClassDecisions,
    Rule,
    best_class_weights,
    called_by,
    prices_of,
    weights_of,
)
from rocspace.multiclass.weights import least_cost
from rocspace.operating.optimism import mean_of_known

Correction: TypeAlias = Literal["out of bag", ".632", "harrell"]

_CELLS = 4 * 10**8  # of all planes together that replicates search: half a minute


class ClassWeightsBootstrap(Result):
    """Chosen weights of classes and their bootstrap replicates.

    Attributes
    ----------
    decisions : ClassDecisions
        The choice on all cases.
    class_weight : ndarray of float64, shape (n_boot - n_failed, k)
        The choice in each replicate; each row sums to 1.
    in_bag, out_of_bag, on_all : ndarray of float64, shape (n_boot - n_failed,)
        Expected cost of that choice on the cases of the replicate, on those left out, and on all;
        nan where no case of a class was left out.
    n_failed : int
        Replicates without a case of some class, as clusters can have.

    See Also
    --------
    class_weights_bootstrap
    """

    decisions: ClassDecisions
    class_weight: Vector
    in_bag: Vector
    out_of_bag: Vector
    on_all: Vector
    n_failed: int

    def _about(self) -> str:
        failed = f", {self.n_failed} failed" if self.n_failed else ""
        return (
            f"cost {brief(self.apparent)}, {brief(self.corrected)} corrected; "
            f"{self.in_bag.size} replicates{failed}"
        )

    def _card(self) -> Card:
        chosen = zip(self.decisions.classes, self.decisions.class_weight, strict=True)
        return Card(
            rows={
                "Weights": ", ".join(f"{c} {general(w)}" for c, w in chosen),
                "Apparent cost": general(self.apparent),
                "Corrected cost": general(self.corrected),
                "Optimism": general(self.optimism),
                "Replicates": f"{self.in_bag.size}, {self.n_failed} failed",
            }
        )

    def _columns(self) -> dict[str, Any]:
        classes = self.decisions.classes
        columns = {f"weight {c}": self.class_weight[:, j] for j, c in enumerate(classes)}
        costs = {name: getattr(self, name) for name in ("in_bag", "out_of_bag", "on_all")}
        return columns | costs

    @property
    def apparent(self) -> float:
        """Expected cost on the cases that chose the weights."""
        return self.decisions.cost

    @property
    def corrected(self) -> float:
        """Estimate of the expected cost on other cases: the mean out of bag; nan without any."""
        return self.corrected_by("out of bag")

    @property
    def optimism(self) -> float:
        """Apparent minus corrected cost: negative, since chosen weights look cheaper."""
        return self.apparent - self.corrected

    @property
    def n_undefined(self) -> int:
        """Number of replicates that left out no case of some class."""
        return int(np.count_nonzero(~np.isfinite(self.out_of_bag)))

    def corrected_by(self, method: Correction) -> float:
        """Return the expected cost on other cases, by one of three corrections.

        Parameters
        ----------
        method : {"out of bag", ".632", "harrell"}
            "out of bag": the mean cost of the cases that replicates leave out. ".632": 0.632 of it,
            and 0.368 of the apparent cost. "harrell": the apparent cost plus the mean of how much
            more a replicate's weights cost on all cases than on its own.

        Returns
        -------
        float
            The estimate; nan without any replicate.

        Notes
        -----
        In simulations of three classes (Normal scores, the same in tenths, exponential scores; 5 to
        200 cases in a class, 100 samples in each of 30 situations,
        benchmarks/constants/class_weights_optimism.py) the apparent cost was .004 to .251 below the
        true one on average, "harrell" from .111 below to .002 above, ".632" from .070 below to .005
        above, "out of bag" .006 to .056 above, the most with 10 cases of each class.

        Examples
        --------
        >>> from rocspace.multiclass import class_weights_bootstrap, multiclass_scores
        >>> y = [0, 0, 1, 1, 2, 2]
        >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
        >>> found = class_weights_bootstrap(multiclass_scores(y, p), n_boot=10, rng=1)
        >>> found.corrected_by("out of bag") > found.corrected_by(".632") > found.apparent
        True
        """
        check_choice("method", method, Correction)
        if method == "harrell":
            return self.apparent + mean_of_known(self.on_all - self.in_bag)
        outside = mean_of_known(self.out_of_bag)
        return outside if method == "out of bag" else 0.632 * outside + 0.368 * self.apparent


@explained
def class_weights_bootstrap(
    data: MulticlassScores,
    name: str | None = None,
    *,
    costs: ClassCostsLike | None = None,
    priors: Priors | None = None,
    rule: Rule = "largest",
    n_boot: int = 200,
    rng: np.random.Generator | int | None = None,
    progress: bool | None = None,
) -> ClassWeightsBootstrap:
    """Bootstrap the choice of the weights of classes, and correct its cost for optimism.

    Parameters
    ----------
    data, name, costs, priors, rule
        As for `best_class_weights`.
    n_boot : int, default 200
        Replicates. Each keeps the size of every class; with clusters each draws as many clusters
        as there are.
    rng : numpy.random.Generator or int, optional
        Generator or seed; the same seed gives the same numbers.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    ClassWeightsBootstrap
        The choice on all cases, and its cost corrected for optimism.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `best_class_weights`; also if `n_boot` is less than 1.

    Notes
    -----
    Replicates of three classes search the whole plane while n^2 n_boot is at most 4 * 10^8 (1,414
    cases for 200 replicates); with more cases or classes they improve the choice of all cases, and
    two other starts. Weights of cases stay with their cases. The cost is that of n_boot + 1
    searches.

    References
    ----------
    Efron and Tibshirani (1997), a paper on this alone, for cases out of bag; Harrell, Lee and Mark
    (1996), section 5.4, for the optimism.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> found = class_weights_bootstrap(multiclass_scores(y, p), n_boot=10, rng=1)
    >>> found.optimism < 0
    True
    """
    check_times("n_boot", n_boot)
    chosen = best_class_weights(data, name, costs=costs, priors=priors, rule=rule)
    prices = prices_of(rule, chosen.costs)
    score = np.asarray(data.score[:, data.classifier(name)], dtype=np.float64)
    paid = np.asarray(chosen.costs.cost.T[data.label])  # of each case, called each class
    start, plane = np.log(chosen.class_weight), isqrt(_CELLS // n_boot)
    rows = []
    with Progress("bootstrap", n_boot, show=progress) as shown:
        for source in check_rng(rng).spawn(n_boot):
            drawn = _drawn(data, source)
            part = _parts(data, chosen.shares, drawn)
            shown.add(1)
            if part is None:
                continue
            found = least_cost(
                score,
                paid * part[:, None],
                n_starts=2,
                rng=source,
                start=start,
                plane=plane,
                prices=prices,
            )
            weight = weights_of(found.shift)
            cost = paid[np.arange(len(data)), called_by(score, weight, prices)]
            left = _parts(data, chosen.shares, drawn == 0)
            outside = np.nan if left is None else float(left @ cost)
            whole = _parts(data, chosen.shares, np.ones(len(data)))
            on_all = np.nan if whole is None else float(whole @ cost)
            rows.append([*weight, float(part @ cost), outside, on_all])
    k = len(data.classes)
    held = np.array(rows, dtype=np.float64).reshape(len(rows), k + 3)
    return ClassWeightsBootstrap(
        decisions=chosen,
        class_weight=own(held[:, :k].copy()),
        in_bag=own(held[:, k].copy()),
        out_of_bag=own(held[:, k + 1].copy()),
        on_all=own(held[:, k + 2].copy()),
        n_failed=n_boot - len(rows),
    )


def _drawn(data: MulticlassScores, rng: np.random.Generator) -> Ints:
    """Return how often each case is drawn: class by class, or cluster by cluster."""
    if data.cluster is not None:
        number = np.unique(data.cluster, return_inverse=True)[1]
        many = int(number.max()) + 1
        return np.asarray(np.bincount(rng.integers(many, size=many), minlength=many)[number])
    found = np.zeros(len(data), dtype=np.int64)
    for i in range(len(data.classes)):
        rows = np.flatnonzero(data.label == i)
        found[rows] = np.bincount(rng.integers(rows.size, size=rows.size), minlength=rows.size)
    return found


def _parts(data: MulticlassScores, shares: Vector, times: Vector | Ints) -> Vector | None:
    """Return the part of each case in the expected cost; None if a class has no case."""
    weight = data.case_weight * times
    sizes = np.bincount(data.label, weight, shares.size)
    if not (sizes[shares > 0] > 0).all():
        return None
    part = shares / np.where(sizes > 0, sizes, 1.0)
    return np.asarray(part[data.label] * weight)
