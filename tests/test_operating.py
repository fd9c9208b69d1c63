"""Operating points: by hand, by trying every threshold in fractions, and as others choose them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow
from rocspace import datasets
from rocspace import measures as m
from rocspace.confusion import evaluate
from rocspace.operating import optimal_points, point_at, point_at_fpr, point_at_tpr
from rocspace.results import OperatingPoint
from rocspace.summary import closest_to_perfect, youden
from rocspace.table import ScoreTable, SingleClassError
from slow import F3, F4, INF, answer, assert_close, cases, reference, samples

CRITERIA = ["youden", "closest", "accuracy"]

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
        value, best = slow.best_thresholds(label, score, criterion, w, higher=higher)
        points = optimal_points(table, criterion=criterion)
        assert thresholds(points) == best
        if criterion == "youden":
            assert youden(table) == pytest.approx(float(value), abs=1e-15)
        for point in points:
            assert isinstance(point, OperatingPoint)
            reject_all = point.tp == point.fp == 0
            at = (INF if higher else -INF) if reject_all else point.threshold
            c = slow.counts_at(label, score, at, w, higher=higher, inclusive=not reject_all)
            assert entries(point) == tuple(c.values())


@pytest.mark.parametrize("criterion", CRITERIA)
@given(sample=samples(), share=st.integers(1, 9), factor=st.sampled_from([0.1, 1 / 3, 7.3]))
@settings(max_examples=40)
def test_ties_outlive_weights(criterion, sample, share, factor):
    # The curve is the same, so what ties in it still does, though sums of weights are rounded.
    label, score = sample
    expected = thresholds(optimal_points(rs.tabulate(label, score), criterion=criterion))
    scaled = rs.tabulate(label, score, sample_weight=np.full(len(label), factor))
    assert thresholds(optimal_points(scaled, criterion=criterion)) == expected
    if criterion != "accuracy":
        other = rs.reweight(rs.tabulate(label, score), prevalence=share / 10)
        assert thresholds(optimal_points(other, criterion=criterion)) == expected


def test_ties_of_counts_are_exact():
    # (tp, fp) = (1, 0) and (2, 1) of 2**61 each: the same J. One case more breaks the tie,
    # though J as a float stays the same.
    n = 2**61
    tied = ScoreTable.from_counts([3, 2, 1], [1, 1, n - 2], [0, 1, n - 1])
    assert thresholds(optimal_points(tied)) == [3, 2]
    broken = ScoreTable.from_counts([3, 2, 1], [1, 2, n - 3], [0, 1, n - 1])
    assert thresholds(optimal_points(broken)) == [2]


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
            c = slow.counts_at(label, score, t, w, higher=higher)
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


def test_rates_are_compared_as_one_division():
    # 29 / 100 is .29, but .29 * 100 is 28.999999999999996; .1 is 1 / 10 and .3 is 3 / 10.
    table = ScoreTable.from_counts(list(range(100, 0, -1)), [1] * 100, [1] * 100)
    for k in range(101):
        assert point_at_fpr(table, k / 100).fp == k
        assert point_at_tpr(table, k / 100).tp == k
    tenths = ScoreTable.from_counts(list(range(10, 0, -1)), [1] * 10, [1] * 10)
    assert [point_at_fpr(tenths, x).fp for x in (0.1, 0.3, 0.1 + 0.2, 0.7)] == [1, 3, 3, 7]
    assert point_at_fpr(tenths, np.nextafter(0.3, 0)).fp == 2
    assert point_at_tpr(tenths, np.nextafter(0.3, 1)).tp == 4


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
    tried = 0
    for best in found["best"]:
        if best["weights"] not in (None, [1, 0.5]):
            continue  # costs and prevalences are for the iso-performance lines
        tried += 1
        points = optimal_points(table, criterion=criterion[best["method"]])[::-1]
        rows = best["rows"]
        assert_close([p.tpr for p in points], rows["sensitivity"], digits=14)
        assert_close([1 - p.fpr for p in points], rows["specificity"], digits=14)
        # pROC's threshold is the midpoint between ours and the next lower score.
        middle = [(p.threshold + p.next_score) / 2 for p in points]
        assert_close(middle, rows["threshold"], digits=14)
        if "ppv" in rows:
            assert_close([m.ppv(p) for p in points], rows["ppv"], digits=14)
            assert_close([m.npv(p) for p in points], rows["npv"], digits=14)
    assert tried == 4


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


CUTPOINTR = {
    "youden": m.informedness,
    "accuracy": m.accuracy,
    "sum_sens_spec": lambda c: m.tpr(c) + m.tnr(c),
    "prod_sens_spec": lambda c: m.g_mean(c) ** 2,
    "sum_ppv_npv": lambda c: m.ppv(c) + m.npv(c),
    "prod_ppv_npv": lambda c: m.ppv(c) * m.npv(c),
    "cohens_kappa": m.kappa,
    "F1_score": m.f_score,
    "odds_ratio": m.diagnostic_odds_ratio,
    "risk_ratio": m.lr_positive,  # its "risk" is of a positive call, in either class
    "roc01": lambda c: np.hypot(m.fpr(c), m.fnr(c)),
    "misclassification_cost": lambda c: c.fp + 5 * c.fn,
    "total_utility": lambda c: c.tp + c.tn - c.fp - 5 * c.fn,
    "Jaccard": lambda c: c.tp / (c.tp + c.fp + c.fn),
    "false_omission_rate": m.false_omission_rate,
    "false_discovery_rate": m.false_discovery_rate,
    "plr": m.lr_positive,
    "nlr": m.lr_negative,
    "abs_d_sens_spec": lambda c: abs(m.tpr(c) - m.tnr(c)),
    "abs_d_ppv_npv": lambda c: abs(m.ppv(c) - m.npv(c)),
}


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_cutpointr(name, request):
    found = answer(f"cutpointr__{name}", request)
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    same = {"youden": "youden", "roc01": "closest", "accuracy": "accuracy"}
    for metric, criterion in same.items():
        points = optimal_points(table, criterion=criterion)
        assert sorted(thresholds(points)) == sorted(found["metrics"][metric]["cutpoints"])
    (best,) = optimal_points(table)
    assert_close([(best.threshold + best.next_score) / 2], found["midpoint_youden"], digits=14)
    # p_chisquared underflows to a tie of many thresholds; it is a test, not a measure.
    assert set(found["metrics"]) - set(CUTPOINTR) == {"p_chisquared"}
    for metric, row in found["metrics"].items():
        # Of tied optima the file lists the cut-points upwards, their rates downwards.
        c = evaluate(table, sorted(row["cutpoints"], reverse=True))
        assert_close(m.accuracy(c), row["accuracy"], digits=14)
        assert_close(m.tpr(c), row["sensitivity"], digits=14)
        assert_close(m.tnr(c), row["specificity"], digits=14)
        if metric in CUTPOINTR:
            assert_close(CUTPOINTR[metric](c)[0], row["value"], digits=12)


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_optimalcutpoints(name, request):
    found = answer(f"optimalcutpoints__{name}", request)["criteria"]
    data, column = name.split("__")
    table = rs.tabulate(*cases(data, request, column))
    for theirs, criterion in (
        ("Youden", "youden"),
        ("ROC01", "closest"),
        ("MaxEfficiency", "accuracy"),
    ):
        mine = thresholds(optimal_points(table, criterion=criterion))
        assert sorted(mine) == sorted(found[theirs]["cutoff"])
    assert_close(
        youden(table), found["Youden"]["optimal_criterion"], digits=9
    )  # it rounds to ten digits
    functions = {
        "Se": m.tpr,
        "Sp": m.tnr,
        "PPV": m.ppv,
        "NPV": m.npv,
        "DLR.Positive": m.lr_positive,
        "DLR.Negative": m.lr_negative,
    }
    tried = 0
    for row in found.values():
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
