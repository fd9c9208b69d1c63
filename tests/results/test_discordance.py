"""The default statistic of a difference: by hand, by definition, and its interval inverted."""

from dataclasses import replace
from itertools import pairwise
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.compare import (
    auc_difference,
    compare_aucs,
    equivalence_test,
    noninferiority_test,
    superiority_test,
)
from rocspace.compare.samples import sampled_gaps
from rocspace.inference import spread as _spread
from rocspace.inference.spread import partial_placements
from rocspace.results.discordance import (
    AreaModel,
    ClassGap,
    favoured,
    part_variances,
    placement_variance,
    rare_cases,
    restricted_areas,
)
from slow import compare as slow
from slow.data import assert_close

HAND = ([0, 0, 0, 1, 1, 1], {"a": [1, 2, 4, 3, 5, 6], "b": [9, 2, 1, 3, 5, 6]})


@st.composite
def samples(draw, least=1, levels=5):
    """Positives and negatives with two scores each, and their difference."""
    m, n = draw(st.tuples(st.integers(least, 8), st.integers(least, 8)))
    score = st.lists(st.integers(0, levels), min_size=m + n, max_size=m + n)
    label = np.repeat([True, False], [m, n])
    block = np.transpose([draw(score), draw(score)]) + draw(st.integers(0, 4)) * label[:, None]
    return label, block


def difference(label, block):
    return auc_difference(rs.pair_scores(label, block, names=["a", "b"]))


# --- by hand ----------------------------------------------------------------------------------


def test_classes_by_hand():
    # Areas 8/9 and 2/3. Positives 3, 5, 6: placements 2/3, 1, 1 and 2/3, 2/3, 2/3, differences
    # 0, 1/3, 1/3 of variance 1/27 and kurtosis 3/2, so 2 degrees of freedom. Next to another
    # case lie, in either score, two of three, a step of 1/6 away. Two placements that differ do so
    # by 1/3. The second score does not vary: no correlation.
    found = auc_difference(rs.pair_scores(*HAND))
    pos, neg = found.gaps
    assert_close([pos.n, pos.spread, pos.df], [3, 1 / 27, 2])
    assert_close([*pos.spreads, pos.correlation], [1 / 27, 0, 0])
    assert_close([pos.step, pos.apart], [2 / 36 / 3, 1 / 9])
    # Negatives 1, 2, 4: placements 1, 1, 2/3 and 0, 1, 1, differences 1, 0, -1/3 of variance
    # 13/27; their covariance is -1/18. Placements of the second differ by 1.
    assert_close([neg.n, neg.spread, neg.df], [3, 13 / 27, 2])
    assert_close([*neg.spreads, neg.correlation], [1 / 27, 1 / 3, -1 / 2])
    assert_close([neg.step, neg.apart], [2 / 36 / 3, 1])


def test_statistic_by_hand():
    # At a difference of 2/9 - .1 the most likely areas a', b' solve 81 (a - a')/(a' (1 - a')) + ...
    # = 0. By the model the placements of the first score then spread less, of the second more, than
    # at 8/9 and 2/3: `move` and `more` times as much.
    found = auc_difference(rs.pair_scores(*HAND))
    null = 2 / 9 - 0.1
    a, b = slow.restricted(8 / 9, 2 / 3, null)
    g, h = (slow.model_variance(x) for x in (a, b))
    move, more = g / slow.model_variance(8 / 9), h / slow.model_variance(2 / 3)
    assert move > 1 > more
    unseen = [c.step / 4 + sqrt(1 - c.correlation) * c.apart for c in found.gaps]
    spread = move / 27  # and 0 of the second score
    of_pos = (spread + 8 / 10 * (max(g, spread) + h - spread + unseen[0] / 3)) / 3
    spread = move / 27 + more / 3 + sqrt(move / 27 * more / 3)
    both = max(g, move / 27) + max(h, more / 3) + sqrt(max(g, move / 27) * max(h, more / 3))
    of_neg = (spread + 8 / 10 * (both - spread + unseen[1] / 3)) / 3
    result = found.test(null=null)
    assert result.statistic == pytest.approx(0.1 / sqrt(of_pos + of_neg), rel=1e-6)
    assert result.df == pytest.approx(
        (of_pos + of_neg) ** 2 * 6 / (of_pos**2 + of_neg**2), rel=1e-6
    )
    assert result.method == "delong, discordance"


