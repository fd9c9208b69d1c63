"""Areas and other single numbers: by hand, by exact definition, as printed, as others have them."""

from fractions import Fraction
from math import dist

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp, mannwhitneyu, rankdata

import rocspace as rs
import slow.curves
import slow.data
from rocspace import datasets
from rocspace._base.exact import exact_dot
from rocspace.counts import ScoreTable, SingleClassError, negate
from rocspace.curves import (
    auc,
    auc_bounds,
    auc_score,
    best_orientation,
    closest_to_perfect,
    curve_length,
    eer,
    gini,
    ks,
    partial_auc,
    roc_curve,
    two_way_partial_auc,
    youden,
)
from rocspace.curves.summaries import rate_gap
from rocspace.measures import SUMMARIES
from rocspace.measures.entry import ENTERED, measure
from slow.data import F3, F4, F6, INF, answer, assert_close, assert_near, cases, reference, samples

scores_with_infinities = st.one_of(st.integers(-4, 4).map(float), st.sampled_from([INF, -INF]))
tenths = st.integers(0, 20).map(lambda k: k / 20)
thirds = st.integers(1, 9).map(lambda k: k / 3)

# Numbers of the two rates alone; test_promises.py has those that mix the classes.
RATES = [name for name, fact in SUMMARIES.items() if fact.rank_based and not fact.uses_prevalence]


def polygon(label, score, weight=None):
    return [(f, t) for f, t, _ in slow.curves.points(label, score, weight)]


# --- the area: by hand, printed, by definition ------------------------------------------------


def test_area_by_hand():
    # Positives .8 and .4, negatives .4 and .1: three pairs won, one tied: 3.5 of 4.
    label, score = [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]
    table = rs.tabulate(label, score)
    assert auc(table) == auc_score(label, score) == 3.5 / 4
    assert gini(table) == 0.75
    assert tuple(auc_bounds(table)) == (3 / 4, 1.0)


def test_reference_areas():
    expected = reference()
    three, four, six = (rs.tabulate(*sample) for sample in (F3, F4, F6))
    assert auc(three) == expected["F3_auc"] == expected["F3_U"] / 100
    assert gini(three) == pytest.approx(expected["F3_gini"], rel=1e-15)
    assert auc(four) == expected["F4_auc"]
    assert auc(six) == expected["fig6_expected"]
    assert tuple(auc_bounds(six)) == (expected["fig6_pess"], expected["fig6_opt"])
    # REV's rectangles are the upper sum.
    assert auc_bounds(three).high == expected["F3_rect29"]
    assert auc_bounds(six).high == expected["fig6_rect29"]
    assert auc_bounds(six).low == expected["fig6_step_area"]


def test_algorithm_2_and_its_slip():
    expected = reference()
    for sample, right, printed in (
        (F4, "F4_alg2_ok", "F4_alg2_printed"),
        (F6, "tie64_alg2_ok", "tie64_alg2_printed"),
    ):
        assert (
            float(slow.curves.fawcett_auc(*sample)) == expected[right] == auc(rs.tabulate(*sample))
        )
        assert float(slow.curves.fawcett_auc(*sample, as_printed=True)) == expected[printed]


def test_reference_areas_of_other_sets():
    expected = reference()
    hanley = datasets.load("hanley_mcneil")
    assert_near(auc(rs.tabulate(hanley.y_true, hanley.y_score)), expected["hanley_wilcoxon"]["W"])
    granular = datasets.load("groc_table3")
    for column, key in (("a", "T3A"), ("b", "T3B")):
        area = auc(rs.tabulate(granular.y_true, granular.columns[column]))
        assert area == pytest.approx(expected[key]["auc"], rel=1e-15)
    second = expected["paired_s2"]
    assert auc(rs.tabulate(F3[0], second)) == expected["paired"]["A2"]
    alternating = expected["F3_weights_1_2_delong"]["auc"]
    weighted = rs.tabulate(*F3, sample_weight=[1, 2] * 10)
    assert_near(auc(weighted), alternating)


