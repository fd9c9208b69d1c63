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
from rocspace.counts import ScoreTable, SingleClassError, evaluate
from rocspace.curves import closest_to_perfect, youden
from rocspace.measures import criteria, facts
from rocspace.operating import (
    Costs,
    criterion_values,
    optimal_points,
    point_at,
    point_at_fpr,
    point_at_tpr,
)
from rocspace.operating.constraints import Constraint, NoThresholdError, Target
from rocspace.results import OperatingPoint
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


# --- every criterion --------------------------------------------------------------------------


def test_every_criterion_is_typed_and_listed():
    for name, fact in facts.CRITERIA.items():
        assert f"``{name}``" in criteria.__doc__
        assert fact.meaning.endswith(".")


mixes = st.one_of(st.none(), st.integers(1, 19).map(lambda k: Fraction(k, 20)))


@pytest.mark.parametrize("name", OF_COUNTS)
@given(sample=samples(), mix=mixes, higher=st.booleans())
@settings(max_examples=15)
def test_criteria_by_trying_every_threshold(name, sample, mix, higher):
    label, score = sample
    table = rs.tabulate(label, score, higher_is_positive=higher)
    best = slow.operating.best_by(name, label, score, prevalence=mix, higher=higher)
    prevalence = None if mix is None else float(mix)
    if best:
        points = optimal_points(table, criterion=name, prevalence=prevalence)
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
        # M-25: cost = p c_fn (1 - (t - m f)), so the least cost has the largest intercept.
        p = table.prevalence if mix is None else float(mix)
        slope = costs.iso_performance_slope(p)
        constant = (1 - p) * costs.tn
        line = p * costs.fn * (1 - (points[0].tpr - slope * points[0].fpr)) + constant
        assert line == pytest.approx(costs.expected(points[0], prevalence=prevalence), abs=1e-12)


@pytest.mark.parametrize("name", sorted(set(OF_COUNTS) - {"chi_square_corrected"}))
@given(sample=samples(), factor=st.sampled_from([0.1, 1 / 3, 7.3]))
@settings(max_examples=6)
def test_weights_of_one_size_change_no_optimum(name, sample, factor):
    label, score = sample
    if name == "odds_ratio_corrected":
        factor = 1.0
    table = rs.tabulate(label, score)
    scaled = rs.tabulate(label, score, sample_weight=np.full(len(label), factor))
    try:
        expected = thresholds(optimal_points(table, criterion=name))
    except ValueError:
        return
    assert thresholds(optimal_points(scaled, criterion=name)) == expected


@pytest.mark.parametrize("name", OF_COUNTS)
@given(sample=samples(), share=st.integers(1, 9))
@settings(max_examples=6)
def test_another_prevalence_is_that_of_the_reweighted_table(name, sample, share):
    # M-14, Inv. Reweighting changes the number of cases, which Yates's correction asks for.
    label, score = sample
    if name in ("chi_square_corrected", "odds_ratio_corrected"):
        return
    table = rs.tabulate(label, score)
    other = rs.reweight(table, prevalence=share / 10)
    here = criterion_values(table, criterion=name, prevalence=share / 10)
    there = criterion_values(other, criterion=name)
    if name == "chi_square":
        there = there * (table.n_pos + table.n_neg) / (other.n_pos + other.n_neg)
    assert_close(here, there, digits=11)


def test_the_prevalence_of_the_data_is_no_other_prevalence():
    table = rs.tabulate(*F3)
    sevenths = ScoreTable.from_counts([3, 2, 1], [3, 3, 3], [6, 6, 2])
    for one in (table, sevenths):
        for name in OF_COUNTS:
            same = optimal_points(one, criterion=name, prevalence=one.prevalence)
            assert thresholds(same) == thresholds(optimal_points(one, criterion=name))


