"""Samples with many ties, the papers' small data sets, and the answers of other programs."""

import csv
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from rocspace import datasets, tabulate_classes

INF = float("inf")


def _labels_and_scores(name):
    data = datasets.load(name)
    return data.y_true.tolist(), data.y_score.tolist()


# Fawcett (2006), figures 3, 4 and 6.
F3 = _labels_and_scores("fawcett20")


F4 = _labels_and_scores("fawcett4")


F6 = ([True] * 6 + [False] * 4, [0.5] * 10)


@st.composite
def samples(draw, *, max_size=25, values=None, weights=None):
    """Labels of both classes, scores of few distinct values, and weights if wanted."""
    n = draw(st.integers(2, max_size))
    label = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda y: len(set(y)) > 1))
    values = st.integers(-4, 4).map(float) if values is None else values
    score = draw(st.lists(values, min_size=n, max_size=n))
    if weights is None:
        return label, score
    return label, score, draw(st.lists(weights, min_size=n, max_size=n))


ORACLES = Path(__file__).parents[1] / "oracles"


_LABEL = {"asah": "outcome", "suicide": "suicide", "dm_rocdata": "Gold"}


_SHORT = {
    "suicide": ("suicide", "dsi"),
    "rocr_simple": ("rocr_simple", "prediction"),
    "two_class_example": ("two_class_example", "Class1"),
}


def answer(name, request):
    """Read what another program answered; skip where the file is not at hand."""
    path = ORACLES / f"{name}.json"
    if not path.exists():
        path = request.getfixturevalue("shared") / "oracle" / f"{name}.json"
    return _numbers(json.loads(path.read_text(encoding="utf-8")))


def _numbers(value):
    if isinstance(value, dict):
        return {key: _numbers(x) for key, x in value.items()}
    if isinstance(value, list):
        return [_numbers(x) for x in value]
    return (
        {"Inf": INF, "inf": INF, "-Inf": -INF, "NaN": float("nan")}.get(value, value)
        if (isinstance(value, str))
        else value
    )


def reference():
    """Read the reference numbers that scripts without this library computed."""
    return _numbers(json.loads((ORACLES / "methods_reference.json").read_text(encoding="utf-8")))


def cases(data, request, column=None):
    """Labels and scores of a set: ``cases("asah_s100b", ...)`` or with the column apart."""
    if column is None:
        data, column = _SHORT.get(data) or data.rsplit("_", 1)
    if column in ("logreg", "nb", "knn15", "tree5", "rf") and data != "adult_scores":
        part = datasets.load("uci_scores").where("dataset", data)
        return part.y_true, part.columns[column]
    if data in datasets.names():
        whole = datasets.load(data)
        return whole.y_true, whole.columns[column]
    path = request.getfixturevalue("shared") / "data" / f"{data}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(r[_LABEL.get(data, "label")], r[column]) for r in csv.DictReader(file)]
    rows = [(int(y), float(s)) for y, s in rows if y not in ("", "NA") and s not in ("", "NA")]
    label, score = zip(*rows, strict=True)
    return np.array(label) == 1, np.array(score)


def assert_close(actual, desired, digits=12):
    """Assert agreement to so many significant digits; what is near zero, absolutely."""
    np.testing.assert_allclose(actual, desired, rtol=10.0**-digits, atol=1e-15)


def assert_near(value, exact, digits=12):
    """Assert that a number is a fraction, but for the rounding of a few operations."""
    assert_close(value, float(exact), digits)


def normal_table(n, seed=1):
    """Draw n cases of each class whose scores are Normal, one standard deviation apart."""
    rng = np.random.default_rng(seed)
    return tabulate_classes(rng.normal(1, 1, n), rng.normal(0, 1, n))


def weights_of(label, weight):
    weight = [1] * len(label) if weight is None else weight
    return [Fraction(w) for w in weight]


def repeated(values, times):
    """Each value as many times as its weight says."""
    return [v for v, n in zip(values, times, strict=True) for _ in range(int(n))]


def by_class(label, score, weight=None):
    """(score, weight) of the positives, and of the negatives."""
    triples = list(zip(label, score, weights_of(label, weight), strict=True))
    return [(s, w) for y, s, w in triples if y], [(s, w) for y, s, w in triples if not y]
