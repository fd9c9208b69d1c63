"""An error of a function of a table names the function that was called, not one that it calls."""

import importlib
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

import rocspace as rs
from repository import ROOMS

GIVEN: dict[str, Any] = {
    "at": [0.2, 0.5],
    "costs": {"fp": 1, "fn": 2},
    "criterion": "youden",
    "delta": 0.1,
    "deltas": [0.1, 0.2],
    "fpr": 0.2,
    "margin": 0.1,
    "max_fpr": 0.4,
    "min_tpr": 0.4,
    "other": rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]),
    "prevalence": 0.3,
    "probability": [0.2, 0.5],
    "ratio": 0.5,
    "recall": 0.5,
    "second": rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]),
    "share": 0.5,
    "slope": 1.0,
    "statistic": "auc",
    "tau": 0.1,
    "threshold": 0.5,
    "thresholds": [0.5],
    "tpr": 0.8,
}
FEW = dict.fromkeys(("n_boot", "n_sim", "n_perm"), 3)
TABLES = {
    "positives": rs.tabulate(np.ones(6), range(6), pos_label=1),
    "negatives": rs.tabulate(np.zeros(6), range(6), pos_label=1),
    "no probabilities": rs.tabulate([0, 0, 1, 0, 1, 1], [-2, 3, 4, 5, 6, 7]),
    "lower scores": rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4], higher_is_positive=False),
    "nothing": rs.ScoreTable.from_counts([], [], []),
    "huge scores": rs.tabulate([0, 1, 0, 1, 0, 1], [-1.7e308, 2.5, 3.5, 1, 2, 1.7e308]),
}


def found() -> dict[str, Callable[..., Any]]:
    """Return every public function of a table by name, also those of plots."""
    functions = {}
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in module.__all__:
            each = getattr(module, name)
            if inspect.isfunction(each) and next(iter(signature(each)), "") == "table":
                functions[name] = each
    return functions


def signature(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(function).parameters)


FUNCTIONS = found()
PUBLIC = {name for room in ROOMS for name in importlib.import_module(room).__all__}


def refused(function: Callable[..., Any], table: rs.ScoreTable, given: dict[str, Any]) -> str:
    """Return what a function says of a table that it does not take."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            function(table, **given)
        except (ValueError, TypeError) as error:
            return str(error)
    return ""


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_an_error_names_the_function_that_was_called(name: str) -> None:
    known = signature(FUNCTIONS[name])
    given = {key: value for key, value in FEW.items() if key in known}
    for key, each in list(known.items())[1:]:
        if each.default is each.empty and each.kind is not each.VAR_KEYWORD:
            if key not in GIVEN:
                pytest.skip(f"needs {key}")
            given[key] = GIVEN[key]
    said = {what: refused(FUNCTIONS[name], table, given) for what, table in TABLES.items()}
    plt.close("all")
    others = {each for each in PUBLIC - {name} if each[0].islower()}
    assert {what: text for what, text in said.items() if text.partition(" ")[0] in others} == {}