def test_criteria_by_hand():
    table = rs.tabulate(*F3)
    # Largest Se Sp is .45 at .54, (f, t) = (.1, .5): METHODS M-85.
    (best,) = optimal_points(table, criterion="concordance")
    assert (best.threshold, best.tpr * (1 - best.fpr)) == (0.54, 0.45)
    assert criterion_values(table, criterion="concordance").max() == 0.45
    # M-26: slope 10 -> (0, .2), slope 1 -> (.1, .5), slope .1 -> (.9, 1), as prevalences.
    for prevalence, at in ((1 / 11, (0, 0.2)), (0.5, (0.1, 0.5)), (10 / 11, (0.9, 1))):
        (best,) = optimal_points(table, criterion="cost", prevalence=prevalence)
        assert (best.fpr, best.tpr) == at
    # The optimum in J is flat in the distance: two thresholds, METHODS M-84.
    assert criterion_values(table, criterion="closest").min() == 0.5


def test_infinite_ratios_are_passed_over():
    # tp/fp by row: 1/0, 2/1, 2/3. lr+ infinite, then 2/(1/3) = 3 * 2/2..., the finite best.
    table = ScoreTable.from_counts([3, 2, 1, 0], [1, 1, 0, 1], [0, 1, 2, 1])
    (best,) = optimal_points(table, criterion="lr_positive")
    assert best.threshold == 2
    values = criterion_values(table, criterion="lr_positive")
    assert np.isnan(values[:2]).all()
    assert_close(values[2], (2 / 3) / (1 / 4))
    # A perfect ranking has nothing but infinite odds ratios.
    perfect = rs.tabulate([1, 1, 0, 0], [4, 3, 2, 1])
    assert thresholds(optimal_points(perfect, criterion="odds_ratio")) == [4, 3, 2]
    # With one half in the empty cells: 2 * 2 / (1/2 * 1/2) = 16 at 3.
    (best,) = optimal_points(perfect, criterion="odds_ratio_corrected")
    assert best.threshold == 3


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


LIMITED = ["tpr", "fpr", "ppv", "npv", "accuracy", "kappa", "youden", "lr_positive", "f_score"]


@given(
    sample=samples(),
    mix=mixes,
    one=st.sampled_from(LIMITED),
    goal=st.sampled_from(["tpr", "ppv", "accuracy"]),
    tenth=st.integers(0, 10),
    most=st.integers(0, 25),
)
@settings(max_examples=80)
def test_promises_by_trying_every_threshold(sample, mix, one, goal, tenth, most):
    label, score = sample
    table = rs.tabulate(label, score)
    bound = tenth / 10
    limits = [Constraint(one, ">=", bound)]
    if mix is None:
        limits.append(Constraint("selected", "<=", most))
    sign = -1 if one == "fpr" else 1
    pi = Fraction(sum(label), len(label)) if mix is None else mix
    kept = []
    for f, t, threshold in slow.curves.points(label, score):
        value = slow.operating.criterion_value(one, f, t, pi, len(label))
        selected = f * label.count(False) + t * label.count(True)
        if value is None or float(sign * value) < bound or (mix is None and selected > most):
            continue
        worth = slow.operating.criterion_value(goal, f, t, pi, len(label))
        if worth is not None:
            kept.append((worth, threshold))
    prevalence = None if mix is None else float(mix)
    question = {"criterion": goal, "subject_to": limits, "prevalence": prevalence}
    if one == "lr_positive" and any(f == 0 < t for f, t, _ in slow.curves.points(label, score)):
        return  # infinite ones are passed over, where the definition has none
    if kept:
        best = max(value for value, _ in kept)
        expected = [threshold for value, threshold in kept if value == best]
        assert thresholds(optimal_points(table, **question)) == expected
    else:
        with pytest.raises(ValueError, match=r"No threshold has|is undefined"):
            optimal_points(table, **question)