def test_far_hypotheses_by_hand():
    # The variance follows them half the way from 2/9 to 1, to 11/18; from there on it is that of
    # two proportions that differ by as much.
    found = auc_difference(rs.pair_scores(*HAND))
    null = 0.9
    scale = [
        sum(x * (1 - x) for x in slow.restricted(8 / 9, 2 / 3, gap)) for gap in (null, 11 / 18)
    ]
    near, far = (found.test(null=gap) for gap in (11 / 18, null))
    ratio = (far.statistic / near.statistic) ** 2 / ((null - 2 / 9) / (11 / 18 - 2 / 9)) ** 2
    assert ratio == pytest.approx(scale[1] / scale[0], rel=1e-5)
    assert far.df == near.df


def test_the_model_is_that_of_hanley_and_mcneil():
    for area in (0.0, 0.2, 0.5, 0.93, 1.0):
        assert_close(placement_variance(area), slow.model_variance(area))
    assert_close(placement_variance(0.5), 1 / 12)


# --- by definition ----------------------------------------------------------------------------


@given(a=st.floats(0.01, 0.99), b=st.floats(0.01, 0.99), share=st.floats(-0.99, 0.99))
@settings(max_examples=100)
def test_the_cubic_finds_the_most_likely_areas(a, b, share):
    found = restricted_areas(a, b, share)
    assert found[0] - found[1] == pytest.approx(share, abs=1e-12)
    np.testing.assert_allclose(found, slow.restricted(a, b, share), atol=2e-6)


@given(sample=samples(), null=st.floats(-0.95, 0.95))
@example((np.array([True, False] * 2), np.array([[3, 5], [2, 4], [1, 1], [0, 0]])), 0.3)
@settings(max_examples=80)
def test_statistic_is_that_of_all_pairs(sample, null):
    label, block = sample
    found = difference(label, block)
    assume(found.test().df == found.test().df)
    result = found.test(null=null)
    statistic, df = slow.statistic(block[label], block[~label], null)
    assert result.statistic == pytest.approx(statistic, rel=2e-5, abs=1e-9)
    assert result.df == pytest.approx(df, rel=2e-5)


@given(sample=samples(levels=9))
@settings(max_examples=40)
def test_steps_by_definition_and_by_the_compiled_loop(sample):
    label, block = sample
    pos, neg = block[label, 0], block[~label, 0]
    table = rs.tabulate(label, block[:, 0])
    literal = slow.step_to_neighbours(pos, neg)
    placed = slow.placements_of(pos, neg)
    counts = table.pos, table.neg
    for i, (step, alike) in enumerate(_spread.neighbour_steps(counts)):
        assert_close(step, literal[i])
        close = np.abs(placed[i][:, None] - placed[i]) < 1e-12
        assert_close(alike, close.mean())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_spread, "_COMPILED", 1)
            assert_close(list(_spread.neighbour_steps(counts)[i]), [step, alike])


# --- one statistic ----------------------------------------------------------------------------


@given(sample=samples(), level=st.sampled_from([0.5, 0.9, 0.95, 0.999]))
@settings(max_examples=100)
def test_p_at_a_limit_is_the_error(sample, level):
    found = difference(*sample)
    low, high = found.interval(level)
    assert -1 <= low <= found.value <= high <= 1
    assert low < high
    for limit in (low, high):
        if abs(limit) < 1 - 1e-9 and limit != found.value:
            assert found.test(null=limit).pvalue == pytest.approx(1 - level, rel=1e-7, abs=1e-12)
    if found.value in (low, high):  # an area at its end, half a pair from where T is centred
        return
    if low > -1 + 1e-6:
        assert found.test(null=low - 1e-6 * (1 + low)).pvalue < 1 - level
        if low < 0:
            by_margin = noninferiority_test(found, -low).pvalue
            assert by_margin == pytest.approx((1 - level) / 2, rel=1e-6)
    if low < 0 < high and min(-low, high) > 1e-6 and max(-low, high) < 1 - 1e-6:
        both = equivalence_test(found, (low, high))
        assert both.pvalue == pytest.approx((1 - level) / 2, rel=1e-6)


