"""Operating points: by hand, by trying every threshold in fractions, and as others choose them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

import rocspace as rs
import slow.counts
import slow.curves
import slow.data
import slow.operating
from rocspace import datasets
from rocspace import measures as m
from rocspace.counts import SingleClassError, evaluate
from rocspace.curves import closest_to_perfect, youden
from rocspace.measures import criteria, facts
from rocspace.operating import (
    Constraint,
    Costs,
    criterion_at,
    criterion_values,
    optimal_points,
    point_at,
    point_at_fpr,
    point_at_tpr,
)
from rocspace.operating.constraints import Target
from rocspace.results import OperatingPoint
from slow.cutpoints import CUTPOINTR, CUTPOINTR_COSTS, OPTIMAL_CUTPOINTS
from slow.data import F3, F4, INF, answer, assert_close, cases, reference, samples

CRITERIA = ["youden", "closest", "accuracy"]
OF_SCORES = {"mean_cutoff", "mean_score", "observed_prevalence"}
OF_COUNTS = sorted(set(facts.CRITERIA) - OF_SCORES - {"mutual_information"})

scores_with_infinities = st.one_of(st.integers(-4, 4).map(float), st.sampled_from([INF, -INF]))
dyadic = st.integers(1, 12).map(lambda k: k / 4)


def thresholds(points):
    return [point.threshold for point in points]


def entries(point):
    return point.tp, point.fp, point.fn, point.tn


# --- by hand, and printed ---------------------------------------------------------------------


def test_fixed_threshold_by_hand():
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    point = point_at(table, 0.5)
    assert entries(point) == (1, 0, 1, 2)
    assert (point.threshold, point.next_score) == (0.5, 0.4)
    assert (point.tpr, point.fpr) == (0.5, 0)
    assert point.n_eff == (2, 2)
    assert entries(point_at(table, 0.4)) == (2, 1, 0, 1)
    assert entries(point_at(table, 0.4, inclusive=False)) == (1, 0, 1, 2)
    assert entries(point_at(table, INF)) == (0, 0, 2, 2)
    assert entries(point_at(table, -INF)) == (2, 2, 0, 0)
    assert point_at(table, 0.0).next_score == -INF
    with pytest.raises(ValueError, match="threshold is NaN"):
        point_at(table, float("nan"))


def test_reference_points():
    expected = reference()
    table = rs.tabulate(*F3)
    accuracy, fpr, tpr, threshold = expected["F3_best_acc"]
    (best,) = optimal_points(table, criterion="accuracy")
    assert (best.fpr, best.tpr, best.threshold) == (fpr, tpr, threshold)
    assert m.accuracy(best) == accuracy
    (best,) = optimal_points(table)
    assert [best.tpr - best.fpr, best.threshold] == expected["F3_youden"]
    assert best.next_score == 0.53
    # The distance .5 is reached at .51 (.3, .6) and at .4 (.4, .7): .09 + .16 = .25 both times.
    closest = optimal_points(table, criterion="closest")
    assert thresholds(closest) == [expected["F3_closest01"][1], 0.4]
    assert closest_to_perfect(table) == expected["F3_closest01"][0]
    assert [p.criterion for p in closest] == ["closest", "closest"]


def test_a_perfect_ranking_has_one_best_point():
    for criterion in CRITERIA:
        (best,) = optimal_points(rs.tabulate(*F4), criterion=criterion)
        assert (best.tpr, best.fpr, best.threshold) == (1, 0, 0.99955)


def test_rejecting_all_is_a_candidate():
    # The only positive is last: every threshold that finds it accepts all.
    table = rs.tabulate([0, 0, 1], [3, 2, 1])
    assert thresholds(optimal_points(table)) == [INF, 1]
    assert thresholds(optimal_points(table, criterion="closest")) == [INF, 1]
    (best,) = optimal_points(table, criterion="accuracy")
    assert (best.threshold, best.next_score, best.tp, best.tn) == (INF, 3, 0, 2)
    lower = rs.tabulate([0, 0, 1], [1, 2, 3], higher_is_positive=False)
    (best,) = optimal_points(lower, criterion="accuracy")
    assert (best.threshold, best.next_score) == (-INF, 1)


def test_scores_leave_as_plain_numbers():
    table = rs.tabulate([1, 0], np.array([2**53 + 1, 3]))
    (best,) = optimal_points(table)
    assert best.threshold == 2**53 + 1
    assert type(best.threshold) is int
    assert type(best.tp) is int


# --- by definition ----------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", CRITERIA)
@given(sample=samples(values=scores_with_infinities, weights=dyadic), higher=st.booleans())
@settings(max_examples=40)
def test_best_points_are_those_of_all_thresholds(criterion, sample, higher):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w, higher_is_positive=higher)
        value, best = slow.operating.best_thresholds(label, score, criterion, w, higher=higher)
        points = optimal_points(table, criterion=criterion)
        assert thresholds(points) == best
        if criterion == "youden":
            assert youden(table) == pytest.approx(float(value), abs=1e-15)
        for point in points:
            assert isinstance(point, OperatingPoint)
            reject_all = point.tp == point.fp == 0
            at = (INF if higher else -INF) if reject_all else point.threshold
            c = slow.counts.counts_at(label, score, at, w, higher=higher, inclusive=not reject_all)
            assert entries(point) == tuple(c.values())


rates = st.one_of(st.floats(0, 1), st.integers(0, 100).map(lambda k: k / 100))


@given(
    sample=samples(values=scores_with_infinities, weights=dyadic), rate=rates, higher=st.booleans()
)
@settings(max_examples=40)
def test_points_at_a_rate_keep_their_promise(sample, rate, higher):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w, higher_is_positive=higher)
        # Rates as the single division of two sums, which is what `rate` is compared with.
        every = [(0.0, 0.0, INF if higher else -INF)]
        for t in sorted(set(score), reverse=higher):
            c = slow.counts.counts_at(label, score, t, w, higher=higher)
            every.append((float(c["fp"]) / table.n_neg, float(c["tp"]) / table.n_pos, t))
        allowed = [(tpr, -fpr, t) for fpr, tpr, t in every if fpr <= rate]
        best = max(allowed, key=lambda p: p[:2])
        point = point_at_fpr(table, rate)
        assert (point.tpr, -point.fpr, point.threshold) == best
        enough = [(fpr, -tpr, t) for fpr, tpr, t in every if tpr >= rate]
        point = point_at_tpr(table, rate)
        first = next((fpr, tpr, t) for fpr, tpr, t in every if tpr >= rate)
        assert (point.fpr, point.tpr, point.threshold) == first
        assert point.fpr == min(enough)[0]


def test_points_at_a_rate_by_hand():
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    assert point_at_fpr(table, 0).threshold == 0.8
    assert point_at_fpr(table, 0.5).threshold == 0.4
    assert point_at_fpr(table, 1).threshold == 0.4  # .1 would only add a false positive
    assert point_at_tpr(table, 0).threshold == INF
    assert point_at_tpr(table, 0.5).threshold == 0.8
    assert point_at_tpr(table, 1).threshold == 0.4
    assert point_at_fpr(table, 0.25).criterion == "fpr <= 0.25"
    assert point_at_tpr(table, 0.25).criterion == "tpr >= 0.25"
    worst = rs.tabulate([0, 1], [2, 1])
    assert point_at_fpr(worst, 0.5).threshold == INF


def test_every_threshold_between_neighbours_decides_alike():
    table = rs.tabulate(*F3)
    for point in (*optimal_points(table), point_at_fpr(table, 0.3), point_at_tpr(table, 0.8)):
        between = (point.threshold + point.next_score) / 2
        assert entries(point_at(table, between)) == entries(point)
        assert entries(point_at(table, point.next_score)) != entries(point)


def test_bad_questions_are_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match=r"criterion is 'yuden'.* Did you mean 'youden'\?"):
        optimal_points(table, criterion="yuden")
    for function, name in ((point_at_fpr, "max_fpr"), (point_at_tpr, "min_tpr")):
        for bad in (-0.01, 1.5, float("nan")):
            with pytest.raises(ValueError, match=f"{name} is .*, but must be between 0 and 1"):
                function(table, bad)
    single = rs.tabulate([1, 1], [0.2, 0.3])
    for ask in (optimal_points, lambda t: point_at_fpr(t, 0.1), lambda t: point_at_tpr(t, 0.1)):
        with pytest.raises(SingleClassError, match="2 positives and 0 negatives"):
            ask(single)
    lone = point_at(single, 0.25)
    assert entries(lone) == (1, 0, 1, 0)
    assert np.isnan(lone.fpr)
    assert np.isnan(point_at(rs.tabulate([0], [1]), 0).tpr)


# --- every criterion --------------------------------------------------------------------------


def test_every_criterion_is_typed_and_listed():
    for name, fact in facts.CRITERIA.items():
        assert f"``{name}``" in criteria.__doc__
        assert fact.meaning.endswith(".")


mixes = st.one_of(st.none(), st.integers(1, 19).map(lambda k: Fraction(k, 20)))


@pytest.mark.filterwarnings("ignore:.* is the same at any prevalence")
@pytest.mark.parametrize("name", OF_COUNTS)
@given(sample=samples(), mix=mixes, higher=st.booleans())
@settings(max_examples=15)
def test_criteria_by_trying_every_threshold(name, sample, mix, higher):
    label, score = sample
    table = rs.tabulate(label, score, higher_is_positive=higher)
    best = slow.operating.best_by(name, label, score, prevalence=mix, higher=higher)
    prevalence = None if mix is None else float(mix)
    if best:
        costs = rs.Costs(fp=1, fn=1) if name == "cost" else None
        points = optimal_points(table, criterion=name, prevalence=prevalence, costs=costs)
        assert thresholds(points) == best
        assert {p.criterion for p in points} == {name}
        values = criterion_values(table, criterion=name, prevalence=prevalence)
        rows = [
            0 if p.tp == p.fp == 0 else list(table.score).index(p.threshold) + 1 for p in points
        ]
        ends = np.nanmax if facts.CRITERIA[name].better == "higher" else np.nanmin
        assert_close(values[rows], ends(values))
    else:
        with pytest.raises(ValueError, match=f"{name} is undefined at every threshold"):
            optimal_points(table, criterion=name, prevalence=prevalence)


@pytest.mark.parametrize("name", ["cost", "youden", "closest", "kappa"])
@given(
    sample=samples(),
    mix=mixes,
    fp=st.integers(0, 4),
    fn=st.integers(1, 4),
    right=st.integers(-2, 0),
)
@settings(max_examples=25)
def test_costs_by_trying_every_threshold(name, sample, mix, fp, fn, right):
    label, score = sample
    table = rs.tabulate(label, score)
    costs = Costs(fp=(fp + right) / 10, fn=fn / 10, tn=right / 10)
    miss, alarm = Fraction(fn, 10), Fraction(fp, 10)
    best = slow.operating.best_by(name, label, score, prevalence=mix, miss=miss, alarm=alarm)
    prevalence = None if mix is None else float(mix)
    if not best:
        return
    points = optimal_points(table, criterion=name, costs=costs, prevalence=prevalence)
    assert thresholds(points) == best
    if name == "cost":
        values = criterion_values(table, criterion=name, costs=costs, prevalence=prevalence)
        for point in points:
            paid = costs.expected(point, prevalence=prevalence)
            assert paid == pytest.approx(min(values), abs=1e-14)
        # cost = p c_fn (1 - (t - m f)), so the least cost has the largest intercept.
        p = table.prevalence if mix is None else float(mix)
        slope = costs.iso_performance_slope(p)
        constant = (1 - p) * costs.tn
        line = p * costs.fn * (1 - (points[0].tpr - slope * points[0].fpr)) + constant
        assert line == pytest.approx(costs.expected(points[0], prevalence=prevalence), abs=1e-12)


def test_criteria_by_hand():
    table = rs.tabulate(*F3)
    # Largest Se Sp is .45 at .54, (f, t) = (.1, .5).
    (best,) = optimal_points(table, criterion="concordance")
    assert (best.threshold, best.tpr * (1 - best.fpr)) == (0.54, 0.45)
    assert criterion_values(table, criterion="concordance").max() == 0.45
    # Slope 10 -> (0, .2), slope 1 -> (.1, .5), slope .1 -> (.9, 1), as prevalences.
    for prevalence, at in ((1 / 11, (0, 0.2)), (0.5, (0.1, 0.5)), (10 / 11, (0.9, 1))):
        (best,) = optimal_points(table, criterion="cost", prevalence=prevalence)
        assert (best.fpr, best.tpr) == at
    # The optimum in J is flat in the distance: two thresholds.
    assert criterion_values(table, criterion="closest").min() == 0.5


def test_criteria_of_the_score_itself():
    table = rs.tabulate([1, 1, 0, 0, 0], [0.9, 0.5, 0.35, 0.3, 0.1])
    (best,) = optimal_points(table, criterion="observed_prevalence")  # 2 / 5
    assert best.threshold == 0.35
    (best,) = optimal_points(table, criterion="observed_prevalence", prevalence=0.8)
    assert best.threshold == 0.9
    (best,) = optimal_points(table, criterion="mean_score")  # 2.15 / 5 = .43
    assert best.threshold == 0.5
    tied = rs.tabulate([1, 0, 0, 0], [INF, 2, 0, 0])
    (best,) = optimal_points(tied, criterion="mean_score")  # of the finite ones, 2 / 3
    assert best.threshold == 0
    assert thresholds(optimal_points(tied, criterion="mean_cutoff")) == [2, 0]
    with pytest.raises(ValueError, match="criterion is 'mean_score'"):
        Target("mean_score", 1)


# --- targets and promises ---------------------------------------------------------------------


def test_observed_thresholds_only():
    reversed_score = rs.tabulate([1, 0, 0], [1, 2, 3])
    assert INF in thresholds(optimal_points(reversed_score))
    assert thresholds(optimal_points(reversed_score, observed_only=True)) == [1]
    assert thresholds(optimal_points(reversed_score, criterion="fpr", observed_only=True)) == [3]


# --- other programs ---------------------------------------------------------------------------


COORDS = [
    "asah__ndka",
    "asah__s100b",
    "dm_rocdata__test1",
    "rocr_simple__prediction",
    "suicide__dsi",
]


@pytest.mark.parametrize("name", COORDS)
def test_proc_best_points(name, request):
    found = answer(f"coords__{name}", request)
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    criterion = {"youden": "youden", "closest.topleft": "closest"}
    for best in found["best"]:
        weights = {}
        if best["weights"] is not None:
            cost, prevalence = best["weights"]
            weights = {"costs": Costs(fn=cost), "prevalence": prevalence}
        points = optimal_points(table, criterion=criterion[best["method"]], **weights)[::-1]
        rows = best["rows"]
        assert_close([p.tpr for p in points], rows["sensitivity"], digits=14)
        assert_close([1 - p.fpr for p in points], rows["specificity"], digits=14)
        # pROC's threshold is the midpoint between ours and the next lower score.
        middle = [(p.threshold + p.next_score) / 2 for p in points]
        assert_close(middle, rows["threshold"], digits=14)
        if "ppv" in rows:
            assert_close([m.ppv(p) for p in points], rows["ppv"], digits=14)
            assert_close([m.npv(p) for p in points], rows["npv"], digits=14)
    assert len(found["best"]) == 18


COORDS_NAMES = {
    "specificity": m.tnr,
    "tnr": m.tnr,
    "sensitivity": m.tpr,
    "recall": m.tpr,
    "tpr": m.tpr,
    "accuracy": m.accuracy,
    "npv": m.npv,
    "ppv": m.ppv,
    "precision": m.ppv,
    "1-specificity": m.fpr,
    "fpr": m.fpr,
    "1-sensitivity": m.fnr,
    "fnr": m.fnr,
    "1-accuracy": m.error_rate,
    "1-npv": m.false_omission_rate,
    "1-ppv": m.false_discovery_rate,
    "fdr": m.false_discovery_rate,
    "youden": lambda c: m.tpr(c) + m.tnr(c),  # pROC leaves out the - 1
    "closest.topleft": lambda c: m.fnr(c) ** 2 + m.fpr(c) ** 2,  # and the root
    "tp": lambda c: c.tp,
    "fp": lambda c: c.fp,
    "fn": lambda c: c.fn,
    "tn": lambda c: c.tn,
}


@pytest.mark.parametrize("name", COORDS)
def test_proc_all_points(name, request):
    found = answer(f"coords__{name}", request)
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    for part in ("all", "at_threshold"):
        rows = found[part]
        c = evaluate(table, rows["threshold"])
        if part == "all":
            assert set(COORDS_NAMES) == set(rows) - {"threshold"}
        for column in set(rows) - {"threshold"}:
            mine = COORDS_NAMES[column](c)
            # "1-npv" and the like lose digits to their subtraction in pROC.
            np.testing.assert_allclose(
                mine, np.array(rows[column], dtype=float), rtol=1e-14, atol=3e-16, err_msg=column
            )


THEIR_VALUE = {
    "sum_sens_spec": lambda v, n: v + 1,
    "misclassification_cost": lambda v, n: v * n,
    "total_utility": lambda v, n: -v * n,
    "false_omission_rate": lambda v, n: 1 - v,
    "false_discovery_rate": lambda v, n: 1 - v,
    "p_chisquared": lambda v, n: chi2.sf(v, 1),
}


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_cutpointr(name, request):
    found = answer(f"cutpointr__{name}", request)
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    (best,) = optimal_points(table)
    assert_close([(best.threshold + best.next_score) / 2], found["midpoint_youden"], digits=14)
    assert set(found["metrics"]) == set(CUTPOINTR)
    for metric, row in found["metrics"].items():
        costs = CUTPOINTR_COSTS.get(metric)
        options = {"criterion": CUTPOINTR[metric], "costs": costs}
        mine = thresholds(optimal_points(table, **options))
        if metric == "p_chisquared" and name == "suicide__dsi":
            # cutpointr ties all that is within 1e-6 of the best, as these p values are.
            assert set(mine) < set(row["cutpoints"])
            assert row["value"] < 1e-6
        else:
            assert sorted(mine) == sorted(row["cutpoints"]), metric
            values = criterion_values(table, **options)
            at = values[1 + int(np.flatnonzero(table.score == mine[0])[0])]
            shown = THEIR_VALUE.get(metric, lambda v, n: v)(at, found["n"])
            assert_close(shown, row["value"], digits=12)
        # Of tied optima the file lists the cut-points upwards, their rates downwards.
        c = evaluate(table, sorted(row["cutpoints"], reverse=True))
        assert_close(m.accuracy(c), row["accuracy"], digits=14)
        assert_close(m.tpr(c), row["sensitivity"], digits=14)
        assert_close(m.tnr(c), row["specificity"], digits=14)


# What they report as the value: the square of our distance, a count, a cost over another's.
THEIR_OPTIMUM = {
    "CB": None,
    "MCT": lambda v, n: v,
    "ROC01": lambda v, n: v**2,
    "PROC01": lambda v, n: v**2,
    "Minimax": lambda v, n: v * n,
    "MinPvalue": None,
}


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
@pytest.mark.parametrize("theirs", OPTIMAL_CUTPOINTS)
def test_optimalcutpoints(name, theirs, request):
    found = answer(f"optimalcutpoints__{name}", request)
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    options = dict(OPTIMAL_CUTPOINTS[theirs])
    if theirs == "CB":
        options["costs"] = rs.Costs(fp=1, fn=1)
    row = found["criteria"][theirs]
    if "error" in row:  # it fails where npv is undefined
        assert theirs == "MaxNPVPPV"
        assert len(optimal_points(table, **options)) == 1
        return
    if not row["cutoff"]:
        with pytest.raises(ValueError, match="at once"):
            optimal_points(table, **options)
        return
    mine = thresholds(optimal_points(table, **options))
    if (name, theirs) == ("suicide__dsi", "MinPvalue"):
        # It rounds p values to ten digits, and takes the first of what then ties at zero.
        statistic = criterion_values(table, criterion="chi_square_corrected")
        assert chi2.sf(statistic[1:][table.score == row["cutoff"][0]], 1) < 5e-11
        assert mine == [6]
    elif (name, theirs) == ("suicide__dsi", "ValueNPV"):
        # Rejecting all, which it does not try, has the npv nearest to .9.
        assert mine == [INF]
    else:
        assert sorted(mine) == sorted(row["cutoff"])
        shown = THEIR_OPTIMUM.get(theirs, lambda v, n: v)
        if row["optimal_criterion"] is not None and shown is not None:
            goal = options["criterion"]
            goal = goal[0] if isinstance(goal, tuple) else goal
            values = criterion_values(table, criterion=goal, costs=options.get("costs"))
            at = values[1 + int(np.flatnonzero(table.score == mine[0])[0])]
            # It rounds some to ten digits.
            assert shown(at, found["n"]) == pytest.approx(row["optimal_criterion"], abs=6e-11)


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_optimalcutpoints_measures(name, request):
    found = answer(f"optimalcutpoints__{name}", request)
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    asked = {key.partition("__")[0] for key in found["criteria"]}
    assert asked == set(OPTIMAL_CUTPOINTS)
    functions = {
        "Se": m.tpr,
        "Sp": m.tnr,
        "PPV": m.ppv,
        "NPV": m.npv,
        "DLR.Positive": m.lr_positive,
        "DLR.Negative": m.lr_negative,
    }
    tried = 0
    for row in found["criteria"].values():
        if "error" in row or not row.get("cutoff"):
            continue
        c = evaluate(table, row["cutoff"])
        for key, function in functions.items():
            theirs = np.array(row[key]["value"], dtype=float)
            assert_close(function(c), theirs, digits=12)
            tried += 1
    assert tried > 100


@pytest.mark.parametrize("name", ["asah_ndka", "asah_s100b", "rocr_simple", "suicide"])
def test_rocit_cutoff(name, request):
    found = answer(f"rocit__{name}", request)
    points = optimal_points(rs.tabulate(*cases(name, request)))
    assert found["ks_cutoff"] in thresholds(points)


@pytest.mark.parametrize("group", ["", "_Female", "_Male"])
def test_proc_youden_on_adult(group, request):
    found = answer(f"big__adult{group}", request)
    adult = datasets.load("adult_scores")
    if group:
        adult = adult.where("sex", group[1:])
    for column, best in found["youden"].items():
        (point,) = optimal_points(rs.tabulate(adult.y_true, adult.columns[column]))
        assert_close((point.threshold + point.next_score) / 2, best["threshold"], digits=14)
        assert_close([point.tpr, 1 - point.fpr], [best["se"], best["sp"]], digits=14)


@pytest.mark.parametrize("find", [rs.point_at_fpr, rs.point_at_tpr])
@pytest.mark.parametrize("bad", [[0.1, 0.2], "0.1", None])
def test_a_rate_is_one_number(find, bad):
    with pytest.raises(TypeError, match=r"but must be one number between 0 and 1"):
        find(rs.tabulate(*F3), bad)


@pytest.mark.parametrize("bad", ["0.9", [0.9], None])
def test_a_level_is_one_number(bad):
    with pytest.raises(TypeError, match=r"level is .* but must be one number strictly between"):
        rs.auc_estimate(rs.tabulate(*F3)).interval(bad)


def test_a_midpoint_decides_as_the_threshold():
    table = rs.tabulate([0, 1, 0, 1, 1], [1.0, 2.0, 2.5, 4.0, 4.5])
    point = point_at_fpr(table, 0.0)
    assert (point.threshold, point.next_score, point.midpoint) == (4.0, 2.5, 3.25)
    turned = rs.tabulate([0, 1, 0, 1, 1], [-1.0, -2.0, -2.5, -4.0, -4.5], higher_is_positive=False)
    assert point_at_fpr(turned, 0.0).midpoint == -3.25
    # No number lies between neighbours; nothing lies half way to infinity.
    near = rs.tabulate([0, 1], [1.0, np.nextafter(1.0, 2.0)])
    assert point_at_fpr(near, 0.0).midpoint == np.nextafter(1.0, 2.0)
    ends = rs.tabulate([0, 1], [-np.inf, 3.0])
    assert point_at_fpr(ends, 0.0).midpoint == 3.0
    large = rs.tabulate([0, 1], np.array([2**60, 2**60 + 1]))
    assert point_at_fpr(large, 0.0).midpoint == 2**60 + 1


# --- one criterion at one point -----------------------------------------------------------------


@settings(max_examples=30)
@given(sample=slow.data.samples(), prevalence=st.sampled_from([None, 0.1]))
def test_a_criterion_at_a_point_is_that_of_its_threshold(sample, prevalence):
    table = rs.tabulate(*sample)
    points = [point_at(table, threshold) for threshold in rs.roc_curve(table).threshold]
    for name, fact in facts.CRITERIA.items():
        if not fact.rank_based:
            continue
        costs = {"fp": 1, "fn": 3} if fact.uses_costs else None
        asked = {"criterion": name, "costs": costs, "prevalence": prevalence}
        for value, point in zip(criterion_values(table, **asked), points, strict=True):
            found = criterion_at(point, **asked)
            passed_over = np.isnan(value) and np.isinf(found)
            assert found == pytest.approx(value, nan_ok=True) or passed_over, name


def test_a_criterion_at_a_point_by_hand_and_refused():
    matrix = rs.ConfusionMatrix(tp=8, fp=1, fn=2, tn=9)
    assert criterion_at(matrix) == pytest.approx(0.7)
    assert criterion_at(matrix, "accuracy", prevalence=0.1) == pytest.approx(0.1 * 0.8 + 0.9 * 0.9)
    assert criterion_at(matrix, "cost", costs={"fp": 1, "fn": 5}) == pytest.approx((1 + 10) / 20)
    with pytest.raises(ValueError, match="compares the scores of cases"):
        criterion_at(matrix, "mean_score")
    with pytest.raises(SingleClassError, match="criterion_at"):
        criterion_at(rs.ConfusionMatrix(tp=8, fp=0, fn=2, tn=0))
    with pytest.raises(ValueError, match="Costs do not matter"):
        criterion_at(matrix, "accuracy", costs={"fp": 1, "fn": 5})


def test_a_threshold_that_costs_chose_says_so() -> None:
    """With costs "youden" is another criterion than without, which its name alone hides."""
    table = rs.tabulate([0, 0, 1, 1, 0, 1], [1, 3, 2, 4, 5, 6])
    (weighted,) = optimal_points(table, costs=Costs(fp=1, fn=5))
    assert "Chosen by:           youden, weighted by costs" in str(weighted)
    assert optimal_points(table)[0].criterion == "youden"
    chosen = optimal_points(table, criterion="cost", costs=Costs(fp=1, fn=5))[0]
    assert chosen.criterion == "cost"


@pytest.mark.parametrize("criterion", ["youden", "closest", ("youden", "tpr")], ids=str)
def test_a_prevalence_that_moves_nothing_is_told(criterion):
    table = rs.tabulate([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    with pytest.warns(UserWarning, match="is the same at any prevalence. Give costs, too"):
        moved = optimal_points(table, criterion=criterion, prevalence=0.01)
    assert moved == optimal_points(table, criterion=criterion)
    optimal_points(table, criterion=criterion, prevalence=0.01, costs=Costs())


@pytest.mark.parametrize(
    "how",
    [
        {"criterion": "kappa"},
        {"criterion": ("youden", "ppv")},
        {"criterion": "youden", "subject_to": Constraint("ppv", ">=", 0.1)},
        {"criterion": "youden", "subject_to": Constraint("predicted_positive_rate", "<=", 0.9)},
        {"criterion": "cost"},
        {"criterion": "tpr"},
    ],
    ids=str,
)
def test_a_prevalence_that_may_move_something_is_not_warned_of(how, recwarn):
    optimal_points(rs.tabulate([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]), prevalence=0.3, **how)
    assert len(recwarn) == 0
