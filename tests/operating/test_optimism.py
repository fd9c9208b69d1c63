"""Chosen thresholds again and again: by drawing cases, and as cutpointr did."""

import itertools

import numpy as np
import pytest

import rocspace as rs
import slow.curves
import slow.data
from rocspace.counts import ScoreTable, SingleClassError
from rocspace.counts import draws as _draws
from rocspace.inference import point_interval
from rocspace.operating import (
    Constraint,
    Costs,
    Target,
    cost_interval,
    optimism,
    threshold_bootstrap,
)
from slow.data import F3, INF, answer, assert_close, cases


def test_left_out_by_trying_every_draw():
    # Three equal cases drawn m times: of all 3^m draws, how many cases are left out on average.
    for m in range(5):
        every = itertools.product(range(3), repeat=m)
        left = [3 - len(set(draw)) for draw in every]
        got = optimism._left_out(np.array([3]), np.array([[float(m)]]))
        assert got == pytest.approx(np.mean(left))
    # A single case is left out or not; of none, none is.
    got = optimism._left_out(np.array([1, 0, 1]), np.array([[0.0, 0.0, 2.0]]))
    assert got.tolist() == [[1, 0, 0]]


@pytest.mark.parametrize("per_row", [1, 1000])
def test_draws_keep_the_classes_and_hit_rows_evenly(per_row, monkeypatch):
    monkeypatch.setattr(_draws, "_CASES_PER_ROW", per_row)
    table = ScoreTable.from_counts([4, 3, 2, 1], [0, 5, 1, 2], [6, 0, 3, 0])
    ((inside, outside, more),) = optimism._replicates(table, 4000, 1)
    tp, fp, fn, tn = inside
    assert (tp + fn == table.n_pos).all()
    assert (fp + tn == table.n_neg).all()
    assert (np.diff(tp, axis=1)[:, 0] == 0).all()
    np.testing.assert_allclose(tp.mean(axis=0)[1:], table.tp, atol=0.1)
    np.testing.assert_allclose(fp.mean(axis=0)[1:], table.fp, atol=0.1)
    # What is left out is scaled to the classes, too.
    known = np.isfinite(outside[0]).all(axis=1)
    np.testing.assert_allclose((outside[0] + outside[2])[known], table.n_pos)
    for called, rest, n in ((more[0], more[2], table.n_pos), (more[1], more[3], table.n_neg)):
        np.testing.assert_allclose(called + rest, n)


def test_unseen_cases_stand_at_scores_of_the_other_class():
    drawn = optimism._unseen(np.random.default_rng(3), np.array([0, 3, 0, 1]), 20_000)
    assert drawn.sum(axis=0)[[0, 2]].tolist() == [0, 0]
    np.testing.assert_allclose(drawn.mean(axis=0)[[1, 3]], [3.0, 1.0], atol=0.05)


def test_choices_are_spread_to_the_next_scores_of_either_class():
    # Scores 5 to 1: a positive, a negative, two positives, a positive and a negative, a negative.
    table = ScoreTable.from_counts([5, 4, 3, 2, 1], [1, 0, 2, 1, 0], [0, 1, 0, 1, 1])
    low, high = optimism._neighbours(table)
    # Of 5: the next positive is 3, the next negative 4. Of 4: positives 5 and 3, negatives 4 itself
    # and 2. Of 1, a negative: the positive above is 2. All others are of several cases.
    assert low.tolist() == [[INF, 3, 3, 3, 2, 1], [INF, 4, 2, 3, 2, 1]]
    assert high.tolist() == [[INF, 5, 5, 3, 2, 2], [INF, 5, 4, 3, 2, 2]]


def test_ends_of_spread_choices_by_hand():
    # Half of the choices lie evenly between 0 and 2, a quarter at 3, a quarter between 4 and 8: at
    # or below 0 none, 2 half, 3 and 4 three quarters, 8 all.
    low, high = np.array([0.0, 0, 3, 4]), np.array([2.0, 2, 3, 8])
    expected = {0.1: (0, 8), 0.3: (0, 3), 0.4: (0, 3), 0.49: (0, 3)}
    for tail, ends in expected.items():
        assert optimism._smoothed_ends(low, high, tail) == ends
    assert optimism._smoothed_ends(low[2:], high[2:], 0.3) == (3, 8)
    assert optimism._smoothed_ends(low[2:], high[2:], 0.5) == (4, 3)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.999])
def test_percentile_limits_are_choices_of_replicates(level):
    rng = np.random.default_rng(4)
    table = rs.tabulate_classes(rng.normal(1, 1, 30), rng.normal(0, 1, 30))
    found = threshold_bootstrap(table, n_boot=40, rng=1)
    tails = (1 - level) / 2, (1 + level) / 2
    expected = np.quantile(found.thresholds, tails, method="inverted_cdf")
    assert tuple(found.interval(level, method="percentile")) == tuple(expected)
    assert np.unique(found.thresholds).size > 10


