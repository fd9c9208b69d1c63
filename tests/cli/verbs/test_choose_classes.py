"""`rocspace choose` of more than two classes: costs from files, weights, and what is told."""

import json

import numpy as np
import pytest

from rocspace.multiclass import (
    best_class_weights,
    class_weights_bootstrap,
    decide_classes,
    multiclass_scores,
)

RNG = np.random.default_rng(7)
CLASSES = ("cat", "cow", "dog")
N = 60
CODE = np.arange(N) % 3
LABEL = np.array(CLASSES)[CODE]
BLOCK = np.round(0.7 * RNG.dirichlet(np.ones(3), N) + 0.3 * np.eye(3)[CODE], 4)
OTHER = np.round(0.2 * RNG.dirichlet(np.ones(3), N) + 0.8 * np.eye(3)[CODE], 4)
COSTS = np.array([[0, 2, 5], [1, 0, 3], [4, 1, 0]])  # a row a call
DATA = multiclass_scores(LABEL, BLOCK)
WORDS = ("k.csv", "--label", "y", "--n-boot", 5, "--quiet")


@pytest.fixture
def files(csv_file, tmp_path):
    """The columns and the costs each in another order."""
    csv_file("k.csv", {"y": LABEL} | {f"p_{CLASSES[i]}": BLOCK[:, i] for i in (2, 0, 1)})
    order = (1, 2, 0)
    named = {CLASSES[i]: {CLASSES[j]: int(COSTS[i, j]) for j in order} for i in (2, 1, 0)}
    (tmp_path / "costs.json").write_text(json.dumps(named))
    rows = [[CLASSES[i], *(COSTS[i, j] for j in order)] for i in (2, 1, 0)]
    head = ["called", *(CLASSES[j] for j in order)]
    text = "\n".join(";".join(map(str, row)) for row in [head, *rows])
    (tmp_path / "costs.csv").write_text(text + "\n\n")
    turned = [["true", *(CLASSES[i] for i in order)]]
    turned += [[CLASSES[j], *("" if i == j else COSTS[i, j] for i in order)] for j in (0, 1, 2)]
    (tmp_path / "turned.csv").write_text("\n".join(",".join(map(str, row)) for row in turned))
    return tmp_path


@pytest.mark.parametrize("name", ["costs.json", "costs.csv", "turned.csv"])
def test_the_numbers_are_the_librarys_in_any_order(run, files, name):
    found = run("choose", *WORDS, "--score", "p_*", "--cost-matrix", name, "--json").json
    best = best_class_weights(DATA, costs=COSTS)
    (one,) = found["classifiers"]
    assert found["best"] == one["name"] == "p"
    assert [each["label"] for each in one["weights"]] == list(CLASSES)
    assert [each["weight"] for each in one["weights"]] == best.class_weight.tolist()
    assert [each["cases"] for each in one["confusion"]] == best.counts.ravel().tolist()
    assert one["cost_per_case"]["value"] == best.cost
    assert one["cost_per_case"]["high"] == best.cost_estimate().interval().high
    assert one["equal_weights_cost"] == decide_classes(DATA, costs=COSTS).cost
    rule = decide_classes(DATA, costs=COSTS, rule="expected cost")
    assert one["expected_cost_rule_cost"] == pytest.approx(rule.cost)
    resampled = class_weights_bootstrap(DATA, costs=COSTS, n_boot=5, rng=0)
    assert one["corrected_cost"] == resampled.corrected
    tuned = class_weights_bootstrap(DATA, costs=COSTS, rule="expected cost", n_boot=5, rng=0)
    other = one["expected_cost_choice"]
    assert other["corrected_cost"] == tuned.corrected
    assert other["cost_per_case"]["value"] == tuned.apparent <= one["expected_cost_rule_cost"]
    assert [each["weight"] for each in other["weights"]] == tuned.decisions.class_weight.tolist()
    assert one["trivial"] == {"label": "cow", "cost": pytest.approx(4 / 3)}
    assert [each["cost"] for each in found["costs"]] == COSTS.ravel().tolist()