def test_promises_by_hand():
    # Rows of F3 from the top: p p n p p p n n p n p n p n n n p n p n.
    table = rs.tabulate(*F3)
    # At most 7 selected: tp = 5 at .54 already, the seventh is a negative.
    (best,) = optimal_points(
        table, criterion=("tpr", "fpr"), subject_to=Constraint("selected", "<=", 7)
    )
    assert (best.threshold, best.tp, best.fp) == (0.54, 5, 1)
    assert best.criterion == "tpr and fpr, selected <= 7"
    # ppv >= 2 / 3: 6 of 9 at .51, and nothing later reaches it (7 of 11).
    (best,) = optimal_points(table, criterion="tpr", subject_to=Constraint("ppv", ">=", 2 / 3))
    assert best.threshold == 0.51
    # Nearest to tnr .65: .7 at .51 and .505 has .6: both .05 away; the larger tpr decides not.
    points = optimal_points(table, criterion=Target("tnr", 0.65))
    assert {round(1 - p.fpr, 2) for p in points} == {0.6, 0.7}
    (best,) = optimal_points(table, criterion=(Target("tnr", 0.65), "tpr", "tnr"))
    assert (best.threshold, best.tpr, best.fpr) == (0.4, 0.7, 0.4)


def test_promises_that_cannot_be_kept():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match=r"No threshold has npv >= 2: the largest is 1\."):
        optimal_points(table, subject_to=Constraint("npv", ">=", 2))
    with pytest.raises(ValueError, match=r"selected <= -1: the smallest is 0\."):
        optimal_points(table, subject_to=Constraint("selected", "<=", -1))
    both = [Constraint("tpr", ">=", 0.9), Constraint("fpr", "<=", 0.1)]
    with pytest.raises(ValueError, match=r"tpr >= 0\.9 and fpr <= 0\.1 at once, though each alone"):
        optimal_points(table, subject_to=both)
    with pytest.raises(ValueError, match="criterion is 'cost'"):
        Constraint("cost", "<=", 1)
    with pytest.raises(ValueError, match="sense is '>'"):
        Constraint("tpr", ">", 1)
    with pytest.raises(ValueError, match="bound is nan"):
        Constraint("tpr", ">=", float("nan"))
    assert Constraint("precision", ">=", 0.5) == Constraint("ppv", ">=", 0.5)
    with pytest.raises(ValueError, match="depends on how many cases"):
        optimal_points(table, prevalence=0.1, subject_to=Constraint("selected", "<=", 9))
    assert optimal_points(table, criterion="MaxKappa")[0].criterion == "kappa"
    with pytest.raises(ValueError, match=r"Costs do not matter to accuracy\. They do to 'youden'"):
        optimal_points(table, criterion="accuracy", costs=Costs(fn=2))
    with pytest.raises(ValueError, match="prevalence is 1, but must lie strictly"):
        optimal_points(table, prevalence=1)


def test_a_missing_threshold_can_be_told_apart():
    with pytest.raises(NoThresholdError):
        optimal_points(rs.tabulate(*F3), subject_to=Constraint("npv", ">=", 2))


def test_observed_thresholds_only():
    reversed_score = rs.tabulate([1, 0, 0], [1, 2, 3])
    assert INF in thresholds(optimal_points(reversed_score))
    assert thresholds(optimal_points(reversed_score, observed_only=True)) == [1]
    assert thresholds(optimal_points(reversed_score, criterion="fpr", observed_only=True)) == [3]


# --- costs ------------------------------------------------------------------------------------


def test_slopes_of_costs():
    # M-25, Ref: negatives 10 times as many, equal costs; balanced, a miss 10 times as dear.
    assert Costs().iso_performance_slope(1 / 11) == 10
    assert Costs(fn=10).iso_performance_slope(0.5) == 0.1
    assert Costs(fp=0.1, fn=0.3).iso_performance_slope(0.5) == 1 / 3
    assert Costs(fp=1, fn=5, tp=-1, tn=-1).iso_performance_slope(0.5) == 2 / 6
    assert Costs(fp=0).iso_performance_slope(0.3) == 0
    assert Costs(fn=0).iso_performance_slope(0.3) == INF
    assert Costs().iso_performance_slope(0) == INF
    assert Costs().iso_performance_slope(1) == 0


