"""The difference of two least costs: by hand, by definition, beside ROCR; what it promises."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

import rocspace as rs
from rocspace.costs import cost_curve, cost_difference, resample_cost_difference
from rocspace.counts import SingleClassError
from rocspace.resampling.replicates import replicate_cases
from rocspace.simulate import paired_binormal
from slow.data import answer, assert_close, cases

GRID = np.array([0.2, 0.5, 0.9])


def least(label, score, times, x):
    """Cheapest threshold of cases that count so often, the most conservative of equals."""
    n_pos, n_neg = (sum(t for y, t in zip(label, times, strict=True) if y == c) for c in (1, 0))
    best = None
    for threshold in [np.inf, *sorted(set(score), reverse=True)]:
        cost = paying(label, score, times, x, threshold, n_pos, n_neg)
        if best is None or cost < best[0]:
            best = cost, threshold
    return best


def paying(label, score, times, x, threshold, n_pos, n_neg):
    rows = list(zip(label, score, times, strict=True))
    fn = sum(t for y, s, t in rows if y == 1 and s < threshold)
    fp = sum(t for y, s, t in rows if y == 0 and s >= threshold)
    return x * Fraction(fn, n_pos) + (1 - x) * Fraction(fp, n_neg)


@st.composite
def pairs(draw):
    n = draw(st.integers(4, 9))
    label = [1, 0, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))]
    scores = [draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)) for _ in range(2)]
    return label, scores


def test_by_hand():
    # The first is perfect: free in every sample. The second is constant: it costs what the
    # cheaper trivial classifier does, min(x, 1 - x), in every sample.
    data = rs.pair_scores([1, 1, 0, 0], {"a": [1, 1, 0, 0], "b": [1, 1, 1, 1]})
    found = resample_cost_difference(data, GRID, n_boot=99, rng=1)
    most = np.array([0.2, 0.5, 0.1])
    assert_close(found.difference, -most)
    assert_close(found.chosen, np.tile(-most, (99, 1)))
    assert_close(found.paid, np.tile(-most, (99, 1)))
    assert_close(found.expected, -most)
    # No sample of 99 favours the second, which alone would give 2 (1 + 0) / (1 + 99). At 1/2 it is
    # Tango's limits. At z that of positives is 2 e below 1, that of negatives e beside 0, where e
    # is z^2 / (2 + z^2); halves of both have squares that sum up to 1/4, so e is the root of 1/5.
    e = 5**-0.5
    assert_close(found.pvalue[1], 2 * ndtr(-np.sqrt(2 * e / (1 - e))))
    # At .2 and .9 a rate of all wrong is dearer than the constant, and its limit .8, .9 or more.
    assert found.pvalue[[0, 2]].tolist() == [1.0, 1.0]
    # Two of two right: each rate of the first could still be 1 - .025^(1/2) = .842, which costs
    # .8 x .842 = .674 at .2, more than the constant. At 1/2, .421, it is less; but only two
    # positives were called by the first alone, and no negative: Tango's limits then lie
    # 2 z^2 / (2 + z^2) and z^2 / (2 + z^2) away, and the squares of their halves are added.
    band = found.interval(0.95)
    assert_close(band.low, -most)
    assert_close(found.discordant[:, :, 1], [[1, 0], [0, 0]])
    far = 1.9599639845400545**2 / (2 + 1.9599639845400545**2)
    assert_close(band.high, [0.2, -0.5 + far / 2 * 5**0.5, 0.1], 9)
    assert found.better(0) == found.better(1) == ()


def test_never_a_single_point():
    # Both scores rank the cases alike, so no sample shows a difference. Of 15 and 150 cases none
    # is called by one of them only: Tango's limits are z^2 / (n + z^2) from 0.
    rng = np.random.default_rng(4)
    label = np.arange(165) < 15
    score = rng.normal(size=165) + 1.8 * label
    found = resample_cost_difference(
        rs.pair_scores(label, {"a": score, "b": 2 * score}), [0.1, 0.5], n_boot=50, rng=1
    )
    assert (found.paid == 0).all()
    z2 = 1.9599639845400545**2
    wide = np.hypot(*(np.array([[0.1, 0.5], [0.9, 0.5]]) * z2 / (np.array([[15], [150]]) + z2)))
    for band in (found.interval(), found.band()):
        assert_close(band.high, wide, 9)
        assert_close(band.low, -wide, 9)


@settings(max_examples=25, deadline=None)
@given(pairs())
def test_discordant_cases_by_definition(sample):
    label, scores = sample
    data = rs.pair_scores(label, {"a": scores[0], "b": scores[1]})
    found = resample_cost_difference(data, GRID, n_boot=2, rng=1)
    once = [1] * len(label)
    for j, x in enumerate(map(Fraction, GRID.tolist())):
        if near_ties(label, scores, once, x):
            continue
        calls = [np.array(score) >= least(label, score, once, x)[1] for score in scores]
        for k, own in enumerate((np.array(label) == 1, np.array(label) == 0)):
            only = [(calls[i] & ~calls[1 - i])[own].mean() for i in (0, 1)]
            assert_close(found.discordant[k, :, j], only)


@settings(max_examples=25, deadline=None)
@given(pairs(), st.integers(0, 99))
def test_by_definition(sample, seed):
    label, scores = sample
    data = rs.pair_scores(label, {"a": scores[0], "b": scores[1]})
    found = resample_cost_difference(data, GRID, n_boot=5, rng=seed)
    drawn = replicate_cases(data, lambda times: times, n_boot=5, rng=seed).astype(int).tolist()
    sizes = sum(label), len(label) - sum(label)
    for j, x in enumerate(map(Fraction, GRID.tolist())):
        for i, times in enumerate(drawn):
            following = drawn[(i + 1) % 5]
            costs = [least(label, score, times, x) for score in scores]
            paid = [
                paying(label, score, following, x, threshold, *sizes)
                for score, (_, threshold) in zip(scores, costs, strict=True)
            ]
            assert found.chosen[i, j] == pytest.approx(float(costs[0][0] - costs[1][0]), abs=1e-12)
            # Costs that tie exactly may differ by a rounding, and with them the thresholds.
            if not near_ties(label, scores, times, x):
                assert found.paid[i, j] == pytest.approx(float(paid[0] - paid[1]), abs=1e-12)


def near_ties(label, scores, times, x):
    """Whether two thresholds tie that call different cases of the sample positive."""
    sizes = [sum(t for y, t in zip(label, times, strict=True) if y == c) for c in (1, 0)]
    for score in scores:
        costs = {}
        for threshold in [np.inf, *set(score)]:
            called = tuple(t > 0 and s >= threshold for s, t in zip(score, times, strict=True))
            cost = round(float(paying(label, score, times, x, threshold, *sizes)), 9)
            costs.setdefault(cost, set()).add(called)
        if len(costs[min(costs)]) > 1:
            return True
    return False


def test_on_the_data_it_is_the_difference_of_the_curves(request):
    label, score = cases("breast_w", request, "knn15")
    data = rs.pair_scores(label, {"a": score, "b": cases("breast_w", request, "nb")[1]})
    found = resample_cost_difference(data, n_boot=2, rng=1)
    assert found.probability.size == 99
    curves = [cost_curve(data.table(name)) for name in data.names]
    assert_close(
        found.difference + 1, cost_difference(*curves).difference_at(found.probability) + 1, 12
    )
    # ROCR's expected costs, against a constant, whose costs are min(x, 1 - x).
    theirs = answer("rocr__breast_w_knn15", request)["ecost"]
    at, cost = np.array(theirs["pcf"]), np.array(theirs["necc"])
    at, where = np.unique(at, return_index=True)
    data = rs.pair_scores(label, {"a": score, "b": np.zeros(label.size)})
    found = resample_cost_difference(data, at, n_boot=2, rng=1)
    assert_close(found.difference + 1, cost[where] - np.minimum(at, 1 - at) + 1, 11)


@settings(max_examples=20, deadline=None)
@given(pairs(), st.integers(0, 99))
def test_the_other_way_round_and_on_another_scale(sample, seed):
    label, scores = sample
    data = rs.pair_scores(label, {"a": scores[0], "b": scores[1]})
    found = resample_cost_difference(data, GRID, n_boot=20, rng=seed)
    back = resample_cost_difference(data, GRID, first="b", second="a", n_boot=20, rng=seed)
    assert_close(back.paid, -found.paid)
    np.testing.assert_array_equal(back.pvalue, found.pvalue)
    assert_close(back.band().low, -found.band().high)
    assert [tuple(x) for x in back.better(0)] == [tuple(x) for x in found.better(1)]
    down = rs.pair_scores(
        label,
        {k: -np.exp(v) for k, v in zip("ab", np.array(scores), strict=True)},
        higher_is_positive=False,
    )
    other = resample_cost_difference(down, GRID, n_boot=20, rng=seed, threads=2)
    np.testing.assert_array_equal(other.paid, found.paid)
    most = np.minimum(GRID, 1 - GRID)
    for band in (found.interval(0.9), found.band(0.9)):
        assert (-most <= band.low).all()
        assert (band.low <= band.high).all()
        assert (band.high <= most).all()
    assert (found.band(0.9).high >= found.interval(0.5).low).all()
    assert ((found.pvalue > 0) & (found.pvalue <= 1)).all()


@settings(max_examples=60, deadline=None)
@given(
    pairs(),
    st.sampled_from([5, 60, 400]),
    st.integers(0, 99),
    st.lists(st.floats(1e-4, 0.999), min_size=1, max_size=5),
)
def test_the_p_value_is_the_least_that_the_interval_excludes_zero_at(sample, n_boot, seed, errors):
    label, scores = (np.repeat(of, 5, axis=-1) for of in sample)
    scores = scores + 0.1 * np.random.default_rng(seed).integers(0, 3, scores.shape)
    data = rs.pair_scores(label, dict(zip("ab", scores, strict=True)))
    found = resample_cost_difference(data, [0, 0.05, 0.2, 0.5, 0.9, 1], n_boot=n_boot, rng=seed)
    assert (found.pvalue >= 2 / (1 + n_boot)).all()
    # Beside levels drawn at random those just beside the p values, where the answer turns.
    close = np.unique(found.pvalue[found.pvalue < 0.999])
    for error in (*errors, *(close * (1 + 1e-6)), *(close * (1 - 1e-6))):
        band = found.interval(1 - error)
        excluded = (band.low > 0) | (band.high < 0)
        unlike = np.abs(found.pvalue - error) > 1e-9
        np.testing.assert_array_equal(excluded[unlike], (found.pvalue < error)[unlike])


def test_levels_that_few_samples_cannot_tell():
    data = paired_binormal([0.95, 0.6]).draw(200, 200, rng=1)
    found = resample_cost_difference(data, 0.5, n_boot=39, rng=1)
    assert found.pvalue.tolist() == [0.05]  # all favour the first: 2 / (1 + 39)
    assert found.interval(0.95).high[0] < 0
    band = found.interval(0.951)
    assert (band.low[0], band.high[0]) == (-0.5, 0.5)


def test_equal_scores_never_differ():
    data = paired_binormal([0.8, 0.8]).draw(30, 30, rng=1)
    same = rs.pair_scores(data.label, {"a": data.score[:, 0], "b": 2 * data.score[:, 0]})
    found = resample_cost_difference(same, n_boot=50, rng=1)
    assert (found.paid == 0).all()
    assert (found.pvalue == 1).all()
    assert found.better(0) == found.better(1) == ()


def test_the_range_where_one_is_better():
    rng = np.random.default_rng(5)
    label = np.repeat([1, 0], 150)
    good, poor = rng.normal(size=(2, 300)) + np.outer([2.5, 0.5], label)
    data = rs.pair_scores(label, {"good": good, "poor": poor})
    found = resample_cost_difference(data, n_boot=300, rng=1)
    (where,) = found.better(0)
    assert found.better() == (where,)
    assert 0.05 < where.low < 0.4 < 0.6 < where.high < 0.95
    assert where.method == "good costs less"
    assert found.better(1) == ()
    band = found.band()
    inside = (found.probability >= where.low) & (found.probability <= where.high)
    assert (band.high[inside] < 0).all()
    assert (band.high[~inside] >= 0).all()
    narrow = found.interval()
    assert (band.high - band.low >= narrow.high - narrow.low - 0.02).all()


def test_weights_and_clusters():
    data = paired_binormal([0.8, 0.9]).draw(40, 40, rng=1)
    scores = dict(zip("ab", data.score.T, strict=True))
    weight = np.where(np.arange(80) % 2, 1.0, 3.0)
    weighted = rs.pair_scores(data.label, scores, sample_weight=weight)
    found = resample_cost_difference(weighted, GRID, n_boot=50, rng=1)
    curves = [cost_curve(weighted.table(name)) for name in "ab"]
    assert_close(found.difference + 1, cost_difference(*curves).difference_at(GRID) + 1)
    assert found.n_eff == pytest.approx((160 / 5 / 1, 32.0))  # 80^2 / (20 (1 + 9))
    # Twins that are drawn together say no more than one of them.
    twice = rs.pair_scores(
        np.repeat(data.label, 2),
        {name: np.repeat(column, 2) for name, column in scores.items()},
        cluster=np.repeat(np.arange(80), 2),
    )
    each = resample_cost_difference(twice, GRID, n_boot=400, rng=1)
    alone = resample_cost_difference(data, GRID, n_boot=400, rng=2)
    assert each.n_eff == (40.0, 40.0)
    assert_close(each.difference + 1, alone.difference + 1)
    assert each.paid.std(axis=0) == pytest.approx(alone.paid.std(axis=0), rel=0.2)


def test_table_of_the_data_and_the_p_values():
    data = rs.pair_scores([0, 0, 1, 1, 0, 1], {"a": [1, 2, 3, 4, 3, 5], "b": [1, 3, 2, 4, 5, 0]})
    found = resample_cost_difference(data, GRID, n_boot=20, rng=1)
    frame = found.to_frame()
    np.testing.assert_array_equal(frame["first_cost"] - frame["second_cost"], frame["difference"])
    np.testing.assert_array_equal(frame["difference"], found.difference)
    np.testing.assert_array_equal(frame["pvalue"], found.pvalue)


def test_bad_input():
    data = rs.pair_scores([1, 0, 1, 0], {"a": [1, 2, 3, 4], "b": [1, 1, 2, 2], "c": [0, 1, 0, 1]})
    with pytest.raises(TypeError, match=r"compares two scores of a, b, c\. Name them"):
        resample_cost_difference(data)
    with pytest.raises(ValueError, match="no score 'd' among a, b, c"):
        resample_cost_difference(data, first="a", second="d")
    two = {"first": "a", "second": "b", "rng": 1}
    with pytest.raises(ValueError, match="n_boot is 1"):
        resample_cost_difference(data, n_boot=1, **two)
    with pytest.raises(ValueError, match="probability"):
        resample_cost_difference(data, 1.5, **two)
    found = resample_cost_difference(data, 0.5, n_boot=4, **two)
    with pytest.raises(ValueError, match="which is 2, but must be one of 0, 1"):
        found.better(2)
    for ask in (found.interval, found.band):
        with pytest.raises(ValueError, match="level is 0"):
            ask(0)
    with pytest.raises(SingleClassError, match="resample_cost_difference needs"):
        resample_cost_difference(rs.pair_scores([1, 1], {"a": [1, 2], "b": [1, 2]}))
    few = rs.pair_scores([1, 0, 1, 0], {"a": [1, 2, 3, 4], "b": [1, 1, 2, 2]}, cluster=[1, 2, 1, 2])
    with pytest.raises(ValueError, match="too few clusters"):
        resample_cost_difference(few, n_boot=50, rng=1)


@pytest.mark.slow
def test_choosing_among_many_thresholds_is_no_advantage():
    # At 1/2 the second costs the same, but has one threshold only: least costs favour the first.
    population = paired_binormal((0.8, 0.8))
    cut = float(population.mean[0]) / 2
    apparent, honest, claims = [], [], 0
    rng = np.random.default_rng(3)
    for _ in range(80):
        data = population.draw(40, 40, rng=rng)
        columns = {"all": data.score[:, 0], "cut": (data.score[:, 1] >= cut).astype(float)}
        pair = rs.pair_scores(data.label, columns)
        found = resample_cost_difference(pair, 0.5, n_boot=150, rng=rng)
        apparent.append(found.difference[0])
        honest.append(found.expected[0])
        claims += bool(found.pvalue[0] <= 0.05)
    assert np.mean(apparent) < -0.02
    assert abs(np.mean(honest)) < 0.012
    assert claims <= 10  # 4 are expected


def test_where_nearly_all_samples_reject_all_the_difference_may_be_zero():
    rng = np.random.default_rng(29)
    label = np.arange(70) < 20
    data = rs.pair_scores(label, {"a": rng.normal(size=70), "b": rng.normal(size=70)})
    found = resample_cost_difference(data, 0.1, n_boot=400, rng=1)
    assert (found.paid == 0).mean() > 0.95
    assert (found._shifted != 0).any()  # the shift alone would move the zeros away
    band, joint = found.interval(), found.band()
    for low, high in ((band.low, band.high), (joint.low, joint.high)):
        assert (low <= 0).all()
        assert (high >= 0).all()
    assert found.pvalue.tolist() == [1.0]
