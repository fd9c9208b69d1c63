"""rocspace auc and compare of more than two classes."""

import re
from pathlib import Path

import numpy as np
import pytest

from rocspace.multiclass import (
    compare_classifiers,
    hand_till,
    hand_till_estimate,
    hum_estimate,
    multiclass_scores,
    one_vs_rest_estimate,
    ordered_scores,
    pairwise_areas,
    pdi_estimate,
    vus_estimate,
)
from rocspace.report.classes import numbers

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
        (("compare", "two.csv", "--figure", "a.gif"), ["must end in one of .png, .svg, .pdf"]),
        (("auc", "one.csv", "--exact", "--figure", "a.png"), ["Leave out them, or --figure"]),
        (("report", "one.csv", "--fold", "id"), ["--fold is for two classes"]),
        (("report", "one.csv", "--score", "age"), ["--positive 'dog'", "'age'"]),
        (("compare", "one.csv", "--positive", "cat", "--measure", "mu"), ["Leave it out"]),
    ],
)
def test_mistakes_say_the_way_out(run, one, two, words, said):
    error = run(*words, fails=True).err
    assert all(each in error for each in said), error


def test_one_class_against_the_others_stays(run, one):
    out = run("auc", "one.csv", "--positive", "cat", "--score", "p_cat").out
    assert re.search(r"p_cat +0\.\d+", out)


@pytest.mark.parametrize("verb", ["auc", "compare"])
@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_figures_are_drawn_beside_the_same_text(run, one, two, verb, kind):
    file = "two.csv" if verb == "compare" else "one.csv"
    plain = run(verb, file)
    drawn = run(verb, file, "--figure", f"a.{kind}")
    assert drawn.out == plain.out
    assert drawn.err.endswith(f"figure: a.{kind}\n")
    assert Path(f"a.{kind}").stat().st_size > 5000
    quiet = (verb, file, "--json", "--quiet")
    assert run(*quiet, "--figure", f"b.{kind}").json == run(*quiet).json


def test_the_figure_of_two_classes_has_its_curves(run, csv_file):
    csv_file("s.csv", {"y": CODE % 2, "a": FIRST[:, 0], "b": FIRST[:, 1]})
    run("auc", "s.csv", "--figure", "a.svg", "--quiet")
    words = Path("a.svg").read_text(encoding="utf-8")
    assert re.search(r"a \(AUC 0\.\d{3}", words)
    assert re.search(r"b \(AUC 0\.\d{3}", words)


def test_the_report_is_written_and_the_areas_printed(run, two):
    result = run("report", "two.csv", "--title", "Pets & more")
    assert result.out.splitlines()[-1] == "two-roc.html"
    assert max(map(len, result.out.splitlines())) <= 80
    page = Path("two-roc.html").read_text(encoding="utf-8")
    assert "Pets &amp; more" in page
    assert "svm</b> ranks best" in page
    assert "rocspace at two.csv --label y --positive cat --score svm_cat" in page


def test_the_report_as_json_tables_and_figures(run, two):
    found = run("report", "two.csv", "--to", "json").json
    assert found["schema"] == "rocspace.class_summary/1"
    assert found["source"]["columns"]["rf"]["cow"] == "rf_cow"
    assert found["classifiers"][1]["areas"]["hand-till"]["value"] == hand_till(two[0], "svm")
    told = run("report", "two.csv", "--to", "md", "--quiet").out
    assert told.startswith("**Areas of several classes**")
    assert "| rf minus svm |" in told
    assert "Classes and decisions by svm" in told
    run("report", "two.csv", "--to", "pdf-figures", "--quiet")
    made = sorted(path.name for path in Path("two-figures").iterdir())
    kinds = [f"{kind}-{i}.pdf" for kind in ("one-vs-rest", "pair-curves", "pairs") for i in (1, 2)]
    assert made == ["comparison.pdf", *kinds]


def test_the_report_names_columns_as_they_are(run, one):
    found = run("report", "one.csv", "--score", "p_*", "--json", "--quiet").json
    assert found["source"]["columns"] == {"p": {"cat": "p_cat", "cow": "p_cow", "dog": "p_dog"}}
    assert "comparison" not in found


def test_the_report_has_decisions_at_costs(run, csv_file):
    csv_file("p.csv", {"y": LABEL} | columns("p_", np.exp(FIRST)))
    Path("costs.csv").write_text(",cat,cow,dog\ncat,0,1,5\ncow,1,0,5\ndog,1,1,0\n")
    words = ("report", "p.csv", "--cost-matrix", "costs.csv")
    (found,) = run(*words, "--json", "--quiet").json["classifiers"]
    rules = {each["rule"]: each["cost"]["value"] for each in found["at_costs"]["rules"]}
    assert rules["weights"] <= min(rules.values())
    wrong = run("report", "p.csv", "--cost-matrix", "none.csv", fails=True).err
    assert "There is no file 'none.csv' for --cost-matrix" in wrong
    two = run(*words, "--positive", "cat", "--score", "p_cat", fails=True).err
    assert "--cost-matrix is for more than two classes" in two
    wrong = run("report", "p.csv", "--explored", "none", fails=True).err
    assert "--explored 'none' is not a classifier" in wrong


