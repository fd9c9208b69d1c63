"""`rocspace hull`: the vertices are the library's."""

import numpy as np
import pytest

import rocspace as rs
from rocspace._base.text import MINUS, share
from rocspace.combine.mixtures import rule_path
from rocspace.hull import roc_hull
from rocspace.operating import Costs

RNG = np.random.default_rng(11)
N = 120
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 3)
OLD = RNG.integers(0, 9, N) + 2 * LABEL
TABLES = {"new": rs.tabulate(LABEL, NEW), "old": rs.tabulate(LABEL, OLD)}
PATH = rule_path(TABLES)


@pytest.fixture
def scores(csv_file):
    return csv_file("scores.csv", {"y": LABEL, "new": NEW, "old": OLD})


def test_hull(run, scores):
    whole = roc_hull(TABLES)
    found = run("hull", scores, "--json").json
    assert found["schema"] == "rocspace.hull/1"
    assert found["area"] == whole.auc
    assert found["areas"] == {name: roc_hull({name: t}).auc for name, t in TABLES.items()}
    vertices = found["vertices"]
    assert [v["fpr"] for v in vertices] == whole.fpr.tolist()
    assert [v["tpr"] for v in vertices] == whole.tpr.tolist()
    assert vertices[0]["rule"] == "never"
    assert vertices[0]["slopes"]["high"] == "inf"
    assert {v["best"] for v in vertices} == {None}
    assert "inf to" not in run("hull", scores).out
    for vertex, points in zip(vertices[1:-1], whole.points[1:-1], strict=True):
        assert (
            float(vertex["rule"].pop("threshold_text").replace(MINUS, "-")) <= points[0].threshold
        )
        assert vertex["rule"] == {
            "score": points[0].name,
            "threshold": points[0].threshold,
            "direction": "higher",
        }
    for low, high in zip(vertices[1:], vertices[:-1], strict=True):
        assert low["slopes"]["high"] == high["slopes"]["low"]


def test_the_hull_and_its_best_vertex_are_drawn(drawn, scores):
    ax, _, ran = drawn("hull", scores, "--cost-fn", 10, "--json")
    whole = roc_hull(TABLES)
    (line,) = [line for line in ax.lines if str(line.get_label()).startswith("hull (AUC")]
    assert line.get_xydata().tolist() == [*map(list, zip(whole.fpr, whole.tpr, strict=True))]
    (best,) = [vertex for vertex in ran.json["vertices"] if vertex["best"]]
    assert best["text"] in [text.get_text() for text in ax.texts]
    plain, _, _ = drawn("hull", scores)
    assert not plain.texts


def test_hull_marks_the_best(run, scores):
    options = ("--cost-fn", 10, "--prevalence", 0.05)
    found = run("hull", scores, *options, "--json").json
    (best,) = [i for i, v in enumerate(found["vertices"]) if v["best"]]
    assert best == PATH.optimal(Costs(fn=10).iso_performance_slope(0.05))
    text = run("hull", scores, *options).out
    (line,) = [line for line in text.splitlines() if line.endswith(" best")]
    assert line.startswith(str(PATH.rules[best]))
    assert f"all together   {share(roc_hull(TABLES).auc)}" in text
    alone = run("hull", scores, "--score", "new").out
    assert "all together" not in alone
    turned = run("hull", scores, "--score", "new", "--lower-is-positive").out
    assert "new <= " in turned