def test_costs_that_tell_nothing():
    with pytest.raises(ValueError, match="No error costs more than being right"):
        Costs(fp=0, fn=0)
    with pytest.raises(ValueError, match="No error costs more"):
        Costs(fp=1, fn=2, tp=2, tn=1)
    with pytest.raises(ValueError, match=r"fp costs 1\.0 and tn 2"):
        Costs(tn=2)
    with pytest.raises(ValueError, match="cost fn is inf"):
        Costs(fn=INF)
    with pytest.raises(ValueError, match="At prevalence 0 no error that can occur"):
        Costs(fp=0).iso_performance_slope(0)
    with pytest.raises(ValueError, match=r"prevalence is 1\.5"):
        Costs().iso_performance_slope(1.5)


@given(sample=samples(), fp=st.floats(0, 9), fn=st.floats(0.1, 9), mix=st.floats(0, 1))
@settings(max_examples=30)
def test_expected_cost_of_points(sample, fp, fn, mix):
    table = rs.tabulate(*sample)
    costs = Costs(fp=fp, fn=fn)
    c = evaluate(table, table.score)
    same = m.expected_cost(c, costs=Costs(fp=fp, fn=fn), prevalence=mix)
    assert_close(costs.expected(c, prevalence=mix), same, digits=13)
    assert_close(costs.expected(c), m.expected_cost(c, costs=Costs(fp=fp, fn=fn)), digits=13)


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


CUTPOINTR = {
    "youden": "youden",
    "accuracy": "accuracy",
    "sum_sens_spec": "youden",
    "prod_sens_spec": "concordance",
    "sum_ppv_npv": "predictive_sum",
    "prod_ppv_npv": "predictive_product",
    "cohens_kappa": "kappa",
    "F1_score": "f_score",
    "odds_ratio": "odds_ratio",
    "risk_ratio": "lr_positive",  # its "risk" is of a positive call, in either class
    "roc01": "closest",
    "misclassification_cost": "cost",
    "total_utility": "cost",
    "Jaccard": "jaccard",
    "false_omission_rate": "npv",
    "false_discovery_rate": "ppv",
    "plr": "lr_positive",
    "nlr": "lr_negative",
    "abs_d_sens_spec": "symmetry",
    "abs_d_ppv_npv": "predictive_symmetry",
    "p_chisquared": "chi_square",
}
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
        costs = {
            "misclassification_cost": Costs(fp=1, fn=5),
            "total_utility": Costs(fp=1, fn=5, tp=-1, tn=-1),
        }.get(metric)
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


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_cutpointr_constrained(name, request):
    found = answer(f"cutpointr__{name}", request)
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    for theirs, criterion, limit in (
        ("sens_constrain_0.9", "tpr", Constraint("tnr", ">=", 0.9)),
        ("spec_constrain_0.9", "tnr", Constraint("tpr", ">=", 0.9)),
        ("acc_constrain_0.6", "accuracy", Constraint("tpr", ">=", 0.6)),
    ):
        points = optimal_points(table, criterion=criterion, subject_to=limit)
        row = found["constrained"][theirs]
        assert set(row["cutpoints"]) <= set(thresholds(points))
        assert_close({p.tpr for p in points}.pop(), row["sensitivity"][0], digits=14)


def at_least(measure, bound):
    return Constraint(measure, ">=", bound)


