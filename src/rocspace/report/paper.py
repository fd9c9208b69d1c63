"""Tables for papers: results as LaTeX, Markdown and HTML, and what STARD asks for.

`to_latex`, `to_markdown` and `to_html` take a result, or a `PaperTable` that one of the functions
here made of it, and escape every text for their format. Numbers have three decimals, more
near 0 and 1: a share is never printed as 1.000 that is not 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from rocspace._base import text as words
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.checks import check_level
from rocspace._base.frozen import Result, kind_of
from rocspace.compare.areas import AucComparison
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.counts.table import ScoreTable
from rocspace.inference.area import delong
from rocspace.inference.rates import likelihood_ratio_interval, point_interval
from rocspace.measures.rates import fnr, fpr, tnr, tpr
from rocspace.models.choosing import ModelComparison
from rocspace.multiclass.cases import MulticlassScores, OrderedScores, need_classes
from rocspace.multiclass.pairs import hand_till_estimate
from rocspace.multiclass.volumes import vus_estimate
from rocspace.report.classes.areas import TITLES, VOLUMES
from rocspace.report.classes.confusion import decided
from rocspace.report.classes.numbers import plain_classifier, texts_of
from rocspace.report.markup import html_of, latex_of, markdown_of
from rocspace.results.curve import Curve
from rocspace.results.estimates import Estimate
from rocspace.results.fit import Fit
from rocspace.results.interval import Interval
from rocspace.results.point import OperatingPoint


class Part(Result):
    """Rows that have a header of their own.

    Attributes
    ----------
    header : tuple of str
        Names of the columns.
    rows : tuple of tuple of str
        Texts, as many in each row as there are columns.

    See Also
    --------
    PaperTable, to_markdown
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def _card(self) -> Card:
        return Card(rows={}, header=self.header, table=self.rows)

    def _columns(self) -> dict[str, Any]:
        return dict(zip(self.header, zip(*self.rows, strict=True), strict=True))


class PaperTable(Result):
    """A table of texts, not escaped yet; the first column is left-aligned, the rest right.

    Attributes
    ----------
    caption : str
        What it shows.
    parts : tuple of Part
        One below the other, with as many columns each.
    note : str
        A note below the table.

    See Also
    --------
    areas_table, comparison_table, points_table
    """

    caption: str
    parts: tuple[Part, ...]
    note: str = ""

    def _about(self) -> str:
        return self.caption

    def _card(self) -> Card:
        first, *others = self.parts
        rows = [*first.rows, *(row for part in others for row in (part.header, *part.rows))]
        about = {"Caption": self.caption, "Note": self.note}
        about = {name: text for name, text in about.items() if text}
        return Card(rows=about, header=first.header, table=rows)

    def _columns(self) -> dict[str, Any]:
        """Return the cells one below the other, since each part has columns of its own."""
        cells = [
            (number, row[0], name, text)
            for number, part in enumerate(self.parts, 1)
            for row in part.rows
            for name, text in zip(part.header[1:], row[1:], strict=True)
        ]
        columns = zip(*cells, strict=True)
        return dict(zip(("part", "row", "column", "text"), columns, strict=True))


class Flow(Result):
    """How many cases there were, which were left out and why, and which were analysed.

    Attributes
    ----------
    start : tuple of str and int
        What the flow starts with, and how many.
    excluded : tuple of tuple of str and int
        Reasons and numbers, in order; each is out of what the ones before had left.
    end : tuple of tuple of str and int
        What is left, by class.

    See Also
    --------
    flow_of
    """

    start: tuple[str, int]
    excluded: tuple[tuple[str, int], ...]
    end: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        """Return the flow as lines of text."""
        lines = [f"{self.start[0]}: {words.count(self.start[1])}"]
        lines += [f"  |-- left out, {reason}: {words.count(n)}" for reason, n in self.excluded]
        lines += ["  v", f"Analysed: {words.count(sum(n for _, n in self.end))}"]
        return "\n".join([*lines, *(f"  {name}: {words.count(n)}" for name, n in self.end)])

    def _about(self) -> str:
        return f"{self.start[1]:,} of which {sum(n for _, n in self.end):,} were analysed"

    def _card(self) -> Card:
        (part,) = flow_table(self).parts
        return Card(rows={}, header=part.header, table=part.rows)

    def _columns(self) -> dict[str, Any]:
        return {"step": [name for name, _ in self._steps], "cases": [n for _, n in self._steps]}

    @property
    def _steps(self) -> list[tuple[str, int]]:
        left_out = [(f"left out: {why}", n) for why, n in self.excluded]
        return [self.start, *left_out, ("analysed", sum(n for _, n in self.end)), *self.end]


