"""`rocspace choose`: by costs, capacity, rates and criteria; numbers are the library's."""

import numpy as np
import pytest

import rocspace as rs
from rocspace._base.text import short_threshold
from rocspace.combine.mixtures import at_budget, mixture_at, rule_path
from rocspace.inference import point_interval, predictive_value_interval
from rocspace.operating import Costs, cost_interval, criterion_values, optimal_points
from rocspace.operating.constraints import Constraint

RNG = np.random.default_rng(11)
N = 120
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 3)
OLD = RNG.integers(0, 9, N) + 2 * LABEL
COLUMNS = {"new": NEW, "old": OLD}
WEIGHT = np.round(RNG.uniform(0.5, 2.0, N), 2)
TABLES = {"new": rs.tabulate(LABEL, NEW), "old": rs.tabulate(LABEL, OLD)}
PATH = rule_path(TABLES)


@pytest.fixture
def scores(csv_file):
    return csv_file("scores.csv", {"y": LABEL, "new": NEW, "old": OLD})


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
    assert "To give a\ncase the same answer every time" in text
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
    said = " ".join(run("choose", scores, option, 0.3).out.split())
    assert ("for the best one say --no-mixture" in said) == (0 < best.share < 1)
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


def test_a_criterion_is_not_weighed_by_costs_that_nobody_gave(run):
    """At a prevalence of .24 equal costs would make the accuracy of Youden's index."""
    words = ("choose", "adult_scores", "--score", "logreg", "--criterion", "youden")
    found = rule_of(run(*words, "--json").json)[0]["threshold"]
    cases = rs.datasets.load("adult_scores")
    table = rs.tabulate(cases.y_true, cases.columns["logreg"])
    assert found == optimal_points(table)[0].threshold
    weighed = optimal_points(table, costs=rs.Costs(fp=1, fn=1))[0].threshold
    assert found != weighed


@pytest.mark.parametrize("how", [(), ("--lower-is-positive",), ("--weight", "w")], ids=str)
def test_a_criterion_is_smoothed_over_thresholds(run, csv_file, how):
    higher = "--lower-is-positive" not in how
    score = {name: own if higher else -own for name, own in COLUMNS.items()}
    file = csv_file("s.csv", {"y": LABEL, "w": WEIGHT, **score})
    weight = WEIGHT if "--weight" in how else None
    tables = {
        name: rs.tabulate(LABEL, own, sample_weight=weight, higher_is_positive=higher)
        for name, own in score.items()
    }
    asked = ("--label", "y", "--criterion", "cost", "--cost-fn", 3, "--smooth", 4.5)
    asked = (*asked, *(how if weight is not None else ()))
    costs = Costs(fn=3)
    for names in (("new",), ("old",), ("new", "old")):
        words = [word for name in names for word in ("--score", name)]
        words += [] if higher else [word for name in names for word in (*how, name)]
        found = run("choose", file, *asked, *words, "--json").json
        values = {
            name: criterion_values(tables[name], criterion="cost", costs=costs, smooth=4.5)
            for name in names
        }
        best = min(names, key=lambda name: np.nanmin(values[name]))
        row = int(np.nanargmin(values[best]))
        assert found["rule"]["low"]["score"] == best
        assert found["rule"]["low"]["threshold"] == tables[best].score[row - 1]
        smoothed = {"degrees": 4.5, "value": pytest.approx(values[best][row])}
        assert (found["smoothed"], found["settings"]["smooth"]) == (smoothed, 4.5)
        text = run("choose", file, *asked, *words).out
        assert f"smoothed with 4.5 degrees of freedom: {values[best][row]:.3f} here.\n" in text
    one = ("--score", "new", *(() if higher else (*how, "new")))
    at = run("at", file, *asked, *one, "--json").json
    (point,) = at["scores"][0]["operating_points"]
    value = criterion_values(tables["new"], criterion="cost", costs=costs, smooth=4.5)
    plain = criterion_values(tables["new"], criterion="cost", costs=costs)
    row = int(np.nanargmin(value))
    assert (at["settings"]["smooth"], point["threshold"]) == (4.5, tables["new"].score[row - 1])
    assert [point["value"], point["smoothed"]] == pytest.approx([plain[row], value[row]])
    assert point["criterion"].startswith("cost, smoothed with 4.5 degrees of freedom to ")
    assert point["criterion"] in run("at", file, *asked, *one).out


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
        ((), "of more than two classes by --cost-matrix"),
        (("--min-tpr", 0.9, "--max-fpr", 0.1), "--min-tpr and --max-fpr each say what is best"),
        (("--criterion", "f1", "--cost-fp", 3), "Costs do not matter to --criterion f1"),
        (("--criterion", "f1", "--cost-fp", 3), "matter to youden, cost, closest, kappa"),
        (("--min-tpr", 0.9, "--cost-fn", 3), "Costs do not matter to --min-tpr"),
        (("--criterion", "tpr", "--cost-fn", 3), "Costs do not matter to --criterion"),
        (("--criterion", "kapa"), "Did you mean 'kappa'?"),
        (("--min-tpr", 95), "--min-tpr is 95.0, but must be between 0 and 1"),
        (("--max-selected", -3), "--max-selected is -3.0"),
        (("--cost-fn", 3, "--prevalence", 0), "--prevalence is 0.0"),
        (("--cost-fn", 0, "--cost-fp", 0), "No error costs more than a correct call"),
        (("--max-selected", 3, "--of", 0), "--of is 0.0"),
        (("--min-tpr", 0.5, "--level", 2), "level is 2.0"),
        (("--min-tpr", 0.5, "--smooth", 4), "not for a choice by --min-tpr. Name a criterion"),
        (("--cost-fn", 5, "--smooth", 4), "not for a choice by costs. Name a criterion"),
        (("--criterion", "youden", "--smooth", 2), "--smooth is 2 degrees of freedom, but must be"),
        (("--criterion", "youden", "--smooth", 90), "68, of 68 knots among 117 distinct scores"),
        (("--criterion", "lr_positive", "--smooth", 4), "--smooth cannot be had of lr_positive"),
        (("--criterion", "youden", "--spar", 1), "--criterion youden --smooth 5"),
        (("--cost-matrix", "c.csv", "--smooth", 4), "--cost-matrix has none. Leave it out"),
    ],
)
def test_choose_refuses(run, scores, options, message):
    result = run("choose", scores, *options, fails=True)
    assert result.out == ""
    assert result.err.splitlines()[-1].startswith("rocspace: error: ")
    assert message in result.err


