"""Tables of areas, of their comparison, and of fitted curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from rocspace._base import text as words
from rocspace._base.calls import explained
from rocspace.compare.areas import AucComparison
from rocspace.counts.table import ScoreTable
from rocspace.inference.area import delong
from rocspace.models.choosing import ModelComparison
from rocspace.report.paper.parts import PaperTable, Part, interval_name, table_of
from rocspace.results.curve import Curve
from rocspace.results.estimates import Estimate
from rocspace.results.fit import Fit


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
    header = ("Score", "AUC", "SE", interval_name(level))
    return table_of("Areas under the ROC curve", header, rows)


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
        interval_name(level),
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
    ends = interval_name(level)
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
