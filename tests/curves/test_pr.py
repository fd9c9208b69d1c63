"""Precision and recall: by hand, by definition, as printed, as other programs have them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
import slow.counts
import slow.curves
from rocspace.counts import ScoreTable, SingleClassError
from rocspace.curves import (
    auprg,
    average_precision,
    break_even,
    least_pr_area,
    pr_area,
    pr_area_estimate,
    pr_curve,
    prg_curve,
)
from rocspace.curves.pr import _class_variances
from slow.data import F3, answer, assert_close, assert_near, cases, reference, repeated, samples

thirds = st.integers(1, 9).map(lambda k: k / 3)
shares = st.integers(0, 24).map(lambda k: k / 24)
AREAS = ("continuous", "davis-goadrich", "interpolated")


# --- the curve --------------------------------------------------------------------------------


def test_curve_by_hand():
    # From the top: 4 is a positive (1/1), 3 a negative (1/2), 2 one of each (2/4).
    table = rs.tabulate([1, 0, 1, 0], [4, 3, 2, 2])
    curve = pr_curve(table)
    assert curve.recall.tolist() == [0, 0.5, 0.5, 1]
    assert curve.precision.tolist() == [1, 1, 0.5, 0.5]
    assert curve.threshold.tolist() == [np.inf, 4, 3, 2]
    # Half way through the tie there are 1.5 true and 1.5 false positives.
    assert curve.precision_at(0.75) == 0.5
    assert curve.precision_at([0, 0.25, 0.5]).tolist() == [1, 1, 1]
    assert average_precision(table) == (1 + 0.5) / 2
    assert repr(curve) == "PrCurve(4 points, 2 positives, 2 negatives)"


def test_reject_all_has_no_precision_of_its_own():
    table = rs.tabulate([0, 1], [2, 1])
    assert pr_curve(table).precision.tolist() == [0, 0, 0.5]
    assert pr_curve(table, start="one").precision.tolist() == [1, 0, 0.5]
    assert pr_curve(table, start="one").precision_at(0) == 1


@given(sample=samples(weights=thirds), at=shares)
@settings(max_examples=80)
def test_curve_is_that_of_the_definition(sample, at):
    label, score, weight = sample
    for w in (None, weight):
        curve = pr_curve(rs.tabulate(label, score, sample_weight=w))
        corners = slow.counts.sweep(label, score, w)
        P = corners[-1][0]
        for i, (tp, fp, threshold) in enumerate(corners[1:], 1):
            assert_near(curve.recall[i], tp / P)
            assert_near(curve.precision[i], tp / (tp + fp))
            assert curve.threshold[i] == threshold
            point = curve.at_threshold(threshold)
            assert (point.recall, point.precision) == (curve.recall[i], curve.precision[i])
        assert curve.recall[-1] == 1
        if at > 0 and w is None:
            # The share as meant, not as rounded: a jump may stand exactly there.
            wanted = Fraction(at).limit_denominator(24) * P
            assert_near(curve.precision_at(at), slow.curves.precision_along(corners, wanted))


def test_thresholds_lead_to_points():
    curve = pr_curve(rs.tabulate([1, 0, 1, 0], [4, 3, 2, 2]))
    points = curve.at_threshold([np.inf, 3.5, 2], inclusive=False)
    assert points.recall.tolist() == [0, 0.5, 0.5]
    assert points.precision.tolist() == [1, 1, 0.5]


@given(sample=samples())
@settings(max_examples=60)
def test_one_curve_dominates_here_as_it_does_in_roc_space(sample):
    label, score = np.array(sample[0]), np.array(sample[1])
    table = rs.tabulate(label, score)
    better = rs.tabulate(label, score + label)  # every positive one step up
    at = np.linspace(0.05, 1, 20)
    assert (pr_curve(better).precision_at(at) >= pr_curve(table).precision_at(at) - 1e-12).all()
    assert pr_area(better) >= pr_area(table) - 1e-12
    assert auprg(better) >= auprg(table) - 1e-12


def test_another_prevalence():
    expected = reference()["F3_prec_at_.1_.5"]
    table = rs.tabulate(*F3)
    assert pr_curve(table).at_threshold(0.54).precision == expected["1:1"]
    rare = rs.reweight(table, prevalence=1 / 11)
    assert_near(pr_curve(rare).at_threshold(0.54).precision, expected["1:10"])


# --- areas ------------------------------------------------------------------------------------


def test_reference_areas():
    expected = reference()
    table = rs.tabulate(*F3)
    assert_near(average_precision(table), expected["F3_ap"])
    assert_near(pr_area(table), expected["F3_pr_dg"])
    # Twenty cases without ties: unit steps are what the literature calls the wrong, linear way.
    assert_near(pr_area(table, method="davis-goadrich"), expected["F3_pr_linear"])
    assert_near(auprg(table), expected["F3_auprg"])
    low, high = pr_area_estimate(table).interval(0.95, scale="logit")
    assert_close([low, high], expected["F3_pr_dg_ci95"])


@given(sample=samples(weights=thirds))
@settings(max_examples=80)
def test_areas_are_those_of_the_definition(sample):
    label, score, weight = sample
    table = rs.tabulate(label, score)
    assert_near(average_precision(table), slow.curves.average_precision_by_cases(label, score))
    assert_near(pr_area(table), slow.curves.pr_area_by_formula(label, score), 13)
    unit = slow.curves.pr_area_by_unit_steps(label, score)
    assert_near(pr_area(table, method="davis-goadrich"), unit, 13)
    weighted = rs.tabulate(label, score, sample_weight=weight)
    assert_near(
        average_precision(weighted), slow.curves.average_precision_by_cases(label, score, weight)
    )
    assert_near(pr_area(weighted), slow.curves.pr_area_by_formula(label, score, weight))
    corners = [(tp, tp / (tp + fp)) for tp, fp, _ in slow.counts.sweep(label, score)[1:]]
    best = [max(p for t, p in corners if t >= tp) for tp, _ in corners]
    gained = np.diff([0, *(tp for tp, _ in corners)])
    assert_near(pr_area(table, method="interpolated"), gained @ best / corners[-1][0])


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 70), st.integers(0, 400)), min_size=1, max_size=6
    ).filter(lambda rows: sum(p for p, _ in rows) > 0)
)
@settings(max_examples=60)
def test_long_ties(rows):
    # More unit steps in a tie than are summed one by one.
    pos, neg = (list(column) for column in zip(*rows, strict=True))
    table = ScoreTable.from_counts(range(len(rows)), pos, neg)
    label = [y for p, n in rows for y in [1] * p + [0] * n]
    score = [s for s, (p, n) in enumerate(rows) for _ in range(p + n)]
    fine = slow.curves.pr_area_by_formula(label, score)
    assert_near(pr_area(table), fine)
    assert_near(
        pr_area(table, method="davis-goadrich"), slow.curves.pr_area_by_unit_steps(label, score)
    )


@pytest.mark.parametrize("first", [1, 10**3, 10**9, 10**15])
def test_areas_lose_no_digit_behind_many_negatives(first):
    # All negatives first, then the positives: the least area, 1 - log(1 + u) / u of u = P / N.
    n_pos = 50
    table = ScoreTable.from_counts([1, 2], [n_pos, 0], [0, first])
    label_free = Fraction(n_pos, first + n_pos)
    assert_near(pr_area(table), least_pr_area(float(label_free)), 14)
    steps = sum(Fraction(t, t + first) for t in range(n_pos)) + Fraction(n_pos, n_pos + first) / 2
    assert_near(pr_area(table, method="davis-goadrich"), steps / n_pos, 13)


def test_areas_at_any_size():
    small = ScoreTable.from_counts([3, 2, 1], [3, 2, 1], [1, 1, 2])
    n = 2**59
    large = ScoreTable.from_counts([3, 2, 1], [3 * n, 2 * n, n], [n, n, 2 * n])
    for function in (average_precision, pr_area, break_even, auprg):
        assert function(large) == pytest.approx(function(small), rel=1e-14)
    # With so many steps the lines between them are the curve.
    assert pr_area(large, method="davis-goadrich") == pytest.approx(pr_area(small), rel=1e-14)


def test_least_area():
    assert least_pr_area(0.5) == pytest.approx(1 - np.log(2), rel=1e-15)
    assert (least_pr_area(0), least_pr_area(1)) == (0, 1)
    assert_near(least_pr_area(1e-9), 0.5e-9 + 1e-18 / 6, 14)
    with pytest.raises(ValueError, match=r"prevalence is 1\.5"):
        least_pr_area(1.5)


@given(sample=samples(values=st.integers(0, 30)))
@settings(max_examples=80)
def test_order_of_the_areas(sample):
    table = rs.tabulate(*sample)
    assert least_pr_area(table.prevalence) - 1e-12 <= pr_area(table) <= 1
    assert average_precision(table) <= pr_area(table, method="interpolated") + 1e-12
    constant = rs.tabulate(sample[0], [0] * len(sample[0]))
    for method in AREAS:
        assert_near(pr_area(constant, method=method), table.prevalence)


def test_guessing_has_the_prevalence_as_its_area():
    rng = np.random.default_rng(3)
    label = np.arange(400) % 4 == 0
    areas = [pr_area(rs.tabulate(label, rng.random(400))) for _ in range(200)]
    assert np.mean(areas) == pytest.approx(0.25, abs=4 * np.std(areas) / 200**0.5 + 0.01)


# --- one class, weights, words ----------------------------------------------------------------


def test_no_negatives_are_needed():
    table = rs.tabulate([1, 1, 1], [1, 2, 2])
    assert pr_curve(table).precision.tolist() == [1, 1, 1]
    assert average_precision(table) == break_even(table) == 1
    for method in AREAS:
        assert pr_area(table, method=method) == 1
    with pytest.raises(SingleClassError, match="auprg needs"):
        auprg(table)
    with pytest.raises(SingleClassError, match="prg_curve needs"):
        prg_curve(table)


@pytest.mark.parametrize(
    "function", [pr_curve, average_precision, pr_area, break_even, pr_area_estimate]
)
def test_positives_are_needed(function):
    with pytest.raises(SingleClassError, match="0 positives and 2 negatives"):
        function(rs.tabulate([0, 0], [1, 2]))


@given(sample=samples(weights=st.integers(0, 3)))
@settings(max_examples=60)
def test_whole_weights_repeat_cases(sample):
    label, score, weight = sample
    again = repeated(label, weight), repeated(score, weight)
    if 0 < sum(again[0]) < len(again[0]):
        weighted, longer = rs.tabulate(label, score, sample_weight=weight), rs.tabulate(*again)
        for function in (average_precision, pr_area, break_even, auprg):
            assert_near(function(weighted), function(longer))


def test_words_and_weights_are_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match="method is 'davis', but must be one of"):
        pr_area(table, method="davis")
    with pytest.raises(ValueError, match="counts true positives one by one"):
        pr_area(rs.reweight(table, prevalence=0.1), method="davis-goadrich")
    with pytest.raises(ValueError, match="recall is 2"):
        pr_curve(table).precision_at(2)
    with pytest.raises(ValueError, match="start is 'zero'"):
        pr_curve(table, start="zero")


def test_interval_holds_the_truth():
    # 30 positives and 90 negatives, Normal, one standard deviation apart.
    rng = np.random.default_rng(12)
    c = np.linspace(-9, 10, 200_001)
    from scipy.stats import norm

    precision = norm.sf(c - 1) / (norm.sf(c - 1) + 3 * norm.sf(c))
    truth = np.trapezoid(precision * norm.pdf(c - 1), c)
    held = 0
    for _ in range(400):
        table = rs.tabulate_classes(rng.normal(1, 1, 30), rng.normal(0, 1, 90))
        held += truth in pr_area_estimate(table).interval()
    assert held >= 0.93 * 400
    perfect = pr_area_estimate(rs.tabulate([1, 1, 0], [3, 2, 1])).interval()
    assert perfect.low < perfect.high == 1


def test_variances_of_tied_classes_are_those_of_differences():
    # Influences as difference quotients of the sum of precisions at the middles of the ties.
    pos, neg = np.array([2.0, 0, 3, 1, 4]), np.array([1.0, 2, 2, 0, 3])
    pi = pos.sum() / (pos.sum() + neg.sum())
    shares = [pos / pos.sum(), neg / neg.sum()]

    def area(tpr, fpr):
        t, f = (np.cumsum(x) - x / 2 for x in (tpr, fpr))
        return tpr @ (pi * t / (pi * t + (1 - pi) * f))

    def influence(which, i):
        ends = []
        for step in (1e-6, -1e-6):
            moved = [each.copy() for each in shares]
            moved[which][i] += step
            ends.append(area(*moved))
        return (ends[0] - ends[1]) / 2e-6

    values = [np.array([influence(which, i) for i in range(5)]) for which in (0, 1)]
    pairs = zip(shares, values, strict=True)
    slow = [x @ (value - x @ value) ** 2 for x, value in pairs]
    table = ScoreTable.from_counts([5, 4, 3, 2, 1], pos.astype(int), neg.astype(int))
    np.testing.assert_allclose(_class_variances(table), slow, rtol=1e-7)


def test_interval_holds_where_few_negatives_decide():
    # 200 positives, 20 negatives, a hooked curve: the rule of thumb knows nothing of the negatives.
    from scipy.stats import norm

    rng = np.random.default_rng(7)
    c = np.linspace(-9, 9, 200_001)
    t, f = norm.sf(3 * (c - 1.1)), norm.sf(c)
    truth = np.trapezoid(10 * t / (10 * t + f) * 3 * norm.pdf(3 * (c - 1.1)), c)
    held = dict.fromkeys(("classes", "binomial"), 0)
    for _ in range(200):
        table = rs.tabulate_classes(rng.normal(1.1, 1 / 3, 200), rng.normal(0, 1, 20))
        for name in held:
            held[name] += truth in pr_area_estimate(table, variance=name).interval()
    assert held["classes"] >= 0.93 * 200
    assert held["binomial"] < 0.85 * 200


@pytest.mark.parametrize("method", AREAS)
def test_the_lower_limit_allows_for_unseen_cases(method):
    # Twenty times six cases, half positive: with few or a high area exact limits are farther.
    label, score = np.tile([0, 1, 0, 1, 0, 1], 20), np.tile([1, 2, 3, 4, 5, 5], 20)
    table = rs.tabulate(label, score)
    estimate = pr_area_estimate(table, method=method)
    weight = np.append(np.ones(120), [0.25, 0.25])
    unseen = rs.tabulate(np.append(label, [0, 1]), np.append(score, [5, 1]), sample_weight=weight)
    smooth = method.replace("davis-goadrich", "continuous")
    worse = estimate.worse
    assert worse.value == pytest.approx(pr_area(unseen, method=smooth), abs=1e-12)
    assert worse.n_pairs == table.n_pos + 0.25
    both = estimate.interval(), estimate.interval(scale="moderated")
    assert both[0].low == worse.interval(scale="moderated").low
    assert both[0].low < both[1].low
    assert both[0].high == both[1].high
    assert "unseen" in both[0].method
    for other in (pr_area_estimate(table, variance="binomial"), pr_area_estimate(unseen)):
        assert "moderated" in other.interval().method


def test_limits_near_the_ends_are_one_sided_and_exact():
    # Four of five called without a false alarm: Wilson's limit ends below a true area of .982.
    table = rs.ScoreTable.from_counts([1, 0], [4, 1], [0, 100])
    estimate = pr_area_estimate(table)
    x = estimate.value
    share = np.log(105 / 4) / (101 / 4)  # of the precision 1 on the way to all 105 cases
    assert x == pytest.approx(0.8 + 0.2 * (share + (1 - share) / 101))
    trials = x * (1 - x) / estimate.se**2
    assert 4 < trials < 5  # the variance of five, divided by 4
    high = stats.beta.ppf(0.95, trials * x + 1, trials * (1 - x))
    assert estimate.interval().high == pytest.approx(high)
    assert high > 0.982 > estimate.interval(scale="moderated").high
    # One of five, and a false alarm: the lower limit.
    table = rs.ScoreTable.from_counts([1, 0], [1, 4], [1, 999])
    estimate = pr_area_estimate(table)
    x = estimate.value
    trials = x * (1 - x) / estimate.se**2
    assert trials < 5
    low = stats.beta.ppf(0.05, trials * x, trials * (1 - x) + 1)
    assert estimate.interval().low == pytest.approx(low)
    assert 0 < low < estimate.interval(scale="moderated").low / 3


def test_many_cases_keep_the_interval_without_exact_limits():
    rng = np.random.default_rng(2)
    table = rs.tabulate_classes(rng.normal(1, 1, 300), rng.normal(0, 1, 300))
    estimate = pr_area_estimate(table)
    assert estimate.interval().high == estimate.interval(scale="moderated").high


@pytest.mark.parametrize("level", [0.3, 0.9])
def test_limits_grow_with_the_level_and_enclose_the_area(level):
    table = rs.ScoreTable.from_counts([1, 0], [4, 1], [1, 40])
    estimate = pr_area_estimate(table)
    inner, outer = estimate.interval(level), estimate.interval(level + 0.05)
    assert outer.low < inner.low < estimate.value < inner.high < outer.high


@pytest.mark.parametrize("prevalence", [0.8, 0.2])
def test_the_variance_is_that_of_leaving_cases_out(prevalence):
    # Each case left out once, the prevalence kept: the ordinary jackknife is near, and larger.
    rng = np.random.default_rng(5)
    n_pos = round(200 * prevalence)
    score = np.append(rng.normal(1, 0.5, n_pos), rng.normal(0, 1, 200 - n_pos))
    label = np.arange(200) < n_pos
    left = []
    for i in range(200):
        rest = np.arange(200) != i
        table = rs.tabulate(label[rest], score[rest])
        left.append(pr_area(rs.reweight(table, prevalence=prevalence)))
    squared = sum(
        (n - 1) / n * ((x - x.mean()) ** 2).sum()
        for x in (np.array(left)[label], np.array(left)[~label])
        for n in (x.size,)
    )
    found = pr_area_estimate(rs.tabulate(label, score))
    if squared > found.value * (1 - found.value) / n_pos:
        assert found.se**2 == pytest.approx(squared, rel=0.15)
    else:
        assert found.se**2 == pytest.approx(found.value * (1 - found.value) / n_pos)
    assert 10 < found.df < 200


# --- break-even -------------------------------------------------------------------------------


def test_break_even_by_hand():
    # Three are positive; of the best three two are. Then 2 of the top 2 and half of a tie of 2.
    assert break_even(rs.tabulate([1, 0, 1, 0, 1], [5, 4, 3, 2, 1])) == 2 / 3
    assert break_even(rs.tabulate([1, 1, 0, 1, 0], [5, 4, 3, 3, 1])) == 2.5 / 3


@given(sample=samples(weights=thirds))
@settings(max_examples=60)
def test_break_even_is_where_precision_is_recall(sample):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        assert_near(
            break_even(table),
            slow.curves.found_at_depth(label, score, Fraction(table.prevalence), w),
            9,
        )
        found = break_even(table)
        if found > 0:
            assert pr_curve(table).precision_at(found) >= found - 1e-9


# --- gains ------------------------------------------------------------------------------------


def test_gain_curve_by_hand():
    # P = N = 2: the gain of x is 2 - 1 / x. The recall passes 1/2 at 4, precision 1.
    curve = prg_curve(rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1]))
    assert curve.recall_gain.tolist() == [0, 0, 1, 1]
    assert curve.precision_gain.tolist() == [1, 0, 0.5, 0]
    assert curve.attainable.all()
    assert curve.area == 0.25
    point = curve.at_threshold([np.inf, 4, 2])
    assert point.recall_gain.tolist() == [-np.inf, 0, 1]
    assert np.isnan(point.precision_gain[0])
    assert point.precision_gain[1:].tolist() == [1, 0.5]


def test_gain_curve_starts_inside_a_tie():
    # All four in one tie: the recall is 1/2 in its middle, where the precision is 1/2 too.
    curve = prg_curve(rs.tabulate([1, 0, 1, 0], [1, 1, 1, 1]))
    assert curve.recall_gain.tolist() == [0, 1]
    assert curve.precision_gain.tolist() == [0, 0]
    assert curve.attainable.tolist() == [False, True]


@given(sample=samples(weights=thirds))
@settings(max_examples=80)
def test_gain_curve_is_that_of_the_definition(sample):
    label, score, weight = sample
    for w in (None, weight):
        curve = prg_curve(rs.tabulate(label, score, sample_weight=w))
        corners = slow.curves.gain_corners(label, score, w)
        if w is None:
            assert_close(curve.recall_gain, [float(r) for r, _ in corners], 11)
            assert_close(curve.precision_gain, [float(p) for _, p in corners], 11)
        assert curve.area == pytest.approx(
            float(slow.curves.trapezoids(corners)), rel=1e-11, abs=1e-13
        )
        assert (curve.recall_gain[-1], curve.recall_gain[0]) == (1, 0)
        assert curve.precision_gain[-1] == pytest.approx(0, abs=1e-12)  # calling everybody


@given(sample=samples())
@settings(max_examples=60)
def test_lines_of_slope_minus_one_are_those_of_f1(sample):
    table = rs.tabulate(*sample)
    curve = prg_curve(table)
    found = rs.evaluate(table, table.score)
    points = curve.at_threshold(table.score)
    some = found.tp > 0
    both = (points.recall_gain + points.precision_gain)[some]
    f1 = rs.measures.f_score(found)[some]
    # gain(F1) is the mean of the two gains.
    pi = table.prevalence
    np.testing.assert_allclose(both / 2, (f1 - pi) / ((1 - pi) * f1), atol=1e-9)


# --- other programs ---------------------------------------------------------------------------


HULL_H = ["breast_w_knn15", "sonar_nb", "sonar_rf", "two_class_example", "vehicle_tree5"]
HULL_H += ["asah_ndka", "asah_s100b", "rocr_simple", "suicide_dsi"]


@pytest.mark.parametrize("name", HULL_H)
def test_prroc_and_precrec(name, request):
    found = answer(f"hull_h__{name}", request)
    table = rs.tabulate(*cases(name, request))
    assert_close(pr_area(table), found["prroc"]["auc_integral"], 14)
    unit = pr_area(table, method="davis-goadrich")
    assert_close(unit, found["prroc"]["auc_davis_goadrich"], 14)
    # precrec sums over steps of 1/1000 in the recall.
    assert pr_area(table) == pytest.approx(found["precrec"]["prc"], abs=3e-6)


@pytest.mark.parametrize("marker", ["ndka", "s100b", "wfns"])
def test_reference_areas_of_asah(marker, request):
    table = rs.tabulate(*cases("asah", request, marker))
    assert_close(pr_area(table), reference()["asah_pr_dg"][marker], 13)


SKLEARN = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
SKLEARN += ["asah_ndka", "asah_s100b", "rocr_simple", "suicide"]


@pytest.mark.parametrize("name", SKLEARN)
def test_sklearn_curve_and_average_precision(name, request):
    found = answer(f"sklearn__{name}", request)
    label, score = cases(name, request)
    table = rs.tabulate(label, score)
    assert_close(average_precision(table), found["average_precision"], 14)
    weight = 1 + np.arange(1, label.size + 1) % 5
    weighted = rs.tabulate(label, score, sample_weight=weight)
    assert_close(average_precision(weighted), found["weighted"]["average_precision"], 13)
    curve = pr_curve(table, start="one")
    theirs = found["precision_recall_curve"]
    # scikit-learn goes from the lowest threshold up, and (0, 1) has no threshold.
    assert_close(curve.recall[::-1], theirs["recall"], 15)
    assert_close(curve.precision[::-1], theirs["precision"], 15)
    assert_close(curve.threshold[:0:-1], theirs["thresholds"], 15)
    # Its trapezoids join precisions by straight lines, which no classifier reaches.
    straight = np.trapezoid(curve.precision, curve.recall)
    assert_close(straight, found["pr_auc_trapezoid"], 13)


ROCR = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
ROCR += ["asah_s100b", "rocr_simple", "suicide"]


@pytest.mark.parametrize("name", ROCR)
def test_rocr_break_even(name, request):
    found = answer(f"rocr__{name}", request)["scalars"]["prbe"]
    table = rs.tabulate(*cases(name, request))
    if name == "asah_s100b":
        # Inside a tie ROCR returns the value of precision - recall at the root it found: 0.
        assert found == pytest.approx(0, abs=1e-6)
        assert break_even(table) > 0.6
    else:
        assert_close(break_even(table), found, 15)


@pytest.mark.parametrize("name", ["sonar_rf", "two_class_example", "rocr_simple"])
def test_rocr_area_has_its_own_convention(name, request):
    # ROCR keeps, of the points with as many true positives, only the one with fewest false
    # ones, so that the next straight line starts too high; it starts at (0, 1). Where a
    # step is longer than 2 it inserts points, but at places that earlier ones have shifted.
    found = answer(f"rocr__{name}", request)["scalars"]["aucpr"]
    table = rs.tabulate(*cases(name, request))
    assert table.pos.max() <= 2
    curve = pr_curve(table, start="one")
    first = np.flatnonzero(np.diff(curve.tp, prepend=-1))
    area = np.trapezoid(curve.precision[first], curve.recall[first])
    assert_close(area, found, 13)
    assert area > pr_area(table)


@pytest.mark.parametrize("start", ["flat", "one"])
@given(sample=samples())
@settings(max_examples=30)
def test_a_printed_curve_says_both_areas(start, sample):
    """The average precision, and the area of interpolated counts, which is another number."""
    table = rs.tabulate(*sample)
    printed = str(pr_curve(table, start=start)).splitlines()
    shown = dict(line.strip().split(": ", 1) for line in printed[1:])
    for name, value in (
        ("Average precision", average_precision(table)),
        ("Area, interpolated", pr_area(table)),
    ):
        assert float(shown[name]) == pytest.approx(value, abs=0.00051)