def test_criteria_and_distances_from_targets_are_reported_of_each_replicate():
    four = tuple(np.array([each], float) for each in (3, 1, 7, 9))  # tpr .3, one positive call of 4
    question = optimism.question_of(Target("ppv", 0.5), (), None, None)
    found = optimism._reported(Target("ppv", 0.5), four, question)
    assert found.tolist() == [0.25]
    # Of replicates 0 and 1 of 10 negatives are called, 3 of 10 positives: ratios of inf and 3.
    four = tuple(np.array(each, float) for each in ((3, 3), (0, 1), (7, 7), (10, 9)))
    assert optimism._reported(Target("lr_positive", 2), four, question) == pytest.approx([INF, 1])
    assert optimism._reported("lr_positive", four, question) == pytest.approx([INF, 3])


def test_interval_holds_where_the_best_threshold_is_at_the_edge_of_a_class():
    # Normal scores of area .98: without unseen cases five positives cover in a third of samples.
    rng = np.random.default_rng(8)
    hits = 0
    for i in range(60):
        table = rs.tabulate_classes(rng.normal(2.9045, 1, 5), rng.normal(0, 1, 100))
        hits += 2.9045 / 2 in threshold_bootstrap(table, n_boot=200, rng=i).interval()
    assert hits >= 55


def test_an_interval_up_to_infinity_says_nothing_of_overflow():
    """A useless score is best where nobody is called; warnings are errors here."""
    label = [0, 1] * 6
    table = rs.tabulate(label, [0.5, 0.1, 0.7, 0.2, 0.9, 0.4, 0.6, 0.3, 0.8, 0.15, 0.55, 0.65])
    low, high = threshold_bootstrap(table, criterion="youden", n_boot=200, rng=1).interval()
    assert low < high == np.inf


def test_less_than_a_case_left_out_stands_for_its_class_and_none_for_nothing():
    table = ScoreTable.from_counts([2, 1], [3, 1], [2, 2])
    tp, fp, fn, tn = optimism._four(np.array([[0.25, 0.5]]), np.zeros((1, 2)), table)
    assert tp[0] == pytest.approx([0, 4 / 3, 4])
    assert (tp + fn == 4).all()
    assert np.isnan([fp, tn]).all()


def drawn_by_cases(label, score, n_boot, rng):
    """The literal bootstrap: draw the cases of each class, choose, look at those left out."""
    label, score = np.array(label), np.array(score)
    strata = [np.flatnonzero(label), np.flatnonzero(~label)]
    found = []
    for _ in range(n_boot):
        chosen = np.concatenate([rng.choice(s, s.size) for s in strata])
        left = np.setdiff1d(np.arange(label.size), chosen)
        points = slow.curves.points(label[chosen].tolist(), score[chosen].tolist())
        best = max(t - f for f, t, _ in points)
        at = next(threshold for f, t, threshold in points if t - f == best)
        rates = [np.mean(score[left][label[left] == y] >= at) for y in (True, False)]
        found.append((at, float(best), rates[0] - rates[1]))
    return np.array(found).T


@pytest.mark.no_cover
@pytest.mark.parametrize("tied", [False, True])
def test_replicates_are_those_of_the_cases(tied):
    rng = np.random.default_rng(5)
    label = np.arange(60) < 25
    score = rng.normal(size=60) + label
    score = np.round(score) if tied else score
    at, inside, outside = drawn_by_cases(label, score, 500, rng)
    got = threshold_bootstrap(rs.tabulate(label, score), n_boot=6000, rng=2)
    for mine, theirs in ((got.in_bag, inside), (got.out_of_bag, outside)):
        spread = np.hypot(mine.std() / 6000**0.5, theirs.std() / 500**0.5)
        assert abs(mine.mean() - theirs.mean()) < 4 * spread
    every = np.unique(np.concatenate([at, got.thresholds]))
    laws = [np.searchsorted(np.sort(x), every, "right") / x.size for x in (at, got.thresholds)]
    assert np.abs(laws[0] - laws[1]).max() < 0.09  # a thousandth of such samples differ as much


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_cutpointr_bootstrap(name, request):
    # 500 runs, not stratified, of ties the median: agreement within Monte-Carlo error.
    found = answer(f"cutpointr__{name}", request)
    theirs = found["bootstrap_500_seed42"]
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    got = threshold_bootstrap(table, n_boot=4000, rng=3)
    assert got.in_bag.mean() == pytest.approx(theirs["youden_b_mean"], abs=0.012)
    assert got.corrected == pytest.approx(theirs["youden_oob_mean"], abs=0.015)
    low, high = got.interval(0.5, method="percentile")
    quantiles = theirs["cutpoint_quantiles"]
    assert low == pytest.approx(quantiles["25%"], abs=0.02)
    assert high == pytest.approx(quantiles["75%"], abs=0.02)
    assert got.apparent == pytest.approx(found["metrics"]["youden"]["value"], abs=1e-14)