def test_the_text_fits_a_terminal(run, files):
    out = run("choose", *WORDS, "--cost-matrix", "costs.csv").out
    assert max(map(len, out.splitlines())) <= 80
    best = best_class_weights(DATA, costs=COSTS)
    line = next(line for line in out.splitlines() if line.startswith("dog"))
    assert line.split()[2:] == [*map(str, best.counts[2].tolist()), "20"]
    for words in (
        "corrected for the choice",
        "equal weights",
        "the same, weights chosen",
        "always cow",
        "No weights cost less",
    ):
        assert words in out


def test_long_names_become_numbers(run, csv_file, tmp_path):
    names = [f"a class with a long name, number {i}" for i in range(6)]
    code = np.arange(60) % 6
    block = np.round(RNG.dirichlet(np.ones(6), 60) + np.eye(6)[code], 3)
    csv_file("k.csv", {"y": np.array(names)[code]} | dict(zip(names, block.T, strict=True)))
    costs = {i: {j: 1 for j in names if j != i} for i in names}
    (tmp_path / "costs.json").write_text(json.dumps(costs))
    out = run("choose", *WORDS[:3], "--n-boot", 1, "--quiet", "--cost-matrix", "costs.json").out
    assert max(map(len, out.splitlines())) <= 80
    assert "as 6" in out
    assert "A search from several starts" in out


def test_of_two_classifiers_the_cheaper_is_shown(run, files, csv_file):
    both = {
        f"{who}_{c}": block[:, i]
        for who, block in (("a", BLOCK), ("b", OTHER))
        for i, c in enumerate(CLASSES)
    }
    csv_file("two.csv", {"y": LABEL} | both)
    words = ("two.csv", *WORDS[1:], "--cost-matrix", "costs.csv")
    found = run("choose", *words, "--json").json
    assert [each["name"] for each in found["classifiers"]] == ["a", "b"]
    assert found["best"] == "b"
    out = run("choose", *words).out
    assert "b: the largest product" in out
    assert "a, equal weights" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (",cat,cow\ncat,0,1\ncow,1,0\n", "lacks the cost of calling a case of 'dog' 'cat'"),
        (",cat,cow,pig\ncat,0,1,1\ncow,1,0,1\npig,1,1,0\n", "'pig', which is none of the classes"),
        (",cat,cow,dog\ncat,0,1\ncow,1,0,1\ndog,1,1,0\n", "row 'cat' has 2 costs for 3 columns"),
        (",cat,cow,dog\ncat,0,1,x\ncow,1,0,1\ndog,1,1,0\n", "a case of 'dog' 'cat' costs 'x'"),
        (",cat,cow,dog\ncat,3,1,1\ncow,1,0,1\ndog,1,1,0\n", "must not cost less than a correct"),
        (",cat,cow,dog\ncat,0,-1,1\ncow,1,0,1\ndog,1,1,0\n", "'cow' 'cat' costs"),
        ("", "needs a line of names"),
        ("[[0, 1], [1, 0]]", "has no names of classes"),
        ('{"cat": ', "is not json"),
    ],
)
def test_costs_that_make_no_sense_are_told(run, files, text, said):
    (files / "bad.csv").write_text(text)
    found = run("choose", *WORDS, "--cost-matrix", "bad.csv", fails=True)
    assert "--cost-matrix 'bad.csv'" in found.err
    assert said in found.err


def test_other_first_mistakes_are_told(run, files, csv_file):
    assert "by --cost-matrix FILE" in run("choose", *WORDS[:3], "--cost-fn", 3, fails=True).err
    assert (
        "There is no file 'no.csv' for --cost-matrix"
        in run("choose", *WORDS, "--cost-matrix", "no.csv", fails=True).err
    )
    words = ("--cost-matrix", "costs.csv")
    said = run("choose", *WORDS, *words, "--criterion", "youden", fails=True).err
    assert "--cost-matrix and --criterion each say what is best" in said
    csv_file("two.csv", {"y": CODE > 0, "p": BLOCK[:, 0]})
    said = run("choose", "two.csv", "--label", "y", *words, fails=True).err
    assert "--cost-matrix is for more than two classes" in said
    csv_file(
        "logits.csv", {"y": LABEL} | {f"p_{c}": np.log(BLOCK[:, i]) for i, c in enumerate(CLASSES)}
    )
    said = run("choose", "logits.csv", *WORDS[1:], *words, fails=True).err
    assert "Turn scores into probabilities" in said