def test_a_single_point():
    # Fawcett, figure 8b: a discrete classifier's two segments enclose (1 + tpr - fpr) / 2.
    table = ScoreTable.from_counts([1, 0], [7, 3], [2, 8])
    assert auc(table) == (1 + 0.7 - 0.2) / 2


@given(sample=samples(values=scores_with_infinities, weights=thirds))
@settings(max_examples=50)
def test_area_is_the_share_of_pairs(sample):
    label, score, weight = sample
    table = rs.tabulate(label, score)
    pairs = slow.curves.auc_by_pairs(label, score)
    assert auc(table) == auc_score(label, score) == float(pairs)
    assert gini(table) == float(2 * pairs - 1)
    assert (
        slow.curves.trapezoids(polygon(label, score))
        == slow.curves.fawcett_auc(label, score)
        == pairs
    )
    ranks = Fraction(rankdata(score)[label].sum())
    n_pos, n_neg = table.n_pos, table.n_neg
    assert (ranks - Fraction(n_pos * (n_pos + 1), 2)) / (n_pos * n_neg) == pairs
    won = slow.curves.trapezoids(slow.curves.staircase(label, score, positives_first=True))
    lost = slow.curves.trapezoids(slow.curves.staircase(label, score, positives_first=False))
    assert tuple(auc_bounds(table)) == (float(lost), float(won))
    weighted = rs.tabulate(label, score, sample_weight=weight)
    assert_near(auc(weighted), slow.curves.auc_by_pairs(label, score, weight))
    assert_near(gini(weighted), 2 * slow.curves.auc_by_pairs(label, score, weight) - 1)
    low, high = auc_bounds(weighted)
    assert_near((low + high) / 2, auc(weighted))
    assert auc_score(label, score, sample_weight=weight) == auc(weighted)


def test_area_is_scipys_u():
    rng = np.random.default_rng(7)
    for size in (20, 500):
        label = np.arange(size) % 3 == 0
        score = rng.integers(0, 12, size) + label
        u = mannwhitneyu(score[label], score[~label]).statistic
        assert auc(rs.tabulate(label, score)) == u / (label.sum() * (~label).sum())


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 2**57), st.integers(0, 2**57)), min_size=1, max_size=12
    ).filter(lambda rows: all(sum(column) for column in zip(*rows, strict=True)))
)
@settings(max_examples=40)
def test_area_is_exact_beyond_64_bits(rows):
    pos, neg = (list(column) for column in zip(*rows, strict=True))
    table = ScoreTable.from_counts(list(range(len(rows))), pos, neg)
    twice = sum(p * (2 * sum(neg[:i]) + neg[i]) for i, p in enumerate(pos))
    pairs = sum(pos) * sum(neg)
    assert auc(table) == float(Fraction(twice, 2 * pairs))
    assert gini(table) == float(Fraction(twice - pairs, pairs))
    ties = sum(p * n for p, n in zip(pos, neg, strict=True))
    assert auc_bounds(table).low == float(Fraction(twice - ties, 2 * pairs))
    assert auc_bounds(table).high == float(Fraction(twice + ties, 2 * pairs))