def test_the_seed_decides():
    table = rs.tabulate(*F3)
    one, two = (threshold_bootstrap(table, n_boot=50, rng=7) for _ in range(2))
    assert np.array_equal(one.thresholds, two.thresholds)
    assert np.array_equal(one.out_of_bag, two.out_of_bag, equal_nan=True)
    other = threshold_bootstrap(table, n_boot=50, rng=8)
    assert not np.array_equal(one.thresholds, other.thresholds)
    same = threshold_bootstrap(table, n_boot=50, rng=np.random.default_rng(7))
    assert np.array_equal(one.thresholds, same.thresholds)


def test_blocks_are_put_together(monkeypatch):
    monkeypatch.setattr(optimism, "_BLOCK", 100)
    got = threshold_bootstrap(rs.tabulate(*F3), n_boot=23, rng=1)
    assert got.thresholds.shape == got.in_bag.shape == (23,)
    longer = threshold_bootstrap(rs.tabulate(*F3), n_boot=20, rng=1)
    assert np.array_equal(got.thresholds[:20], longer.thresholds)


def test_corrected_value_is_nearly_unbiased():
    # Normal scores, distance 1: what the chosen threshold truly has, against what is said.
    from scipy.special import ndtr

    rng = np.random.default_rng(4)
    truth, said, apparent, covered = [], [], [], []
    for i in range(120):
        table = rs.tabulate_classes(rng.normal(1, 1, 40), rng.normal(0, 1, 40))
        got = threshold_bootstrap(table, n_boot=100, rng=i)
        c = got.point.threshold
        truth.append(ndtr(1 - c) - ndtr(-c))
        said.append(got.corrected)
        apparent.append(got.apparent)
        covered.append(0.5 in got.interval(0.95))
    assert np.mean(said) == pytest.approx(np.mean(truth), abs=0.03)
    assert np.mean(apparent) - np.mean(truth) > 0.05
    assert np.mean(covered) > 0.85


@pytest.mark.parametrize(
    "question",
    [
        {"criterion": "cost", "costs": Costs(fp=1, fn=5), "prevalence": 0.2},
        {"criterion": "closest"},
        {"criterion": Target("tpr", 0.8)},
        {"criterion": ("tnr", "tpr"), "subject_to": Constraint("tpr", ">=", 0.8)},
        {"criterion": "kappa"},
        {"criterion": "lr_positive"},
        {"criterion": "predictive_sum"},
    ],
    ids=str,
)
def test_any_choice_can_be_resampled(question):
    rng = np.random.default_rng(3)
    table = rs.tabulate_classes(rng.normal(1, 1, 80), rng.normal(0, 1, 90))
    got = threshold_bootstrap(table, n_boot=300, rng=1, **question)
    best = rs.optimal_points(table, **question)[0]
    assert got.point == best
    costs = question.get("costs")
    if costs is not None:
        assert_close(got.apparent, costs.expected(best, prevalence=0.2))
    low, high = got.interval(0.95)
    assert low <= high
    assert set(got.thresholds.tolist()) <= {INF, *table.score.tolist()}
    name = question["criterion"]
    if isinstance(name, tuple):  # the price of luck is a promise that is not quite kept
        assert 0.7 < got.constraints["tpr >= 0.8"] < 0.8
    else:
        lower = isinstance(name, Target) or name in ("cost", "closest")
        assert (got.optimism < 0) is lower
        assert got.constraints == {}
    assert got.n_failed == 0


def test_a_bootstrap_prints_its_answer():
    table = rs.tabulate(*F3)
    found = threshold_bootstrap(
        table, criterion="ppv", subject_to=Constraint("tpr", ">=", 0.5), n_boot=20, rng=1
    )
    shown = str(found)
    assert "Chosen by:              ppv, tpr >= 0.5" in shown
    assert f"Interval:               {found.interval()}".replace("\u202f", " ") in shown
    assert "tpr >= 0.5, out of bag:" in shown