@given(sample=samples())
@settings(max_examples=60)
def test_p_falls_away_from_the_estimate(sample):
    found = difference(*sample)
    p = [found.test(null=x, alternative="greater").pvalue for x in np.linspace(-1, 1, 41)]
    assert all(one <= two + 1e-9 for one, two in pairwise(p))


@given(sample=samples())
@settings(max_examples=60)
def test_symmetries(sample):
    label, block = sample
    found = difference(label, block)
    ends = found.interval()
    swapped = difference(label, block[:, ::-1]).interval()
    assert_close([ends.low, ends.high], [-swapped.high, -swapped.low], 9)
    for other in (difference(label, -block), difference(~label, block)):
        turned = other.interval()
        assert_close([ends.low, ends.high], [-turned.high, -turned.low], 9)
    mirrored = difference(~label, -block)
    assert_close(list(mirrored.interval()), list(ends), 9)
    assert mirrored.test(null=0.1).pvalue == pytest.approx(found.test(null=0.1).pvalue, rel=1e-9)


# --- edges ------------------------------------------------------------------------------------


def test_scores_that_rank_alike_have_a_short_interval_not_a_point():
    rng = np.random.default_rng(1)
    label = np.repeat([True, False], [12, 30])
    score = rng.normal(size=42) + label
    found = difference(label, np.transpose([score, np.exp(score)]))
    low, high = found.interval()
    assert low == pytest.approx(-high, rel=1e-9)
    assert 0.001 < high < 0.05
    assert (found.test().pvalue, found.test().note) == (1, "no variance")
    # Were pairs independent, none of 360 would be ordered otherwise in (1 - high)^360 of samples.
    assert high == pytest.approx(1 - 0.025 ** (1 / 360), rel=1e-9)
    found = noninferiority_test(found, 0.005)
    assert found.pvalue == pytest.approx((1 - 0.005) ** 360, rel=1e-9)


def test_many_samples_at_once_have_the_statistics_of_each():
    """Of scores that rank alike, and of others, in one array."""
    label = np.repeat([1, 0], 5)
    first = np.array([9.0, 8, 6, 4, 7, 5, 3, 2, 1, 0])
    block = np.stack(
        [np.stack([first, other], axis=1) for other in (2 * first, first[[*range(1, 10), 0]])]
    )
    many = sampled_gaps(block, 5).gap
    for null in (-0.7, 0.0, 0.2):
        found = np.transpose(many.statistic(null))
        alone = [difference(label, each).test(null=null) for each in block]
        assert_close(found.ravel(), [x for each in alone for x in (each.statistic, each.df)], 9)


def test_six_cases_that_rank_alike_may_differ_by_more_than_a_pair():
    # Normal scores of areas .78 and .75 that correlate by .995: two of five samples of 6 + 6 cases
    # rank alike. With the squared step alone the interval ended at .0235, before the truth .03.
    rng = np.random.default_rng(5)
    label = np.repeat([True, False], 6)
    shift = 2**0.5 * stats.norm.ppf([0.78, 0.75])
    covered, alike = [], []
    for _ in range(400):
        one, two = rng.normal(size=(2, 12))
        score = np.transpose([one, 0.995 * one + (1 - 0.995**2) ** 0.5 * two])
        found = difference(label, score + shift * label[:, None])
        covered.append(0.03 in found.interval())
        alike.append(max(gap.spread for gap in found.gaps) == 0)
    assert np.mean(alike) > 0.3
    assert np.mean(covered) > 0.97


