"""Components of several areas: as those of each score alone, and as those of repeated cases."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import rocspace.inference.components as module
from rocspace.compare import compare_aucs
from rocspace.counts import sorts
from rocspace.counts.weights import Heaviest
from rocspace.inference import auc_estimate
from rocspace.inference import spread as spread_module
from rocspace.inference.area import _weighted_mean, is_constant
from rocspace.inference.components import (
    _ranked_by_kernels,
    class_gap,
    components,
    counted_weights,
)
from rocspace.inference.spread import ClassSpread, class_spread, neighbour_steps
from rocspace.results.unseen import ClassMean
from slow.data import by_class
from slow.inference import placements_by_pairs


@st.composite
def weighted(draw):
    """Labels with two of each class at least, two scores with ties, and whole weights."""
    n_pos, n_neg = draw(st.integers(2, 8)), draw(st.integers(2, 8))
    n = n_pos + n_neg
    score = st.lists(st.integers(-3, 3).map(float), min_size=n, max_size=n)
    weight = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    return [True] * n_pos + [False] * n_neg, [draw(score), draw(score)], weight


@given(sample=weighted())
@settings(max_examples=40)
def test_frequencies_are_repeated_cases(sample):
    label, block, weight = sample
    columns = np.transpose(block)
    once = rs.pair_scores(label, columns, sample_weight=weight)
    many = rs.pair_scores(np.repeat(label, weight), np.repeat(columns, weight, axis=0))
    counted, repeated = (
        components(data, columns=(0, 1), part=None, weight_type=kind)
        for data, kind in ((once, "frequency"), (many, "importance"))
    )
    np.testing.assert_allclose(counted.covariance, repeated.covariance, rtol=1e-9, atol=1e-13)
    one, other = (each.spread(np.array([1.0, -1.0])) for each in (counted, repeated))
    assert (one.variance, one.df) == pytest.approx((other.variance, other.df), rel=1e-7, abs=1e-13)


@pytest.mark.parametrize("unit", [1e-20, 1e20])
def test_the_unit_of_weights_is_no_round_off(unit):
    weight, rng = np.resize([1.0, 2.0, 5.0], 40), np.random.default_rng(0)
    label, columns = np.arange(40) % 2, rng.normal(size=(40, 2))
    one, other = (
        components(
            rs.pair_scores(label, columns, sample_weight=weight * each),
            columns=(0, 1),
            part=None,
            weight_type="importance",
        ).spread(np.array([1.0, -1.0]))
        for each in (1.0, unit)
    )
    assert one.variance > 0
    assert (other.variance, other.df) == pytest.approx((one.variance, one.df), rel=1e-9)


@pytest.mark.filterwarnings("ignore:(Only|None)")
@given(sample=weighted())
@settings(max_examples=40)
def test_covariance_is_that_of_weighted_placements(sample):
    label, block, weight = sample
    weight = [w / 3 for w in weight]
    data = rs.pair_scores(label, np.transpose(block), sample_weight=weight)
    all_of_it = components(data, columns=(0, 1), part=None, weight_type="importance")
    found = all_of_it.covariance
    placed = [placements_by_pairs(label, column, weight) for column in block]
    expected = np.zeros((2, 2))
    for k, members in enumerate(by_class(label, block[0], weight)):
        w = np.array([float(each) for _, each in members])
        both = np.array([[float(v) for v in one[k]] for one in placed])
        gaps = both - (both @ w / w.sum())[:, None]
        n = w.sum() ** 2 / (w * w).sum()
        expected += (gaps * w**2) @ gaps.T / w.sum() ** 2 * n / (n - 1)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-13)
    for contrast in ([1.0, -1.0], [1.0, 0.0], [0.5, 2.0]):
        variance = all_of_it.spread(np.array(contrast)).variance
        assert variance == pytest.approx(contrast @ expected @ contrast, rel=1e-9, abs=1e-12)
    for i, column in enumerate(block):
        alone = auc_estimate(rs.tabulate(label, column, sample_weight=weight))
        assert alone.se**2 == pytest.approx(found[i, i], rel=1e-9, abs=1e-13)


def test_a_constant_score_is_one_whose_cases_all_tie():
    # As many of both classes at each score but one, and at the only score.
    assert not is_constant(rs.tabulate([1, 0, 1, 0, 1], [1, 1, 2, 2, 3]))
    assert is_constant(rs.tabulate([1, 0, 1, 0], [2, 2, 2, 2]))
    assert is_constant(rs.tabulate([1, 0, 0], [2, 2, 2]))
    assert not is_constant(rs.tabulate([1, 0], [1, 2]))


@pytest.mark.parametrize("kind", ["u1", "i1", "i4", "u8", "i8", "f4", "f8"])
@pytest.mark.parametrize("higher", [True, False])
def test_ranks_by_bits_are_those_of_the_numbers(kind, higher):
    score = np.array([3, 2, 5, 4, 2, 0, 1, 7] * 2) - (0 if kind[0] == "u" else 4)
    label = np.arange(score.size) % 3 == 0
    found, row = _ranked_by_kernels(score.astype(kind), label, higher)
    table = rs.tabulate(label, score.astype(kind), higher_is_positive=higher)
    assert found.score.tolist() == table.score.tolist()
    assert found.pos.tolist() == table.pos.tolist()
    assert found.neg.tolist() == table.neg.tolist()
    assert found.score[row].tolist() == score.tolist()


def test_frequencies_of_cases_are_whole():
    given = rs.pair_scores([1, 0, 1], {"a": [1, 2, 3], "b": [2, 1, 3]}, sample_weight=[1, 2, 1.5])
    assert counted_weights(given, "importance").tolist() == [1, 2, 1.5]
    with pytest.raises(ValueError, match=r"case 2 weighs 1\.5"):
        counted_weights(given, "frequency")


def test_what_a_class_adds_to_a_difference_by_hand():
    spread = ClassSpread(variance=0.08, noise=0.0, freedom=4)
    steps = [(0.1, 0.2), (0.3, 0.5)]
    found = class_gap([[0.02, 0.01], [0.01, 0.08]], 5, spread, steps)
    assert found.spreads == pytest.approx((0.1, 0.4))
    assert (found.correlation, found.spread, found.step) == pytest.approx((0.25, 0.4, 0.3))
    assert found.apart == pytest.approx(2 * 0.4 * (4 / 5) / 0.5)
    alone = class_gap([[np.nan] * 2] * 2, 1, class_spread(0, 0, 1, 1), steps)
    assert (alone.spread, alone.spreads, alone.correlation, alone.apart) == (0, (0, 0), 0, 0)


def test_spread_of_a_class_by_hand():
    # Deviations -1, -1, 1, 1: the kurtosis is 1, and their square varies not at all.
    assert class_spread(4, 4, 4, 4) == ClassSpread(variance=1 / 3, noise=0, freedom=3)
    assert class_spread(4, 6, 4, 4).noise == pytest.approx(0.5 / 4)


def test_steps_between_neighbours_by_hand():
    own = np.array([1, 2, 1])
    steps, ties = neighbour_steps((own, np.array([1, 0, 2])))[0]
    assert (steps, ties) == pytest.approx(((1 + 2 * 4 + 4) / 4 / 36, 6 / 16))
    steps, ties = neighbour_steps((own, np.array([0, 0, 3])))[0]
    assert (steps, ties) == pytest.approx(((2 * 9 + 9) / 4 / 36, 10 / 16))


def test_weighted_mean_of_a_part_by_hand():
    spread = ClassSpread(variance=0.08, noise=0.0, freedom=4)
    mean = ClassMean(n=20, spread=0.1, low=-1, high=1)
    found = _weighted_mean(spread, Heaviest(2, seen=1, typical=1, total=8), 0.5, mean, 0.5)
    assert (found.variance, found.unseen, found.heavy) == pytest.approx((0.32, 0.01, 1))
    # Of weight 8 there are 20 effective cases: one of weight 2 is 5 of them; a quarter of it.
    assert found.added == pytest.approx(1.25)
    light = _weighted_mean(spread, Heaviest(2, seen=9, typical=1, total=8), 0.5, mean, 0.5)
    assert light.added == 0.5


def test_gaps_are_of_the_positives_and_of_the_negatives():
    data = rs.pair_scores([1, 1, 0, 0, 0], {"a": [5, 3, 4, 1, 2], "b": [4, 5, 2, 3, 1]})
    found = components(data, columns=(0, 1))
    pos, neg = found.gaps(0, 1, found.spread(np.array([1, -1])))
    assert (pos.n, neg.n) == (2, 3)
    # Placements of the positives: a 1 and 2/3, b both 1; sums of squares over n - 1.
    assert pos.spreads == pytest.approx((1 / 18, 0))


def test_the_covariance_of_many_scores_is_that_of_few(monkeypatch):
    rng = np.random.default_rng(4)
    label = rng.random(60) < 0.4
    score = np.round(rng.normal(size=(60, 17)) + 0.5 * label[:, None], 1)
    weight = rng.uniform(0.5, 2, 60)
    for each in (None, weight):
        data = rs.pair_scores(label, score, sample_weight=each)
        many = module.components(data, columns=tuple(range(17))).covariance
        monkeypatch.setattr(module, "_MANY", 99)
        one_by_one = module.components(data, columns=tuple(range(17))).covariance
        monkeypatch.undo()
        np.testing.assert_allclose(many, one_by_one, rtol=1e-12, atol=1e-18)
        assert (many == many.T).all()


def test_many_columns_pay_for_the_compiled_loops(monkeypatch):
    monkeypatch.setattr(sorts, "loaded", lambda *_: False)
    alone, among_many = module._least(10**4), module._least(10**7)
    assert among_many < 10**4 < alone


@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "int16", "uint8", "bool"])
@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("part", [None, ("fpr", 0.0, 0.2), ("tpr", 0.5, 0.9)])
def test_compiled_placements_are_those_of_numpy_to_the_bit(kind, higher, part, monkeypatch):
    rng = np.random.default_rng(3)
    label = rng.random(900) < 0.3
    score = 20 * rng.standard_normal((900, 2)) + 60 + 9 * label[:, None]
    score[0], score[1] = 0.0, -0.0
    score = score.clip(0, 250)
    data = rs.pair_scores(
        label, score > 60 if kind == "bool" else score.astype(kind), higher_is_positive=higher
    )
    every = []
    for compiled in (True, False):
        monkeypatch.setattr(module, "_fits_kernels", lambda data, answer=compiled: answer)
        every.append(components(data, columns=(0, 1), part=part))
    loops, plain = every
    assert loops.tables == plain.tables
    assert loops.estimates == plain.estimates
    for name in ("pos", "neg", "covariance"):
        assert np.array_equal(getattr(loops, name), getattr(plain, name))


@given(
    n=st.integers(2, 60).map(lambda n: n * 700) | st.integers(4, 90),
    digits=st.integers(0, 3),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=25)
def test_products_of_two_scores_in_one_pass_are_those_of_numpy_to_the_bit(n, digits, seed):
    rng = np.random.default_rng(seed)
    label = np.arange(n) % 3 == 0
    score = rng.standard_normal((n, 2)).round(digits) + label[:, None]
    data = rs.pair_scores(label, {"a": score[:, 0], "b": score.mean(axis=1)})
    every = []
    for loaded in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sorts, "loaded", lambda *_, answer=loaded: answer)
            found = components(data, columns=(0, 1))
            assert (found._of_two is None) != loaded
            contrasts = [[1.0, -1.0], [-1.0, 1.0], [0.5, 0.5]]
            spreads = [found.spread(np.array(contrast)) for contrast in contrasts]
            every.append((found.covariance.tolist(), spreads))
    assert every[0] == every[1]


def test_ranks_are_compiled_from_where_counts_are_if_that_is_sooner(monkeypatch):
    monkeypatch.setattr(sorts, "loaded", lambda *_: False)
    assert module._least(10**4) == module._COMPILED
    before = rs.counts.compiled_from(20_000)
    try:
        assert module._least(10**4) == 20_000
        rs.counts.compiled_from(1 << 40)
        assert module._least(10**4) == module._COMPILED
    finally:
        rs.counts.compiled_from(before)
    monkeypatch.setattr(sorts, "loaded", lambda *_: True)
    assert module._least(10**4) == module.LOOPS_FROM


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8, 700])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_steps_of_one_case_a_row_are_those_of_sums(k, share):
    rng = np.random.default_rng([k, int(10 * share)])
    for _ in range(40 if k < 10 else 3):
        own = (rng.random(k) < share).astype(np.int64)
        summed = spread_module._steps(own, 1 - own, float(own.sum()))
        assert spread_module._steps_of_cases(own) == (summed if own.any() else (0, 0))


def test_steps_of_untied_scores_are_those_of_tied_ones(monkeypatch):
    rng = np.random.default_rng(3)
    label = rng.random(300) < 0.4
    data = rs.pair_scores(label, {"a": rng.normal(size=300) + label, "b": rng.normal(size=300)})
    found = rs.auc_difference(data)
    monkeypatch.setattr("rocspace.inference.components.is_distinct", lambda _: False)
    assert rs.auc_difference(data).gaps == found.gaps


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_fewest_degrees_of_freedom_are_those_of_all_pairs(seed, weighted):
    rng = np.random.default_rng(seed)
    label = rng.random(150) < 0.2
    score = rng.standard_normal((150, 24)) + label[:, None]
    score[:, 5] = score[:, 4]  # ranks alike
    score[:, 7] = score[:, 6] + 1e-3 * rng.standard_normal(150)  # nearly
    score[:, 8] = 1.0
    score[:, 9] = score[:, 9] > 2.5  # a few heavy tails
    score[:, 10] = score[:, 10].round()
    weight = rng.integers(1, 4, 150) if weighted else None
    data = rs.pair_scores(label, score, sample_weight=weight)
    found = components(data, columns=tuple(range(24)), weight_type="frequency")
    unit = np.eye(24)
    spreads = [found.spread(unit[i] - unit[j]) for i, j in combinations(range(24), 2)]
    assert found.least_df() == min(each.df for each in spreads if each.variance > 0)
    assert len(found._fewest()) < 20


def test_steps_of_a_score_are_counted_once(monkeypatch):
    rng = np.random.default_rng(0)
    label = np.arange(60) % 2 == 0
    asked = []

    def counted(counts, *args, **known):
        asked.append(counts)
        return neighbour_steps(counts, *args, **known)

    monkeypatch.setattr(module, "neighbour_steps", counted)
    compare_aucs(rs.pair_scores(label, rng.standard_normal((60, 5))))
    assert len(asked) == 5


# --- the differences of placements --------------------------------------------------------------

ONE_MINUS = np.array([1.0, -1.0])


def gaps_of(data, part, kind="importance"):
    found = components(data, columns=(0, 1), part=part, weight_type=kind)
    return found.gaps(0, 1, found.spread(ONE_MINUS))


def test_differences_of_placements_are_known_of_ranges_that_begin_at_zero():
    rng = np.random.default_rng(5)
    label = np.arange(60) % 2 == 0
    data = rs.pair_scores(label, rng.normal(size=(60, 2)) + label[:, None])
    for part in (None, ("fpr", 0.0, 0.4), ("tpr", 0.5, 1.0)):
        assert gaps_of(data, part) is not None
    for part in (("fpr", 0.1, 0.4), ("fpr", 0.5, 1.0), ("tpr", 0.5, 0.9), ("tpr", 0.0, 0.5)):
        assert gaps_of(data, part) is None
    weighted = rs.pair_scores(label, data.score, sample_weight=rng.uniform(1, 2, 60))
    assert gaps_of(weighted, ("fpr", 0.0, 0.4)) is None


@pytest.mark.parametrize(("part", "inside"), [(("fpr", 0.0, 0.1), 1), (("tpr", 0.9, 1.0), 0)])
def test_placements_of_the_class_inside_a_range_correlate_no_more_than_over_all_rates(part, inside):
    # Of the ten cases of the class that is cut off, one is in the range, the same in both scores.
    first = np.r_[np.arange(10.0), 2.5, 5.5, 7.5, 8.5, 9.5, 9.7]
    second = np.r_[5.0, 3, 8, 0, 2, 7, 1, 6, 4, 9, 3.5, 9.5, 4.5, 9.6, 8.5, 9.7]
    label, sign = np.arange(16) >= 10, 1
    if inside == 0:
        label, sign = ~label, -1
    data = rs.pair_scores(label, sign * np.column_stack([first, second]))
    gaps, whole = gaps_of(data, part), gaps_of(data, None)
    placed = components(data, columns=(0, 1), part=part)
    own = np.corrcoef([placed.pos, placed.neg][inside])[0, 1]
    assert own == pytest.approx(1)
    assert gaps[inside].correlation == pytest.approx(whole[inside].correlation, rel=1e-9)
    assert whole[inside].correlation < 0.5
    other = np.corrcoef([placed.pos, placed.neg][1 - inside])[0, 1]
    assert gaps[1 - inside].correlation == pytest.approx(other)


@pytest.mark.filterwarnings("ignore:(Only|None)")
@pytest.mark.parametrize("part", [None, ("fpr", 0.0, 0.25)])
def test_a_heavier_case_counts_by_the_square_of_the_range(part):
    rng = np.random.default_rng(6)
    label = np.arange(80) % 2 == 0
    weight = rng.uniform(1, 3, 80)
    score = rng.normal(size=(80, 1)) + rng.normal(size=(80, 2)) + label[:, None]
    data = rs.pair_scores(label, score, sample_weight=weight)
    found = components(data, columns=(0, 1), part=part)
    heavy = found.heavy(0, 1, found.spread(ONE_MINUS))
    width = 1.0 if part is None else part[2] - part[1]
    for c, (d, own) in enumerate(((found.pos, label), (found.neg, ~label))):
        one, two = (each.classes[c].unseen for each in found.estimates)
        squares = weight[own] ** 2
        r = (squares * d[0] * d[1]).sum() / np.sqrt(np.prod((squares * d**2).sum(axis=1)))
        slow = width**2 * (one + two - 2 * r * np.sqrt(one * two))
        assert heavy[c].unseen == pytest.approx(slow, rel=1e-9)
