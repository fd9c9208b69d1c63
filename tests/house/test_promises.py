"""Facts of the numbers that mix the classes or look at scores: what the registry says of them."""

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.costs import brier, expected_loss
from rocspace.counts import ScoreTable, SingleClassError
from rocspace.curves import pr, prg
from rocspace.measures import SUMMARIES
from slow.data import F3, repeated, samples

MIXED = [name for name, fact in SUMMARIES.items() if fact.uses_prevalence or not fact.rank_based]
POSITIVES_ONLY = ["average_precision", "pr_area", "break_even"]
PROMISES = {  # module by name
    "auprg": prg,
    "average_precision": pr,
    "break_even": pr,
    "brier_score": brier,
    "h_measure": expected_loss,
    "pr_area": pr,
}
probabilities = st.integers(0, 8).map(lambda k: k / 8)


def assert_near(value, expected):
    assert value == pytest.approx(float(expected), rel=1e-12, abs=1e-13)


def test_each_is_registered():
    assert set(PROMISES) <= set(MIXED)
    for name, module in PROMISES.items():
        assert SUMMARIES[name].function is getattr(module, name)


@pytest.mark.parametrize("name", PROMISES)
@given(
    sample=samples(values=probabilities, weights=st.integers(0, 3)),
    scale=st.sampled_from([0.25, 3.0]),
)
@settings(max_examples=25)
def test_promises(name, sample, scale):
    label, score, weight = (np.array(column) for column in sample)
    fact = SUMMARIES[name]
    value = fact.function(rs.tabulate(label, score))
    assert type(value) is float
    assert fact.range[0] <= value <= fact.range[1]
    assert value == fact.function(rs.tabulate(label[::-1], score[::-1]))
    if fact.rank_based:
        assert value == fact.function(rs.tabulate(label, np.exp(score)))
        assert value == fact.function(rs.tabulate(label, -score, higher_is_positive=False))
    assert_near(fact.function(rs.tabulate(np.tile(label, 2), np.tile(score, 2))), value)
    weights = np.full(label.size, scale)
    assert_near(fact.function(rs.tabulate(label, score, sample_weight=weights)), value)
    again = [repeated(column, weight) for column in (label, score)]
    if 0 < sum(again[0]) < len(again[0]):
        whole = fact.function(rs.tabulate(label, score, sample_weight=weight))
        assert_near(whole, fact.function(rs.tabulate(*again)))


@pytest.mark.parametrize("name", PROMISES)
def test_prevalence_matters(name):
    function = SUMMARIES[name].function
    table = rs.tabulate(*F3)
    assert function(table) != pytest.approx(function(rs.reweight(table, prevalence=0.1)))


@pytest.mark.parametrize("name", PROMISES)
def test_ends(name):
    fact = SUMMARIES[name]
    best = fact.range[1] if fact.better == "higher" else fact.range[0]
    assert fact.function(rs.tabulate([1, 1, 0], [1, 1, 0])) == best
    if name in POSITIVES_ONLY:
        assert fact.function(rs.tabulate([1, 1], [1, 0])) == 1
        with pytest.raises(SingleClassError, match=f"{name} needs"):
            fact.function(rs.tabulate([0, 0], [1, 0]))
    elif name not in ("brier_score", "log_loss"):
        with pytest.raises(SingleClassError, match=f"{name} needs"):
            fact.function(rs.tabulate([1, 1], [1, 0]))
    assert fact.meaning.endswith(".")


@pytest.mark.parametrize("name", PROMISES)
def test_huge_counts(name):
    small = ScoreTable.from_counts([1, 0.5, 0], [3, 2, 1], [1, 1, 2])
    n = 2**58
    large = ScoreTable.from_counts([1, 0.5, 0], [3 * n, 2 * n, n], [n, n, 2 * n])
    function = SUMMARIES[name].function
    assert function(large) == pytest.approx(function(small), rel=1e-14)


def test_the_registry_does_not_depend_on_what_was_imported():
    code = """
import json, pkgutil, rocspace
asked_first = sorted(rocspace.SUMMARIES)
for module in pkgutil.iter_modules(rocspace.__path__):
    if module.name not in ("__main__", "cli"):
        __import__(f"rocspace.{module.name}")
print(json.dumps([asked_first, sorted(rocspace.SUMMARIES)]))
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    asked_first, after_all = json.loads(answer.stdout)
    assert asked_first == after_all
    assert "auch" in asked_first


@pytest.mark.parametrize("first", ["rocspace.measures", "rocspace.curves", "rocspace.costs"])
def test_the_order_of_the_summaries_is_fixed(first):
    code = f"import {first}, json, rocspace; print(json.dumps(list(rocspace.SUMMARIES)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found == list(SUMMARIES)
    assert found[:3] == ["auc", "gini", "youden"]
    assert found.index("eer") < found.index("auch") < found.index("average_precision")
