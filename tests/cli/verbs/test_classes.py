"""rocspace auc and compare of more than two classes."""

import re

import numpy as np
import pytest

from rocspace.multiclass import (
    compare_classifiers,
    hand_till,
    multiclass_scores,
    one_vs_rest_estimate,
    pairwise_areas,
)

RNG = np.random.default_rng(7)
CLASSES = ("cat", "cow", "dog")
N = 90
CODE = np.arange(N) % 3
LABEL = np.array(CLASSES)[CODE]
FIRST, SECOND = (
    np.round(RNG.normal(0, 1, (N, 3)) + shift * np.eye(3)[CODE], 2) for shift in (1, 2)
)


def columns(begin, block, order=(2, 0, 1)):
    return {f"{begin}{CLASSES[i]}": block[:, i] for i in order}


@pytest.fixture
def one(csv_file):
    csv_file("one.csv", {"y": LABEL, "id": np.arange(N), "age": CODE} | columns("p_", FIRST))
    return multiclass_scores(LABEL, FIRST)


@pytest.fixture
def two(csv_file):
    both = {"rf": FIRST, "svm": SECOND}
    visit = np.arange(N) // 2
    csv_file("two.csv", {"y": LABEL, "v": visit} | columns("rf_", FIRST) | columns("svm_", SECOND))
    return multiclass_scores(LABEL, both), multiclass_scores(LABEL, both, cluster=visit)


@pytest.mark.parametrize("words", [(), ("--score", "p_*"), ("--label", "y", "--scores", "p_*")])
def test_columns_are_found_by_the_labels_in_any_order(run, one, words):
    found = run("auc", "one.csv", *words, "--json", "--quiet").json
    (classifier,) = found["classifiers"]
    assert found["classes"] == [{"label": each, "cases": 30} for each in CLASSES]
    assert classifier["areas"]["hand-till"]["value"] == hand_till(one)
    rest = one_vs_rest_estimate(one, average=None)
    assert [each["se"] for each in classifier["against_the_rest"]] == [e.se for e in rest.values()]
    for pair, estimate in zip(
        classifier["pairs"], pairwise_areas(one).estimates.values(), strict=True
    ):
        assert pair["value"] == estimate.value
        assert pair["interval"]["low"] == estimate.interval(0.95).low


def test_the_table_fits_a_terminal_and_ranks_pairs(run, one):
    out = run("auc", "one.csv").out
    assert max(map(len, out.splitlines())) <= 80
    pairs = re.findall(r"^c?\w+ and \w+ +(0\.\d+)", out, re.MULTILINE)[-3:]
    listed = [float(area) for area in pairs]
    assert listed == sorted(listed)
    assert "90 cases of 3 classes, by y" in out


def test_many_pairs_are_cut_short(run, csv_file):
    labels = [f"k{i}" for i in range(7)]
    y = np.arange(140) % 7
    scores = {name: RNG.normal(y == i, 1.0) for i, name in enumerate(labels)}
    csv_file("many.csv", {"y": np.array(labels)[y], **scores})
    out = run("auc", "many.csv", "--quiet").out
    assert out.endswith("and 6 pairs more, all with --json\n")


def test_numbers_and_beginnings_that_are_no_names(run, csv_file):
    csv_file("n.csv", {"y": CODE, "0": FIRST[:, 0], "1": FIRST[:, 1], "2": FIRST[:, 2]})
    (found,) = run("auc", "n.csv", "--json", "--quiet").json["classifiers"]
    assert found["name"] == "score"
    assert found["areas"]["hand-till"]["value"] == hand_till(multiclass_scores(CODE, FIRST))


def test_missing_values_and_weights(run, csv_file):
    score = columns("p_", FIRST)
    score["p_cow"] = [None, *score["p_cow"][1:].tolist()]
    csv_file("gap.csv", {"y": LABEL, "w": 1.5 * (CODE + 1)} | score)
    words = ("gap.csv", "--weight", "w", "--missing", "omit", "--json", "--quiet")
    found = run("auc", *words).json
    kept = multiclass_scores(LABEL[1:], FIRST[1:], sample_weight=1.5 * (CODE[1:] + 1))
    assert found["source"]["dropped"] == {"p_cow": 1}
    assert found["classifiers"][0]["areas"]["hand-till"]["value"] == hand_till(kept)


@pytest.mark.parametrize("measure", [None, "mu", "macro", "weighted", "micro"])
def test_compare_compares_beginnings(run, two, measure):
    words = () if measure is None else ("--measure", measure)
    found = run("compare", "two.csv", *words, "--json", "--quiet").json
    expected = compare_classifiers(two[0], measure=measure or "hand-till")
    assert found["names"] == ["rf", "svm"]
    assert [each["auc"]["value"] for each in found["scores"]] == [
        each.value for each in expected.estimates
    ]
    assert found["pairs"][0]["test"]["pvalue"] == expected.pairs[0].test.pvalue


def test_compare_by_cluster(run, two):
    words = ("two.csv", "--cluster", "v", "--measure", "macro")
    found = run("compare", *words, "--json", "--quiet").json
    expected = compare_classifiers(two[1], measure="macro")
    assert found["pairs"][0]["se"] == expected.pairs[0].difference.se
    out = run("compare", *words).out
    assert "against the rest, mean of the classes" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("auc", "one.csv", "--score", "age"), ["--positive 'dog'", "p_cat, p_cow", "'age'"]),
        (("auc", "one.csv", "--score", "p_*", "--score", "age"), ["and no others", "'age'"]),
        (("auc", "one.csv", "--score", "q*"), ["'q*' matches no column", "p_dog"]),
        (("auc", "one.csv", "--lower-is-positive", "p_cat"), ["leave out --lower-is-positive"]),
        (("compare", "one.csv"), ["two"]),
        (("compare", "two.csv", "--figure", "a.png"), ["--figure draws two classes"]),
        (("compare", "one.csv", "--positive", "cat", "--measure", "mu"), ["Leave it out"]),
    ],
)
def test_mistakes_say_the_way_out(run, one, two, words, said):
    error = run(*words, fails=True).err
    assert all(each in error for each in said), error


def test_one_class_against_the_others_stays(run, one):
    out = run("auc", "one.csv", "--positive", "cat", "--score", "p_cat").out
    assert re.search(r"p_cat +0\.\d+", out)