def flow_table(flow: Flow) -> PaperTable:
    """Return a flow as a table of two columns."""
    rows = [(name, words.count(n)) for name, n in flow._steps]
    return _table("Flow of cases", ("", "Cases"), rows)


def _table(
    caption: str, header: tuple[str, ...], rows: Sequence[tuple[str, ...]], note: str = ""
) -> PaperTable:
    """Return a table of one part."""
    return PaperTable(caption=caption, parts=(Part(header=header, rows=tuple(rows)),), note=note)


Tabulated: TypeAlias = (
    "PaperTable | Flow | AucComparison | ModelComparison | OperatingPoint | "
    "ConfusionMatrix | MulticlassScores | OrderedScores | "
    "Mapping[str, ScoreTable | Estimate | Curve] | "
    "Mapping[str, OperatingPoint] | Sequence[Mapping[str, Any]]"
)


_Counted: TypeAlias = OperatingPoint | ConfusionMatrix

# --- what is in a table -----------------------------------------------------------------------


AREAS = {key: title for key, (title, _) in TITLES.items() if key not in VOLUMES}


def _percent(level: float) -> str:
    return f"{words.spaced(words.level_text(level))} CI"


@explained
def areas_table(
    areas: Mapping[str, ScoreTable | Estimate | Curve], *, level: float = 0.95
) -> PaperTable:
    """Areas under the curve with standard errors and intervals.

    Parameters
    ----------
    areas : mapping of str to ScoreTable, Estimate or Curve
        By the name of the score; of tables the area is estimated by `rocspace.delong`, of a `Fit`
        by the model. Any other curve has no standard error.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        One row for each score, in the order given.

    Raises
    ------
    SingleClassError
        If a table lacks a class.
    ValueError
        If the level is outside (0, 1).

    References
    ----------
    No source: a layout; the numbers are those of `rocspace.results.Estimate`.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = areas_table({"new": tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])})
    >>> table.parts[0].rows
    (('new', '0.875', '0.177', '0.252 to 1'),)
    """
    rows = []
    for name, given in areas.items():
        found = given.auc_estimate() if isinstance(given, Fit) else given
        if isinstance(found, Curve):
            rows.append((str(name), words.share(found.auc), words.NOTHING, words.NOTHING))
            continue
        found = delong(found) if isinstance(found, ScoreTable) else found
        value, interval = words.estimate(found.value, *found.interval(level))
        rows.append((str(name), value, words.share(found.se), interval))
    header = ("Score", "AUC", "SE", _percent(level))
    return _table("Areas under the ROC curve", header, rows)


@explained
def fits_table(fits: ModelComparison | Mapping[str, Fit], *, level: float = 0.95) -> PaperTable:
    """Parameters and areas of fitted curves, with standard errors and intervals.

    Parameters
    ----------
    fits : ModelComparison or mapping of str to Fit
        What `rocspace.models.compare_models` returned, or fits by name.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        The parameters of each fit by symbol, then its area and the p value of its test of fit. The
        note says how errors were found, which test it was, and what is wrong with a fit.

    Raises
    ------
    ValueError
        If the level is outside (0, 1), or there is no fit.

    References
    ----------
    No source: a layout; the numbers are those of `rocspace.results.Fit`.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.models import fit_labroc
    >>> data = datasets.load("fawcett20")
    >>> table = fits_table({"labroc": fit_labroc(tabulate(data.y_true, data.y_score))})
    >>> table.parts[0].rows[0]
    ('labroc', 'a', '0.634', '0.434', '−0.349 to 1.62')
    """
    found = fits.fits if isinstance(fits, ModelComparison) else fits
    if not found:
        msg = (
            "There is no fit to tabulate. Give fits by name, such as {'binormal': fit_roc(table)}."
        )
        raise ValueError(msg)
    parameters = [
        (str(name), symbol, *_estimated(fit.parameter_estimate(symbol), level))
        for name, fit in found.items()
        for symbol in fit.parameters
    ]
    areas = []
    for name, fit in found.items():
        value, se, ends = _estimated(fit.auc_estimate(), level)
        test = words.pvalue(None if fit.goodness is None else fit.goodness.pvalue)
        areas.append((str(name), value, se, ends, test))
    ends = _percent(level)
    return PaperTable(
        caption="Fitted ROC curves",
        parts=(
            Part(header=("Model", "Parameter", "Estimate", "SE", ends), rows=tuple(parameters)),
            Part(header=("Model", "AUC", "SE", ends, "p of fit"), rows=tuple(areas)),
        ),
        note=" ".join(_remarks(found)),
    )


