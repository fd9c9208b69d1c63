"""Numbers as plain JSON types, and back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rocspace.results.estimates import Estimate, Scale
from rocspace.results.interval import Interval
from rocspace.results.test import TestResult

if TYPE_CHECKING:
    from rocspace.compare.areas import AucComparison, PairTest
    from rocspace.models.choosing import ModelComparison
    from rocspace.results.fit import Fit


def plain(value: Any) -> Any:
    """Return a number as JSON can express it: infinities as "inf" and "-inf", NaN as null."""
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    number = float(value)
    if math.isnan(number):
        return None
    return {math.inf: "inf", -math.inf: "-inf"}.get(number, number)


def plain_list(values: Any) -> list[Any]:
    """Return a vector of numbers as a list of plain ones."""
    return [plain(value) for value in values.tolist()]


def plain_fields(found: Any, *names: str, **renamed: str) -> dict[str, Any]:
    """Return fields of a result by name, or by another one: numbers, and columns as lists."""
    columns = {name: name for name in names} | renamed
    values = {key: getattr(found, name) for key, name in columns.items()}
    return {key: plain_list(v) if getattr(v, "ndim", 0) else plain(v) for key, v in values.items()}


def plain_interval(interval: Interval) -> dict[str, Any]:
    """Return an interval with its level and method."""
    return plain_fields(interval, "low", "high", "level", "method")


def plain_estimate(found: Estimate, level: float, *, scale: Scale | None = None) -> dict[str, Any]:
    """Return an estimate with its standard error, method and interval."""
    about = plain_fields(found, "value", "se", "method")
    return {**about, "interval": plain_interval(found.interval(level, scale=scale))}


def plain_test(found: TestResult) -> dict[str, Any]:
    """Return a test: its statistic, p value, degrees of freedom, method and note."""
    numbers = ("statistic", "pvalue", "df", "df_denominator")
    return plain_fields(found, *numbers, "alternative", "method", "note")


def plain_comparison(
    found: AucComparison,
    level: float,
    reference: str | None = None,
    *,
    scale: Scale | None = None,
) -> dict[str, Any]:
    """Return a comparison of areas: the one shape ``rocspace.comparison/1``, whoever prints it."""
    scores = zip(found.names, found.estimates, strict=True)
    of_area = None if scale == "discordance" else scale  # a scale of differences alone
    return {
        "schema": "rocspace.comparison/1",
        "level": plain(level),
        "adjustment": found.adjustment,
        "reference": reference,
        "names": list(found.names),
        "scores": [
            {"name": name, "auc": plain_estimate(area, level, scale=of_area)}
            for name, area in scores
        ],
        "covariance": [plain_list(row) for row in found.covariance],
        "pairs": [_plain_pair(pair, level, scale) for pair in found.pairs],
        "overall": plain_test(found.overall),
    }


def _plain_pair(pair: PairTest, level: float, scale: Scale | None) -> dict[str, Any]:
    return {
        **plain_fields(pair, "first", "second"),
        **plain_estimate(pair.difference, level, scale=scale),
        **plain_fields(pair.difference, "correlation"),
        "test": plain_test(pair.test),
        **plain_fields(pair, "adjusted_pvalue"),
    }


def plain_models(found: ModelComparison, level: float) -> dict[str, Any]:
    """Return fitted models, which of them is recommended, and why others could not be fitted."""
    from rocspace.models.registry import MODELS

    numbers = zip(found.models, found.distance, found.log_score, strict=True)
    return {
        "chosen": found.chosen,
        "advice": found.advice,
        "models": [
            {
                "model": name,
                "likelihood": MODELS[name].likelihood,
                **_plain_fit(found.fits.get(name), level),
                "distance": plain(distance),
                "log_score": plain(log_score),
                "failure": found.failures.get(name),
            }
            for name, distance, log_score in numbers
        ],
    }


def _plain_fit(fit: Fit | None, level: float) -> dict[str, Any]:
    keys = ("auc", "parameters", "covariance_method", "loglik", "aic", "bic", "goodness")
    if fit is None:
        return dict.fromkeys(keys) | {"parameters": [], "flags": [], "remarks": []}
    return {
        "auc": plain_estimate(fit.auc_estimate(), level),
        "parameters": [
            {"symbol": symbol, "value": plain(value), "se": plain(fit.se[symbol])}
            for symbol, value in fit.parameters.items()
        ],
        **plain_fields(fit, "covariance_method", "loglik", "aic", "bic"),
        "goodness": None if fit.goodness is None else plain_test(fit.goodness),
        "flags": list(fit.flags),
        "remarks": list(fit.flags.values()),
    }


def plain_copy(value: Any) -> Any:
    """Copy nested mappings and sequences into dicts and lists of plain values.

    An object for which JSON has no type (a path, a date) becomes its text.
    """
    if isinstance(value, Mapping):
        return {str(key): plain_copy(each) for key, each in value.items()}
    if hasattr(value, "tolist"):
        return plain_copy(value.tolist())
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return [plain_copy(each) for each in value]
    if value is None or isinstance(value, (bool, int, float)):
        return plain(value)
    return repr(value) if isinstance(value, bytes) else str(value)
