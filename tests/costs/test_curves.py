"""Cost curves: by hand, by definition, as printed, as ROCR has them; what resampling promises."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta, norm

import rocspace as rs
import slow.costs
import slow.curves
import slow.data
from rocspace.costs import cost_curve, cost_lines, resample_cost
from rocspace.counts import SingleClassError
from rocspace.hull import roc_hull
from rocspace.inference import rate_interval
from rocspace.operating import Costs
from rocspace.resampling.replicates import replicate
from slow.data import F3, answer, assert_close, assert_near, cases, reference, samples

thirds = st.integers(1, 9).map(lambda k: k / 3)
grid = np.linspace(0, 1, 41)


# --- conditions and lines ---------------------------------------------------------------------


def test_probability_cost():
    # One positive in five whose miss costs four times as much: 4 against 4.
    assert Costs(fn=4).probability_cost(prevalence=0.2) == 0.5
    assert Costs().probability_cost(prevalence=[0, 0.3, 1]).tolist() == [0, 0.3, 1]
    assert Costs(fn=0).probability_cost(prevalence=0.5) == 0
    # False alarms three times as dear: 1 / 4 against 3 * 3 / 4.
    assert_near(Costs(fp=3).probability_cost(prevalence=0.25), Fraction(1, 10))
    # Fawcett, section 6: 10 negatives for a positive is the slope 10.
    assert_near(1 / Costs().probability_cost(prevalence=1 / 11) - 1, 10)
    with pytest.raises(ValueError, match="Nothing costs anything"):
        Costs(fn=0).probability_cost(prevalence=1)
    with pytest.raises(ValueError, match="fp costs -1"):
        Costs(fp=-1).probability_cost(prevalence=0.5)
    with pytest.raises(ValueError, match="cost fn is inf"):
        Costs(fn=np.inf).probability_cost(prevalence=0.5)


@given(sample=samples(weights=thirds))
@settings(max_examples=40)
def test_lines_are_the_rates(sample):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        lines = cost_lines(table)
        for i, (f, t, threshold) in enumerate(slow.curves.points(label, score, w)):
            assert_near(lines.at_zero[i], f)
            assert lines.at_one[i] == pytest.approx(float(1 - t), abs=1e-12)
            found = lines.at_threshold(threshold)
            assert (found.at_zero, found.at_one) == (lines.at_zero[i], lines.at_one[i])
        # With equal costs, at the prevalence, the cost is the error rate.
        errors = rs.measures.error_rate(rs.evaluate(table, table.score))
        cost = lines.at_threshold(table.score).cost_at(np.full(len(table), table.prevalence))
        np.testing.assert_allclose(cost, errors, rtol=1e-12, atol=1e-14)


# --- the envelope -----------------------------------------------------------------------------


def test_curve_by_hand():
    # Hull (0, 0), (0, 1/2), (1/2, 1), (1, 1): lines x / 2 and (1 - x) / 2, which cross at 1/2.
    curve = cost_curve(rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    assert curve.probability.tolist() == [0, 0.5, 1]
    assert curve.cost.tolist() == [0, 0.25, 0]
    assert curve.fpr.tolist() == [0, 0.5]
    assert curve.tpr.tolist() == [0.5, 1]
    assert [points[0].threshold for points in curve.points] == [4, 2]
    assert curve.cost_at([0.2, 0.5, 0.9]) == pytest.approx([0.1, 0.25, 0.05])
    assert (curve.optimal(0.2), curve.optimal(0.5), curve.optimal(1)) == ((0,), (0, 1), (1,))
    assert curve.area == 0.125
    assert tuple(curve.operating_range) == (0, 1)
    assert repr(curve) == "CostCurve(2 lines of score)"


def test_table_of_corners_by_hand():
    # Scores by rank 1 1 0 1 0 0: lines to (0, 2/3), (1/3, 1) and (1, 1), the last one never alone.
    curve = cost_curve(rs.tabulate([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]))
    frame = curve.to_frame()
    assert list(frame["probability"]) == [0, 0.5, 1]
    assert list(frame["fpr"]) == [0, 1 / 3, 1 / 3]
    assert list(frame["tpr"]) == [2 / 3, 1, 1]
    longer = cost_curve(rs.tabulate(*F3))
    frame = longer.to_frame()
    assert len(longer.fpr) > 2
    assert list(frame["fpr"]) == [*longer.fpr, longer.fpr[-1]]
    assert list(frame["tpr"]) == [*longer.tpr, longer.tpr[-1]]


def test_reference_curve():
    expected = reference()
    curve = cost_curve(rs.tabulate(*F3))
    assert_close(curve.probability, expected["F3_cost_env_breaks"], 15)
    assert_near(curve.area, expected["F3_cost_env_area"])
    assert_near(curve.area, expected["F3_pav_brier"])  # because both classes are as large
    assert (curve.cost[0], curve.cost[-1]) == (0, 0)


@pytest.mark.parametrize("name", ["vehicle_tree5", "suicide_dsi"])
def test_reference_areas(name, request):
    expected = reference()["cost_env_area_and_pav_brier"][name][0]
    assert_near(cost_curve(rs.tabulate(*cases(name, request))).area, expected)


@given(sample=samples(weights=thirds))
@settings(max_examples=80)
def test_curve_is_the_lowest_line_everywhere(sample):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        curve = cost_curve(table)
        corners = [(f, t) for f, t, _ in slow.curves.points(label, score, w)]
        for x in (*grid, *curve.probability):
            lowest = slow.costs.least_cost(corners, Fraction(float(x)))
            assert curve.cost_at(x) == pytest.approx(float(lowest), rel=1e-11, abs=1e-14)
            for i in curve.optimal(x):
                line = (1 - curve.tpr[i]) * x + curve.fpr[i] * (1 - x)
                assert line == pytest.approx(float(lowest), rel=1e-9, abs=1e-12)
                (point,) = curve.points[i]
                assert curve.at_threshold(point.threshold).at_zero == curve.fpr[i]
        if w is None:
            steps = np.diff(curve.cost) / np.diff(curve.probability)
            assert (np.diff(steps) < 1e-12).all()  # concave
            assert (np.diff(curve.probability) > 0).all()


@given(sample=samples())
@settings(max_examples=60)
def test_corners_are_the_edges_of_the_hull(sample):
    table = rs.tabulate(*sample)
    hull, curve = roc_hull({"score": table}), cost_curve(table)
    inner = [m for m in hull.slopes if 0 < m < np.inf]
    np.testing.assert_allclose(curve.probability[1:-1], 1 / (1 + np.array(inner)), rtol=1e-13)
    again = cost_curve(hull)
    np.testing.assert_allclose(again.probability, curve.probability, rtol=1e-13)
    np.testing.assert_allclose(again.cost, curve.cost, rtol=1e-12, atol=1e-15)
    for x in grid[1:-1]:
        slope = 1 / x - 1
        best = max(t - slope * f for f, t in zip(hull.fpr, hull.tpr, strict=True))
        assert curve.cost_at(x) == pytest.approx(x * (1 - best), rel=1e-9, abs=1e-12)
    low, high = curve.operating_range
    inside = (grid > low + 1e-9) & (grid < high - 1e-9)
    trivial = np.minimum(grid, 1 - grid)
    assert (curve.cost_at(grid)[inside] < trivial[inside]).all()
    np.testing.assert_allclose(curve.cost_at(grid)[~inside], trivial[~inside], atol=1e-8)


def test_extreme_classifiers():
    perfect = cost_curve(rs.tabulate([1, 1, 0], [3, 2, 1]))
    assert perfect.cost_at(grid).tolist() == [0] * grid.size
    assert (len(perfect), perfect.area) == (1, 0)
    useless = cost_curve(rs.tabulate([1, 0], [1, 1]))
    assert useless.probability.tolist() == [0, 0.5, 1]
    assert tuple(useless.operating_range) == (0.5, 0.5)
    assert useless.area == 0.25
    assert [p[0].threshold for p in useless.points] == [np.inf, 1]


@given(sample=samples(), alpha=st.floats(0.3, 5), other=st.floats(0.3, 5))
@settings(max_examples=25)
def test_expected_cost_is_the_integral(sample, alpha, other):
    curve = cost_curve(rs.tabulate(*sample))
    assert_near(curve.expected(), curve.area)
    density = beta(alpha, other).pdf
    whole = sum(
        quad(lambda x: curve.cost_at(x) * density(x), a, b)[0]
        for a, b in zip(curve.probability, curve.probability[1:], strict=False)
    )
    assert curve.expected(alpha, other) == pytest.approx(whole, abs=1e-7)


def test_curve_of_several_classifiers():
    a = rs.ConfusionMatrix(tp=5, fn=5, fp=1, tn=9)
    b = rs.ConfusionMatrix(tp=9, fn=1, fp=4, tn=6)
    curve = cost_curve(roc_hull({"a": a, "b": b}))
    assert [points[0].name for points in curve.points] == ["never", "a", "b", "always"]
    # x = .5 x + .1 (1 - x); .5 x + .1 (1 - x) = .1 x + .4 (1 - x); 1 - x = .1 x + .4 (1 - x).
    assert_close(curve.probability, [0, 1 / 6, 3 / 7, 6 / 7, 1], 14)
    assert tuple(curve.operating_range) == pytest.approx((1 / 6, 6 / 7))
    with pytest.raises(ValueError, match="A threshold belongs to one score"):
        curve.at_threshold(0.5)


def test_bad_input_is_refused():
    curve = cost_curve(rs.tabulate(*F3))
    for function in (cost_lines, cost_curve):
        with pytest.raises(SingleClassError, match="1 positive and 0 negatives"):
            function(rs.tabulate([1], [1]))
    with pytest.raises(ValueError, match="probability is 2"):
        curve.cost_at(2)
    with pytest.raises(ValueError, match=r"probability is -0\.5"):
        curve.optimal(-0.5)
    with pytest.raises(ValueError, match="the density is"):
        curve.expected(0, 1)


# --- resampling -------------------------------------------------------------------------------


def test_thresholds_pay_on_the_next_sample():
    table = rs.tabulate(*F3)
    found = resample_cost(table, [0.25, 0.5], n_boot=300, rng=4)
    assert found.paid.shape == (300, 2)
    assert_close(found.cost, [cost_curve(table).cost_at(x) for x in (0.25, 0.5)], 15)
    optimism = (found.paid - found.chosen).mean(axis=0)
    assert (optimism > 0).all()
    assert_close(found.expected, np.minimum(found.cost + optimism, found.probability), 14)
    again = resample_cost(table, [0.25, 0.5], n_boot=300, rng=4)
    np.testing.assert_array_equal(again.paid, found.paid)
    # By hand: the samples in turn, each with the cheapest threshold of the one before.
    counts = replicate(table, lambda pos, neg: np.stack([pos, neg], axis=1), n_boot=300, rng=4)
    drawn = [rs.ScoreTable.from_counts(table.score, *both) for both in counts.astype(int)]
    for i in (0, 7, 299):
        lines = cost_lines(drawn[i])
        best = int(np.argmin(lines.at_one + lines.at_zero))
        next_ = rs.point_at(drawn[(i + 1) % 300], float(lines.threshold[best]))
        assert found.paid[i, 1] == pytest.approx((1 - next_.tpr + next_.fpr) / 2)
        assert found.chosen[i, 1] == pytest.approx(cost_curve(drawn[i]).cost_at(0.5))


def test_bands_are_inside_and_never_points():
    for label, score in ([1, 1, 0, 0], [1, 1, 0, 0]), ([1, 0], [1, 1]), ([0, 1], [1, 2]):
        found = resample_cost(rs.tabulate(label, score), grid[1:-1], n_boot=50, rng=1)
        band = found.interval(0.9)
        assert (band.low >= 0).all()
        assert (band.high <= np.minimum(band.probability, 1 - band.probability)).all()
        assert (band.low <= band.high).all()
    perfect = resample_cost(rs.tabulate([1] * 3 + [0] * 3, [1] * 3 + [0] * 3), 0.5, rng=1)
    band = perfect.interval(0.95)
    # Three of three right: Wilson's limit of both rates is z^2 / (3 + z^2) = .562, the one-sided
    # exact one 1 - .05^(1/3) = .632; half of it counts, and the squares add up: sqrt(2) x .316 =
    # .447, more than the half of 1 - .025^(1/3) = .708.
    high = (1 - 0.05 ** (1 / 3)) / 2**0.5
    assert (band.low[0], band.high[0]) == (0, pytest.approx(high, rel=1e-6))
    assert perfect.interval(0.5).high[0] < band.high[0]


def wilson_or_exact(k, n):
    wilson, exact = rate_interval(k, n, method="wilson"), rate_interval(k, n, level=0.9)
    return min(wilson.low, exact.low), max(wilson.high, exact.high)


def test_intervals_hold_what_fixed_thresholds_allow():
    # By definition: limits of both rates at every threshold, Wilson's or the one-sided exact ones
    # where those are farther, the squares added up.
    table, x = rs.tabulate(*F3), 0.3
    limits = {}
    for threshold in [np.inf, *table.score]:
        point = rs.point_at(table, threshold)
        fn, fp = (wilson_or_exact(k, 10) for k in (point.fn, point.fp))
        cost = x * point.fn / 10 + (1 - x) * point.fp / 10
        low = np.hypot(x * (point.fn / 10 - fn[0]), (1 - x) * (point.fp / 10 - fp[0]))
        high = np.hypot(x * (fn[1] - point.fn / 10), (1 - x) * (fp[1] - point.fp / 10))
        limits[threshold] = cost, cost - low, cost + high
    best = min(limits.values())
    found = resample_cost(table, x, n_boot=400, rng=1)
    band = found.interval()
    assert found.cost[0] == pytest.approx(best[0])
    assert band.low[0] == pytest.approx(min(low for _, low, _ in limits.values()))
    assert min(best[2], x) <= band.high[0] <= x


def test_one_false_alarm_of_a_rare_level_is_no_proof_that_it_is_frequent():
    # 20 + 20 cases, of which 12 positives and one negative have the top level. Wilson's limits of
    # 1 in 20 begin at .0089, though of a share of .006 one sample in nine shows that or more.
    table = rs.ScoreTable.from_counts([2, 1, 0], [12, 6, 2], [1, 5, 14])
    x, (fn, fp) = 0.05, (wilson_or_exact(k, 20) for k in (8, 1))
    assert fp[0] == pytest.approx(1 - 0.95 ** (1 / 20))
    assert rate_interval(1, 20, method="wilson").low > 3 * fp[0]
    cost = x * 8 / 20 + (1 - x) / 20
    low = cost - np.hypot(x * (8 / 20 - fn[0]), (1 - x) * (1 / 20 - fp[0]))
    assert resample_cost(table, x, n_boot=50, rng=1).interval().low[0] == pytest.approx(low)


def test_no_gain_seen_is_no_proof_that_there_is_none():
    # The ten highest are negatives, so each sample rejects all, and the
    # bootstrap alone ends in the point .1. By hand: of 10 positives none is called, so
    # Wilson's limit of the rate called is z^2 / (10 + z^2) = .2775, and .1 x that is saved.
    table = rs.tabulate([0] * 10 + [1] * 10, [*range(11, 21), *range(1, 11)])
    found = resample_cost(table, 0.1, n_boot=99, rng=1)
    assert (found.paid == 0.1).all()
    band, z2 = found.interval(), 1.959964**2
    assert band.high[0] == pytest.approx(0.1)
    assert band.low[0] == pytest.approx(0.1 * (1 - z2 / (10 + z2)), rel=1e-6)


def test_upper_limit_is_no_less_than_that_of_the_samples():
    table = rs.tabulate(*F3)
    found = resample_cost(table, [0.3, 0.5, 0.7], n_boot=400, rng=3)
    for level in (0.6, 0.9, 0.99):
        # The quantile of what the next samples cost, without the optimism of choosing.
        of_samples = np.quantile(found.paid, (1 + level) / 2, axis=0)
        honest = of_samples + found.cost - found.chosen.mean(axis=0)
        most = np.minimum(found.probability, 1 - found.probability)
        assert (found.interval(level).high >= np.minimum(honest, most) - 1e-12).all()
    assert (found.interval(0.6).high < most).any()


def test_infinite_scores_are_not_reject_all():
    # The best threshold is the infinite score itself.
    table = rs.tabulate([1, 1, 0, 0], [np.inf, np.inf, 0, 0])
    assert resample_cost(table, 0.5, n_boot=20, rng=1).paid.tolist() == [[0.0]] * 20


def test_bad_samples_are_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match="n_boot is 1"):
        resample_cost(table, 0.5, n_boot=1)
    with pytest.raises(ValueError, match="weighted table no longer knows its cases"):
        resample_cost(rs.reweight(table, prevalence=0.2), 0.5)
    with pytest.raises(ValueError, match="level is 1"):
        resample_cost(table, 0.5, n_boot=2, rng=1).interval(1)
    with pytest.raises(SingleClassError, match="resample_cost needs"):
        resample_cost(rs.tabulate([1], [1]), 0.5)


@pytest.mark.slow
def test_intervals_hold_the_truth():
    # Normal scores one standard deviation apart: the best threshold is midway, at any rate
    # of 0.3085, and the usual interval of the resampled least cost is far too low.
    rng = np.random.default_rng(21)
    truth, held, naive, means = norm.cdf(-0.5), 0, 0, []
    for _ in range(120):
        table = rs.tabulate_classes(rng.normal(1, 1, 40), rng.normal(0, 1, 40))
        found = resample_cost(table, 0.5, n_boot=200, rng=rng)
        band = found.interval(0.95)
        held += bool(band.low[0] <= truth <= band.high[0])
        naive += bool(found.cost[0] >= truth)
        means.append(found.expected[0])
    assert held >= 0.88 * 120
    assert naive < 0.35 * 120
    assert np.mean(means) == pytest.approx(truth, abs=0.015)


# --- another program --------------------------------------------------------------------------


ROCR = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
ROCR += ["asah_s100b", "rocr_simple", "suicide"]


@pytest.mark.parametrize("name", ROCR)
def test_rocr(name, request):
    found = answer(f"rocr__{name}", request)
    table = rs.tabulate(*cases(name, request))
    curve, pi = cost_curve(table), table.prevalence
    theirs = np.array(found["ecost"]["pcf"])
    assert_close(curve.cost_at(theirs), found["ecost"]["necc"], 11)
    # Where three lines meet ROCR has the corner several times, apart by rounding.
    corners = theirs[np.diff(theirs, prepend=-1) > 1e-9]
    corners[-1] = 1.0
    assert_close(curve.probability, corners, 12)
    line = cost_lines(table).at_threshold(np.array(found["cutoffs"]))
    assert_close(line.cost_at(pi), found["measures"]["cost"], 13)
    dear = line.cost_at(Costs(fn=5).probability_cost(prevalence=pi)) * (5 * pi + 1 - pi)
    assert_close(dear, found["measures"]["cost_fp1_fn5"], 13)
