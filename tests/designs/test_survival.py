"""Cumulative cases, dynamic controls: by hand, by definition, other programs, invariants."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from followed import arguments
from rocspace.designs import (
    auc_over_time,
    auc_over_time_difference,
    concordance_estimate,
    incident_auc_over_time,
    integrated_auc_estimate,
    net_benefit_over_time,
    rates_at_time,
    survival_scores,
    survival_table,
)
from slow.designs import slow_area, slow_weight

# Six cases. Nobody is censored before 2; then one of the five still there is, so G(2) = 4/5.
SIX = survival_scores([1, 2, 3, 4, 5, 6], [1, 0, 1, 0, 1, 0], [4, 2, 3, 5, 3, 1])
# One more kind of event: the case at 2 has it, so that nobody is censored before 4.
OTHER = survival_scores([1, 2, 3, 4, 5, 6], [1, 2, 1, 0, 1, 0], [4, 2, 3, 5, 3, 1])


# --- by hand ----------------------------------------------------------------------------------


def test_six_cases_by_hand():
    # At 3 the cases are the first (weight 1) and the third (5/4), the controls the last three
    # (5/4 each). The first, 4, beats 2 of 5, 3, 1; the third, 3, beats one and ties with one.
    table = survival_table(SIX, 3)
    assert table.score.tolist() == [5, 4, 3, 1]
    np.testing.assert_allclose(table.pos, [0, 1, 5 / 4, 0], rtol=1e-15)
    np.testing.assert_allclose(table.neg, [5 / 4, 0, 5 / 4, 5 / 4], rtol=1e-15)
    by_hand = (1 * 2 / 3 + 5 / 4 * 1.5 / 3) / (9 / 4)
    found = auc_over_time(SIX, 3)
    assert found.value[0] == pytest.approx(by_hand, rel=1e-15)
    assert (found.cases[0], found.controls[0], found.n) == (2, 3, 6)


def test_both_kinds_of_controls_by_hand():
    # Nobody is censored by 3: the controls are 5, 3, 1, and 2 if the other event counts.
    assert auc_over_time(OTHER, 3, controls="event-free").value[0] == pytest.approx(3.5 / 6)
    assert auc_over_time(OTHER, 3).value[0] == pytest.approx(5.5 / 8)
    risk = rates_at_time(OTHER, 3, 2).risk.value
    assert risk == pytest.approx(2 / 6)


def test_a_curve_of_all_else_reads_the_table():
    curve = rs.roc_curve(survival_table(SIX, 3))
    assert curve.auc == pytest.approx(auc_over_time(SIX, 3).value[0], rel=1e-14)
    part = auc_over_time(SIX, 3, fpr=(0, 0.4)).value[0]
    assert part == pytest.approx(curve.partial_auc(fpr=(0, 0.4)), rel=1e-12)
    side = auc_over_time(SIX, 3, tpr=(0.3, 0.9)).value[0]
    assert side == pytest.approx(curve.partial_auc(tpr=(0.3, 0.9)), rel=1e-12)


# --- by definition ----------------------------------------------------------------------------


@pytest.mark.parametrize("controls", ["not-failed", "event-free"])
@pytest.mark.parametrize("strata", [0, 2])
def test_area_and_standard_error_by_definition(strata, controls):
    # The influence value of a case: n times the derivative with respect to its weight.
    given = arguments(3, 24, causes=2, strata=strata, weights=True)
    data, w = survival_scores(**given), given["sample_weight"]
    found = auc_over_time(data, 6, "a", controls=controls, weight_type="frequency")
    assert found.value[0] == pytest.approx(slow_area(data, 6, controls), rel=1e-13)
    slopes, n, step = [], w.sum(), 1e-5
    for i in range(w.size):
        ends = []
        for moved in (step, -step):
            changed = w.copy()
            changed[i] += moved
            other = survival_scores(**{**given, "sample_weight": changed})
            ends.append(slow_area(other, 6, controls))
        slopes.append(n * (ends[0] - ends[1]) / 2 / step)
    se = np.sqrt((w * np.square(slopes)).sum() / n / (n - 1))
    assert found.se[0] == pytest.approx(se, rel=1e-6)


@pytest.mark.parametrize(
    "reading",
    [
        lambda d: auc_over_time(d, 6, "a", fpr=(0.1, 0.45)).estimates[0],
        lambda d: auc_over_time(d, 6, "a", tpr=(0.3, 0.8)).estimates[0],
        lambda d: rates_at_time(d, 6, 3, "a").ppv,
        lambda d: rates_at_time(d, 6, 3, "a").npv,
        lambda d: rates_at_time(d, 6, 3, "a").tpr,
        lambda d: net_benefit_over_time(d, 6, 0.3, "a", threshold=3).estimates[0],
    ],
)
def test_standard_errors_are_derivatives(reading):
    given = arguments(4, 40, causes=2, levels=12)
    ends, step, n = [], 1e-5, 40
    for i in range(n):
        w = np.ones(n)
        w[i] += step
        more = reading(survival_scores(**{**given, "sample_weight": w})).value
        w[i] -= 2 * step
        less = reading(survival_scores(**{**given, "sample_weight": w})).value
        ends.append(n * (more - less) / 2 / step)
    se = np.sqrt(np.square(ends).sum() / n / (n - 1))
    assert reading(survival_scores(**given)).se == pytest.approx(se, rel=1e-6)


def test_given_probabilities_that_are_the_estimated_ones_give_the_same_area():
    data = survival_scores(**arguments(5))
    at = [4, 7]
    factors = np.array([[slow_weight(data, i, t) for t in at] for i in range(len(data))])
    free = np.divide(1, factors, out=np.ones_like(factors), where=factors > 0)
    found = auc_over_time(data, at, "a", uncensored=free)
    assert found.value == pytest.approx(auc_over_time(data, at, "a").value, rel=1e-12)
    assert (found.se > auc_over_time(data, at, "a").se * 0.9).all()


# --- other programs ---------------------------------------------------------------------------


def answers(shared, name):
    return json.loads((shared / "oracle" / f"{name}.json").read_text())


@pytest.mark.parametrize("name", ["bili", "neg_albumin"])
def test_timeroc_has_the_same_areas_and_errors(shared, trial, name):
    time, status, scores = trial
    theirs = answers(shared, f"timedep__pbc_trial__{name}")
    data = survival_scores(time, status == 2, scores)
    found = auc_over_time(data, theirs["times"], name)
    assert found.value == pytest.approx(theirs["timeROC_km_weights"]["auc"], rel=1e-12)
    assert found.se == pytest.approx(theirs["timeROC_km_weights"]["se"], rel=4e-5)
    risk = [rates_at_time(data, t, 0, name).risk.value for t in theirs["times"]]
    assert risk == pytest.approx(theirs["timeROC_km_weights"]["cum_inc"], rel=1e-12)
    rows = np.array(theirs["timeROC_km_weights"]["stats"]["rows"])
    assert np.column_stack([found.cases, found.controls]).tolist() == rows[:, :2].tolist()


def test_timeroc_has_the_same_competing_risks(shared, trial):
    # At 3650 its standard error of the second definition differs in the fourth digit; ours are the
    # derivatives of the estimate, which `test_area_and_standard_error_by_definition` shows.
    time, status, scores = trial
    theirs = answers(shared, "timedep__pbc_trial_competing__bili")["timeROC_km_weights"]
    data = survival_scores(time, status, scores, cause=2)
    for controls, number in (("event-free", "1"), ("not-failed", "2")):
        found = auc_over_time(data, [1825, 3650], "bili", controls=controls)
        assert found.value == pytest.approx(theirs[f"auc_definition{number}"], rel=1e-12)
        assert found.se == pytest.approx(theirs[f"se_{number}"], rel=2e-3)


def test_timeroc_has_the_same_differences(shared, trial):
    time, status, scores = trial
    theirs = answers(shared, "timedep_compare__pbc_trial")
    data = survival_scores(time, status == 2, scores)
    gain = auc_over_time_difference(data, theirs["times"])
    found = [e.test(distribution="normal").pvalue for e in gain.estimates]
    assert found == pytest.approx(theirs["compare"]["p_values_AUC"]["rows"][0], rel=2e-4)
    assert gain.correlation == pytest.approx(
        np.array(theirs["compare"]["Cor"]["rows"]), rel=1e-3, abs=1e-6
    )
    # Adjusted for three times: the level at which the band just touches no difference.
    band = gain.band(1 - theirs["compare"]["p_values_AUC"]["rows"][1][2], rng=1)
    ends = gain.estimates[2].interval(band.pointwise, scale="identity")
    assert ends.width / 2 == pytest.approx(abs(gain.value[2]), rel=0.05)


# --- invariants -------------------------------------------------------------------------------

cases = st.lists(
    st.tuples(st.integers(1, 8), st.integers(0, 2), st.integers(0, 5), st.integers(1, 3)),
    min_size=6,
    max_size=25,
)


def usable(rows, at):
    """Return the columns, with a case and a control that are certain."""
    rows = [*rows, (1, 1, 3, 1), (9, 0, 2, 1)]
    return [np.array(column) for column in zip(*rows, strict=True)], at


@settings(max_examples=25)
@given(cases, st.integers(1, 8))
def test_without_censoring_it_is_the_plain_area(rows, at):
    (time, status, score, _), at = usable(rows, at)
    status = np.maximum(status, 1)
    data = survival_scores(time, status, score, cause=1)
    case = (time <= at) & (status == 1)
    plain = rs.delong(rs.tabulate(case, score))
    found = auc_over_time(data, at).estimates[0]
    assert found.value == pytest.approx(plain.value, abs=1e-13)
    n, pos = time.size, case.sum()
    if min(pos, n - pos) > 1:  # then each class has a variance of its own
        parts = rs.inference.placements(rs.tabulate(case, score))
        table = rs.tabulate(case, score)
        sums = [
            float(count @ (placed - plain.value) ** 2) / count.sum() ** 2
            for count, placed in ((table.pos, parts.pos), (table.neg, parts.neg))
        ]
        assert found.se == pytest.approx(np.sqrt(sum(sums) * n / (n - 1)), abs=1e-12)


@settings(max_examples=25)
@given(cases, st.integers(1, 8))
def test_monotone_transforms_of_score_and_time_change_nothing(rows, at):
    (time, status, score, _), at = usable(rows, at)
    one = auc_over_time(survival_scores(time, status, score, cause=1), at).estimates[0]
    two = auc_over_time(
        survival_scores(np.sqrt(time), status, np.exp(score), cause=1), np.sqrt(at)
    ).estimates[0]
    down = auc_over_time(
        survival_scores(time, status, -score, cause=1, higher_is_positive=False), at
    ).estimates[0]
    assert (one.value, one.se) == (two.value, two.se)
    assert (one.value, one.se) == pytest.approx((down.value, down.se), rel=1e-12)


@settings(max_examples=25)
@given(cases, st.integers(1, 8))
def test_whole_weights_are_repeated_cases(rows, at):
    (time, status, score, weight), at = usable(rows, at)
    weighted = survival_scores(time, status, score, cause=1, sample_weight=weight)
    again = survival_scores(*(np.repeat(c, weight) for c in (time, status, score)), cause=1)
    one = auc_over_time(weighted, at, weight_type="frequency").estimates[0]
    two = auc_over_time(again, at).estimates[0]
    assert (one.value, one.se) == pytest.approx((two.value, two.se), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "read",
    [
        lambda d, **how: auc_over_time(d, 6, **how).estimates[0],
        lambda d, **how: auc_over_time(d, 6, fpr=(0, 0.5), **how).estimates[0],
        lambda d, **how: rates_at_time(d, 6, 5, **how).tpr,
        lambda d, **how: rates_at_time(d, 6, 5, **how).npv,
        lambda d, **how: rates_at_time(d, 6, 10, **how).fpr,  # 0: Hoeffding's
        lambda d, **how: net_benefit_over_time(d, 6, 0.3, threshold=5, **how).estimates[0],
        concordance_estimate,
        integrated_auc_estimate,
        lambda d, **how: incident_auc_over_time(d, 5, bandwidth=4, **how).estimates[0],
    ],
)
def test_whole_weights_repeat_cases_in_every_interval(read):
    time, status = np.arange(1, 13), np.array([1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0])
    score = np.where(np.arange(12) == 2, 12, np.arange(12) * 7 % 12)
    times = np.array([1, 2, 1, 3, 1, 1, 2, 1, 1, 2, 1, 4])
    one = read(survival_scores(time, status, score, sample_weight=times), weight_type="frequency")
    two = read(survival_scores(*(np.repeat(each, times) for each in (time, status, score))))
    assert (one.value, one.se) == pytest.approx((two.value, two.se), abs=1e-12)
    assert tuple(one.interval()) == pytest.approx(tuple(two.interval()), abs=1e-9)


def test_whole_weights_repeat_cases_in_the_interval_of_a_difference():
    time, status = np.arange(1, 13), np.array([1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0])
    scores = {"a": np.arange(12) * 7 % 12, "b": np.arange(12) * 5 % 12}
    times = np.array([1, 2, 1, 3, 1, 1, 2, 1, 1, 2, 1, 1])
    weighted = survival_scores(time, status, scores, sample_weight=times)
    repeated = {name: np.repeat(each, times) for name, each in scores.items()}
    again = survival_scores(np.repeat(time, times), np.repeat(status, times), repeated)
    one = auc_over_time_difference(weighted, at=6, weight_type="frequency").estimates[0]
    two = auc_over_time_difference(again, at=6).estimates[0]
    assert tuple(one.interval()) == pytest.approx(tuple(two.interval()), abs=1e-9)
    assert one.test().pvalue == pytest.approx(two.test().pvalue, abs=1e-9)


@settings(max_examples=25)
@given(cases, st.integers(1, 8))
def test_weights_of_those_observed_stand_for_all(rows, at):
    (time, status, score, _), at = usable(rows, at)
    data = survival_scores(time, status, score, cause=1)
    table = survival_table(data, at)
    assert table.n_pos + table.n_neg == pytest.approx(time.size, rel=1e-12)


def test_a_constant_score_and_a_perfect_one():
    time, status = np.arange(1, 21), np.arange(20) % 3 > 0
    flat = auc_over_time(survival_scores(time, status, np.ones(20)), 8).estimates[0]
    assert (flat.value, flat.se) == (0.5, 0)
    assert flat.interval().low < 0.4
    best = auc_over_time(survival_scores(time, status, -time), 8).estimates[0]
    assert best.value == 1
    assert 0.4 < best.interval().low < 0.95


@pytest.mark.parametrize("levels", [5, 1000])
def test_without_censoring_a_difference_is_that_of_two_classes(levels):
    """Interval, test and correlation, not the standard error, which divides by n - 1."""
    rng = np.random.default_rng(levels)
    time = rng.permutation(60) + 1.0
    scores = {name: np.round(levels * np.exp(-time / 40 + rng.normal(size=60))) for name in "ab"}
    for at in (6, 30):
        gain = auc_over_time_difference(survival_scores(time, np.ones(60), scores), at)
        plain = rs.compare.auc_difference(rs.pair_scores(time <= at, scores))
        found, theirs = gain.estimates[0], plain
        assert found.value == pytest.approx(theirs.value, rel=1e-12)
        assert list(found.interval()) == pytest.approx(list(theirs.interval()), rel=1e-9)
        assert found.test().pvalue == pytest.approx(theirs.test().pvalue, rel=1e-9)
        assert found.se < theirs.se


PARTS = [
    {},
    {"fpr": (0, 0.3)},
    {"fpr": (0.1, 0.4)},
    {"tpr": (0.7, 1)},
    {"tpr": (0.5, 0.8)},
]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("levels", [2, 4, 1000])
def test_without_censoring_the_interval_is_that_of_two_classes(levels, part):
    rng = np.random.default_rng(levels)
    time = rng.permutation(60) + 1.0
    score = np.floor(levels * rng.beta(1 + 20 / time, 2)).clip(0, levels - 1)
    for at in (6, 30):
        found = auc_over_time(survival_scores(time, np.ones(60), score), at, **part).estimates[0]
        table = rs.tabulate(time <= at, score)
        plain = rs.inference.partial_auc_estimate(table, **part) if part else rs.delong(table)
        assert found.value == pytest.approx(plain.value, rel=1e-12)
        one, two = found.interval(), plain.interval()
        assert one.method.endswith("unseen")
        assert one.low == pytest.approx(two.low, rel=1e-9)
        # The upper limit of a part is no nearer than that of "moderated", with another error.
        assert one.high == pytest.approx(two.high, rel=1e-9 if not part else 0.03)


def test_weights_that_may_know_the_score_have_the_farther_limits():
    rng = np.random.default_rng(2)
    time, status, score = rng.permutation(80) + 1.0, rng.random(80) < 0.7, rng.normal(size=80)
    weight = rng.uniform(1, 5, 80)
    data = survival_scores(time, status, score, sample_weight=weight)
    found = auc_over_time(data, 25).estimates[0]
    moderated, usual = found.interval(scale="moderated"), found.interval()
    assert usual.low <= moderated.low
    assert usual.high >= moderated.high


# --- errors -----------------------------------------------------------------------------------


def test_other_first_mistakes():
    both = survival_scores([1, 2], [1, 0], {"a": [2, 1], "b": [1, 2]})
    with pytest.raises(
        ValueError, match=r"scores: 'a', 'b'. Which one\? Name it, as in name='a'\."
    ):
        auc_over_time(both, 1)
    with pytest.raises(ValueError, match="both are 'a'"):
        auc_over_time_difference(both, 1, "a", "a")
    with pytest.raises(ValueError, match="no score 'c'"):
        auc_over_time(both, 1, "c")
    with pytest.raises(TypeError, match="takes the data of survival_scores"):
        auc_over_time(rs.tabulate([0, 1], [1, 2]), 1)
    with pytest.raises(ValueError, match="has the shape"):
        auc_over_time(both, 1, "a", uncensored=[1.0])
    with pytest.raises(ValueError, match="uncensored is 0 at index 0"):
        auc_over_time(both, 1, "a", uncensored=[0.0, 1.0])
    with pytest.raises(ValueError, match="threshold is nan"):
        rates_at_time(both, 1, np.nan, "a")
    with pytest.raises(ValueError, match="risk is 1"):
        net_benefit_over_time(both, 1, 1, "a")
