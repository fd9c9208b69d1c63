"""rocspace covariates: areas among cases of the same age, sex or site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Annotated, Any

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base.arrays import Array
from rocspace._base.checks import check_known
from rocspace._base.text import difference_name
from rocspace.cli.console import (
    estimate_of,
    heading,
    interval,
    interval_title,
    number,
    pvalue,
    table_text,
)
from rocspace.cli.figures import save_figure
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Printing, Several
from rocspace.cli.reading import about_cases, read_cases
from rocspace.designs.adjusted_area import aauc_difference, aauc_estimate
from rocspace.designs.adjusted_curve import adjusted_roc
from rocspace.designs.by_covariate import ConditionalAuc, auc_by_covariate
from rocspace.designs.covariate_cases import CovariateScores, check_varies, covariate_scores
from rocspace.designs.covariate_models import CovariateModel, Method, Residuals, SdModel, settled
from rocspace.designs.dependence import covariate_test
from rocspace.designs.thresholds_by_covariate import covariate_thresholds
from rocspace.inference.area import delong
from rocspace.io.kept import FoundCases
from rocspace.plot.files import literal
from rocspace.report.plain import plain, plain_estimate, plain_interval, plain_test
from rocspace.results.test import TestResult

_HOW = Group("How covariates are adjusted for", sort_key=-1)
_BY = Group("Areas for given covariates", sort_key=0)
_FEW = 10  # distinct values up to which a number is shown at each of them
_PLACES = (0.1, 0.25, 0.5, 0.75, 0.9)  # else at these quantiles of the positives


@Parameter(name="*", group=_HOW)
@dataclass(frozen=True, kw_only=True)
class Adjusting:
    """How scores depend on the covariates.

    Attributes
    ----------
    method
        "stratified": every combination of the covariates by itself; "location-scale": within the
        categories, the mean is linear in the numbers; "roc-glm": a model of the curve, for --by
        only. By default "stratified" for categories alone, else "location-scale".
    residuals
        Distribution of the residuals of "location-scale".
    scale
        Whether the standard deviation depends on the covariates, too.
    knots
        Knots of a spline for each number, 3 to 7; 0 is a straight line.
    """

    method: Method | None = None
    residuals: Residuals = "empirical"
    scale: SdModel = "constant"
    knots: int = 0

    @property
    def model(self) -> CovariateModel:
        """The model of what depends on given covariates."""
        return CovariateModel(
            method=self.method, residuals=self.residuals, scale=self.scale, knots=self.knots
        )

    @property
    def placing(self) -> CovariateModel:
        """The model of adjusted areas, which "roc-glm" is not."""
        method = None if self.method == "roc-glm" else self.method
        return CovariateModel(
            method=method, residuals=self.residuals, scale=self.scale, knots=self.knots
        )


@Parameter(name="*", group=_BY)
@dataclass(frozen=True, kw_only=True)
class Looking:
    """For which cases areas and thresholds are shown.

    Attributes
    ----------
    by
        Covariate by which the areas are shown.
    at
        Its values, with commas between; by default all categories, or five quantiles.
    given
        Value of another covariate, as in --given sex=f; can be repeated. By default the median of
        a number, and the most frequent category.
    fpr
        Also print the threshold with this false positive rate for each of these values.
    """

    by: str | None = None
    at: str | None = None
    given: Annotated[list[str] | None, Parameter(negative=())] = None
    fpr: float | None = None


ADJUSTING, LOOKING = Adjusting(), Looking()


def covariates(
    file: Files,
    /,
    *,
    covariate: Several = None,
    level: float = 0.95,
    adjusting: Adjusting = ADJUSTING,
    looking: Looking = LOOKING,
    figure: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print areas among cases of the same age, sex or site, and compare scores.

    The pooled area also contains what the covariates tell about the label. The adjusted area is the
    probability that a positive scores higher than a negative with the same covariates. A test says
    for each covariate whether the curve depends on it.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    covariate
        Column of a covariate, numbers or categories; can be repeated. At least one is needed.
    level
        Confidence level of each interval.
    figure
        Also draw the adjusted curves, and with --by the areas, to a .png, .svg or .pdf file.

    Examples
    --------
    rocspace covariates a.csv --label y --score s --covariate age --covariate sex
    rocspace covariates study.csv --covariate age --by age --at 40,60,80 --fpr 0.1
    rocspace covariates a.csv --covariate age --covariate s --by age --given s=f
    """
    printing.check(file, figure, level=level)
    if not covariate:
        msg = "Nothing to adjust for. Name a column with --covariate, as in --covariate age."
        raise ValueError(msg)
    names = list(dict.fromkeys(covariate))
    _check(looking, names)
    found = read_cases(file, choice, printing, beside=names)
    data = _beside(found, names)
    for name in names:
        check_varies(data, name)
    given = _given(data, looking)
    by = {name: _areas(data, name, adjusting, looking, given) for name in data.names}
    described: dict[str, Any] = {
        "schema": "rocspace.covariates/1",
        "source": found.source,
        "settings": {
            "level": level,
            "covariates": names,
            **_plain_settings(data, adjusting, looking, given),
        },
        "cases": len(data),
        "positives": int(data.cases.label.sum()),
        "scores": [
            {
                "name": name,
                "pooled": plain_estimate(delong(data.cases.table(name)), level),
                "adjusted": plain_estimate(
                    aauc_estimate(data, name, model=adjusting.placing), level
                ),
                "depends": [_depends(data, each, name, adjusting) for each in names],
                "by": _plain_by(data, name, by[name], adjusting, looking, level),
            }
            for name in data.names
        ],
        "differences": list(_differences(data, adjusting, level)),
    }
    printing.answer(described, lambda: _text(found, described))

    draw = partial(_draw, data, adjusting, looking, given, level)
    save_figure(figure, draw, printing)