# --- volumes ----------------------------------------------------------------------------------


def test_auc_shows_the_volumes(run, one):
    (found,) = run("auc", "one.csv", "--json", "--quiet").json["classifiers"]
    assert found["n_sets"] is None
    for key, estimate in (("pdi", pdi_estimate(one)), ("hum", hum_estimate(one))):
        assert found["volumes"][key]["value"] == estimate.value
        assert found["volumes"][key]["se"] == estimate.se
    out = run("auc", "one.csv").out
    assert re.search(r"polytomous discrimination index +0\.\d+ .* 1/3\n", out)
    assert re.search(r"hypervolume under the manifold +0\.\d+ .* 1/6\n", out)


def test_auc_draws_sets_where_there_are_too_many(run, one, monkeypatch):
    monkeypatch.setattr(numbers, "STEPS", 30**3 * 24 - 1)
    monkeypatch.setattr(numbers, "_DRAWN", 1000)
    found = run("auc", "one.csv", "--json", "--quiet").json["classifiers"][0]
    assert found["n_sets"] == 1000
    expected = hum_estimate(one, n_sets=1000, rng=0)
    assert found["volumes"]["hum"]["value"] == expected.value
    out = run("auc", "one.csv").out
    assert "hypervolume, 1,000 sets drawn" in out
    assert max(map(len, out.splitlines())) <= 80
    monkeypatch.setattr(numbers, "STEPS", 100)
    found = run("auc", "one.csv", "--json", "--quiet").json["classifiers"][0]
    assert found["volumes"] == {"pdi": None, "hum": None}
    assert "one case of each class" not in run("auc", "one.csv").out


@pytest.mark.parametrize("measure", ["pdi", "hum"])
def test_compare_by_volumes(run, two, measure):
    found = run("compare", "two.csv", "--measure", measure, "--json", "--quiet").json
    expected = compare_classifiers(two[0], measure=measure)
    assert [each["auc"]["value"] for each in found["scores"]] == [
        each.value for each in expected.estimates
    ]
    assert found["pairs"][0]["test"]["pvalue"] == expected.pairs[0].test.pvalue
    out = run("compare", "two.csv", "--measure", measure).out
    assert measure.upper() in out
    assert len(out.splitlines()[0]) <= 80


@pytest.fixture
def stages(csv_file):
    stage = np.array(["mild", "none", "severe"])[CODE]
    order = {"none": 0, "mild": 1, "severe": 2}
    step = np.array([order[each] for each in stage])
    new, old = (np.round(RNG.normal(gain * step, 1.0), 2) for gain in (1.2, 0.5))
    visit = np.arange(N) // 2
    csv_file("stages.csv", {"stage": stage, "new": new, "old": -old, "visit": visit})
    return ordered_scores(stage, {"new": new, "old": old}, order=list(order), cluster=visit)


IN_ORDER = ("stages.csv", "--label", "stage", "--order", "none, mild,severe")
MARKERS = ("--score", "new", "--score", "old", "--lower-is-positive", "old")


def test_auc_of_ordered_classes(run, stages):
    found = run("auc", *IN_ORDER, *MARKERS, "--json", "--quiet").json
    assert [each["label"] for each in found["order"]] == ["none", "mild", "severe"]
    plain = ordered_scores(
        np.array(stages.classes)[stages.label],
        {name: stages.score[:, a] for a, name in enumerate(stages.names)},
        order=stages.classes,
    )
    for each in found["scores"]:
        assert each["vus"]["value"] == vus_estimate(plain, each["name"]).value
        assert each["vus"]["se"] == vus_estimate(plain, each["name"]).se
        assert each["hand_till"]["value"] == hand_till(plain, each["name"])
        pairs = pairwise_areas(plain, each["name"]).estimates
        assert {(x["first"], x["second"]): x["value"] for x in each["pairs"]} == {
            pair: area.value for pair, area in pairs.items()
        }
    assert found["direction"] == "order"
    out = run("auc", *IN_ORDER, *MARKERS).out
    assert "better direction" not in out
    assert "none (30) < mild (30) < severe (30)" in out
    assert "By chance the volume is 1/6." in out
    assert max(map(len, out.splitlines())) <= 80