def test_perfect_scores_have_the_interval_of_hoeffding_and_its_tests():
    label = np.repeat([True, False], [4, 6])
    found = difference(label, np.transpose([label + 0, 5 * label + np.arange(10) / 99]))
    half = 1 - 0.025 ** (1 / 4)
    assert_close(list(found.interval()), [-half, half], 9)
    # By hand: the interval of level 1 - 2 p ends at -(1 - p^(1/4)), which is -.3 for p = .7^4.
    assert noninferiority_test(found, 0.3).pvalue == pytest.approx(0.7**4, rel=1e-9)
    assert equivalence_test(found, 0.3).pvalue == pytest.approx(0.7**4, rel=1e-9)
    assert found.test(null=-0.3).pvalue == pytest.approx(2 * 0.7**4, rel=1e-9)


@pytest.mark.parametrize("sizes", [(1, 1), (1, 5), (5, 1)])
def test_a_single_case_has_an_answer(sizes):
    label = np.repeat([True, False], sizes)
    rng = np.random.default_rng(4)
    for _ in range(20):
        found = difference(label, rng.integers(0, 3, (sum(sizes), 2)))
        for alternative in ("two-sided", "less", "greater"):
            assert 0 <= found.test(null=0.1, alternative=alternative).pvalue <= 1
        low, high = found.interval()
        assert high - low > 0.3


def test_hypotheses_beyond_the_range_are_as_far_as_can_be():
    found = auc_difference(rs.pair_scores(*HAND))
    for null in (-1.0, -1.5, 1.0, 7.0):
        assert found.test(null=null).pvalue == 0


# --- who has it -------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:One cluster")
def test_who_has_it_and_who_has_not():
    label, scores = HAND
    weight = [1, 2, 1, 1, 3, 1]
    counted = rs.pair_scores(label, scores, sample_weight=weight)
    as_cases = auc_difference(counted, weight_type="frequency")
    assert as_cases.interval().method == "delong, discordance"
    repeated = rs.pair_scores(
        np.repeat(label, weight), {k: np.repeat(v, weight) for k, v in scores.items()}
    )
    assert_close(list(as_cases.interval()), list(auc_difference(repeated).interval()), 9)
    others = [
        auc_difference(counted),
        auc_difference(rs.pair_scores(label, scores, cluster=[1, 1, 2, 2, 3, 3])),
        auc_difference(counted, fpr=(0, 0.5)),
    ]
    for found in others:
        assert found.gaps is None
        assert found.interval().method.endswith(found.usual or "moderated")
        if found.usual != "unseen":
            assert found.test() == found.test(distribution="t")
        with pytest.raises(ValueError, match="areas of the same cases"):
            found.interval(scale="discordance")
    assert [found.usual for found in others] == ["unseen", "t", "unseen"]
    whole = auc_difference(rs.pair_scores(label, scores), fpr=(0, 1))
    assert list(whole.interval()) == list(auc_difference(rs.pair_scores(label, scores)).interval())
    with pytest.raises(ValueError, match="for differences of areas"):
        rs.delong(rs.tabulate(label, scores["a"])).interval(scale="discordance")


def test_two_scores_have_one_p_value():
    found = compare_aucs(rs.pair_scores(*HAND))
    assert found.overall.pvalue == found.pairs[0].test.pvalue
    assert found.overall.statistic == found.pairs[0].test.statistic ** 2
    assert (found.overall.method, found.overall.df) == ("F", 1)
    assert found.overall.df_denominator == found.pairs[0].test.df
    by_t = compare_aucs(rs.pair_scores(*HAND), distribution="t")
    assert by_t.overall.pvalue == pytest.approx(by_t.pairs[0].test.pvalue, rel=1e-12)


@given(sample=samples(least=2), null=st.floats(-0.6, 0.6))
@settings(max_examples=30, deadline=None)
def test_of_independent_samples_test_and_interval_agree(sample, null):
    label, block = sample
    tables = {name: rs.tabulate(label, block[:, j]) for j, name in enumerate("ab")}
    found = auc_difference(tables)
    p = found.test(null=null).pvalue
    for level in (0.9, 0.95):
        low, high = found.interval(level)
        assume(min(abs(low - null), abs(high - null)) > 1e-9)
        assert (p < 1 - level) == (not low <= null <= high)
    assert noninferiority_test(found, 0.1) == found.test(null=-0.1, alternative="greater")