# Their settings: costs 1 and 5 (CB: ratio 1), Se, Sp .85, NPV .9, PPV .8, likelihood ratios 2, .5.
OPTIMAL_CUTPOINTS = {
    "CB": {"criterion": "cost"},
    "MCT": {"criterion": "cost", "costs": Costs(fp=1, fn=5)},
    "MinValueSp": {"criterion": ("tpr", "tnr"), "subject_to": at_least("tnr", 0.85)},
    "MinValueSe": {"criterion": ("tnr", "tpr"), "subject_to": at_least("tpr", 0.85)},
    "ValueSp": {"criterion": (Target("tnr", 0.85), "tpr")},
    "ValueSe": {"criterion": (Target("tpr", 0.85), "tnr")},
    "MinValueSpSe": {
        "criterion": ("tnr", "tpr"),
        "subject_to": (at_least("tpr", 0.85), at_least("tnr", 0.85)),
    },
    "MaxSp": {"criterion": ("tnr", "tpr")},
    "MaxSe": {"criterion": ("tpr", "tnr")},
    "MaxSpSe": {"criterion": "maximin"},
    "MaxProdSpSe": {"criterion": "concordance"},
    "ROC01": {"criterion": "closest"},
    "SpEqualSe": {"criterion": "symmetry"},
    "Youden": {"criterion": "youden"},
    "MaxEfficiency": {"criterion": "accuracy"},
    "Minimax": {"criterion": ("minimax", "tnr", "tpr")},
    "MaxDOR": {"criterion": "odds_ratio_corrected"},
    "MaxKappa": {"criterion": "kappa"},
    "MinValueNPV": {"criterion": ("ppv", "npv"), "subject_to": at_least("npv", 0.9)},
    "MinValuePPV": {"criterion": ("npv", "ppv"), "subject_to": at_least("ppv", 0.8)},
    "ValueNPV": {"criterion": (Target("npv", 0.9), "ppv")},
    "ValuePPV": {"criterion": (Target("ppv", 0.8), "npv")},
    "MinValueNPVPPV": {
        "criterion": ("npv", "ppv"),
        "subject_to": (at_least("npv", 0.9), at_least("ppv", 0.8)),
    },
    "PROC01": {"criterion": "predictive_closest"},
    "NPVEqualPPV": {"criterion": "predictive_symmetry"},
    "MaxNPVPPV": {"criterion": "predictive_maximin"},
    "MaxSumNPVPPV": {"criterion": "predictive_sum"},
    "MaxProdNPVPPV": {"criterion": "predictive_product"},
    "ValueDLR.Negative": {"criterion": Target("lr_negative", 0.5)},
    "ValueDLR.Positive": {"criterion": Target("lr_positive", 2)},
    "MinPvalue": {"criterion": "chi_square_corrected"},
    "ObservedPrev": {"criterion": "observed_prevalence"},
    "MeanPrev": {"criterion": "mean_cutoff"},
    "PrevalenceMatching": {"criterion": "prevalence_matching"},
}
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
    options = OPTIMAL_CUTPOINTS[theirs]
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


def test_many_exact_ties_are_decided_by_integers():
    # One positive and one negative at each score: tpr - fpr is 0 at all of them, and the
    # accuracy 1/2. Two scores more at the end, and one threshold alone is best.
    n = 20_000
    even = rs.ScoreTable.from_counts(np.arange(n, 0, -1.0), np.ones(n, int), np.ones(n, int))
    for criterion in ("youden", "accuracy"):
        assert len(rs.optimal_points(even, criterion=criterion)) == n + 1
    one = np.ones(n, int)
    one[0], other = 2, one.copy()
    other[0], other[-1] = 1, 2
    tilted = rs.ScoreTable.from_counts(np.arange(n, 0, -1.0), one, other)
    best = rs.optimal_points(tilted, criterion="youden")
    assert len(best) == n - 1  # 1 / (n + 1) above the diagonal from the first to the last but one
    assert best[0].tp == 2
    costs = rs.Costs(fp=1 / 3, fn=0.7)  # no ratio of small integers
    assert len(rs.optimal_points(tilted, criterion="cost", costs=costs)) == 1


@pytest.mark.parametrize("find", [rs.point_at_fpr, rs.point_at_tpr])
@pytest.mark.parametrize("bad", [[0.1, 0.2], "0.1", None])
def test_a_rate_is_one_number(find, bad):
    with pytest.raises(TypeError, match=r"but must be one number between 0 and 1"):
        find(rs.tabulate(*F3), bad)


@pytest.mark.parametrize("bad", ["0.9", [0.9], None])
def test_a_level_is_one_number(bad):
    with pytest.raises(TypeError, match=r"level is .* but must be one number strictly between"):
        rs.auc_estimate(rs.tabulate(*F3)).interval(bad)