def _plain_settings(
    data: CovariateScores, adjusting: Adjusting, looking: Looking, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return how it was adjusted, and at which values, in plain JSON types."""
    return {
        "method": settled(data, adjusting.placing).model.method,
        "curve_method": settled(data, adjusting.model).model.method,
        "residuals": adjusting.residuals,
        "scale": adjusting.scale,
        "knots": adjusting.knots,
        "by": looking.by,
        "given": [{"covariate": name, "value": _shown(value)} for name, value in given.items()],
        "fpr": looking.fpr,
    }


def _draw(
    data: CovariateScores,
    adjusting: Adjusting,
    looking: Looking,
    given: Mapping[str, Any],
    level: float,
    canvas: Any,
) -> None:
    """Draw the adjusted curves, and beside them the areas over a covariate if one was named."""
    from rocspace.plot import plot_auc_by_covariate, plot_roc

    left, *right = np.atleast_1d(canvas.subplots(1, 1 if looking.by is None else 2))
    for name in data.names:
        curve = adjusted_roc(data, name, model=adjusting.placing)
        plot_roc(curve, ax=left, label=literal(name))
    for ax in right:
        for name in data.names:
            drawn = _areas(data, name, adjusting, looking, given, fine=True)
            assert drawn is not None
            plot_auc_by_covariate(drawn, ax=ax, level=level, label=literal(name))


def _check(looking: Looking, names: list[str]) -> None:
    """Raise, before any work, if options do not go together."""
    if looking.by is not None:
        check_known("covariate", looking.by, names)
        return
    asked = {"--at": looking.at, "--given": looking.given, "--fpr": looking.fpr}
    for option, value in asked.items():
        if value is not None:
            msg = f"{option} needs --by, the covariate by which areas are shown. Name it."
            raise ValueError(msg)


def _beside(found: FoundCases, names: list[str]) -> CovariateScores:
    """Put the covariates beside the scores."""
    cases = found.data
    if cases.weight is not None:
        msg = "--weight is not for adjusted areas: their cases count the same. Leave it out."
        raise ValueError(msg)
    return covariate_scores(
        cases.label,
        {name: cases.score[:, j] for j, name in enumerate(cases.names)},
        {name: _numbers_or_texts(found.beside[name]) for name in names},
        higher_is_positive={name: cases.rises(name) for name in cases.names},
    )


def _numbers_or_texts(values: Array) -> Array:
    return values if values.dtype.kind in "biuf" else values.astype(str)


def _shown(value: Any) -> Any:
    return plain(value) if isinstance(value, float) else str(value)


def _value(data: CovariateScores, name: str, text: str) -> Any:
    """Return a value of a covariate as the data have it."""
    if name in data.levels:
        by_text = {str(level): level for level in data.levels[name]}
        check_known(f"category of {name!r},", text, by_text)
        return by_text[text]
    try:
        return float(text)
    except ValueError:
        msg = f"{text!r} is not a number, as values of {name!r} are."
        raise ValueError(msg) from None


def _given(data: CovariateScores, looking: Looking) -> dict[str, Any]:
    """Return the values at which covariates other than that of --by are held."""
    if looking.by is None:
        return {}
    asked = {}
    for each in looking.given or []:
        name, sign, text = each.partition("=")
        if not sign:
            msg = f"--given is {each!r}, but must be a name and a value, as in --given sex=f."
            raise ValueError(msg)
        check_known("covariate", name, tuple(data.covariates))
        if name == looking.by:
            msg = f"--given {each} holds the covariate of --by. Use --at for its values."
            raise ValueError(msg)
        asked[name] = _value(data, name, text)
    usual = {
        name: data.levels[name][int(np.bincount(x.astype(np.intp)).argmax())]
        if name in data.levels
        else float(np.median(x))
        for name, x in data.covariates.items()
        if name != looking.by
    }
    return usual | asked


def _areas(
    data: CovariateScores,
    name: str,
    adjusting: Adjusting,
    looking: Looking,
    given: Mapping[str, Any],
    *,
    fine: bool = False,
) -> ConditionalAuc | None:
    """Return the areas by a covariate, if they were asked for."""
    if looking.by is None:
        return None
    at: Any = None
    if not fine and looking.at is not None:
        at = [_value(data, looking.by, text) for text in looking.at.split(",")]
    elif not fine and looking.by not in data.levels:
        own = data.covariates[looking.by][data.cases.label]
        if np.unique(own).size > _FEW:
            at = np.quantile(own, _PLACES)
    return auc_by_covariate(data, looking.by, name, at=at, given=given, model=adjusting.model)


def _plain_by(
    data: CovariateScores,
    name: str,
    found: ConditionalAuc | None,
    adjusting: Adjusting,
    looking: Looking,
    level: float,
) -> list[dict[str, Any]] | None:
    if found is None:
        return None
    band = found.band(level)
    values = found.at.tolist() if isinstance(found.at, np.ndarray) else list(found.at)
    thresholds: list[float | None] = [None] * len(found)
    if looking.fpr is not None:
        at = {found.covariate: values, **found.given}
        model = adjusting.placing
        cut = covariate_thresholds(data, at, name, fpr=looking.fpr, model=model)
        thresholds = cut.threshold.tolist()
    return [
        {
            "at": _shown(value),
            "value": plain(estimate.value),
            "se": plain(estimate.se),
            "interval": plain_interval(estimate.interval(level)),
            "together": {"low": plain(low), "high": plain(high)},
            "threshold": None if threshold is None else plain(threshold),
        }
        for value, estimate, low, high, threshold in zip(
            values, found.estimates, band.low, band.high, thresholds, strict=True
        )
    ]


def _depends(
    data: CovariateScores, covariate: str, name: str, adjusting: Adjusting
) -> dict[str, Any]:
    """Test whether the curve depends on a covariate; without a p value where no model fits."""
    test: TestResult | None = None
    with suppress(ValueError):  # the regression has no finite solution: nothing is claimed
        test = covariate_test(data, covariate, name, model=adjusting.placing)
    return {"covariate": covariate, "test": None if test is None else plain_test(test)}


def _differences(
    data: CovariateScores, adjusting: Adjusting, level: float
) -> Iterator[dict[str, Any]]:
    for first, second in combinations(data.names, 2):
        gap = aauc_difference(data, first, second, model=adjusting.placing)
        yield {
            "first": first,
            "second": second,
            **plain_estimate(gap, level),
            "test": plain_test(gap.test()),
        }


# --- what is printed --------------------------------------------------------------------------


def _text(found: FoundCases, described: dict[str, Any]) -> str:
    settings = described["settings"]
    percent = interval_title(settings["level"])
    listed = ", ".join(settings["covariates"])
    adjusted = heading(f"adjusted for {listed}: {settings['method']}")
    parts = [f"{heading(about_cases(found))}\n{adjusted}"]
    rows = [
        (each["name"], *estimate_of(each["pooled"]), *estimate_of(each["adjusted"]))
        for each in described["scores"]
    ]
    parts.append(table_text(("score", "pooled", percent, "adjusted", percent), rows))
    gaps = [
        (
            difference_name(gap["first"], gap["second"]),
            *estimate_of(gap),
            pvalue(gap["test"]["pvalue"]),
        )
        for gap in described["differences"]
    ]
    if gaps:
        parts.append(table_text(("adjusted", "difference", percent, "p"), gaps))
    tests = [
        (each["name"], *(_p_of(test["test"]) for test in each["depends"]))
        for each in described["scores"]
    ]
    head = ("curve depends on (p)", *settings["covariates"])
    parts.append(table_text(head, tests))
    parts += [_by_text(each, settings, percent) for each in described["scores"] if each["by"]]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _p_of(test: dict[str, Any] | None) -> str:
    return "no fit" if test is None else pvalue(test["pvalue"])


def _by_text(each: dict[str, Any], settings: dict[str, Any], percent: str) -> str:
    """Return the areas of one score by a covariate."""
    cut = settings["fpr"] is not None
    rows = [
        (
            number(row["at"]) if isinstance(row["at"], float) else row["at"],
            *estimate_of(row),
            interval(row["together"]["low"], row["together"]["high"]),
            *([number(row["threshold"])] if cut else []),
        )
        for row in each["by"]
    ]
    head = [settings["by"], "AUC", percent, "together"]
    head += [f"fpr {settings['fpr']:g} from"] if cut else []
    values = [(held["covariate"], held["value"]) for held in settings["given"]]
    held = ", ".join(f"{n} {number(v) if isinstance(v, float) else v}" for n, v in values)
    title = each["name"] + (f", {held}" if held else "")
    return f"{heading(title)}\n{table_text(head, rows)}"