# --- parts of areas ---------------------------------------------------------------------------

RANGES = ((0.0, 0.2), (0.2, 0.6), (0.0, 0.8), (0.4, 1.0))


@st.composite
def apart(draw):
    """Positives and five or ten negatives with two scores each, none tied, and a range."""
    n_pos, n_neg = draw(st.integers(1, 8)), draw(st.sampled_from([5, 10]))
    order = st.permutations(range(n_pos + n_neg))
    block = np.transpose([draw(order), draw(order)]).astype(float)
    label = np.repeat([True, False], [n_pos, n_neg])
    block += draw(st.integers(0, 8)) * label[:, None] + 0.5 * label[:, None]
    return label, block, (0.0, draw(st.sampled_from([0.2, 0.6, 0.8])))


@pytest.mark.parametrize("ends", RANGES)
@pytest.mark.parametrize("share", [0.02, 0.4, 0.9, 0.999])
def test_the_model_of_a_part_is_that_of_two_curves(ends, share):
    model = AreaModel(low=ends[0], high=ends[1])
    of_pos, of_neg = model.variances(share)
    *expected, square = slow.part_model(share, ends)
    np.testing.assert_allclose([of_pos, of_neg], expected, rtol=1e-6)
    assert part_variances(share, *ends)[2] == pytest.approx(square, rel=1e-6)
    swapped = AreaModel(low=ends[0], high=ends[1], swapped=True)
    assert swapped.variances(share) == (of_neg, of_pos)
    near = AreaModel(low=0.0, high=1 - 1e-12).variances(share)
    assert_close(near, [placement_variance(share)] * 2, 9)


def test_the_model_of_a_part_has_a_variance_at_its_ends():
    for low, high in RANGES:
        for share in (0.0, 1e-15, 1 - 1e-15, 1.0):
            assert all(0 < v < 1e-11 for v in AreaModel(low=low, high=high).variances(share))


@pytest.mark.filterwarnings("ignore:The range holds")
@given(sample=apart(), null=st.floats(-0.95, 0.95))
@settings(max_examples=40, deadline=None)
def test_statistic_of_a_part_is_that_of_literal_placements(sample, null):
    label, block, ends = sample
    width = ends[1] - ends[0]
    found = auc_difference(rs.pair_scores(label, block, names=["a", "b"]), fpr=ends)
    assert found.interval().method.endswith(", discordance") or found.test().df != found.test().df
    assume(found.test().df == found.test().df)
    result = found.test(null=null * width)
    statistic, df = slow.statistic(block[label], block[~label], null, ends)
    assert result.statistic == pytest.approx(statistic, rel=2e-5, abs=1e-9)
    assert result.df == pytest.approx(df, rel=2e-5)
    # A range of tpr is one of fpr with the classes swapped.
    mirrored = auc_difference(
        rs.pair_scores(~label, -block, names=["a", "b"]), tpr=(1 - ends[1], 1 - ends[0])
    )
    again = mirrored.test(null=null * width)
    assert again.statistic == pytest.approx(result.statistic, rel=1e-7, abs=1e-9)
    assert again.df == pytest.approx(result.df, rel=1e-7)


@st.composite
def parts(draw):
    """A difference of parts in which scores are tied, and what made it."""
    label, block = draw(samples(levels=draw(st.sampled_from([3, 30]))))
    width = draw(st.integers(1, 10)) / 10
    ends = draw(st.sampled_from([{"fpr": (0, width)}, {"tpr": (1 - width, 1)}]))
    return label, block, ends


def part_of(label, block, ends):
    return auc_difference(rs.pair_scores(label, block, names=["a", "b"]), **ends)