def test_area_of_more_than_2_to_the_63_pairs():
    # 2**61 cases of each class; one positive is below one negative: one pair of 2**122 lost.
    n = 2**61
    table = ScoreTable.from_counts([4, 3, 2, 1], [n - 1, 0, 1, 0], [0, 1, 0, n - 1])
    assert auc(table) == 1.0  # 1 - 2**-122, rounded once
    fewer = ScoreTable.from_counts([2, 1], [n, n // 2], [n // 2, n])
    # Wins n * n, ties n * n / 2 twice, of (3 n / 2)^2 pairs: 1.5 / 2.25.
    assert auc(fewer) == 2 / 3


def test_exact_sums_go_on_beyond_a_block():
    n = 2**21 + 3
    a, b = np.full(n, 2**40), np.full(n, 2**41 + 1)
    assert exact_dot(a, b) == n * 2**40 * (2**41 + 1)
    assert exact_dot(a // 2**35, b // 2**20) == n * 2**5 * 2**21
    assert exact_dot(a[:0], b[:0]) == 0
    assert exact_dot(np.array([2**62]), np.array([2**63 - 1])) == 2**62 * (2**63 - 1)


# --- distances and errors ---------------------------------------------------------------------


def test_distances_by_hand():
    # Corners (0, 0), (0, 1/2), (1/2, 1), (1, 1): gaps 0, 1/2, 1/2, 0; distances 1, 1/2, 1/2, 1.
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    assert youden(table) == ks(table) == 0.5
    assert closest_to_perfect(table) == 0.5
    assert eer(table) == 0.25  # on the segment from (0, 1/2) to (1/2, 1)


def test_reference_distances():
    expected = reference()
    table = rs.tabulate(*F3)
    assert youden(table) == ks(table) == expected["F3_youden"][0]
    assert closest_to_perfect(table) == expected["F3_closest01"][0]
    assert eer(table) == expected["F3_eer"]["curve"]


@given(sample=samples(values=scores_with_infinities, weights=thirds))
@settings(max_examples=50)
def test_distances_are_those_of_the_definition(sample):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        corners = polygon(label, score, w)
        gaps = [t - f for f, t in corners]
        if w is None:
            assert youden(table) == float(max(gaps))
            assert ks(table) == float(max(map(abs, gaps)))
            assert eer(table) == float(slow.curves.equal_error(corners))
        assert_near(youden(table), max(gaps))
        assert_near(ks(table), max(map(abs, gaps)))
        assert_near(closest_to_perfect(table) ** 2, min(f**2 + (1 - t) ** 2 for f, t in corners))
        assert_near(eer(table), slow.curves.equal_error(corners))


def test_ks_is_scipys():
    rng = np.random.default_rng(11)
    for shift in (-1, 0, 2):
        label = np.arange(300) % 4 == 0
        score = rng.integers(0, 15, 300) + shift * label
        d = ks_2samp(score[label], score[~label]).statistic
        assert ks(rs.tabulate(label, score)) == pytest.approx(d, rel=1e-13)


def test_distances_at_any_size():
    n = 2**60
    small = ScoreTable.from_counts([3, 2, 1], [3, 2, 1], [1, 1, 2])
    large = ScoreTable.from_counts([3, 2, 1], [n // 2, n // 3, n // 6], [n // 4, n // 4, n // 2])
    for name in RATES:
        value = SUMMARIES[name].function
        assert value(large) == pytest.approx(value(small), rel=1e-14)


# --- promises of the registry -----------------------------------------------------------------

SWAPPED_LABELS = {
    "auc": lambda v: 1 - v,
    "gini": lambda v: -v,
    "ks": lambda v: v,
    "eer": lambda v: 1 - v,
}


@pytest.mark.parametrize("name", RATES)
@given(sample=samples(weights=st.integers(0, 3)), times=st.integers(2, 4))
@settings(max_examples=25)
def test_every_summary_keeps_its_promises(name, sample, times):
    label, score, weight = (np.array(column) for column in sample)
    fact = SUMMARIES[name]
    value = fact.function(rs.tabulate(label, score))
    assert type(value) is float
    assert fact.range[0] <= value <= fact.range[1]
    assert value == fact.function(rs.tabulate(label[::-1], score[::-1]))
    assert value == fact.function(rs.tabulate(label, np.exp(score)))
    twice = rs.tabulate(np.tile(label, 2), np.tile(score, 2))
    assert_near(fact.function(twice), value)
    more = np.where(label, times, 1)
    assert_near(fact.function(rs.tabulate(np.repeat(label, more), np.repeat(score, more))), value)
    # Labels and direction change together: nothing does. Labels alone: the mirror image.
    assert_near(fact.function(rs.tabulate(~label, -score)), value)
    assert_near(fact.function(rs.tabulate(~label, score, higher_is_positive=False)), value)
    if name in SWAPPED_LABELS:
        assert_near(fact.function(rs.tabulate(~label, score)), SWAPPED_LABELS[name](value))
        assert_near(fact.function(negate(rs.tabulate(label, score))), SWAPPED_LABELS[name](value))
    repeated = np.repeat(label, weight), np.repeat(score, weight)
    if 0 < repeated[0].sum() < repeated[0].size:
        whole = fact.function(rs.tabulate(label, score, sample_weight=weight))
        assert_near(whole, fact.function(rs.tabulate(*repeated)))


@pytest.mark.parametrize("name", RATES)
def test_ends_of_every_summary(name):
    fact = SUMMARIES[name]
    low, high = fact.range
    best, worst = (high, low) if fact.better == "higher" else (low, high)
    assert fact.function(rs.tabulate([1, 1, 0], [3, 2, 1])) == best
    upside_down = 1.0 if name == "ks" else worst
    assert fact.function(rs.tabulate([1, 1, 0], [1, 2, 3])) == upside_down
    with pytest.raises(SingleClassError, match=f"{name} needs"):
        fact.function(rs.tabulate([1, 1], [1, 2]))
    assert name in fact.meaning.casefold() or fact.meaning[0].isupper()


def test_a_measure_may_be_added(monkeypatch):
    @measure(range=(0, 1), better="higher", uses_prevalence=True)
    def half(c):
        """One half of everything."""
        return 0.5

    monkeypatch.setattr("rocspace.measures.half", half, raising=False)
    assert half(rs.ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)) == 0.5
    assert ENTERED.pop().meaning == "One half of everything."


# --- orientation ------------------------------------------------------------------------------


@given(sample=samples())
@settings(max_examples=50)
def test_orientation_is_the_better_one(sample):
    table = rs.tabulate(*sample)
    found = best_orientation(table)
    assert auc(found.table) >= 0.5
    assert_near(auc(found.table), max(auc(table), 1 - auc(table)))
    assert found.flipped == (slow.curves.auc_by_pairs(*sample) < Fraction(1, 2))
    assert (negate(found.table) if found.flipped else found.table) == table
    assert not best_orientation(found.table).flipped


# --- parts of the area ------------------------------------------------------------------------


def test_parts_by_hand():
    # Corners (0, 0), (0, 1/2), (1/2, 1), (1, 1).
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    assert partial_auc(table, fpr=(0, 0.5)) == 0.5 * (0.5 + 1) / 2
    assert partial_auc(table, fpr=(0.25, 0.75)) == 0.25 * (0.75 + 1) / 2 + 0.25
    # Beside tpr in [1/2, 1]: 1 - fpr falls from 1 to 1/2.
    assert partial_auc(table, tpr=(0.5, 1)) == 0.5 * (1 + 0.5) / 2
    assert partial_auc(table, tpr=(0, 0.5)) == 0.5
    # (1 + (.375 - .125) / (.5 - .125)) / 2
    assert_near(partial_auc(table, fpr=(0, 0.5), standardised=True), Fraction(5, 6))
    assert two_way_partial_auc(table, max_fpr=0.5, min_tpr=0.5) == 0.5 * 0.5 / 2


def test_reference_parts():
    expected = reference()
    table = rs.tabulate(*F3)
    assert_near(partial_auc(table, fpr=(0, 0.2)), expected["F3_pauc_0_.2"])
    standardised = partial_auc(table, fpr=(0, 0.2), standardised=True)
    assert_near(standardised, expected["F3_mcclish_0_.2"])
    assert_near(standardised, expected["F3_mcclish_sklearn"])
    assert_near(partial_auc(table, fpr=(0.2, 0.5)), expected["F3_pauc_.2_.5"])
    assert_near(partial_auc(table, tpr=(0.8, 1)), expected["F3_pauc_sens_.8_1"])
    assert_near(
        two_way_partial_auc(table, max_fpr=0.5, min_tpr=0.5),
        expected["F3_twoway_tpr>=.5_fpr<=.5"],
    )


def test_reference_part_of_asah(request):
    expected = reference()["asah_s100b_pauc_sens_.9_1"]
    table = rs.tabulate(*cases("asah_s100b", request))
    assert_near(partial_auc(table, tpr=(0.9, 1)), expected["pauc"])
    assert_near(partial_auc(table, tpr=(0.9, 1), standardised=True), expected["mcclish"])


@given(sample=samples(values=scores_with_infinities, weights=thirds), a=tenths, b=tenths)
@settings(max_examples=50)
def test_parts_are_exact_integrals(sample, a, b):
    label, score, weight = sample
    low, high = min(a, b), max(a, b)
    for w in (None, weight):
        table, corners = rs.tabulate(label, score, sample_weight=w), polygon(label, score, w)
        assert_near(
            two_way_partial_auc(table, max_fpr=a, min_tpr=b),
            slow.curves.two_way_area(corners, a, b),
        )
        if low == high:
            continue
        across = slow.curves.partial_area(corners, low, high)
        beside = slow.curves.partial_area_beside(corners, low, high)
        assert_near(partial_auc(table, fpr=(low, high)), across)
        assert_near(partial_auc(table, tpr=(low, high)), beside)
        assert partial_auc(table, fpr=(low, high), standardised=True) == pytest.approx(
            float(slow.curves.mcclish(across, low, high)), rel=1e-11, abs=1e-13
        )
        assert partial_auc(table, tpr=(low, high), standardised=True) == pytest.approx(
            float(slow.curves.mcclish(beside, low, high, beside=True)), rel=1e-11, abs=1e-13
        )


@given(sample=samples(), cuts=st.lists(tenths.filter(lambda x: 0 < x < 1), unique=True, max_size=4))
@settings(max_examples=40)
def test_parts_add_up(sample, cuts):
    table = rs.tabulate(*sample)
    ends = [0.0, *sorted(cuts), 1.0]
    for name in ("fpr", "tpr"):
        parts = [partial_auc(table, **{name: ends[i : i + 2]}) for i in range(len(ends) - 1)]
        assert_near(sum(parts), auc(table))
    assert partial_auc(table) == partial_auc(table, tpr=(0, 1)) == auc(table)
    assert_near(partial_auc(table, standardised=True), auc(table))


def test_two_way_pairs_by_hand():
    # fpr <= 1/2 holds the negative .4 of two, tpr >= 1/2 the lower positive of two, also .4: a tie.
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    assert two_way_partial_auc(table, max_fpr=0.5, min_tpr=0.5, method="pairs") == 0.5 / 4
    assert two_way_partial_auc(table, max_fpr=0.4, min_tpr=0.5, method="pairs") == 0
    # Where the corner ends at points of the curve both versions agree.
    for method in ("pairs", "polygon"):
        found = two_way_partial_auc(rs.tabulate(*F3), max_fpr=0.5, min_tpr=0.5, method=method)
        assert found == pytest.approx(0.03)


@given(sample=samples(), a=tenths, b=tenths)
@settings(max_examples=60)
def test_two_way_pairs_are_those_of_the_definition(sample, a, b):
    table = rs.tabulate(*sample)
    found = two_way_partial_auc(table, max_fpr=a, min_tpr=b, method="pairs")
    assert_near(found, slow.curves.two_way_pairs(*sample, a, b))
    assert two_way_partial_auc(table, max_fpr=1, min_tpr=0, method="pairs") == pytest.approx(
        auc(table)
    )


def test_partial_youden_by_hand():
    # Corners (0, 0), (0, 1/2), (1/2, 1), (1, 1): 1/2 from 0 to 1/2, then 1 - fpr.
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    assert youden(table, fpr=(0, 0.2)) == youden(table, fpr=(0, 1)) == youden(table) == 0.5
    assert youden(table, fpr=(0.6, 0.9)) == pytest.approx(0.4)
    worst = rs.tabulate([1, 0], [1, 2])
    assert youden(worst, fpr=(0.2, 0.4)) == pytest.approx(-0.2)
    with pytest.raises(ValueError, match="fpr"):
        youden(table, fpr=(0.4, 0.4))


@given(sample=samples(), a=tenths, b=tenths)
@settings(max_examples=40)
def test_partial_youden_is_the_largest_on_the_polygon(sample, a, b):
    assume(a != b)
    ends = sorted(Fraction(x).limit_denominator(20) for x in (a, b))
    corners = polygon(*sample)
    inside = [*ends, *(x for x, _ in corners if ends[0] <= x <= ends[1])]
    largest = max(slow.curves.highest_at(corners, x) - x for x in inside)
    table, part = rs.tabulate(*sample), (min(a, b), max(a, b))
    assert youden(table, fpr=part) == pytest.approx(float(largest), abs=1e-12)
    assert youden(table, fpr=part) <= youden(table) + 1e-12


def test_a_gap_of_rates_of_more_pairs_than_64_bits_count():
    big = 2**33
    table = ScoreTable.from_counts([2, 1], [3 * big, big], [big, 3 * big])
    assert rate_gap(table).tolist() == [0.5, 0]


def test_no_curve_is_longer_than_two_by_rounding():
    for n in range(1, 60):
        curve = rs.tabulate([1, 0] * n + [0], range(2 * n + 1))
        assert 2 - 1e-12 < curve_length(curve) <= 2


def test_length_by_hand():
    assert curve_length(rs.tabulate([1, 0], [1, 1])) == pytest.approx(2**0.5)
    assert (
        curve_length(rs.tabulate([1, 0], [2, 1])) == curve_length(rs.tabulate([1, 0], [1, 2])) == 2
    )
    # A side of one half, the diagonal of a square of one half, another side of one half.
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    assert curve_length(table) == pytest.approx(1 + 0.5**0.5)


@given(sample=samples())
def test_length_is_that_of_the_polygon_and_falls_with_ties(sample):
    label, score = sample
    corners = [(float(x), float(y)) for x, y, *_ in polygon(*sample)]
    assert curve_length(rs.tabulate(*sample)) == pytest.approx(sum(map(dist, corners, corners[1:])))
    coarse = rs.tabulate(label, [s // 2 for s in score])
    assert curve_length(coarse) <= curve_length(rs.tabulate(*sample)) + 1e-12


@given(sample=samples(), a=tenths, b=tenths, c=tenths)
@settings(max_examples=40)
def test_two_way_invariants(sample, a, b, c):
    table = rs.tabulate(*sample)
    low, high = min(a, b), max(a, b)
    assert two_way_partial_auc(table, max_fpr=1, min_tpr=0) == auc(table)
    value = two_way_partial_auc(table, max_fpr=high, min_tpr=c)
    assert 0 <= value <= high * (1 - c) + 1e-15
    assert two_way_partial_auc(table, max_fpr=low, min_tpr=c) <= value + 1e-15
    inner = two_way_partial_auc(table, max_fpr=c, min_tpr=high)
    assert inner <= two_way_partial_auc(table, max_fpr=c, min_tpr=low) + 1e-15
    if high:
        assert_near(
            two_way_partial_auc(table, max_fpr=high, min_tpr=0), partial_auc(table, fpr=(0, high))
        )


def test_steps_on_the_end_of_a_range_add_nothing():
    # Ten negatives: .3 is 3/10 as a float too, and the curve jumps from 1/2 to 1 there.
    table = ScoreTable.from_counts([4, 3, 2, 1], [5, 0, 5, 0], [0, 3, 0, 7])
    assert_near(partial_auc(table, fpr=(0, 0.3)), Fraction(15, 100))
    assert_near(partial_auc(table, fpr=(0.3, 1)), Fraction(70, 100))
    assert partial_auc(table, fpr=(0.3, 0.4)) == pytest.approx(0.1, rel=1e-14)


def test_bad_ranges_are_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match="Give a range of fpr or of tpr, not both"):
        partial_auc(table, fpr=(0, 0.5), tpr=(0.5, 1))
    with pytest.raises(ValueError, match=r"fpr is \(0\.5, 0\.2\), but its first end"):
        partial_auc(table, fpr=(0.5, 0.2))
    with pytest.raises(ValueError, match=r"tpr is 1\.2, but must be between 0 and 1"):
        partial_auc(table, tpr=(0.5, 1.2))
    with pytest.raises(ValueError, match="max_fpr is nan"):
        two_way_partial_auc(table, max_fpr=float("nan"), min_tpr=0.5)
    for ends in (0.1, (), (0, 0.1, 0.2)):
        with pytest.raises(ValueError, match="a range has two ends"):
            partial_auc(table, fpr=ends)
    assert partial_auc(table, fpr=np.array([0, 0.5])) == partial_auc(table, fpr=(0, 0.5))
    for function in (auc, gini, youden, ks, closest_to_perfect, eer, partial_auc, auc_bounds):
        with pytest.raises(SingleClassError, match="0 positives and 2 negatives"):
            function(rs.tabulate([0, 0], [1, 2]))
    with pytest.raises(SingleClassError, match="auc_score needs"):
        auc_score([1, 1], [0.5, 0.4])


# --- other programs ---------------------------------------------------------------------------


PROC = ["pathology__scan", "two_class_example__Class1"]
PROC_SHARED = ["asah__ndka", "asah__s100b", "breast_w__Cl_thickness", "dm_rocdata__test1"]
PROC_SHARED += ["dm_rocdata__test2", "rocr_simple__prediction", "sonar__V11", "suicide__dsi"]


@pytest.mark.parametrize("name", PROC + PROC_SHARED)
def test_proc_areas(name, request):
    found = answer(f"auc__{name}", request)
    label, score = cases(found["dataset"], request, found["marker"])
    table = rs.tabulate(label, score)
    assert_close(auc(table), found["auc"], digits=15)
    assert_close(gini(table), found["gini"], digits=14)
    assert auc(table) == found["wilcoxon_W"] / (found["n_pos"] * found["n_neg"])
    assert_close(auc(best_orientation(table).table), found["auc_direction_auto"], digits=15)
    assert best_orientation(table).flipped == (found["direction_auto"] == ">")


PAUC = ["two_class_example__Class1", "asah__ndka", "asah__s100b", "breast_w__Cl_thickness"]
PAUC += ["dm_rocdata__test1", "rocr_simple__prediction", "suicide__dsi"]


@pytest.mark.parametrize("name", PAUC)
def test_proc_parts(name, request):
    found = answer(f"pauc__{name}", request)
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    parts = [part for part in found["pauc"] if "uncorrected" in part]
    assert len(parts) == 18
    for part in parts:
        high, low = part["range"]
        if part["focus"] == "specificity":
            ends = {"fpr": (round(1 - high, 9), round(1 - low, 9))}
        else:
            ends = {"tpr": (low, high)}
        assert_close(partial_auc(table, **ends), part["uncorrected"])
        assert_close(partial_auc(table, **ends, standardised=True), part["corrected_mcclish"])


ROCR = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
ROCR += ["asah_s100b", "rocr_simple", "suicide"]


@pytest.mark.parametrize("name", ROCR)
def test_rocr_areas(name, request):
    found = answer(f"rocr__{name}", request)["scalars"]
    table = rs.tabulate(*cases(name, request))
    assert_close(auc(table), found["auc"], digits=14)
    assert_close(partial_auc(table, fpr=(0, 0.1)), found["pauc_fpr0.1"])
    assert_close(partial_auc(table, fpr=(0, 0.5)), found["pauc_fpr0.5"])


SKLEARN = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
SKLEARN += ["asah_ndka", "asah_s100b", "rocr_simple", "suicide"]


@pytest.mark.parametrize("name", SKLEARN)
def test_sklearn_areas(name, request):
    found = answer(f"sklearn__{name}", request)
    label, score = cases(name, request)
    table = rs.tabulate(label, score)
    assert_close(auc(table), found["roc_auc"], digits=14)
    for end, value in found["roc_auc_max_fpr"].items():
        assert_close(partial_auc(table, fpr=(0, float(end)), standardised=True), value)
    weight = 1 + np.arange(1, len(label) + 1) % 5
    weighted = rs.tabulate(label, score, sample_weight=weight)
    assert_close(auc(weighted), found["weighted"]["roc_auc"], digits=14)
    # Its (fpr, fnr) is the nearest corner; the crossing lies between the two.
    fpr, fnr = found["eer_nearest_point"]
    assert min(fpr, fnr) <= eer(table) <= max(fpr, fnr)


def test_sklearn_table(request):
    for row in answer("sklearn_table__uci_scores_open_sets", request)["rows"]:
        part = datasets.load("uci_scores").where("dataset", row["dataset"])
        score = part.columns[row["score"]]
        assert_close(auc(rs.tabulate(part.y_true, score)), row["auc_pooled"], digits=14)
        fold = part.columns["fold"]
        areas = [auc_score(part.y_true[fold == k], score[fold == k]) for k in np.unique(fold)]
        assert_close(areas, row["auc_fold"], digits=14)


@pytest.mark.parametrize("name", ["sonar__knn15", "vehicle__tree5"])
def test_weighted_roc_areas(name, request):
    found = answer(f"weighted__{name}", request)
    label, score = cases(found["dataset"], request, found["score"])
    weight = 1 + np.arange(1, len(label) + 1) % 5
    assert_close(auc(rs.tabulate(label, score, sample_weight=weight)), found["auc"], digits=14)
    assert_close(auc(rs.tabulate(label, score)), found["auc_unweighted"], digits=14)


@pytest.mark.parametrize("name", ["sonar_rf", "two_class_example", "vehicle_tree5", "rocr_simple"])
def test_mlmetrics(name, request):
    found = answer(f"mlmetrics__{name}", request)
    table = rs.tabulate(*cases(name, request))
    assert_close(auc(table), found["AUC"], digits=14)
    assert_close(auc(table), found["somers2"]["C"], digits=14)
    assert_close(gini(table), found["somers2"]["Dxy"], digits=14)
    assert_close(ks(table), found["ks_test_D"], digits=14)
    # MLmetrics' own Gini depends on the order of tied rows, as only the tree has them.
    if name == "vehicle_tree5":
        assert abs(gini(table) - found["Gini"]) > 1e-3
    else:
        assert_close(gini(table), found["Gini"])
        assert_close(100 * ks(table), found["KS_Stat"])


HMEASURE = ["sonar_rf", "sonar_nb", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
HMEASURE += ["asah_ndka", "asah_s100b", "rocr_simple", "suicide_dsi"]


@pytest.mark.parametrize("name", HMEASURE)
def test_hmeasure_and_precrec(name, request):
    found = answer(f"hull_h__{name}", request)
    table = rs.tabulate(*cases(name, request))
    assert_close(auc(table), found["hmeasure_R"]["AUC"], digits=14)
    assert_close(gini(table), found["hmeasure_R"]["Gini"], digits=13)
    assert_close(auc(table), found["precrec"]["roc"], digits=14)


@pytest.mark.parametrize("name", ["asah_ndka", "asah_s100b", "rocr_simple", "suicide"])
def test_rocit(name, request):
    found = answer(f"rocit__{name}", request)
    table = rs.tabulate(*cases(name, request))
    assert_close(auc(table), found["auc_emp"], digits=14)
    assert_close(youden(table), found["ks_stat"], digits=13)


@pytest.mark.parametrize("group", ["", "_Female", "_Male"])
def test_proc_on_adult(group, request):
    found = answer(f"big__adult{group}", request)
    adult = datasets.load("adult_scores")
    if group:
        adult = adult.where("sex", group[1:])
    for column, value in found["auc"].items():
        table = rs.tabulate(adult.y_true, adult.columns[column])
        assert len(table) == found["n_distinct"][column]
        assert_close(auc(table), value, digits=14)
        assert_close(partial_auc(table, fpr=(0, 0.1)), found["pauc_spec_1_0.9"][column])
        assert_close(partial_auc(table, tpr=(0.9, 1)), found["pauc_sens_1_0.9"][column])
        best = found["youden"][column]
        assert_close(youden(table), best["se"] + best["sp"] - 1)


def test_classic_area(request):
    assert auc(rs.tabulate(*F3)) == answer("classic__fawcett20", request)["auc"]
    curve = roc_curve(rs.tabulate(*F3))
    assert (
        slow.curves.trapezoids(list(zip(curve.fp.tolist(), curve.tp.tolist(), strict=True))) == 68
    )