def test_failures_are_counted():
    # One positive is always drawn, so none is ever left out.
    alone = threshold_bootstrap(rs.tabulate([1, 0, 0, 0], [3, 1, 2, 4]), n_boot=40, rng=1)
    assert alone.n_undefined == 40
    assert np.isnan(alone.corrected)
    assert alone.thresholds.size == 40
    # A precision that only some samples reach.
    table = rs.tabulate([0, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    most = Constraint("ppv", ">=", 0.5)
    rare = threshold_bootstrap(table, criterion="tpr", subject_to=most, n_boot=200, rng=1)
    assert 0 < rare.n_failed < 200
    assert rare.thresholds.size == 200 - rare.n_failed
    assert "failed" in repr(rare)


def test_bad_questions_are_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match="n_boot is 0"):
        threshold_bootstrap(table, n_boot=0)
    with pytest.raises(ValueError, match="mean_score asks for the score itself"):
        threshold_bootstrap(table, criterion="mean_score")
    with pytest.raises(ValueError, match="no longer knows its cases"):
        threshold_bootstrap(rs.reweight(table, prevalence=0.1))
    with pytest.raises(SingleClassError, match=r"threshold_bootstrap needs .* 2 positives and 0"):
        threshold_bootstrap(rs.tabulate([1, 1], [1, 2]))
    with pytest.raises(ValueError, match="level is 1"):
        threshold_bootstrap(table, n_boot=2, rng=1).interval(1)


def test_scores_keep_their_type_and_direction():
    table = rs.tabulate([1, 1, 0, 1, 0, 0], [1, 2, 2, 3, 4, 5], higher_is_positive=False)
    got = threshold_bootstrap(table, n_boot=100, rng=1)
    assert set(got.thresholds.tolist()) <= {-INF, 1, 2, 3, 4, 5}
    assert not got.thresholds.flags.writeable
    assert repr(got).startswith("ThresholdBootstrap(youden: 3 with")


# --- cost of a point --------------------------------------------------------------------------


def test_cost_interval_contains_the_cost_and_stays_possible():
    costs = Costs(fp=2, fn=7, tp=1, tn=-1)
    table = rs.tabulate(*F3)
    for threshold in (INF, 0.9, 0.54, 0.3, 0.1):
        point = rs.point_at(table, threshold)
        for prevalence in (None, 0.05):
            p = 0.5 if prevalence is None else prevalence
            got = cost_interval(point, costs, prevalence=prevalence, level=0.9)
            assert costs.expected(point, prevalence=prevalence) in got
            best, worst = p * 1 - (1 - p), p * 7 + (1 - p) * 2
            assert best - 1e-12 <= got.low < got.high <= worst + 1e-12


def test_cost_interval_of_one_error_is_that_of_its_rate():
    point = rs.point_at(rs.tabulate(*F3), 0.54)
    missed = point_interval(point, "fnr")
    got = cost_interval(point, Costs(fp=0, fn=1), prevalence=0.3)
    assert_close([got.low, got.high], [0.3 * missed.low, 0.3 * missed.high])


def test_cost_interval_covers():
    rng = np.random.default_rng(1)
    costs = Costs(fp=1, fn=4)
    hits = 0
    for _ in range(400):
        tp, fp = rng.binomial(30, 0.8), rng.binomial(50, 0.1)
        table = ScoreTable.from_counts([1, 0], [tp, 30 - tp], [fp, 50 - fp])
        got = cost_interval(rs.point_at(table, 1), costs, prevalence=0.3)
        hits += 0.3 * 0.2 * 4 + 0.7 * 0.1 in got
    assert 0.92 <= hits / 400 <= 0.985


def test_rates_of_each_replicate_are_those_of_its_choice():
    got = threshold_bootstrap(rs.tabulate(*F3), n_boot=60, rng=3)
    # Youden's index is the gap of both rates, in bag and out of bag.
    for index, tpr, fpr in (
        (got.in_bag, got.tpr_in_bag, got.fpr_in_bag),
        (got.out_of_bag, got.tpr_out_of_bag, got.fpr_out_of_bag),
    ):
        assert tpr.shape == fpr.shape == got.thresholds.shape
        np.testing.assert_allclose(tpr - fpr, index, atol=1e-12)
        known = np.isfinite(index)
        assert ((tpr[known] >= 0) & (tpr[known] <= 1)).all()
        assert ((fpr[known] >= 0) & (fpr[known] <= 1)).all()
    assert np.unique(got.fpr_in_bag * 10 % 1).size <= 3  # ten negatives: tenths, but for rounding
    columns = got.to_frame().columns
    assert {"tpr_in_bag", "fpr_out_of_bag"} <= set(columns)


def test_costs_beyond_squares_are_refused():
    point = rs.point_at(rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), 0.4)
    for costs in (Costs(fp=1e308, fn=1e308), Costs(fp=1e-300, fn=0), Costs(fp=1, fn=1e200)):
        with pytest.raises(
            ValueError, match=r"whose square does not fit float64\. Give costs in an"
        ):
            cost_interval(point, costs)
    low, high = cost_interval(point, Costs(fp=1e140, fn=5e140))
    assert (low / 1e140, high / 1e140) == pytest.approx((*cost_interval(point, {"fn": 5}),))