@pytest.mark.filterwarnings("ignore:The range holds")
@given(sample=parts(), level=st.sampled_from([0.5, 0.9, 0.95, 0.999]))
@settings(max_examples=100, deadline=None)
def test_p_at_a_limit_of_a_part_is_the_error(sample, level):
    found = part_of(*sample)
    interval = found.interval(level)
    low, high = interval
    width = found.range[1] + 1e-15  # 1 - (1 - .1)
    assert -width <= low <= found.value <= high <= width
    assert low < high
    if interval.method != "placements, discordance":  # two parts at their ends
        return
    for limit in (low, high):
        if abs(limit) < width * (1 - 1e-9) and limit != found.value:
            assert found.test(null=limit).pvalue == pytest.approx(1 - level, rel=1e-6, abs=1e-12)
    if found.value in (low, high):
        return
    if -width * (1 - 1e-6) < low < 0:
        error = pytest.approx((1 - level) / 2, rel=1e-6)
        assert noninferiority_test(found, -low).pvalue == error
        if 1e-6 < high < width * (1 - 1e-6):
            assert equivalence_test(found, (low, high)).pvalue == error
    if low > 0:
        assert superiority_test(found, low).pvalue == pytest.approx((1 - level) / 2, rel=1e-6)


@pytest.mark.filterwarnings("ignore:The range holds")
@given(sample=parts())
@settings(max_examples=60, deadline=None)
def test_symmetries_of_parts(sample):
    label, block, ends = sample
    found = part_of(label, block, ends)
    low, high = found.interval()
    swapped = part_of(label, block[:, ::-1], ends).interval()
    assert_close([low, high], [-swapped.high, -swapped.low], 9)
    risen = np.transpose([np.exp(block[:, 0]), 3 * block[:, 1] ** 3 + 1])
    assert part_of(label, risen, ends) == found
    assert list(part_of(label, risen, ends).interval()) == [low, high]


@pytest.mark.filterwarnings("ignore:The range holds")
@given(sample=parts())
@settings(max_examples=40, deadline=None)
def test_p_of_a_part_falls_away_from_the_estimate(sample):
    found = part_of(*sample)
    nulls = np.linspace(*found.range, 41)
    p = [found.test(null=x, alternative="greater").pvalue for x in nulls]
    assert all(one <= two + 1e-9 for one, two in pairwise(p))


@given(sample=samples(), name=st.sampled_from(["fpr", "tpr"]))
@settings(max_examples=30)
def test_the_part_over_all_rates_is_the_whole(sample, name):
    whole, part = difference(*sample), part_of(*sample, {name: (0, 1)})
    assert_close(list(part.interval()), list(whole.interval()), 9)
    assert part.test(null=0.1).pvalue == pytest.approx(whole.test(null=0.1).pvalue, rel=1e-9)
    assert part.model == whole.model == AreaModel()


@pytest.mark.filterwarnings("ignore:The range holds")
def test_a_part_of_scores_that_rank_alike_has_a_short_interval_not_a_point():
    # (1 - x)^(12 x 30) of independent pairs would all be ordered alike if the parts differed by x.
    rng = np.random.default_rng(1)
    label = np.repeat([True, False], [12, 30])
    score = rng.normal(size=42) + label
    for ends in ({"fpr": (0, 0.2)}, {"fpr": (0, 0.5)}, {"tpr": (0.8, 1)}):
        found = part_of(label, np.transpose([score, score]), ends)
        low, high = found.interval()
        assert low == pytest.approx(-high, rel=1e-9)
        assert high == pytest.approx(1 - 0.025 ** (1 / 360), rel=1e-9)
        assert (found.test().pvalue, found.test().note) == (1, "no variance")


@pytest.mark.filterwarnings("ignore:The range holds")
def test_one_negative_in_the_range_says_nothing_of_the_correlation():
    # Of five negatives fpr 0 to .2 takes the highest, which is one case in both scores: the other
    # four share a placement, and two values correlate by 1. Over all rates they do not.
    label = np.repeat([True, False], 5)
    block = np.transpose([[9, 7, 5, 3, 1, 8, 6, 4, 2, 0], [7, 9, 1, 5, 3, 6, 0, 2, 4, -1]])
    part, whole = part_of(label, block, {"fpr": (0, 0.2)}), difference(label, block)
    placed = [
        [partial_placements(rs.tabulate(label, score), 0, 0.2).neg[i] for i in (0, -1)]
        for score in block.T
    ]
    assert all(first < last for first, last in placed)
    assert 0 < whole.gaps[1].correlation < 0.8
    assert part.gaps[1].correlation == pytest.approx(whole.gaps[1].correlation, rel=1e-9)
    # All positives count: 3 or 4 of them lie above that negative, of which three are the same.
    above = block[label] > block[~label].max(axis=0)
    assert part.gaps[0].correlation == pytest.approx(np.corrcoef(*above.T)[0, 1], rel=1e-9)
    turned = part_of(~label, -block, {"tpr": (0.8, 1)})
    assert turned.gaps[0].correlation == pytest.approx(whole.gaps[1].correlation, rel=1e-9)
    assert turned.gaps[1].correlation == pytest.approx(part.gaps[0].correlation, rel=1e-9)


