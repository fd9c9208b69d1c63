"""Displays: curves of a fitted model, of predictions, or of cross-validation, with uncertainty."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Vector
from rocspace._base.checks import check_choice, check_level, check_sizes
from rocspace._base.errors import unknown_attribute
from rocspace._base.optional import require
from rocspace._base.text import count, estimate
from rocspace.averaging.averages import vertical_average
from rocspace.averaging.folds import (
    Response,
    corrected_estimate,
    cv_auc_estimate,
    cv_tables,
    scores_of,
)
from rocspace.bands.api import roc_band
from rocspace.bands.formulas import average_band
from rocspace.bands.precision import pr_band
from rocspace.calibrate.probabilities import fit_isotonic
from rocspace.calibrate.reliability import calibration_curve
from rocspace.calibrate.weak import calibration_estimates
from rocspace.counts.table import ScoreTable, merge, need, tabulate
from rocspace.curves.det import det_curve, det_position
from rocspace.curves.pr import pr_area, pr_area_estimate, pr_curve
from rocspace.curves.roc import roc_curve
from rocspace.inference.area import delong
from rocspace.plot.axes import LOOKS, last_colour, shade
from rocspace.plot.conditions import plot_pr_band
from rocspace.plot.graph import plot_roc
from rocspace.plot.legends import draw_line
from rocspace.plot.scores import draw_limits, plot_calibration
from rocspace.plot.siblings import plot_det, plot_pr
from rocspace.plot.uncertain import plot_average, plot_band
from rocspace.results.estimates import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Strategy: TypeAlias = Literal["uniform", "quantile"]
"""How probabilities are grouped: equally wide groups, or equally many cases in each."""

_AREA = ("auc", "roc_auc", "area", "interval", "estimate", "mean_auc", "std_auc", "ci")
_OF_ONE = {
    **dict.fromkeys(_AREA, "rs.delong(display.tables[0])"),
    **dict.fromkeys(("fpr", "tpr", "curve"), "rs.roc_curve(display.tables[0])"),
    "average_precision": "rs.average_precision(display.tables[0])",
    **dict.fromkeys(("precision", "recall"), "rs.pr_curve(display.tables[0])"),
    "brier_score": "rs.calibrate, of display.tables",
    **dict.fromkeys(
        ("prob_true", "prob_pred"), "rs.calibrate.calibration_curve(display.tables[0], bins=5)"
    ),
}
_OF_FOLDS = dict.fromkeys(_AREA, "rs.cv_auc_estimate(display.tables)") | dict.fromkeys(
    ("fpr", "tpr", "curve", "roc_curve"), "rs.averaging.vertical_average(display.tables)"
)
_STEPS = 8  # points between two knots of a band that is drawn on bent axes
_EDGE = 1e-6  # the rate nearest to 0 that a band reaches on axes without one


class Display(ABC):
    """Base of the displays: counts of one set of cases, or of each fold, and how they are drawn.

    Attributes
    ----------
    tables : tuple of ScoreTable
        Counts at distinct scores; one table for each fold of a cross-validation.
    name : str
        What the legend calls the model.
    ax_ : matplotlib.axes.Axes
        The axes, once it is drawn.
    figure_ : matplotlib.figure.Figure
        Their figure.
    line_ : matplotlib.lines.Line2D
        The line of the curve.

    See Also
    --------
    RocDisplay, PrDisplay, DetDisplay, CalibrationDisplay
    """

    _proba = False

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            several = len(self.__dict__.get("tables", ())) > 1
            meant = (_OF_FOLDS if several else _OF_ONE).get(name, "")
            hint = f". Use {meant}." if meant else ""
            msg = f"{type(self).__name__!r} object has no attribute {name!r}{hint}"
            raise unknown_attribute(msg, name, self)

    def __init__(
        self, tables: Sequence[ScoreTable] = (), *, name: str = "Classifier", **others: Any
    ) -> None:
        if others or not len(tables):
            kind = type(self).__name__
            said = f" has no argument {min(others)!r}" if others else " takes tables, and got none"
            msg = f"{kind}{said}: say {kind}.from_predictions(y_true, y_score), or {kind}([table])."
            raise TypeError(msg)
        self.tables = tuple(tables)
        self.name = name
        for table in self.tables:
            need(type(self).__name__, table)

    def __repr__(self) -> str:
        """Return the name and the numbers of cases."""
        pos, neg = (sum(getattr(t, each) for t in self.tables) for each in ("n_pos", "n_neg"))
        folds = f"{len(self.tables)} folds, " if len(self.tables) > 1 else ""
        about = f"{folds}{count(pos)} positives, {count(neg)} negatives"
        return f"{type(self).__name__}({self.name}: {about})"

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
        response_method: Response = "auto",
        name: str | None = None,
        ax: Axes | None = None,
        band: bool = True,
        level: float = 0.95,
        **line: Any,
    ) -> Self:
        """Draw the curve of a fitted classifier on cases that it did not see.

        Parameters
        ----------
        estimator : classifier
            Fitted; two classes.
        X : array, sparse matrix, data frame or list, n rows
            Features.
        y : array-like, shape (n,)
            Labels.
        sample_weight : array-like, shape (n,), optional
            Weight of each case.
        pos_label : object, optional
            The positive class, by default the second of ``classes_``.
        response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
            Which scores; "auto" takes probabilities if there are any.
        name : str, optional
            In the legend, by default the name of the classifier's class.
        ax : matplotlib.axes.Axes, optional
            By default those of a new figure of pyplot.
        band : bool, default True
            Whether to draw the confidence band.
        level : float, default 0.95
            Level of the band and of the interval in the legend.
        **line
            Properties of the line.

        Returns
        -------
        Display
            Drawn, with ``ax_``, ``figure_`` and ``line_``.

        Raises
        ------
        SingleClassError, TypeError, ValueError
            If a class is missing, or the model does not give such scores.
        """
        classes = getattr(estimator, "classes_", None)
        if classes is None:
            msg = f"{type(estimator).__name__} has no classes_. Fit it first: model.fit(X, y)."
            raise ValueError(msg)
        if len(classes) > 2:
            msg = (
                f"{cls.__name__} is for two classes, and the model knows {len(classes)}. Use "
                "rocspace.plot.plot_one_vs_rest(multiclass_scores(y, model.predict_proba(X)))."
            )
            raise ValueError(msg)
        _check_known(y, classes)
        positive = classes[-1] if pos_label is None else pos_label
        wanted: Response = "predict_proba" if cls._proba else response_method
        score = scores_of(estimator, X, positive, wanted)
        table = tabulate(np.asarray(y) == positive, score, sample_weight=sample_weight)
        found = cls([table], name=name or type(estimator).__name__)
        return found.plot(ax=ax, band=band, level=level, **line)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
        name: str | None = None,
        ax: Axes | None = None,
        band: bool = True,
        level: float = 0.95,
        **line: Any,
    ) -> Self:
        """Draw the curve of scores.

        Parameters
        ----------
        y_true, y_score : array-like, shape (n,)
            Labels and scores, as for `rocspace.tabulate`.
        sample_weight : array-like, shape (n,), optional
            Weight of each case.
        pos_label : object, optional
            The label of the positive class, as for `rocspace.tabulate`.
        name, ax, band, level, **line
            As for ``from_estimator``.

        Returns
        -------
        Display
            Drawn, with ``ax_``, ``figure_`` and ``line_``.
        """
        table = tabulate(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        return cls([table], name=name or "Classifier").plot(ax=ax, band=band, level=level, **line)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: object = None,
        response_method: Response = "auto",
        name: str | None = None,
        ax: Axes | None = None,
        band: bool = True,
        level: float = 0.95,
        **line: Any,
    ) -> Self:
        """Draw the curves of all folds, their average, and what is uncertain about it.

        Parameters
        ----------
        cv_results : mapping
            The result of scikit-learn's ``cross_validate(..., return_estimator=True,
            return_indices=True)``.
        X, y
            The features and labels that were cross-validated.
        sample_weight, pos_label, response_method, name, ax, band, level, **line
            As for ``from_estimator``.

        Returns
        -------
        Display
            Drawn, with ``ax_``, ``figure_`` and ``line_``.

        Raises
        ------
        ValueError
            If the results hold no models or no indices.
        """
        wanted: Response = "predict_proba" if cls._proba else response_method
        models = cv_results.get("estimator", ())
        positive = models[0].classes_[-1] if len(models) and pos_label is None else pos_label
        tables = cv_tables(
            cv_results, X, y, pos_label=positive, sample_weight=sample_weight, response=wanted
        )
        name = name or type(models[0]).__name__
        found = cls(list(tables.values()), name=name)
        return found.plot(ax=ax, band=band, level=level, **line)

    def plot(
        self, *, ax: Axes | None = None, band: bool = True, level: float = 0.95, **line: Any
    ) -> Self:
        """Draw it once more.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            By default those of a new figure of pyplot.
        band : bool, default True
            Whether to draw the confidence band.
        level : float, default 0.95
            Level of the band and of the interval in the legend.
        **line
            Properties of the line.

        Returns
        -------
        Display
            Itself.

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> from rocspace.estimators import DetDisplay
        >>> y, score = [0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.5, 0.7, 0.9]
        >>> shown = DetDisplay.from_predictions(y, score, ax=Figure().subplots())
        >>> shown.plot(ax=Figure().subplots(), band=False).ax_.get_xlabel()
        'False positive rate (%)'
        """
        check_level(level)
        line.setdefault("label", self._label(level))
        if ax is None:
            ax = require("matplotlib.pyplot", extra="plot").figure().add_subplot()
        draw = self._draw if len(self.tables) == 1 else self._draw_folds
        self.ax_ = draw(ax, band, level, line)
        self.figure_ = self.ax_.figure
        label = line["label"]
        self.line_ = next(drawn for drawn in self.ax_.lines[::-1] if drawn.get_label() == label)
        return self

    def _label(self, level: float) -> str:
        """Return what the legend says: the name, and the number with its interval."""
        what, found = self._number()
        many = f"{len(self.tables)} folds: " if len(self.tables) > 1 else ""
        value, ends = estimate(found.value, *found.interval(level))
        return f"{self.name} ({many}{what} {value}, {ends})"

    def _number(self) -> tuple[str, Estimate]:
        """Return the number that the legend gives, and its name."""
        if len(self.tables) == 1:
            return "AUC", delong(self.tables[0])
        return "AUC", cv_auc_estimate(self.tables)

    @abstractmethod
    def _draw(self, ax: Any, band: bool, level: float, line: dict[str, Any]) -> Any:
        """Draw the one table, and return the axes."""

    @abstractmethod
    def _draw_folds(self, ax: Any, band: bool, level: float, line: dict[str, Any]) -> Any:
        """Draw the average of the folds, and return the axes."""


def _check_known(y: ArrayLike, classes: Array) -> None:
    """Raise if labels are not those that the model was fitted to, such as texts for numbers."""
    known = list(dict.fromkeys(np.asarray(y).ravel().tolist()))
    if any(label not in classes.tolist() for label in known):
        theirs, ours = (", ".join(map(repr, each)) for each in (known[:4], classes.tolist()))
        msg = (
            f"y has the labels {theirs}, but the model knows {ours}. Pass y with the labels that "
            "the model was fitted to."
        )
        raise ValueError(msg)


class RocDisplay(Display):
    """The ROC curve of a model, its confidence band, and its area with an interval.

    Parameters
    ----------
    tables : sequence of ScoreTable
        One table, or one for each fold. Usually `from_estimator`, `from_predictions` or
        `from_cv_results` makes the display.
    name : str, default "Classifier"
        What the legend calls the model.

    See Also
    --------
    PrDisplay, DetDisplay, CalibrationDisplay, rocspace.plot.plot_roc

    Notes
    -----
    The band is that of `rocspace.roc_band`: it contains the whole curve with probability `level`.
    For folds, the curve is their vertical average, with its interval at each false positive rate,
    and the area is that of `rocspace.cv_auc_estimate`, which allows for dependent folds.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GaussianNB().fit(X[:300], y[:300])
    >>> shown = RocDisplay.from_estimator(model, X[300:], y[300:], ax=Figure().subplots())
    >>> shown.line_.get_label()
    'GaussianNB (AUC 0.9969, 0.9606 to 0.9995)'
    """

    def _draw(self, ax: Any, band: bool, level: float, line: dict[str, Any]) -> Any:
        (table,) = self.tables
        ax = plot_roc(roc_curve(table), ax=ax, area="none", **line)
        return plot_band(roc_band(table, level=level), ax=ax) if band else ax

    def _draw_folds(self, ax: Any, band: bool, level: float, line: dict[str, Any]) -> Any:
        average = vertical_average(self.tables)
        ax = plot_average(average, ax=ax, each=True, **line)
        return plot_band(average.interval(level), ax=ax) if band else ax


class _Mapped(Display):
    """Base of displays in other coordinates than those of the ROC graph."""

    @abstractmethod
    def _map(self, fpr: Vector, tpr: Vector) -> tuple[Array, Array]:
        """Return the place of points of the ROC graph."""

    @abstractmethod
    def _one(self, table: ScoreTable, ax: Any, line: dict[str, Any]) -> Any:
        """Draw the curve of one table, and return the axes."""

    def _draw(self, ax: Any, band: bool, level: float, line: dict[str, Any]) -> Any:
        (table,) = self.tables
        ax = self._one(table, ax, line)
        if band:
            found = roc_band(table, level=level)
            self._shade(ax, found.fpr, found.low, found.high)
        return ax

    def _draw_folds(self, ax: Any, band: bool, level: float, line: dict[str, Any]) -> Any:
        ax = self._one(merge(*self.tables), ax, {"label": "_axes"})
        ax.lines[-1].remove()  # it set up the axes; the curve of all folds together is not drawn
        for table in self.tables:
            each = roc_curve(table)
            x, y = self._map(*_finely(each.fpr, each.tpr))
            ax.plot(x, y, color=shade(ax, "0.6"), linewidth=0.6, zorder=1.6, label="_each")
        average = vertical_average(self.tables)
        draw_line(ax, *self._map(*_finely(average.fpr, average.tpr)), line)
        if band:
            found = average_band(average.interval(level))
            self._shade(ax, found.fpr, found.low, found.high)
        return ax

    def _shade(self, ax: Axes, fpr: Vector, low: Vector, high: Vector) -> None:
        """Shade what lies between both edges of a band, which are mapped point by point."""
        upper = self._map(*_finely(np.append(0.0, fpr), np.append(0.0, high)))
        lower = self._map(*_finely(fpr, low))
        x, y = (np.concatenate([a, b[::-1]]) for a, b in zip(upper, lower, strict=True))
        limits = ax.get_xlim(), ax.get_ylim()
        look = {"color": last_colour(ax, LOOKS[0][0]), "alpha": 0.2, "linewidth": 0.6}
        ax.fill(x, y, zorder=1.3, **look)
        ax.set(xlim=limits[0], ylim=limits[1])


def _finely(x: Vector, y: Vector) -> tuple[Vector, Vector]:
    """Return more points on the lines between points."""
    at = np.arange(x.size)
    fine = np.linspace(0, x.size - 1, (x.size - 1) * _STEPS + 1)
    return np.interp(fine, at, x), np.interp(fine, at, y)


class PrDisplay(_Mapped):
    """The precision-recall curve of a model, its confidence band, and its area with an interval.

    Parameters
    ----------
    tables, name
        As for `RocDisplay`.

    See Also
    --------
    RocDisplay, rocspace.plot.plot_pr

    Notes
    -----
    The area is that of `rocspace.curves.pr_area`. For folds it is their mean, with the interval
    that is corrected for overlapping training sets. The band is that of `rocspace.bands.pr_band`,
    with the prevalence of these cases taken as known. The average of folds is that of their ROC
    curves, at the prevalence of all cases.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GaussianNB().fit(X[:300], y[:300])
    >>> shown = PrDisplay.from_estimator(model, X[300:], y[300:], ax=Figure().subplots())
    >>> shown.line_.get_label()
    'GaussianNB (area 0.999, 0.940 to 1)'
    """

    def _number(self) -> tuple[str, Estimate]:
        if len(self.tables) == 1:
            return "area", pr_area_estimate(self.tables[0])
        k = len(self.tables)
        areas = [pr_area(table) for table in self.tables]
        return "area", corrected_estimate(areas, n_train=k - 1, n_test=1)

    def _one(self, table: ScoreTable, ax: Any, line: dict[str, Any]) -> Any:
        return plot_pr(pr_curve(table), ax=ax, **line)

    def _draw(self, ax: Any, band: bool, level: float, line: dict[str, Any]) -> Any:
        (table,) = self.tables
        ax = self._one(table, ax, line)
        return plot_pr_band(pr_band(table, level=level), ax=ax) if band else ax

    def _map(self, fpr: Vector, tpr: Vector) -> tuple[Array, Array]:
        whole = merge(*self.tables)
        called = tpr * whole.n_pos, fpr * whole.n_neg
        total = called[0] + called[1]
        return tpr, np.divide(called[0], total, out=np.ones_like(tpr), where=total > 0)


class DetDisplay(_Mapped):
    """The detection error trade-off curve of a model, its confidence band, and the area under ROC.

    Parameters
    ----------
    tables, name
        As for `RocDisplay`.

    See Also
    --------
    RocDisplay, rocspace.plot.plot_det

    Notes
    -----
    The band is that of the ROC curve on these axes; the average of folds is that of their ROC
    curves.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GaussianNB().fit(X[:300], y[:300])
    >>> shown = DetDisplay.from_estimator(model, X[300:], y[300:], ax=Figure().subplots())
    >>> shown.ax_.get_ylabel()
    'False negative rate (%)'
    """

    def _one(self, table: ScoreTable, ax: Any, line: dict[str, Any]) -> Any:
        return plot_det(det_curve(table), ax=ax, **line)

    def _map(self, fpr: Vector, tpr: Vector) -> tuple[Array, Array]:
        inner = (np.clip(rate, _EDGE, 1 - _EDGE) for rate in (fpr, 1 - tpr))
        x, y = (np.asarray(det_position(rate)) for rate in inner)
        return x, y


class CalibrationDisplay(Display):
    """A reliability diagram of a model: shares of positives against probabilities, with intervals.

    Parameters
    ----------
    tables, name
        As for `RocDisplay`; scores are probabilities.

    See Also
    --------
    RocDisplay, rocspace.plot.plot_calibration, rocspace.calibrate.calibration_estimates

    Notes
    -----
    The line is isotonic regression, which needs no choice of bins. With ``band``, bars show exact
    intervals of the share of positives in ten groups of equally many cases, each for itself
    (`rocspace.calibrate.calibration_curve`). With ``n_bins=`` or ``strategy=``, of ``plot`` and of
    all that make a display, points of groups are drawn instead, with their intervals: 5 groups,
    equally wide, unless these say otherwise, as in scikit-learn. The legend gives the calibration
    slope, unless a probability is exactly 0 or 1. The slope is 1 where probabilities are neither
    too extreme nor too close together. Folds are counted together.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = LogisticRegression().fit(X[:300, :3], y[:300])
    >>> shown = CalibrationDisplay.from_estimator(
    ...     model, X[300:, :3], y[300:], ax=Figure().subplots())
    >>> shown.line_.get_label()
    'LogisticRegression (slope 1.36, 0.909 to 1.80)'
    """

    _proba = True
    _groups: Mapping[str, Any] | None = None

    def plot(
        self,
        *,
        ax: Axes | None = None,
        band: bool = True,
        level: float = 0.95,
        n_bins: int | None = None,
        strategy: Strategy | None = None,
        **line: Any,
    ) -> Self:
        """Draw it once more.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            By default those of a new figure of pyplot.
        band : bool, default True
            Whether to draw intervals.
        level : float, default 0.95
            Level of the intervals, and of that in the legend.
        n_bins : int, optional
            Largest number of groups, by default 5 where there is a `strategy`. Without both, the
            line is isotonic regression.
        strategy : {"uniform", "quantile"}, optional
            Equally wide groups, the default where there is `n_bins`, or groups of about equally
            many cases.
        **line
            Properties of the line.

        Returns
        -------
        Display
            Itself.

        Raises
        ------
        ValueError
            If `n_bins` is not a whole number above 0, or there is no such strategy.

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> y, p = [0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.5, 0.7, 0.9]
        >>> shown = CalibrationDisplay.from_predictions(y, p, ax=Figure().subplots(), n_bins=2)
        >>> shown.line_.get_ydata().round(3).tolist()
        [0.25, 1.0]
        """
        self._groups = None
        if n_bins is not None or strategy is not None:
            check_sizes(n_bins=5 if n_bins is None else n_bins)
            check_choice("strategy", strategy or "uniform", Strategy)
            self._groups = {"bins": n_bins or 5, "strategy": strategy or "uniform"}
        return super().plot(ax=ax, band=band, level=level, **line)

    def _label(self, level: float) -> str:
        table = merge(*self.tables)
        ends = float(table.score[-1]), float(table.score[0])
        if not 0 < ends[0] <= ends[1] < 1 or len(table) < 2:
            return self.name
        found = calibration_estimates(table).slope_estimate
        value, limits = estimate(found.value, *found.interval(level))
        return f"{self.name} (slope {value}, {limits})"

    def _draw(self, ax: Any, band: bool, level: float, line: dict[str, Any]) -> Any:
        table = merge(*self.tables)
        found = calibration_curve(table, level=level, **(self._groups or {}))
        shown = found if self._groups else fit_isotonic(table)
        ax = plot_calibration(shown, limits=False, ax=ax, **line)
        if band:
            draw_limits(ax, found)
        return ax

    def _draw_folds(self, ax: Any, band: bool, level: float, line: dict[str, Any]) -> Any:
        return self._draw(ax, band, level, line)
