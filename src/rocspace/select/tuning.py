"""Tune a detector that has parameters instead of a score: try settings, keep the best of them.

Each setting of the parameters is one point in ROC space. Those that no other dominates form the
detector's empirical ROC curve; which of them to use depends on the costs, as for thresholds.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_choice, check_not_negative
from rocspace._base.frozen import FrozenDict, Result
from rocspace._base.geometry import hull_indices
from rocspace._base.progress import Progress
from rocspace._base.text import brief
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.counts.table import refuse
from rocspace.curves.roc import RocPoints, pareto_front

Setting: TypeAlias = Mapping[str, float]
Detector: TypeAlias = Callable[[Setting], ConfusionMatrix | Sequence[ConfusionMatrix]]


class ParameterRoc(Result):
    """Rates of the settings that were tried, and the settings that no other dominates.

    Attributes
    ----------
    settings : tuple of mappings
        Every setting that was tried: a value for each parameter.
    fpr, tpr : ndarray of float64, shape (settings,)
        Its rates in [0, 1].
    front : ndarray of int64, shape (m,)
        Places of the settings that no other dominates, the most conservative first.
    auc : float
        Area under the staircase of the front, in [0, 1]; higher is better. A point adds only
        what lies right of and below it: no rate between two settings is assumed.
    areas : tuple of float
        That area after each round of refinement, the first after the grid.
    complete : bool
        Whether the last round changed the area by less than the tolerance; otherwise the
        evaluations ran out.

    See Also
    --------
    parameter_roc
    """

    settings: tuple[Setting, ...]
    fpr: Vector
    tpr: Vector
    front: Ints
    auc: float
    areas: tuple[float, ...]
    complete: bool

    def _columns(self) -> dict[str, Any]:
        names = dict.fromkeys(name for setting in self.settings for name in setting)
        tried = {name: [setting.get(name) for setting in self.settings] for name in names}
        on_front = np.isin(np.arange(len(self.settings)), self.front)
        return {**tried, "fpr": self.fpr, "tpr": self.tpr, "on_front": on_front}

    def _about(self) -> str:
        of = f"{len(self.front)} of {len(self.settings)} settings"
        return f"{of} on the front, area {brief(self.auc)}"

    def best(self, slope: float = 1.0) -> Setting:
        """Return the setting with the least expected cost.

        Parameters
        ----------
        slope : float, default 1.0
            Negatives' share times the cost of a false positive, over positives' share times
            the cost of a false negative; 1 gives the greatest ``tpr - fpr``.

        Returns
        -------
        mapping
            The most conservative of the best settings.

        Raises
        ------
        ValueError
            If the slope is negative or nan.
        """
        check_not_negative("slope", slope)
        f, t = self.fpr[self.front], self.tpr[self.front]
        gain = -f if np.isinf(slope) else t - slope * f
        return self.settings[int(self.front[np.argmax(gain)])]

    @property
    def hull(self) -> Ints:
        """Places of the settings on the upper convex hull, the most conservative first.

        Choosing at random between two neighbours gives any rates on the line between them.
        """
        f, t = self._front_between_ends()
        vertices = hull_indices(f, t)
        return self.front[vertices[(vertices > 0) & (vertices < f.size - 1)] - 1]

    @property
    def hull_auc(self) -> float:
        """Area under the upper convex hull, in [1/2, 1]."""
        f, t = self._front_between_ends()
        vertices = hull_indices(f, t)
        return float(np.trapezoid(t[vertices], f[vertices]))

    def _front_between_ends(self) -> tuple[Vector, Vector]:
        f, t = self.fpr[self.front], self.tpr[self.front]
        return np.concatenate([[0.0], f, [1.0]]), np.concatenate([[0.0], t, [1.0]])

    def evaluated(
        self, detector: Detector, *, average: Literal["micro", "macro"] = "micro"
    ) -> ParameterRoc:
        """Evaluate the settings on the front again, on images that they were not chosen on.

        Parameters
        ----------
        detector : callable
            As for `parameter_roc`, on the other images.
        average : {"micro", "macro"}, default "micro"
            As for `parameter_roc`.

        Returns
        -------
        ParameterRoc
            The settings of this front, in its order, with their rates on those images; the new
            front is what no other dominates there. ``best`` of the old front is still what was
            chosen: look it up in `settings`.

        Raises
        ------
        SingleClassError
            If the counts have no positives, or no negatives.
        ValueError
            If the average is unknown.

        Examples
        --------
        >>> from rocspace.counts import ConfusionMatrix
        >>> def detector(setting):
        ...     tp = round(90 - 20 * abs(setting["x"] - 2))
        ...     return ConfusionMatrix(tp=tp, fp=20, fn=100 - tp, tn=80)
        >>> found = parameter_roc(detector, {"x": [0, 3]})
        >>> round(found.evaluated(detector).auc, 3)
        0.712
        """
        check_choice("average", average, ("micro", "macro"))
        settings = tuple(self.settings[i] for i in self.front)
        fpr, tpr = np.array([_rates(detector(setting), average) for setting in settings]).T
        points = RocPoints(fpr=fpr, tpr=tpr)
        front = pareto_front(points)
        area = _staircase(points, front)
        return ParameterRoc(
            settings=settings,
            fpr=fpr,
            tpr=tpr,
            front=front,
            auc=area,
            areas=(area,),
            complete=self.complete,
        )


@explained
def parameter_roc(
    detector: Detector,
    grid: Mapping[str, Sequence[float]],
    *,
    tolerance: float = 1e-3,
    max_evaluations: int = 1000,
    average: Literal["micro", "macro"] = "micro",
    progress: bool | None = None,
) -> ParameterRoc:
    """Find the empirical ROC curve of a detector over its parameters.

    Parameters
    ----------
    detector : callable
        ``detector(setting)`` gets a value for each parameter and returns the four counts, or a
        sequence of them, one for each image (or data set).
    grid : mapping of str to sequence of float
        The values to begin with, for each parameter.
    tolerance : float, default 1e-3
        Stop when a round of refinement adds less than this to the area.
    max_evaluations : int, default 1000
        Stop before more settings than this are tried; the grid is tried in any case.
    average : {"micro", "macro"}, default "micro"
        Add up the counts of all images, or average their rates.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    ParameterRoc
        All settings tried, and the front.

    Raises
    ------
    SingleClassError
        If the counts have no positives, or no negatives.
    ValueError
        If the grid is empty, or an option is out of range.

    Notes
    -----
    Each round tries, for every setting on the front and each parameter, the middle between its
    value and the next value tried on either side. The front's area can only grow. Settings
    look better on the images that they were chosen on: `ParameterRoc.evaluated` evaluates the
    front again on held-out ones. ``confusion_matrix(truth, found, ignore=mask)`` leaves regions
    that do not count out of the counts.

    References
    ----------
    Bowyer, Kranenburg and Dougherty (2001), the whole paper, whose edge detectors are tuned so.

    Examples
    --------
    >>> from rocspace.counts import ConfusionMatrix
    >>> def detector(setting):  # finds most where x is near 2, at the price of alarms
    ...     tp = round(90 - 20 * abs(setting["x"] - 2))
    ...     return ConfusionMatrix(tp=tp, fp=20, fn=100 - tp, tn=80)
    >>> found = parameter_roc(detector, {"x": [0, 3]})
    >>> found.best()["x"]
    2.0625
    """
    values = {name: sorted({float(v) for v in given}) for name, given in grid.items()}
    if not values or not all(values.values()):
        msg = "The grid needs at least one parameter, and each parameter at least one value."
        raise ValueError(msg)
    if not tolerance > 0:
        msg = f"tolerance is {tolerance}, but the refinement only ends if it is above 0."
        raise ValueError(msg)
    search = _Search(detector, average, values, {})
    areas: list[float] = []
    with Progress("settings", max_evaluations, show=progress) as shown:
        todo = list(itertools.product(*values.values()))
        while todo:
            search.try_all(todo, shown)
            areas.append(search.area())
            if len(areas) > 1 and areas[-1] - areas[-2] < tolerance:
                complete = True
                break
            todo = search.middles()
            complete = not todo
            room = max_evaluations - len(search.found)
            if len(todo) > room:
                break
    points = search.points()
    return ParameterRoc(
        settings=tuple(FrozenDict(zip(values, key, strict=True)) for key in search.found),
        fpr=points.fpr,
        tpr=points.tpr,
        front=search.front(),
        auc=areas[-1],
        areas=tuple(areas),
        complete=complete,
    )


@dataclass(frozen=True, slots=True)
class _Search:
    """The settings tried so far; `values` grows, and stays sorted, as middles are tried."""

    detector: Detector
    average: str
    values: dict[str, list[float]]
    found: dict[tuple[float, ...], tuple[float, float]]

    def try_all(self, todo: Sequence[tuple[float, ...]], progress: Progress) -> None:
        for key in todo:
            counts = self.detector(FrozenDict(zip(self.values, key, strict=True)))
            self.found[key] = _rates(counts, self.average)
            progress.add()
        for j, tried in enumerate(self.values.values()):
            tried[:] = sorted({*tried, *(key[j] for key in todo)})

    def points(self) -> RocPoints:
        fpr, tpr = np.array(list(self.found.values())).T
        return RocPoints(fpr=fpr, tpr=tpr)

    def front(self) -> Ints:
        return pareto_front(self.points())

    def area(self) -> float:
        return _staircase(self.points(), self.front())

    def middles(self) -> list[tuple[float, ...]]:
        """Return the settings half way between those on the front and their neighbours."""
        keys = list(self.found)
        new: dict[tuple[float, ...], None] = {}
        for i in self.front():
            for j, tried in enumerate(self.values.values()):
                at = tried.index(keys[i][j])
                for neighbour in (at - 1, at + 1):
                    if 0 <= neighbour < len(tried):
                        middle = (tried[at] + tried[neighbour]) / 2
                        key = (*keys[i][:j], middle, *keys[i][j + 1 :])
                        if key not in self.found and middle not in (tried[at], tried[neighbour]):
                            new[key] = None
        return list(new)


def _staircase(points: RocPoints, front: Ints) -> float:
    """Return the area under the staircase of a front."""
    ends = np.append(points.fpr[front], 1.0)
    return float((np.diff(ends) * points.tpr[front]).sum())


def _rates(given: ConfusionMatrix | Sequence[ConfusionMatrix], average: str) -> tuple[Any, Any]:
    """Return fpr and tpr of all images together, or their means."""
    images = [given] if isinstance(given, ConfusionMatrix) else list(given)
    counts = np.array([(c.tp, c.fp, c.fn, c.tn) for c in images], dtype=np.float64)
    tp, fp, fn, tn = counts.reshape(-1, 4).T
    if average == "micro":
        tp, fp, fn, tn = (column.sum() for column in (tp, fp, fn, tn))
    pos, neg = np.atleast_1d(tp + fn), np.atleast_1d(fp + tn)
    if not (pos > 0).all() or not (neg > 0).all():
        refuse("parameter_roc", float(pos.min(initial=np.inf)), float(neg.min(initial=np.inf)))
    return float(np.mean(fp / neg)), float(np.mean(tp / pos))
