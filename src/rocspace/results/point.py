"""The counts at one threshold."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from rocspace._base.cards import Card, crossed
from rocspace._base.frozen import Result
from rocspace._base.text import threshold


class OperatingPoint(Result):
    """An operating point: the counts of the four outcomes at one threshold.

    Attributes
    ----------
    threshold : float
        Cases with ``score >= threshold`` are called positive (``<=`` when lower scores are
        more positive), or only those beyond it where `inclusive` is False. The first point
        of a curve has an infinite one: no case is called positive.
    tp, fp, fn, tn : int or float
        True and false positives, false and true negatives; weights where weighted.
    next_score : float
        The next less positive score in the data: every threshold between it (excluded) and
        ``threshold`` gives the same decisions.
    n_eff : tuple of float
        Effective numbers of positives and negatives, from which intervals are computed.
    criterion : str
        Why this point was chosen.
    inclusive : bool
        Whether a score equal to the threshold is called positive.

    See Also
    --------
    rocspace.operating.optimal_points, rocspace.operating.point_at, rocspace.operating.point_at_fpr
    """

    threshold: Any
    tp: int | float
    fp: int | float
    fn: int | float
    tn: int | float
    next_score: Any
    n_eff: tuple[float, float]
    criterion: str = ""
    inclusive: bool = True

    _meant: ClassVar[Mapping[str, str]] = {
        "specificity": "1 - point.fpr",
        "tnr": "1 - point.fpr",
        "fnr": "1 - point.tpr",
        **dict.fromkeys(
            ("cutoff", "cutpoint", "cut_point", "optimal_cutpoint", "cut"), "threshold"
        ),
        "ci": "rs.point_interval(point, 'tpr')",
        "interval": "rs.point_interval(point, 'tpr')",
        "n_neg": "point.fp + point.tn",
        "n_pos": "point.tp + point.fn",
        "youden": "point.tpr - point.fpr",
    }
    _frame = ("threshold", "tpr", "fpr", "tp", "fp", "fn", "tn", "criterion")

    if not TYPE_CHECKING:
        __iter__ = None  # so that pandas takes a sequence of points for rows

    @property
    def midpoint(self) -> Any:
        """The number half way to the next score, as other programs report thresholds.

        It decides as `threshold` does; where no number between them does, it is the threshold.
        """
        near, far = self.threshold, self.next_score
        if not (isfinite(near) and isfinite(far)):
            return near
        middle = near / 2 + far / 2
        between = far < middle < near or near < middle < far
        return middle if between else near

    def _card(self) -> Card:
        chosen = {"Chosen by": self.criterion} if self.criterion else {}
        return crossed(self, {"Threshold": threshold(self.threshold, self.next_score)}, chosen)

    @property
    def tpr(self) -> float:
        """True positive rate in [0, 1], higher is better; nan without positives."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else float("nan")

    @property
    def fpr(self) -> float:
        """False positive rate in [0, 1], lower is better; nan without negatives."""
        return self.fp / (self.fp + self.tn) if self.fp + self.tn else float("nan")