@pytest.mark.parametrize("criterion", ["youden", "closest.topleft", "topleft"])
def test_costs_weigh_the_criteria_of_proc(run, scores, criterion):
    """pROC's best.weights, as in Python; without costs nothing is weighed."""
    words = ("choose", scores, "--score", "new", "--criterion", criterion)
    costs = ("--cost-fn", 10, "--cost-fp", 1, "--prevalence", 0.05)
    by_python = {
        with_costs: optimal_points(
            TABLES["new"],
            criterion=criterion,
            costs=rs.Costs(fp=1, fn=10) if with_costs else None,
            prevalence=0.05 if with_costs else None,
        )[0].threshold
        for with_costs in (False, True)
    }
    assert by_python[False] != by_python[True]
    for with_costs, threshold in by_python.items():
        found = run(*words, *(costs if with_costs else ()), "--json").json
        assert rule_of(found)[0]["threshold"] == threshold


def _grouped(csv_file, **more):
    """The same cases in two groups, and one that lacks a class."""
    group = np.where(np.arange(N) % 2, "odd", "even").astype(object)
    group[np.flatnonzero(LABEL == 0)[:3]] = "lone"
    return csv_file("grouped.csv", {"y": LABEL, **COLUMNS, "ward": group, **more}), group


@pytest.mark.parametrize(
    "how",
    [
        ("--criterion", "kappa"),
        ("--cost-fn", 4, "--prevalence", 0.2),
        ("--max-selected", 7),
        ("--min-tpr", 0.8, "--no-mixture"),
    ],
    ids=str,
)
def test_each_group_has_the_choice_of_its_own_cases(run, csv_file, how):
    file, group = _grouped(csv_file)
    printed = run("choose", file, "--label", "y", *how, "--by", "ward", "--json")
    assert "1 group left out, for lack of a class: lone" in printed.err
    found = printed.json
    assert (found["schema"], found["by"]) == ("rocspace.choices/1", "ward")
    assert [each["group"] for each in found["groups"]] == ["even", "odd"]
    for each in found["groups"]:
        own = group == each["group"]
        alone = csv_file("alone.csv", {"y": LABEL[own], **{k: v[own] for k, v in COLUMNS.items()}})
        wanted = run("choose", alone, "--label", "y", *how, "--json").json
        assert each == {"group": each["group"]} | {k: wanted[k] for k in each if k != "group"}
        assert found["settings"] == wanted["settings"]


def test_the_choices_of_groups_are_a_table(run, csv_file):
    file, _ = _grouped(csv_file)
    words = ("choose", file, "--label", "y", "--by", "ward")
    text = run(*words, "--criterion", "kappa").out.splitlines()
    assert text[2].split() == ["ward", "rule", "cases", "called", "tpr", "fpr", "ppv"]
    assert [line.split()[0] for line in text[4:6]] == ["even", "odd"]
    assert "Each was chosen on its own cases" in text[7]
    assert text[2].split() != run(*words, "--cost-fn", 4).out.splitlines()[2].split()
    smooth = run(*words, "--criterion", "kappa", "--smooth", 4).out
    assert "Best by kappa, smoothed with 4 degrees of freedom.\n" in smooth
    mixed = run(*words, "--max-selected", 7).out
    assert "case the same answer every time" in mixed
    assert mixed.count(", for ") == 4


def test_a_negative_threshold_of_a_mixture_has_a_plain_sign(run, csv_file):
    file, _ = _grouped(csv_file, new=NEW - 10)
    words = ("--label", "y", "--score", "new", "--by", "ward", "--max-selected", 7)
    text = run("choose", file, *words).out
    assert "new >= -" in text
    assert text.isascii()


def test_groups_that_cannot_choose_are_told(run, csv_file):
    file, _ = _grouped(csv_file, one=np.where(LABEL == 1, "a", "b"))
    words = ("choose", file, "--label", "y", "--criterion", "kappa", "--score", "new")
    assert "No group by one has both classes" in run(*words, "--by", "one", fails=True).err
    said = run("choose", file, "--cost-matrix", "c.csv", "--by", "ward", fails=True).err
    assert "--by is for two classes" in said


def test_a_prevalence_that_does_not_move_the_threshold_is_told(run, scores):
    words = ("choose", scores, "--score", "new", "--prevalence", 0.1)
    said = "The best threshold by youden is the same at any prevalence. Give costs, too"
    assert said in run(*words, "--criterion", "youden").err
    for how in (("--criterion", "kappa"), ("--min-tpr", 0.7, "--no-mixture")):
        assert "any prevalence" not in run(*words, *how).err
    costs = ("--criterion", "youden", "--cost-fn", 2)
    assert "any prevalence" not in run(*words, *costs).err