def test_parts_of_frequencies_are_those_of_repeated_cases():
    rng = np.random.default_rng(9)
    label, block = np.repeat([True, False], [12, 20]), rng.integers(0, 9, (32, 2))
    block = block + 2 * label[:, None]
    often = rng.integers(1, 4, 32)
    counted = auc_difference(
        rs.pair_scores(label, block, names=["a", "b"], sample_weight=often),
        fpr=(0, 0.4),
        weight_type="frequency",
    )
    repeated = part_of(label.repeat(often), block.repeat(often, axis=0), {"fpr": (0, 0.4)})
    assert_close(list(counted.interval()), list(repeated.interval()), 9)
    assert counted.test().pvalue == pytest.approx(repeated.test().pvalue, rel=1e-9)
    assert counted.interval().method == "placements, discordance"


def test_several_parts_are_compared_as_two_are():
    rng = np.random.default_rng(10)
    label = np.repeat([True, False], [20, 30])
    block = rng.normal(size=(50, 3)) + label[:, None]
    data = rs.pair_scores(label, block, names=["a", "b", "c"])
    found = compare_aucs(data, tpr=(0.7, 1), adjust="none")
    for pair in found.pairs:
        alone = auc_difference(data, pair.first, pair.second, tpr=(0.7, 1))
        assert alone == pair.difference
        assert alone.test() == pair.test
        assert pair.test.method == "placements, discordance"


@pytest.mark.filterwarnings("ignore:The range holds")
def test_scores_alike_but_for_what_lies_beyond_a_range_have_it_too():
    # The two lowest negatives change places, which fpr 0 to .2 does not show.
    label = np.repeat([True, False], [5, 10])
    score = np.arange(15)[::-1].astype(float)
    other = score.copy()
    other[[13, 14]] = other[[14, 13]]
    other[4], other[5] = score[5], score[4]  # one pair within it
    found = part_of(label, np.transpose([score, other]), {"fpr": (0, 0.2)})
    assert found.se > 0
    other[4], other[5] = score[4], score[5]
    score[[0, 5]] = score[[5, 0]]
    other[[0, 5]] = other[[5, 0]]
    found = part_of(label, np.transpose([score, other]), {"fpr": (0, 0.2)})
    assert found.se == 0
    assert found.interval().high >= 1 - 0.025 ** (1 / 50)


@given(sample=samples(), ends=st.sampled_from([{"fpr": (0.1, 0.4)}, {"tpr": (0.5, 0.9)}]))
@example(
    (np.arange(5) < 3, np.array([[2, 2], [2, 3], [2, 3], [1, 0], [0, 3]])), {"fpr": (0.1, 0.4)}
)
@settings(max_examples=30, deadline=None)
def test_ranges_inside_combine_the_intervals_of_both_parts(sample, ends):
    found = part_of(*sample, ends)
    assert found.gaps is None
    low, high = found.interval(0.9)
    assert found.interval(0.9).method == "placements, unseen"
    assert list(found.interval(0.9, scale="unseen")) == [low, high]
    # Such ends need not move outwards with the level, nor without a jump: the test finds one level
    # at which they pass the limit.
    for side, way in enumerate(("greater", "less")):
        pvalue = found.test(null=(low, high)[side], alternative=way).pvalue
        if 1e-9 < pvalue < 0.499:
            near = [
                tuple(found.interval(1 - 2 * pvalue * (1 + more)))[side] for more in (-1e-6, 1e-6)
            ]
            assert min(near) - 1e-7 <= (low, high)[side] <= max(near) + 1e-7


