"""The commands that choose: hull, choose and combine; numbers are the library's."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import rocspace as rs
from rocspace import cli, datasets
from rocspace._base.text import MINUS, share, short_threshold
from rocspace.cli.rules import short_rule
from rocspace.combine.boolean import boolean_search
from rocspace.combine.mixtures import at_budget, mixture_at, rule_path
from rocspace.hull import roc_hull
from rocspace.inference import point_interval, predictive_value_interval
from rocspace.operating import Costs, cost_interval, optimal_points
from rocspace.operating.constraints import Constraint

RNG = np.random.default_rng(11)
N = 120
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 3)
OLD = RNG.integers(0, 9, N) + 2 * LABEL
WEIGHT = np.round(RNG.uniform(0.5, 2.0, N), 2)
TABLES = {"new": rs.tabulate(LABEL, NEW), "old": rs.tabulate(LABEL, OLD)}
PATH = rule_path(TABLES)


@pytest.fixture
def scores(csv_file):
    return csv_file("scores.csv", {"y": LABEL, "new": NEW, "old": OLD})


# --- hull -------------------------------------------------------------------------------------


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


# --- choose -----------------------------------------------------------------------------------


def rule_of(found):
    ends = (found["rule"][end] for end in ("low", "high"))
    low, high = ({k: v for k, v in end.items() if k != "threshold_text"} for end in ends)
    return low, high, found["rule"]["share_of_high"]


def threshold(rule):
    return {"score": rule.name, "threshold": rule.threshold, "direction": "higher"}


def test_choose_by_costs(run, scores):
    options = ("--cost-fp", 1, "--cost-fn", 10, "--prevalence", 0.05)
    found = run("choose", scores, *options, "--json").json
    assert found["schema"] == "rocspace.choice/1"
    costs = Costs(fp=1, fn=10)
    best = PATH.mixture(PATH.optimal(costs.iso_performance_slope(0.05)))
    assert rule_of(found)[0] == threshold(best.low)
    assert rule_of(found)[2] == 0
    assert found["expected"]["cases"] == N
    assert found["expected"]["prevalence"] == 0.05
    assert found["expected"]["tp"] == pytest.approx(0.05 * N * best.tpr)
    # One score: the same as the library's, with its intervals.
    found = run("choose", scores, "--score", "new", *options, "--json").json
    point = optimal_points(TABLES["new"], criterion="cost", costs=costs, prevalence=0.05)[0]
    assert found["rule"]["low"]["threshold"] == point.threshold
    cost = found["cost_per_case"]
    assert cost["value"] == pytest.approx(costs.expected(point, prevalence=0.05), abs=1e-12)
    ends = cost_interval(point, costs, prevalence=0.05)
    assert (cost["low"], cost["high"]) == pytest.approx(tuple(ends), abs=1e-12)
    for name in ("tpr", "fpr"):
        rate, ends = found["rates"][name], point_interval(point, name)
        assert rate["value"] == pytest.approx(getattr(point, name), abs=1e-15)
        assert (rate["low"], rate["high"]) == pytest.approx(tuple(ends), abs=1e-12)
    ppv, ends = found["rates"]["ppv"], predictive_value_interval(point, prevalence=0.05)
    assert (ppv["low"], ppv["high"]) == pytest.approx(tuple(ends), abs=1e-12)


def test_choose_by_room(run, scores):
    found = run("choose", scores, "--max-selected", 30, "--json").json
    n_pos = int(LABEL.sum())
    best = at_budget(PATH, selected=30, n_pos=n_pos, n_neg=N - n_pos)
    assert 0 < best.share < 1
    assert rule_of(found) == (threshold(best.low), threshold(best.high), pytest.approx(best.share))
    assert found["expected"]["selected"] == 30
    assert sum(found["expected"][x] for x in ("tp", "fp", "fn", "tn")) == pytest.approx(N)
    text = run("choose", scores, "--max-selected", 30).out
    assert text.startswith("at random: ")
    assert "the same case gets the same answer" in text
    other = run(
        "choose", scores, "--max-selected", 800, "--of", 4000, "--prevalence", 0.06, "--json"
    ).json
    best = at_budget(PATH, selected=800, n_pos=240, n_neg=3760)
    assert rule_of(other)[2] == pytest.approx(best.share)
    assert other["expected"]["selected"] == 800
    assert other["expected"]["tp"] == pytest.approx(240 * best.tpr)
    everybody = run("choose", scores, "--max-selected", 500, "--json").json
    assert everybody["expected"]["selected"] == N
    # Without lots the room is not filled, and no other threshold finds as many.
    plain = run("choose", scores, "--max-selected", 30, "--no-mixture", "--json").json
    limit = Constraint("selected", "<=", 30)
    tps = [optimal_points(t, criterion="tpr", subject_to=limit)[0].tp for t in TABLES.values()]
    assert plain["expected"]["tp"] == max(tps)
    assert plain["expected"]["selected"] <= 30


@pytest.mark.parametrize(("option", "rate"), [("--min-tpr", "tpr"), ("--max-fpr", "fpr")])
def test_choose_by_rate(run, scores, option, rate):
    found = run("choose", scores, option, 0.3, "--json").json
    best = mixture_at(PATH, **{rate: 0.3})
    assert rule_of(found)[2] == pytest.approx(best.share)
    assert found["rates"][rate]["value"] == pytest.approx(0.3)
    plain = run("choose", scores, option, 0.3, "--no-mixture", "--json").json
    assert plain["rule"]["share_of_high"] == 0
    value = plain["rates"][rate]["value"]
    assert value >= 0.3 if rate == "tpr" else value <= 0.3
    other = "fpr" if rate == "tpr" else "tpr"
    ways = {"tpr": rs.point_at_tpr, "fpr": rs.point_at_fpr}
    each = [getattr(ways[rate](t, 0.3), other) for t in TABLES.values()]
    best_other = min(each) if other == "fpr" else max(each)
    assert plain["rates"][other]["value"] == pytest.approx(best_other)


def test_choose_by_criterion(run, scores):
    found = run("choose", scores, "--criterion", "kappa", "--json").json
    points = {name: optimal_points(t, criterion="kappa")[0] for name, t in TABLES.items()}
    kappa = {name: rs.MEASURES["kappa"].function(p) for name, p in points.items()}
    best = max(kappa, key=kappa.get)
    assert found["rule"]["low"]["score"] == best
    assert found["rule"]["low"]["threshold"] == points[best].threshold
    assert found["settings"]["by"] == "criterion"
    costly = run("choose", scores, "--criterion", "cost", "--cost-fn", 9, "--json").json
    costs = Costs(fn=9)
    options = {"criterion": "cost", "costs": costs}
    known = [optimal_points(t, **options)[0].threshold for t in TABLES.values()]
    assert costly["rule"]["low"]["threshold"] in known
    text, at = run("choose", scores, "--criterion", "kappa").out, points[best]
    assert text.splitlines()[0] == f"{best} >= {short_threshold(at.threshold, at.next_score)}"
    assert "the same case gets the same answer" not in text
    assert "chosen on these cases" in text


def test_choose_weighted_and_turned(run, csv_file):
    file = csv_file("w.csv", {"y": LABEL, "s": -NEW, "w": WEIGHT})
    table = rs.tabulate(LABEL, -NEW, sample_weight=WEIGHT, higher_is_positive=False)
    options = ("--score", "s", "--weight", "w", "--lower-is-positive")
    found = run("choose", file, *options, "--criterion", "youden", "--json").json
    point = optimal_points(table)[0]
    assert rule_of(found)[0] == {
        "score": "s",
        "threshold": point.threshold,
        "direction": "lower",
    }
    assert found["expected"]["tp"] == pytest.approx(point.tp)
    ends = found["rates"]["tpr"]
    assert (ends["low"], ends["high"]) == pytest.approx(tuple(point_interval(point, "tpr")))
    run("choose", file, *options, "--max-selected", 12)
    never = run("choose", file, *options, "--max-fpr", 0, "--no-mixture", "--json").json
    assert never["expected"]["fp"] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "What is best? Say so by costs"),
        (("--min-tpr", 0.9, "--max-fpr", 0.1), "--min-tpr and --max-fpr each say what is best"),
        (("--criterion", "youden", "--cost-fp", 3), "Costs do not matter to --criterion youden"),
        (("--min-tpr", 0.9, "--cost-fn", 3), "Costs do not matter to --min-tpr"),
        (("--criterion", "tpr", "--cost-fn", 3), "Costs do not matter to --criterion"),
        (("--criterion", "kapa"), "Did you mean 'kappa'?"),
        (("--min-tpr", 95), "--min-tpr is 95.0, but must be between 0 and 1"),
        (("--max-selected", -3), "--max-selected is -3.0"),
        (("--cost-fn", 3, "--prevalence", 0), "--prevalence is 0.0"),
        (("--cost-fn", 0, "--cost-fp", 0), "No error costs more than being right"),
        (("--max-selected", 3, "--of", 0), "--of is 0.0"),
        (("--min-tpr", 0.5, "--level", 2), "level is 2.0"),
    ],
)
def test_choose_refuses(run, scores, options, message):
    result = run("choose", scores, *options, fails=True)
    assert result.out == ""
    assert result.err.splitlines()[-1].startswith("rocspace: error: ")
    assert message in result.err


# --- combine ----------------------------------------------------------------------------------


def test_combine(run, scores):
    search = boolean_search(rs.pair_scores(LABEL, {"new": NEW, "old": OLD}))
    found = run("combine", scores, "--json").json
    assert found["schema"] == "rocspace.combine/1"
    assert found["areas"] == list(search.areas)
    assert found["tried"] == search.n_tried
    short = [str(short_rule(rule, TABLES)) for rule in search.path.rules]
    assert [each["text"] for each in found["rules"]] == short
    assert found["rules"][0]["rule"] == "never"
    operators = {
        key
        for each in found["rules"]
        for key in each["rule"]
        if each["rule"] not in ("never", "always")
    }
    assert operators & {"and", "or", "xor", "not"}
    text = run("combine", scores, "--rounds", 0).out
    assert "the scores alone" in text
    assert "round 1" not in text
    pairs = np.unique(NEW).size * np.unique(OLD).size
    assert f"{10 * pairs:,} combinations tried" in text


def test_combine_weighted_lower_and_bundled(run, csv_file):
    file = csv_file("w.csv", {"y": LABEL, "a": -NEW, "b": -OLD, "w": WEIGHT})
    options = ("--score", "a", "--score", "b", "--weight", "w")
    options += ("--lower-is-positive", "a", "--lower-is-positive", "b")
    found = run("combine", file, *options, "--json").json
    scores = {"a": -NEW, "b": -OLD}
    data = rs.pair_scores(LABEL, scores, sample_weight=WEIGHT, higher_is_positive=False)
    np.testing.assert_allclose(found["areas"], boolean_search(data).areas)
    assert any("<=" in each["text"] for each in found["rules"])
    adult = run("combine", "adult_scores", "--rounds", 0, "--json").json
    assert adult["thinned"]
    assert adult["areas"][1] > adult["areas"][0]
    assert adult["source"]["rows"] == len(datasets.load("adult_scores"))


def test_combine_refuses(run, scores, csv_file):
    assert "takes two of them" in run("combine", scores, "--score", "new", fails=True).err
    assert "--rounds is -1" in run("combine", scores, "--rounds", -1, fails=True).err
    holes = csv_file("holes.csv", {"y": LABEL, "a": NEW, "b": ["", *OLD[1:]]})
    assert "no value in row 1" in run("combine", holes, fails=True).err
    found = run("combine", holes, "--missing", "omit", "--rounds", 0, "--json")
    assert "left out: 1 of" in found.err  # from both scores: they stay scores of the same cases
    assert found.json["source"]["dropped"] == {"b": 1}


# --- all of them ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [("hull",), ("choose", "--min-tpr", "0.5"), ("combine", "--rounds", "0")]
)
def test_output_and_help(run, csv_file, scores, tmp_path, words):
    command, *options = words
    printed = run(command, scores, *options).out
    run(command, scores, *options, "--output", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == printed
    assert (
        "is the file that is read"
        in run(command, scores, *options, "--output", scores, fails=True).err
    )
    shown = run(command, "--help").out
    assert f"rocspace {command}" in shown
    assert "FILE" in shown
    assert command in run("--help").out
    one = csv_file("one.csv", {"y": [1, 1], "a": [1, 2], "b": [2, 1]})
    assert (
        "a curve needs both classes" in run(command, one, "--positive", 1, *options, fails=True).err
    )
    assert "There is no file" in run(command, "none.csv", *options, fails=True).err


def test_in_a_process_of_its_own(csv_file):
    file = csv_file("scores.csv", {"label": LABEL, "new": NEW})
    command = [sys.executable, "-m", "rocspace", "choose", str(file), "--cost-fn", "10", "--json"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    assert json.loads(done.stdout)["rule"]["low"]["score"] == "new"
    assert "label: label" in done.stderr


def test_thresholds_are_short_and_decide_alike(tmp_path, capsys):
    rng = np.random.default_rng(8)
    score, label = rng.random(200), rng.random(200) < 0.5
    file = tmp_path / "s.csv"
    rows = "".join(
        f"{int(y)},{s!r}\n" for y, s in zip(label, (score + label).tolist(), strict=True)
    )
    file.write_text("y,s\n" + rows, encoding="utf-8")
    table = rs.tabulate(label, score + label)
    best = rs.optimal_points(table, criterion="kappa")[0]
    assert len(str(best.threshold)) > 12
    assert cli.run(["choose", str(file), "--label", "y", "--criterion", "kappa"]) == 0
    short = float(capsys.readouterr().out.splitlines()[0].removeprefix("s >= "))
    assert len(str(short)) < 9
    assert rs.point_at(table, short).tp == best.tp
    assert rs.point_at(table, short).fp == best.fp
    assert cli.run(["hull", str(file), "--label", "y"]) == 0
    shown = re.findall(r"s >= (\S+) ", capsys.readouterr().out)
    assert max(map(len, shown)) < 10
    for text in shown:
        point = rs.point_at(table, float(text))
        assert any((point.tp, point.fp) == (t, f) for t, f in zip(table.tp, table.fp, strict=True))
    assert cli.run(["at", str(file), "--label", "y", "--youden"]) == 0
    assert len(capsys.readouterr().out.split()[2]) < 10
    assert cli.run(["at", str(file), "--label", "y", "--threshold", "0.123456789012"]) == 0
    assert "s >= 0.123456789012" in capsys.readouterr().out