def _estimated(found: Estimate, level: float) -> tuple[str, str, str]:
    ends = found.interval(level)
    if not np.isfinite(found.se):
        return words.estimate(found.value, *ends).value, words.NOTHING, words.NOTHING
    value, interval = words.estimate(found.value, *ends)
    return value, words.either(found.se), interval


def _remarks(fits: Mapping[str, Fit]) -> Iterator[str]:
    """Yield how errors were found, how fits were tested, and their flags, each with its models."""
    said: dict[str, list[str]] = {}
    for name, fit in fits.items():
        if np.isfinite(list(fit.se.values())).any():
            said.setdefault(f"Standard errors by {fit.covariance_method}", []).append(str(name))
    for name, fit in fits.items():
        if fit.goodness is not None:
            note = f", {fit.goodness.note}" if fit.goodness.note else ""
            said.setdefault(f"Fit tested by {fit.goodness.method}{note}", []).append(str(name))
    for name, fit in fits.items():
        for flag in fit.flags:
            said.setdefault(flag.capitalize(), []).append(str(name))
    for text, names in said.items():
        yield f"{text}: {', '.join(names)}."


@explained
def classes_table(data: MulticlassScores, *, level: float = 0.95) -> PaperTable:
    """Areas of several classes: of all of them, of each against the rest, and of each pair.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        A column for each classifier, with intervals in brackets.

    Raises
    ------
    SingleClassError, TypeError
        If fewer than two classes have cases, or the data are of another kind.
    ValueError
        If the level is outside (0, 1).

    Warns
    -----
    UserWarning
        If a class has no cases.

    References
    ----------
    Hand and Till (2001), equations 3 to 7, for the areas; the layout has no source.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> classes_table(multiclass_scores(9 * y, 9 * p)).parts[0].rows[0]
    ('Hand and Till', '0.875 (0.778 to 0.934)')
    """
    need_classes("classes_table", data)
    check_level(level)
    found = [plain_classifier(data, name, level) for name in data.names]

    def row(name: str, each: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        ends = [(one["value"], one["interval"]["low"], one["interval"]["high"]) for one in each]
        return (name, *("{} ({})".format(*words.estimate(*one)) for one in ends))

    areas = [row(AREAS[key], [each["areas"][key] for each in found]) for key in AREAS]
    against = zip(*(each["against_the_rest"] for each in found), strict=True)
    pairs = zip(*(each["pairs"] for each in found), strict=True)
    parts = {
        "Area": areas,
        "Class against the rest": [row(each[0]["label"], each) for each in against],
        "Pair of classes": [
            row(f"{each[0]['first']} and {each[0]['second']}", each) for each in pairs
        ],
    }
    return PaperTable(
        caption="Areas of several classes",
        parts=tuple(
            Part(header=(title, *data.names), rows=tuple(rows)) for title, rows in parts.items()
        ),
        note=f"{_percent(level)} in brackets.",
    )


@explained
def ordered_table(data: OrderedScores, *, level: float = 0.95) -> PaperTable:
    """Volumes under the ROC surface of markers of ordered classes, and mean areas of their pairs.

    Parameters
    ----------
    data : OrderedScores
        One or more markers.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        A row for each marker, with intervals in brackets.

    Raises
    ------
    SingleClassError, TypeError
        If a class has no cases, or the data are of another kind.
    ValueError
        If the level is outside (0, 1).

    References
    ----------
    Nakas and Yiannoutsos (2004), a paper on this alone, for the volume; Hand and Till (2001),
    equation 7, for the mean of pairs; the layout has no source.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> score = [1, 3, 2, 4, 2, 5, 6, 4, 7]
    >>> data = ordered_scores([0, 0, 0, 1, 1, 1, 2, 2, 2], score, order=[0, 1, 2])
    >>> ordered_table(data).caption
    'Volumes under the ROC surface, 0 < 1 < 2'
    """
    check_level(level)
    rows = []
    for name in data.names:
        found = [make(data, name) for make in (vus_estimate, hand_till_estimate)]
        texts = [words.estimate(each.value, *each.interval(level)) for each in found]
        rows.append((name, *("{} ({})".format(*each) for each in texts)))
    return _table(
        f"Volumes under the ROC surface, {' < '.join(map(str, data.classes))}",
        ("Score", "Volume", "Mean of pairs"),
        rows,
        f"{_percent(level)} in brackets.",
    )


@explained
def decisions_table(
    data: MulticlassScores, name: str | None = None, *, level: float = 0.95
) -> PaperTable:
    """Cross tabulation of several classes with what the largest column calls each case.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class.
    name : str, optional
        The classifier; not needed where there is only one.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        A row for each class and a column for what it was called, with recall; precision below.

    Raises
    ------
    SingleClassError, TypeError
        If fewer than two classes have cases, or the data are of another kind.
    ValueError
        If the level is outside (0, 1), or the classifier is unknown or not named.

    References
    ----------
    No source: counts; the intervals are those of `rocspace.inference.rate_interval`.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> decisions_table(multiclass_scores(y, p)).parts[0].rows[0]
    ('0', '1', '1', '0', '0.500 (0.013 to 0.987)')
    """
    need_classes("decisions_table", data)
    check_level(level)
    name = data.names[data.classifier(name)]
    found = decided(data, name, level)
    labels = list(texts_of(data.classes).values())

    def said(rate: Mapping[str, Any]) -> str:
        if rate["value"] is None:
            return words.NOTHING
        return "{} ({})".format(*words.estimate(rate["value"], rate["low"], rate["high"]))

    rows = [
        (label, *map(words.count, counts), said(recall))
        for label, counts, recall in zip(labels, found["counts"], found["recall"], strict=True)
    ]
    rows.append(("Precision", *map(said, found["precision"]), ""))
    several = f" by {name}" if len(data.names) > 1 else ""
    return _table(
        f"Classes and decisions{several}",
        ("Class", *labels, "Recall"),
        rows,
        f"Each case is called by its largest column; {_percent(level)} in brackets.",
    )


@explained
def comparison_table(found: AucComparison, *, level: float = 0.95) -> PaperTable:
    """Differences of areas with intervals and p values.

    Parameters
    ----------
    found : AucComparison
        What `rocspace.compare.compare_aucs` returned.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        The areas, then one row for each pair.

    Raises
    ------
    ValueError
        If the level is outside (0, 1).

    References
    ----------
    No source: a layout; the numbers are those of `rocspace.compare.compare_aucs`.

    Examples
    --------
    >>> from rocspace import compare_aucs, pair_scores
    >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
    >>> found = compare_aucs(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores))
    >>> comparison_table(found).parts[1].rows
    (('a minus b', '0.250', '0.30', '−0.311 to 0.730'),)
    """
    areas = areas_table(dict(zip(found.names, found.estimates, strict=True)), level=level)
    rows = []
    for pair in found.pairs:
        value, interval = words.estimate(pair.difference.value, *pair.difference.interval(level))
        name = words.difference_name(pair.first, pair.second)
        rows.append((name, value, words.pvalue(pair.adjusted_pvalue), interval))
    kind = "paired" if found.paired else "unpaired"
    header = (
        "Pair",
        "Difference",
        words.adjusted(found.adjustment, found.pairs[0].test.alternative),
        _percent(level),
    )
    note = words.spaced(words.adjustment_note(found.adjustment, level))
    return PaperTable(
        caption="Areas under the ROC curve and their differences",
        parts=(*areas.parts, Part(header=header, rows=tuple(rows))),
        note=f"DeLong's method, {kind}.{note and ' '}{note}{_unusual(found)}",
    )


def _unusual(found: AucComparison) -> str:
    """Describe what is unusual about a pair's test, which its p value does not show."""
    said = [
        f"{words.difference_name(p.first, p.second)}: {note}"
        for p in found.pairs
        if (note := words.shown_note(p.test.note))
    ]
    return f" {'; '.join(said)}." if said else ""


_POINT = ("tpr", "tnr", "ppv", "npv")
_NAMES = {
    "tpr": "Sensitivity",
    "tnr": "Specificity",
    "ppv": "Positive predictive value",
    "npv": "Negative predictive value",
}


@explained
def points_table(points: Mapping[str, OperatingPoint], *, level: float = 0.95) -> PaperTable:
    """Tabulate thresholds: sensitivity, specificity and predictive values with intervals.

    Parameters
    ----------
    points : mapping of str to OperatingPoint
        By the name of what each was chosen for.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        One row for each point.

    Raises
    ------
    ValueError
        If the level is outside (0, 1).

    References
    ----------
    Bossuyt et al. (2015), STARD 2015, item 24.

    Examples
    --------
    >>> from rocspace import point_at, tabulate
    >>> point = point_at(tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5]), 3)
    >>> points_table({"at 3": point}).parts[0].rows[0][:3]
    ('at 3', '3', '0.667 (0.094 to 0.992)')
    """
    rows = []
    for name, point in points.items():
        texts = [" ".join(_rate(point, each, level)[1:]) for each in _POINT]
        rows.append((str(name), words.threshold(point.threshold, point.next_score), *texts))
    header = ("Point", "Threshold", *(_NAMES[each] for each in _POINT))
    note = f"{_percent(level)} in brackets, for thresholds that were fixed beforehand."
    return _table("Operating points", header, rows, note)


def _rate(point: _Counted, name: Any, level: float) -> tuple[str, str, str]:
    """Return a rate as a fraction of cases, as a number, and its interval in brackets."""
    cells = {
        "tpr": (point.tp, point.tp + point.fn),
        "tnr": (point.tn, point.tn + point.fp),
        "ppv": (point.tp, point.tp + point.fp),
        "npv": (point.tn, point.tn + point.fn),
    }
    part, whole = cells[name]
    fraction = f"{words.count(part)}/{words.count(whole)}"
    if not whole:
        return fraction, words.NOTHING, ""
    value, ends = words.estimate(part / whole, *point_interval(point, name, level=level))
    return fraction, value, f"({ends})"


@explained
def stard_table(point: OperatingPoint | ConfusionMatrix, *, level: float = 0.95) -> PaperTable:
    """Cross tabulation of test and truth with its rates, as STARD item 23 and 24 ask for.

    Parameters
    ----------
    point : OperatingPoint or ConfusionMatrix
        The counts at one threshold, or the four of any test, such as published ones.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        The 2 x 2 table with margins; below it sensitivity, specificity, predictive values
        and likelihood ratios with the counts they rest on and intervals.

    Raises
    ------
    ValueError
        If the level is outside (0, 1), or the counts are those of several thresholds.

    References
    ----------
    Bossuyt et al. (2015), STARD 2015, item 24.

    Examples
    --------
    >>> from rocspace import datasets, point_at, tabulate
    >>> data = datasets.load("fawcett20")
    >>> table = stard_table(point_at(tabulate(data.y_true, data.y_score), 0.54))
    >>> table.parts[0].rows[0], table.parts[1].rows[0]
    (('Test positive', '5', '1', '6'), ('Sensitivity', '5/10', '0.500', '0.187 to 0.813'))
    """
    if isinstance(point, ConfusionMatrix) and np.ndim(point.tp):
        msg = "The counts are of several thresholds. Take one: point_at(table, threshold)."
        raise ValueError(msg)
    tp, fp, fn, tn = point.tp, point.fp, point.fn, point.tn
    counts = (
        ("Test positive", tp, fp, tp + fp),
        ("Test negative", fn, tn, fn + tn),
        ("Total", tp + fn, fp + tn, tp + fp + fn + tn),
    )
    cells = tuple((name, *map(words.count, row)) for name, *row in counts)
    rates = [
        (_NAMES[name], fraction, value, ends.strip("()"))
        for name in _POINT
        for fraction, value, ends in [_rate(point, name, level)]
    ]
    return PaperTable(
        caption="Test against truth",
        parts=(
            Part(header=("", "Condition present", "Condition absent", "Total"), rows=cells),
            Part(
                header=("", "Cases", "Estimate", _percent(level)),
                rows=(*rates, *_ratios(point, level)),
            ),
        ),
        note=_test_positive(point),
    )


def _test_positive(point: _Counted) -> str:
    """Say which scores are called positive, where that is known."""
    if isinstance(point, ConfusionMatrix):
        return ""
    sign = "at least" if point.next_score <= point.threshold else "at most"
    return f"Test positive: score {sign} {words.threshold(point.threshold, point.next_score)}."


def _ratios(point: _Counted, level: float) -> list[tuple[str, str, str, str]]:
    values = {"positive": (tpr(point), fpr(point)), "negative": (fnr(point), tnr(point))}
    rows = []
    for which, (above, below) in values.items():
        ends = likelihood_ratio_interval(point, which, level=level)  # type: ignore[arg-type]
        value = above / below if below else float("inf") if above > 0 else float("nan")
        said = words.ratio(value, ends.low, ends.high)
        rows.append((f"{which.capitalize()} likelihood ratio", "", *said))
    return rows


@explained
def records_table(records: Sequence[Mapping[str, Any]], *, caption: str = "") -> PaperTable:
    """Tabulate records, such as rows of measured coverage.

    Parameters
    ----------
    records : sequence of mapping
        All with the keys of the first; numbers get three significant digits.
    caption : str
        What it shows.

    Returns
    -------
    PaperTable
        One row for each record.

    Raises
    ------
    ValueError
        If there is no record.

    References
    ----------
    No source: a layout.

    Examples
    --------
    >>> rows = [{"method": "delong", "covered": 0.9512}]
    >>> records_table(rows, caption="Coverage").parts[0].rows
    (('delong', '0.951'),)
    """
    if not records:
        msg = "There are no records. Give at least one mapping, such as a row of a csv file."
        raise ValueError(msg)
    header = tuple(map(str, records[0]))
    rows = [tuple(_text(record.get(key)) for key in records[0]) for record in records]
    return _table(caption, header, rows)


def _text(value: Any) -> str:
    if value is None:
        return words.NOTHING
    if isinstance(value, bool | str):
        return str(value)
    if isinstance(value, int):
        return words.count(value)
    if isinstance(value, Interval):
        return words.interval(value.low, value.high)
    return words.general(float(value)) if hasattr(value, "__float__") else str(value)


# --- the flow of cases ------------------------------------------------------------------------


@explained
def flow_of(source: Mapping[str, Any], *, n_pos: int, n_neg: int) -> Flow:
    """Flow of cases from a file to the analysis, for the diagram that STARD asks for.

    Parameters
    ----------
    source : mapping
        What was read: ``source`` of `rocspace.io.tabulate_file`, or of a summary.
    n_pos, n_neg : int
        Cases that were analysed.

    Returns
    -------
    Flow
        Print it for text, or pass it to `to_html` or `to_markdown`.

    Raises
    ------
    ValueError
        If the numbers left out and analysed do not add up to the rows, as where several
        scores lack different cases: then make one flow for each score.

    References
    ----------
    Bossuyt et al. (2015), STARD 2015, no numbered equation, for the diagram.

    Examples
    --------
    >>> source = {"rows": 100, "dropped": {"label": 3, "score": 2}}
    >>> print(flow_of(source, n_pos=40, n_neg=55))
    Rows: 100
      |-- left out, no label: 3
      |-- left out, no score: 2
      v
    Analysed: 95
      positive: 40
      negative: 55
    """
    dropped = {name: int(n) for name, n in (source.get("dropped") or {}).items() if n}
    rows = int(source.get("rows", n_pos + n_neg + sum(dropped.values())))
    if rows != n_pos + n_neg + sum(dropped.values()):
        msg = (
            f"{n_pos:,} + {n_neg:,} cases analysed and {sum(dropped.values()):,} left out are not "
            f"the {rows:,} rows. Give counts of cases, and one score at a time."
        )
        raise ValueError(msg)
    return Flow(
        start=("Rows", rows),
        excluded=tuple((f"no {name}", n) for name, n in dropped.items()),
        end=(("positive", n_pos), ("negative", n_neg)),
    )


# --- the formats ------------------------------------------------------------------------------


def _as_table(result: Any, level: float) -> PaperTable:
    if isinstance(result, PaperTable):
        return result
    if isinstance(result, Flow):
        return flow_table(result)
    if isinstance(result, AucComparison):
        return comparison_table(result, level=level)
    if isinstance(result, OperatingPoint | ConfusionMatrix):
        return stard_table(result, level=level)
    if isinstance(result, MulticlassScores):
        return classes_table(result, level=level)
    if isinstance(result, OrderedScores):
        return ordered_table(result, level=level)
    if isinstance(result, ModelComparison):
        return fits_table(result, level=level)
    if isinstance(result, Mapping) and result:
        first = next(iter(result.values()))
        if all(isinstance(each, Fit) for each in result.values()):
            return fits_table(result, level=level)
        if isinstance(first, ScoreTable | Estimate | Curve):
            return areas_table(result, level=level)
        if isinstance(first, OperatingPoint):
            return points_table(result, level=level)
    if isinstance(result, Sequence) and result and isinstance(result[0], Mapping):
        return records_table(result)
    msg = (
        f"There is no table of a single {kind_of(result)}. Give an AucComparison, a "
        "ModelComparison, an OperatingPoint, a ConfusionMatrix, scores of several classes, a "
        'mapping of names to tables, estimates, curves, fits or points, such as {"score": '
        "estimate}, or a list of mappings."
    )
    raise TypeError(msg)


@explained
def to_latex(result: Tabulated, *, level: float = 0.95) -> str:
    r"""Return a result as a LaTeX table, with the rules of the package booktabs.

    Parameters
    ----------
    result : PaperTable, Flow, AucComparison, OperatingPoint or another that is tabulated
        ModelComparison, ConfusionMatrix, MulticlassScores or OrderedScores; a mapping of tables,
        estimates, curves, fits or points by name; or a sequence of records, each a mapping.
    level : float, default 0.95
        Confidence level of the intervals, strictly between 0 and 1.

    Returns
    -------
    str
        A ``table`` environment; special characters of every text are escaped.

    Raises
    ------
    TypeError
        If there is no table of such a result.

    References
    ----------
    No source: a layout.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> print(to_latex({"a_1": tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])}))
    \begin{table}
    \caption{Areas under the ROC curve}
    \begin{tabular}{lrrr}
    \toprule
    Score & AUC & SE & 95 \% CI \\
    \midrule
    a\_1 & 0.875 & 0.177 & 0.252 to 1 \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    return latex_of(_as_table(result, level))


@explained
def to_markdown(result: Tabulated, *, level: float = 0.95) -> str:
    r"""Return a result as a Markdown table, with pipes, one table for each part.

    Parameters
    ----------
    result, level
        As for `to_latex`.

    Returns
    -------
    str
        Signs of Markdown in every text are escaped.

    Raises
    ------
    TypeError
        If there is no table of such a result.

    References
    ----------
    No source: a layout.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> print(to_markdown({"a|b": tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])}))
    **Areas under the ROC curve**
    <BLANKLINE>
    | Score | AUC | SE | 95 % CI |
    | :--- | ---: | ---: | ---: |
    | a\|b | 0.875 | 0.177 | 0.252 to 1 |
    """
    return markdown_of(_as_table(result, level))


@explained
def to_html(result: Tabulated, *, level: float = 0.95) -> str:
    """Return a result as an HTML table without any style.

    Parameters
    ----------
    result, level
        As for `to_latex`.

    Returns
    -------
    str
        A ``table`` element with ``caption`` and header cells; every text is escaped.

    Raises
    ------
    TypeError
        If there is no table of such a result.

    References
    ----------
    No source: a layout.

    Examples
    --------
    >>> to_html(flow_of({"rows": 3}, n_pos=1, n_neg=2))[:45]
    '<table><caption>Flow of cases</caption><thead'
    """
    return html_of(_as_table(result, level))