def test_auc_of_pairs_in_their_better_direction(run, stages):
    """Classes in a wrong order: all pairs but those of the right direction are turned."""
    wrong = ("stages.csv", "--label", "stage", "--score", "new", "--order", "severe,none,mild")
    found = run("auc", *wrong, "--pairwise", "--json", "--quiet").json
    ours = ordered_scores(
        np.array(stages.classes)[stages.label], stages.score[:, 0], order=["severe", "none", "mild"]
    )
    (score,) = found["scores"]
    assert found["direction"] == "pairwise"
    expected = hand_till_estimate(ours, direction="pairwise")
    assert score["hand_till"]["value"] == expected.value > hand_till(ours) + 0.3
    assert score["hand_till"]["se"] == expected.se
    right = run("auc", *IN_ORDER, "--score", "new", "--json", "--quiet").json["scores"][0]
    areas = [sorted(x["value"] for x in each["pairs"]) for each in (score, right)]
    assert areas[0] == pytest.approx(areas[1], rel=1e-15)
    assert score["vus"]["value"] == vus_estimate(ours).value  # the volume keeps the order
    out = run("auc", *wrong, "--pairwise").out
    assert "by chance it is above 1/2" in out
    assert max(map(len, out.splitlines())) <= 80
    refused = run("auc", "stages.csv", "--label", "stage", "--pairwise", fails=True).err
    assert "--pairwise goes with --order" in refused


@pytest.mark.parametrize("measure", [None, "hand-till"])
def test_compare_markers_of_ordered_classes(run, stages, measure):
    words = () if measure is None else ("--measure", measure)
    found = run(
        "compare", *IN_ORDER, *MARKERS, "--cluster", "visit", *words, "--json", "--quiet"
    ).json
    expected = compare_classifiers(stages, measure=measure or "vus")
    assert found["pairs"][0]["value"] == expected.pairs[0].difference.value
    assert found["pairs"][0]["se"] == expected.pairs[0].difference.se
    assert "VUS" in run("compare", *IN_ORDER, *MARKERS).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("auc", "stages.csv", "--label", "stage", "--order", "none,severe"), ["'mild'", "all"]),
        (("auc", *IN_ORDER, "--exact"), ["--order has no --exact"]),
        (("auc", *IN_ORDER, "--positive", "mild"), ["--positive has nothing to say"]),
        (("compare", *IN_ORDER, "--measure", "pdi"), ["a column for each class"]),
        (("compare", "stages.csv", "--label", "stage", "--measure", "vus"), ["--order a,b,c"]),
        (("auc", *IN_ORDER, "--figure", "a.png"), ["--figure. Leave them out"]),
    ],
)
def test_mistakes_with_an_order_say_the_way_out(run, stages, words, said):
    error = run(*words, fails=True).err
    assert all(each in error for each in said), error


def test_report_of_ordered_classes(run, stages):
    ours = ordered_scores(
        np.array(stages.classes)[stages.label],
        {name: stages.score[:, a] for a, name in enumerate(stages.names)},
        order=stages.classes,
    )
    found = run("report", *IN_ORDER, *MARKERS, "--json", "--quiet").json
    assert found["schema"] == "rocspace.ordered_summary/1"
    assert [each["direction"] for each in found["scores"]] == ["higher", "lower"]
    for each in found["scores"]:
        assert each["vus"]["value"] == vus_estimate(ours, each["name"]).value
    shell = next(each["shell"] for each in found["methods"] if each["id"] == "vus")
    assert shell.endswith("--lower-is-positive old --order none,mild,severe")
    assert (
        run(*shell.split()[1:], "--json", "--quiet").json["scores"][0]["vus"]
        == (found["scores"][0]["vus"])
    )
    done = run("report", *IN_ORDER, *MARKERS, "--title", "Stages <1>")
    assert done.out.splitlines()[-1] == "stages-roc.html"
    assert "By chance the volume is 1/6." in done.out
    assert "Stages &lt;1&gt;" in Path("stages-roc.html").read_text(encoding="utf-8")
    tables = run("report", *IN_ORDER, *MARKERS, "--to", "md", "--quiet").out
    assert "Volumes under the ROC surface, none < mild < severe" in tables.replace("\\", "")
    run("report", *IN_ORDER, *MARKERS, "--to", "pdf-figures", "--quiet")
    drawn = {path.stem for path in Path("stages-figures").iterdir()}
    assert drawn == {"surface-1", "surface-2", "pairs-1", "pairs-2", "comparison"}


@pytest.mark.parametrize("words", [("--n-sim", 9), ("--by", "visit"), ("--cost-matrix", "c.csv")])
def test_what_ordered_classes_do_not_have_is_refused(run, stages, words):
    failed = run("report", *IN_ORDER, *MARKERS, *words, fails=True)
    assert f"{words[0]} has nothing to say of ordered classes" in failed.err


def test_one_classifier_is_not_compared(run, one):
    said = run("compare", "one.csv", "--label", "y", "--score", "p_*", fails=True).err
    assert "two classifiers or more, and the columns of scores are those of one" in said
    assert "as in svm_cat, svm_cow, svm_dog." in said
    ordered = ("--order", "cat,cow,dog", "--score", "p_cat")
    said = run("compare", "one.csv", "--label", "y", *ordered, fails=True).err
    assert "there is only 'p_cat'. Name others with --score." in said