def test_two_perfect_parts_have_the_limits_of_bounds():
    label = np.repeat([True, False], 60)
    score = np.r_[60 + np.arange(60), np.arange(60)]
    found = part_of(label, np.transpose([score, 2 * score]), {"fpr": (0, 0.2)})
    assert found.interval().method == "placements, moderated"
    for level in (0.2, 0.5):
        low, high = found.interval(level)
        assert -0.2 < low < 0 < high < 0.2
        assert noninferiority_test(found, -low).pvalue == pytest.approx((1 - level) / 2, rel=1e-6)


# --- what a test against a margin says ----------------------------------------------------------


def alike(n_pos, n_neg, r):
    rng = np.random.default_rng(2)
    label = np.repeat([True, False], [n_pos, n_neg])
    z = rng.normal(size=(2, label.size))
    return difference(
        label, np.transpose([z[0], r * z[0] + (1 - r * r) ** 0.5 * z[1]]) + label[:, None]
    )


def test_few_correlated_cases_are_a_doubt_against_a_margin_only():
    few = alike(20, 200, 0.95)
    for test in (
        noninferiority_test(few, 0.05),
        equivalence_test(few, 0.05).high,
        few.test(null=0.1, alternative="less"),
    ):
        assert "rejects too often at a margin" in test.note
    for found in (alike(20, 200, 0.2), alike(50, 200, 0.95)):
        assert noninferiority_test(found, 0.05).note == ""
    assert few.test().note == few.test(null=0.1).note == ""
    assert few.test(alternative="less").note == ""


# --- rare cases -------------------------------------------------------------------------------


def class_gap(n, df, correlation):
    return ClassGap(
        n=n, spread=0.1, df=df, spreads=(0.1, 0.1), correlation=correlation, step=0, apart=0
    )


def test_rare_cases_by_hand():
    # 100 negatives, of which the scores differ in one tenth, always by as much: the fourth moment
    # is 10 times the squared second, so that df = 2 100 / (10 - 1), and of 8 positives .8 differ.
    negatives = class_gap(100, 200 / 9, 0.9)
    assert rare_cases(class_gap(8, 7, 0.99), negatives) == pytest.approx(0.8)
    assert rare_cases(class_gap(8, 7, 0.85), negatives) is None  # the positives show them
    assert rare_cases(class_gap(11, 7, 0.99), negatives) is None  # 1.1 are expected
    assert rare_cases(class_gap(60, 7, 0.99), class_gap(100, 0.1, 0.9)) is None  # many cases
    assert rare_cases(class_gap(8, 7, 0.99), class_gap(20, 0.1, 0.9)) is None  # too few to tell
    assert rare_cases(class_gap(8, 7, 0.99), class_gap(100, 0.0, 0.9)) is None  # nothing differs


# --- scores of unequal spread -----------------------------------------------------------------


def spread_gap(n, first, second):
    return replace(class_gap(n, 7, 0.3), spreads=(first, second))


def test_favoured_by_hand():
    positives = spread_gap(8, 0.1, 0.01)
    assert favoured(positives, spread_gap(40, 0.01, 0.0401)) == 0
    assert favoured(positives, spread_gap(40, 0.0401, 0.01)) == 1
    assert favoured(positives, spread_gap(40, 0.01, 0.0399)) is None  # less than twice as far
    assert favoured(positives, spread_gap(40, 0.0, 0.04)) is None  # a constant score
    assert favoured(positives, spread_gap(29, 0.01, 0.09)) is None  # too few to tell
    assert favoured(spread_gap(99, 0.1, 0.1), spread_gap(198, 0.01, 0.09)) == 0
    assert favoured(spread_gap(99, 0.1, 0.1), spread_gap(197, 0.01, 0.09)) is None
    assert favoured(spread_gap(100, 0.1, 0.1), spread_gap(900, 0.01, 0.09)) is None  # many cases
