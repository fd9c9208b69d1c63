"""The report about several classes: its numbers, its page, and that it is safe."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import HOSTILE, Page
from rocspace.counts import SingleClassError
from rocspace.inference import rate_interval
from rocspace.multiclass import (
    MulticlassScores,
    best_class_weights,
    class_skew,
    compare_classifiers,
    decide_classes,
    hand_till_estimate,
    hum_estimate,
    multiclass_scores,
    one_vs_rest,
    pairwise_areas,
    pdi_estimate,
)
from rocspace.report import (
    More,
    classes_table,
    decisions_table,
    render_html,
    summarise,
    to_latex,
    to_markdown,
)
from rocspace.report.classes import explorer, overview
from rocspace.report.html import _library

RNG = np.random.default_rng(11)
LABELS = ["cat", "cow", "dog"]


def classes(
    k: int = 3, n: int = 90, names: tuple[str, ...] = ("a", "b"), labels: Any = None, **more: Any
) -> MulticlassScores:
    rng = np.random.default_rng(11)
    y = np.arange(n) % k
    scores = {
        name: np.round(rng.dirichlet(np.ones(k), n) + (0.5 - 0.2 * i) * np.eye(k)[y], 2)
        for i, name in enumerate(names)
    }
    known = [f"k{i}" for i in range(k)] if labels is None else labels
    return multiclass_scores([known[i] for i in y], scores, classes=known, **more)


@pytest.fixture(scope="module")
def data() -> MulticlassScores:
    return classes(labels=LABELS)


@pytest.fixture(scope="module")
def summary(data: MulticlassScores) -> dict[str, Any]:
    return summarise(data, source={"file": "pets.csv", "label": "pet", "rows": 90})


@pytest.fixture(scope="module")
def html(summary: dict[str, Any]) -> str:
    return render_html(summary)


def test_every_number_is_that_of_the_direct_call(
    data: MulticlassScores, summary: dict[str, Any]
) -> None:
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert summary["schema"] == "rocspace.class_summary/1"
    assert summary["classes"] == [{"label": label, "cases": 30} for label in LABELS]
    for each in summary["classifiers"]:
        name = each["name"]
        m = hand_till_estimate(data, name)
        found = each["areas"]["hand-till"]
        assert (found["value"], found["se"]) == (m.value, m.se)
        assert (found["interval"]["low"], found["interval"]["high"]) == tuple(m.interval(0.95))
        assert each["areas"]["macro"]["value"] == one_vs_rest(data, name)
        assert each["pdi"]["value"] == pdi_estimate(data, name).value
        volume = hum_estimate(data, name)
        assert (each["hum"]["value"], each["hum"]["se"]) == (volume.value, volume.se)
        assert each["n_sets"] is None
        pairs = pairwise_areas(data, name)
        listed = {(p["first"], p["second"]): p["value"] for p in each["pairs"]}
        assert listed == {pair: area.value for pair, area in pairs.estimates.items()}
        skew = class_skew(data, name)
        assert [one["any_mixture"]["low"] for one in each["against_the_rest"]] == skew.low.tolist()
    compared = compare_classifiers(data)
    pvalue = summary["comparison"]["pairs"][0]["test"]["pvalue"]
    assert pvalue == compared.pairs[0].test.pvalue
    assert summary["explored"] == "a"
    for label, score in zip(LABELS, summary["scores"], strict=True):
        assert score["name"] == label
        assert score["auc"]["value"] == rs.auc(data.table(label, name="a"))


def test_another_classifier_can_be_explored_first() -> None:
    given = classes(k=9, n=180, names=("a", "b", "c"))
    usual, chosen = summarise(given), summarise(given, more=More(explored="c"))
    assert [usual["explored"], *(each["name"] for each in usual["others"])] == ["a", "b"]
    assert [chosen["explored"], *(each["name"] for each in chosen["others"])] == ["c", "a"]
    label = chosen["scores"][0]["name"]
    assert chosen["scores"][0]["auc"]["value"] == rs.auc(given.table(label, name="c"))
    seen = explorer.SECTION.view(chosen)
    assert seen is not None
    assert "Each class against the rest by c, a: " in seen["note"]
    with pytest.raises(ValueError, match="'d'"):
        summarise(given, more=More(explored="d"))


def test_decisions_by_hand() -> None:
    p = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.2, 0.6, 0.2], [0.4, 0.4, 0.2], [0.2, 0.3, 0.5]]
    found = summarise(multiclass_scores([0, 0, 1, 1, 2], p))["classifiers"][0]["decision"]
    assert found["counts"] == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert found["tied"] == 1
    assert found["correct"]["value"] == 0.6
    assert [each["value"] for each in found["recall"]] == [0.5, 0.5, 1]
    assert [each["value"] for each in found["precision"]] == [0.5, 0.5, 1]
    low, high = rate_interval(3, 5)
    assert found["correct"]["low"] == pytest.approx(low)
    assert found["correct"]["high"] == pytest.approx(high)


def test_decisions_at_costs_are_those_of_the_direct_calls() -> None:
    given = classes(names=("a", "b"))
    costs = {"k0": {"k1": 1, "k2": 4}, "k1": {"k0": 1, "k2": 4}, "k2": {"k0": 1, "k1": 1}}
    found = summarise(given, more=More(costs=costs))
    for each in found["classifiers"]:
        largest, expected, weights = each["at_costs"]["rules"]
        assert largest["counts"] == each["decision"]["counts"]
        direct = decide_classes(given, each["name"], costs=costs, rule="expected cost")
        assert expected["counts"] == direct.counts.tolist()
        assert expected["cost"]["value"] == direct.cost
        best = best_class_weights(given, each["name"], costs=costs)
        assert weights["counts"] == best.counts.tolist()
        assert weights["class_weight"] == best.class_weight.tolist()
    html = render_html(found)
    assert Page(html).open == []
    assert html.count("Best weights of the columns") == 2 * 3
    with pytest.raises(ValueError, match="fold goes with tables of two classes"):
        summarise(given, more=More(fold=np.arange(90) % 3))


def test_weights_are_summed_and_worth_fewer_cases() -> None:
    given = classes(names=("a",), sample_weight=np.tile([0.5, 1.5], 45))
    found = summarise(given)
    whole = np.array(found["classifiers"][0]["decision"]["counts"])
    assert whole.sum() == pytest.approx(given.case_weight.sum())
    assert found["classes"][0]["cases"] == given.sizes[0]
    same = classes(names=("a",))
    even = summarise(same)["classifiers"][0]["decision"]["correct"]
    odd = found["classifiers"][0]["decision"]["correct"]
    width = {key: each["high"] - each["low"] for key, each in (("even", even), ("odd", odd))}
    assert width["odd"] > 0.9 * width["even"]


def test_labels_that_read_alike_are_told_apart() -> None:
    given = multiclass_scores(
        np.array([1, "1", 2] * 5, dtype=object), RNG.random((15, 3)), [1, "1", 2]
    )
    assert [each["label"] for each in summarise(given)["classes"]] == ["1", "'1'", "2"]


def hard_pair() -> MulticlassScores:
    rng = np.random.default_rng(2)
    y = np.arange(300) % 3
    score = rng.normal(3.0 * np.eye(3)[y], 1)
    score[y > 0, 1:] = rng.normal(2, 1, (200, 2))
    return multiclass_scores(y, score)


def turned() -> MulticlassScores:
    y = np.arange(300) % 3
    score = np.random.default_rng(2).normal(2.0 * np.eye(3)[y], 1)
    return multiclass_scores(y, score, classes=[1, 0, 2])


@pytest.mark.parametrize(
    ("code", "given"),
    [
        ("few_cases", lambda: classes(n=12)),
        ("class_skew", hard_pair),
        ("pair_below_chance", turned),
        ("pair_by_chance", hard_pair),
        ("perfect_separation", lambda: multiclass_scores([0, 1, 2] * 5, np.eye(3)[[0, 1, 2] * 5])),
        ("tied_columns", lambda: multiclass_scores([0, 1, 2] * 5, np.ones((15, 3)))),
    ],
)
def test_what_should_be_looked_at_is_said(code: str, given: Any) -> None:
    assert code in {each["code"] for each in summarise(given())["warnings"]}


def test_nothing_is_said_of_sound_data() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(600) % 3
    score = rng.normal(1.2 * np.eye(3)[y], 1)
    assert summarise(multiclass_scores(y, score))["warnings"] == []


def test_a_class_without_cases_is_said_and_left_out() -> None:
    given = multiclass_scores(["x", "y"] * 20, RNG.random((40, 3)), ["x", "y", "z"])
    found = summarise(given)
    (absent,) = [each for each in found["warnings"] if each["code"] == "absent_class"]
    assert absent["message"].startswith("No case is of z:")
    assert [score["name"] for score in found["scores"]] == ["x", "y"]
    assert found["classifiers"][0]["pdi"] is found["classifiers"][0]["hum"] is None
    assert Page(render_html(found)).open == []


def test_the_explorer_has_every_classifier(data: MulticlassScores, summary: dict[str, Any]) -> None:
    (other,) = summary["others"]
    assert other["name"] == "b"
    for label, score in zip(LABELS, other["scores"], strict=True):
        table = data.table(label, name="b")
        assert (score["name"], score["auc"]["value"]) == (label, rs.auc(table))
        assert score["curve"]["points"] == len(table) + 1
    drawn = explorer.SECTION.drawn(summary)["scores"]
    assert [each["name"][:2] for each in drawn] == ["a:"] * 3 + ["b:"] * 3
    assert {each["name"] for each in drawn} == {f"{n}: {c}" for n in "ab" for c in LABELS}
    assert {f"score-{i}" for i in (4, 5, 6)} <= set(explorer.SECTION.charts(summary))
    note = explorer.SECTION.view(summary)["note"]
    assert note.startswith("Each class against the rest by each classifier:")


def test_the_explorer_has_24_curves_at_most() -> None:
    many = classes(9, 90, tuple("abcd"))
    assert [each["name"] for each in summarise(many)["others"]] == ["b"]
    more = classes(13, 130)
    assert summarise(more)["others"] == []


def test_sets_of_many_cases_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview, "_STEPS", 20_000 * 3 * 2**3)
    label = np.repeat(["x", "y", "z"], 30)
    given = multiclass_scores(label, RNG.random((90, 3)))
    found = summarise(given)
    (each,) = found["classifiers"]
    assert each["n_sets"] == 20_000
    assert each["hum"]["value"] == hum_estimate(given, n_sets=20_000, rng=0).value
    assert "(20,000 sets drawn); by chance 1/6" in render_html(found)
    monkeypatch.setattr(overview, "_STEPS", 10)
    assert summarise(given)["classifiers"][0]["hum"] is None


def test_the_answer_is_a_sentence_and_a_picture(html: str, summary: dict[str, Any]) -> None:
    page = Page(html)
    text = " ".join(page.text.split())
    best = max(summary["classifiers"], key=lambda each: each["areas"]["hand-till"]["value"])
    area = f"{best['areas']['hand-till']['value']:.3f}"
    assert f"{best['name']} ranks best: area {area}" in text
    hardest = min(best["pairs"], key=lambda pair: pair["value"])
    assert f"Hardest to tell apart: {hardest['first']} and {hardest['second']}" in text
    assert "paired test" in text
    counts = best["decision"]["counts"]
    right, n = sum(row[i] for i, row in enumerate(counts)), sum(map(sum, counts))
    assert f"Of {n:,} cases, {right:,} ({100 * right / n:.1f} %) are called right" in text
    sizes = [each["cases"] for each in summary["classes"]]
    assert f"would be right in {100 * max(sizes) / n:.1f} %." in text
    recalls = [row[i] / sum(row) for i, row in enumerate(counts)]
    worst = summary["classes"][recalls.index(min(recalls))]
    said = f"{worst['label']}, in {100 * min(recalls):.1f} % of its {worst['cases']:,} cases."
    assert f"Least often called right: {said}" in text
    at = html.index('class="lead"'), html.index('class="heat"'), html.index("<h2")
    assert list(at) == sorted(at)
    assert html.count("shade-") > 3


def test_the_page_is_small_semantic_and_labelled(html: str) -> None:
    page = Page(html)
    assert page.open == []
    tags = [tag for tag, _ in page.elements]
    assert tags.count("h1") == 1
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for name in ("aria-labelledby", "aria-describedby"):
        named = (attrs[name] or "" for _, attrs in page.elements if name in attrs)
        assert {each for names in named for each in names.split()} <= set(ids)
    links = {attrs["href"] for tag, attrs in page.elements if tag == "a"}
    assert {str(link).removeprefix("#") for link in links} <= set(ids)
    drawn = [attrs for _, attrs in page.elements if "data-chart" in attrs]
    assert all(attrs["aria-label"] for attrs in drawn)
    shown = {attrs["data-chart"] for attrs in drawn} - {"histogram"}
    by_another = {f"score-{i}" for i in (4, 5, 6)}  # which the explorer shows when it is chosen
    assert shown | by_another == set(json.loads(page.scripts[0])["charts"])
    for tag, attrs in page.elements:
        assert not {"src", "style", "srcset"} & set(attrs)
        assert tag not in {"link", "img", "iframe", "base", "form"}
    assert re.search(r"https?://", html.replace(_library(), "")) is None


def test_a_summary_read_from_json_gives_the_same_page(summary: dict[str, Any], html: str) -> None:
    assert render_html(json.loads(json.dumps(summary))) == html


def test_hostile_names_stay_text() -> None:
    labels = [*HOSTILE[:7], HOSTILE[8]]
    given = classes(8, 96, names=(HOSTILE[0], HOSTILE[3]), labels=labels)
    source = dict.fromkeys(("file", "label", "weight"), "<script>alert(4)</script>")
    html = render_html(summarise(given, source=source))
    page = Page(html)
    assert page.open == []
    data, *scripts = page.scripts
    assert len(scripts) == 2
    assert not any("alert(" in script for script in scripts if script != _library())
    assert not {"img", "i"} & {tag for tag, _ in page.elements}
    for name in labels[:4]:
        assert name in page.text
    every = [f"{name}: {label}" for name in given.names for label in labels]
    assert sorted(score["name"] for score in json.loads(data)["scores"]) == sorted(every)


@pytest.mark.parametrize("k", [2, 3, 12, 20])
def test_any_number_of_classes_gives_a_sound_page(k: int) -> None:
    page = Page(render_html(summarise(classes(k, 3 * k, names=("only",)))))
    assert page.open == []
    assert ("Confusion matrix of only" in str(page.elements)) == (k <= 16)
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_the_lines_of_code_give_these_numbers(
    data: MulticlassScores, summary: dict[str, Any], html: str
) -> None:
    shown = json.loads(Page(html).scripts[0])["scores"]
    for each in shown:
        scope: dict[str, Any] = {"data": data}
        exec(each["python"], scope)
        assert scope["table"].n_pos == each["n_pos"]
        name, label = each["name"].split(": ")
        assert scope["table"] == data.table(label, name=name)
        assert f"--positive {label} --score {name}_{label}" in each["shell"]
    for method in summary["methods"]:
        lines = method["python"].splitlines()
        last = lines[-1]
        if "multiclass_scores(" not in last:
            scope = {"data": data}
            exec("from rocspace.multiclass import *", scope)
            exec(last, scope)


def test_what_goes_with_two_classes_is_refused(data: MulticlassScores) -> None:
    with pytest.raises(ValueError, match="references goes with tables of two classes"):
        summarise(data, references={"x": rs.roc_curve(data.table("cat", name="a"))})
    with pytest.raises(SingleClassError, match="summarise needs cases of two classes"):
        summarise(multiclass_scores(["a"] * 3, np.ones((3, 2)), ["a", "b"]))


# Fields of comparisons of two classes, and of the verb.
OF_TWO = ("difference", "costs", "source", "curves", "pairs[].margin")


def test_the_page_about_json_lists_every_field_and_no_other(summary: dict[str, Any]) -> None:
    from report.test_summary import keys

    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    listed = {
        part.split("`", 1)[0]: set(re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE))
        for part in page.split("## `")[1:]
    }
    own = listed["rocspace.class_summary/1"]
    warned = summarise(classes(n=12))
    priced = summarise(classes(names=("a",)), more=More(costs=1 - np.eye(3)))
    found = {key for each in (summary, warned, priced) for key in keys(each)}
    found = {re.sub(r"areas\.[\w-]+", "areas", key) for key in found if ".areas." not in key}
    of_others = {key for key in found if key.startswith("others[].scores[].")}
    assert {key.removeprefix("others[].") for key in of_others} <= found
    found -= of_others
    of_two = {key for key in listed["rocspace.summary/1"] if key.startswith("scores[].")}
    more = "bands|granular|folds|fits|groups|calibration|precision_recall|decision|gains"
    more += "|predictive_values"
    of_two = {key for key in of_two if not re.match(rf"scores\[\]\.({more})", key)}
    of_classes = {
        key for key in listed["rocspace.classes/1"] if key.startswith(("classes", "classifiers"))
    } - {"classifiers[].volumes", "classifiers[].n_sets"}  # as the page says
    compared = {f"comparison.{key}" for key in listed["rocspace.comparison/1"]}
    compared -= {
        key for key in compared if key.startswith(tuple(f"comparison.{name}" for name in OF_TWO))
    }
    assert found == own | of_two | of_classes | compared


def test_tables_for_papers(data: MulticlassScores) -> None:
    table = classes_table(data, level=0.9)
    areas, rest, pairs = table.parts
    assert areas.header == ("Area", "a", "b")
    m = hand_till_estimate(data, "b")
    low, high = m.interval(0.9)
    assert areas.rows[0][2] == f"{m.value:.3f} ({low:.3f} to {high:.3f})"
    assert [row[0] for row in rest.rows] == LABELS
    assert [row[0] for row in pairs.rows] == ["cat and cow", "cat and dog", "cow and dog"]
    assert to_markdown(data).startswith("**Areas of several classes**")
    assert r"cat and cow &" in to_latex(data)
    counts = decisions_table(data, "a")
    called = data.score[:, 0].argmax(axis=1)
    for i, row in enumerate(counts.parts[0].rows[:3]):
        assert [int(n) for n in row[1:4]] == [
            int(((data.label == i) & (called == j)).sum()) for j in range(3)
        ]
    assert counts.caption == "Classes and decisions by a"
    hostile = classes(2, 60, names=("only",), labels=["a|b", "$x_1$ & y"])
    assert r"a\|b" in to_markdown(hostile)
    assert r"\$x\_1\$ \& y" in to_latex(decisions_table(hostile))


def test_many_cases_make_a_small_page() -> None:
    score = np.random.default_rng(1).normal(size=(60_000, 5))
    y = np.arange(60_000) % 5
    score[np.arange(60_000), y] += 1
    assert len(render_html(summarise(multiclass_scores(y, score))).encode()) < 2.5e6
