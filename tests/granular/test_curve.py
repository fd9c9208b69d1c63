"""Granular ROC: by hand, by definition, the readings of the paper's table, its claims."""

from ast import literal_eval
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.data
import slow.granular
from rocspace import datasets
from rocspace.counts import ScoreTable, SingleClassError
from rocspace.counts import distances as _granular
from rocspace.granular import (
    READINGS,
    granular_areas,
    groc,
    groc_reading,
    rho,
    rho_auc,
    rho_integrals,
)
from slow.data import F3, INF, reference, samples

thirds = st.integers(1, 9).map(lambda k: k / 3)
widths = st.integers(0, 12).map(lambda k: k / 4)
hundredths = st.integers(0, 100).map(lambda k: k / 100)


def assert_near(value, exact):
    assert value == pytest.approx(float(exact), rel=1e-12, abs=1e-14)


def paper(model, **how):
    data = datasets.load("groc_table3")
    return rs.tabulate(data.y_true, data.columns[model], **how)


# --- by hand ------------------------------------------------------------------------------------


def test_by_hand():
    # Scores 9 8 6 2, labels p n p n, delta 3: P = N = 2.
    # 9: alone, (0, 1/2). 8: window 8..11 holds 9 p and 8 n: upper (0/(2-1), 2/(2+1)), lower
    # ((1+1)/(2+1), 0/(2-1)). 6: window 6..9 without 9 holds 8 n, 6 p, and 9 p stays outside:
    # upper (0/1, 3/3), lower ((1+1)/3, 1/1). 2: alone, (1, 1).
    found = groc(rs.tabulate([1, 0, 1, 0], [9, 8, 6, 2]), 3)
    assert found.threshold.tolist() == [np.inf, 9, 8, 6, 2, -np.inf]
    assert found.high_fpr.tolist() == [0, 0, 0, 0, 1, 1]
    assert found.high_tpr.tolist() == [0, 1 / 2, 2 / 3, 1, 1, 1]
    assert found.low_fpr.tolist() == [0, 0, 2 / 3, 2 / 3, 1, 1]
    assert found.low_tpr.tolist() == [0, 1 / 2, 0, 1, 1, 1]
    assert_near(found.auc_high, 1)
    assert_near(found.auc_low, Fraction(2, 3) * Fraction(1, 4) + Fraction(1, 3))
    assert found.auc == 0.75
    assert_near(found.approximation_ratio, 0.5)
    assert_near(found.lambda_auc, 0.375)
    assert repr(found) == "GranularRoc(delta=3, auc_low=0.5, auc=0.75, auc_high=1)"
    assert len(found) == 6


def test_points_may_go_back():
    found = groc(paper("a"), 0.02)
    assert (np.diff(found.low_fpr) < 0).any()
    assert (np.diff(found.low_tpr) < 0).any()


# --- the paper's table --------------------------------------------------------------------------

# Lower and upper area of model A, then of B, to five digits.
TABLE = {
    ("canonical", "float"): (0.64486, 0.73542, 0.67403, 0.69182),
    ("canonical", "exact"): (0.64486, 0.73309, 0.69, 0.69),
    ("closed", "exact"): (0.62937, 0.75026, 0.66481, 0.72927),
    ("never-self", "float"): (0.66519, 0.71599, 0.68091, 0.69),
    ("always-self", "float"): (0.60568, 0.75022, 0.62197, 0.72348),
    ("printed-lines", "float"): (0.88947, 0.73542, 0.72819, 0.69182),
    ("never-reset", "float"): (0.82143, 1.29037, 0.72125, 0.68765),
    ("fixed-sizes", "float"): (0.59, 0.82, 0.655, 0.705),
    ("symmetric", "float"): (0.66322, 0.69887, 0.66592, 0.67697),
    ("sorted", "float"): (0.64436, 0.73542, 0.67653, 0.69182),
    ("absolute", "float"): (0.66203, 0.73542, 0.71778, 0.69182),
}


@pytest.mark.parametrize(("reading", "boundary"), TABLE)
def test_readings_of_the_papers_table(reading, boundary):
    found = [groc_reading(paper(m), 0.02, reading, boundary=boundary) for m in "ab"]
    areas = [area for each in found for area in (each.auc_low, each.auc_high)]
    assert np.round(areas, 5).tolist() == list(TABLE[reading, boundary])
    assert {each.auc for each in found} == {0.69}


def test_every_reading_has_a_row_in_that_table():
    assert {reading for reading, _ in TABLE} == set(READINGS)
    assert all(meaning.endswith(".") for meaning in READINGS.values())


def test_printed_figures_rest_on_rounding():
    printed = {"a": (0.645, 0.735), "b": (0.674, 0.691)}
    for model, (low, up) in printed.items():
        found = groc(paper(model), 0.02, boundary="float")
        assert round(found.auc_low, 3) == low
        assert up <= round(found.auc_high, 3) <= up + 0.001  # .69182 is cut off, not rounded
    assert round(groc(paper("b"), 0.02, boundary="float").auc_high, 3) == 0.692
    # In decimals no two scores of B are closer than .02: nothing is left of the example.
    exact = groc(paper("b"), 0.02)
    assert (exact.auc_low, exact.auc, exact.auc_high) == (0.69, 0.69, 0.69)


@pytest.mark.parametrize(("model", "boundary"), [("a", "float"), ("b", "float"), ("a", "exact")])
def test_exact_fractions(model, boundary):
    key = f"groc_{model.upper()}_{'ieee' if boundary == 'float' else 'exact'}_frac"
    found = groc(paper(model), 0.02, boundary=boundary)
    for value, fraction in zip((found.auc_low, found.auc_high), reference()[key], strict=True):
        assert_near(value, Fraction(fraction))


@pytest.mark.parametrize("model", ["a", "b"])
def test_ends_of_the_range(model):
    for delta in (0, 1):
        found = groc(paper(model), delta)
        expected = reference()[f"groc_{model.upper()}_delta{delta}"]
        np.testing.assert_allclose([found.auc_low, found.auc_high], expected, rtol=1e-14)
    # At delta = 1 the lower area is not 0, as the paper has it: the top case keeps its point.
    assert_near(found.auc_low, Fraction(1, 120))


@pytest.mark.parametrize("model", ["a", "b"])
def test_lambda(model):
    found = groc(paper(model), 0.02, boundary="float")
    expected = reference()[f"T3{model.upper()}"]
    assert_near(found.approximation_ratio, expected["lam"])
    assert_near(found.lambda_auc, expected["lamAUC"])


@pytest.mark.parametrize("model", ["a", "b"])
def test_exact_integrals(model):
    expected = reference()[f"rho_{model.upper()}"]
    found = rho_integrals(paper(model), deltas="exact")
    assert_near(found.high, expected["int_f"])
    assert_near(found.low, expected["int_g"])
    assert_near(found.rho, expected["rho"])
    assert_near(rho_auc(paper(model), deltas="exact"), expected["rhoAUC"])


@pytest.mark.parametrize("model", ["a", "b"])
def test_grids(model):
    for steps, expected in reference()[f"rho_{model.upper()}_grid"].items():
        assert_near(rho(paper(model), deltas=int(steps)), expected)
        grid = np.arange(int(steps) + 1) / int(steps)
        assert_near(rho(paper(model), deltas=grid), expected)
    # In doubles even the grid matters: these are multiples of the double .01, as of linspace.
    literal = reference()["rho_grid_float_100"][model.upper()]
    assert_near(rho(paper(model), deltas=np.linspace(0, 1, 101), boundary="float"), literal)
    assert abs(rho(paper(model), deltas=100, boundary="float") - literal) > 1e-4


def test_simulated_population():
    # Limits of X ~ N(.65, .2^2), Y ~ N(.45, .2^2) at delta .02.
    limit = reference()["groc_population"]
    rng = np.random.default_rng(20)
    found = []
    for _ in range(8):
        score = np.concatenate([rng.normal(0.65, 0.2, 2000), rng.normal(0.45, 0.2, 2000)])
        found.append(groc(rs.tabulate(np.arange(4000) < 2000, score), 0.02))
        assert abs(found[-1].approximation_ratio - 0.9369) <= 0.005
        assert abs(found[-1].auc_high - found[-1].auc_low - 0.0492) <= 0.002
    # Means of 8 x 2000 cases: the standard errors are .0075 / sqrt(8), and smaller for lambda.
    for name, key in (("auc", "auc"), ("auc_high", "up"), ("auc_low", "low")):
        assert np.mean([getattr(g, name) for g in found]) == pytest.approx(limit[key], abs=0.01)
    assert np.mean([g.approximation_ratio for g in found]) == pytest.approx(limit["lam"], abs=0.002)


# --- by definition ------------------------------------------------------------------------------


def assert_same_points(found, expected):
    lower, upper = expected
    for fpr, tpr, points in (
        (found.low_fpr, found.low_tpr, lower),
        (found.high_fpr, found.high_tpr, upper),
    ):
        np.testing.assert_allclose(fpr[1:-1], [float(x) for x, _ in points], rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(tpr[1:-1], [float(y) for _, y in points], rtol=1e-13, atol=1e-15)
        assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)


@given(sample=samples(weights=st.integers(0, 3)), delta=widths, higher=st.booleans())
@settings(max_examples=100)
def test_definition(sample, delta, higher):
    label, score, weight = sample
    for w in (None, weight):
        if w is not None and not 0 < sum(x for x, y in zip(w, label, strict=True) if y) < sum(w):
            continue
        table = rs.tabulate(label, score, sample_weight=w, higher_is_positive=higher)
        found = groc(table, delta)
        assert_same_points(found, slow.granular.granular(label, score, delta, w, higher=higher))
        low, up = slow.granular.granular_areas(label, score, delta, w, higher=higher)
        assert_near(found.auc_low, low)
        assert_near(found.auc_high, up)
        assert found.auc == rs.auc(table)


@given(sample=samples(weights=thirds, values=hundredths), delta=hundredths)
@settings(max_examples=60)
def test_definition_with_uneven_weights(sample, delta):
    label, score, weight = sample
    found = groc(rs.tabulate(label, score, sample_weight=weight), delta)
    assert_same_points(found, slow.granular.granular(label, score, delta, weight))


@given(sample=samples(values=hundredths), delta=hundredths)
@settings(max_examples=60)
def test_definition_in_doubles(sample, delta):
    label, score = sample
    found = groc(rs.tabulate(label, score), delta, boundary="float")
    assert_same_points(found, slow.granular.granular(label, score, delta, literal=True))


KINDS = {
    "decimals": hundredths.map(lambda x: x - 0.31),
    "digits": st.integers(-40, 40).map(lambda k: k / 30),
    "any": st.floats(-2, 2),
    "wide": st.sampled_from([1e-300, 2e-300, 3e-300, 0.1, 0.3, 1e10, 1e22, 3e22, 0.0, -0.1]),
    "infinite": st.sampled_from([-INF, INF, 0.1, 0.2, 0.3, 1 / 3, 1.0]),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@given(data=st.data())
@settings(max_examples=25)
def test_distances_are_those_of_decimals(kind, dtype, data):
    label, score = data.draw(samples(values=KINDS[kind]))
    with np.errstate(over="ignore"):
        score = np.array(score).astype(dtype)
    # Every distance that occurs, as near as its float can be: it decides at the very boundary.
    finite = [slow.granular.as_decimal(x) for x in score if np.isfinite(x)]
    gaps = sorted({float(a - b) for a in finite for b in finite if a > b}) or [1.0]
    delta = data.draw(st.sampled_from(gaps))
    found = groc(rs.tabulate(label, score), delta)
    assert_same_points(found, slow.granular.granular(label, score, delta))


@given(
    sample=samples(values=st.integers(-(2**63), -(2**63) + 5) | st.integers(2**63 - 6, 2**63 - 1)),
    delta=st.sampled_from([0, 1, 2, 5, 2.5, 2.0**64 - 2**11, 2.0**64, 1e300]),
    higher=st.booleans(),
)
@settings(max_examples=60)
def test_wide_integers(sample, delta, higher):
    label, score = sample
    score = np.array(score, dtype=np.int64)
    found = groc(rs.tabulate(label, score, higher_is_positive=higher), delta)
    plain = [int(x) for x in score]
    assert_same_points(found, slow.granular.granular(label, plain, delta, higher=higher))
    shifted = np.array([x + 2**63 for x in plain], dtype=np.uint64)
    again = groc(rs.tabulate(label, shifted, higher_is_positive=higher), delta)
    assert again.auc_low == found.auc_low
    assert again.auc_high == found.auc_high


@given(values=st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
@example(values=[float(np.float32(x)) for x in (0.1, 1 / 3, 1e-40, 3e38, 2.0**-20, 123456.789)])
def test_short_floats_are_their_decimals(values):
    for dtype in (np.float32, np.float16):
        with np.errstate(over="ignore"):
            score = np.array(values).astype(dtype)
        expected = [float(str(x)) for x in score]
        assert _granular.shortest(score).tolist() == expected


def test_short_floats_are_their_decimals_at_random():
    rng = np.random.default_rng(2)
    score = np.concatenate([rng.random(3000), 10 ** rng.uniform(-14, 14, 3000)]).astype("f4")
    assert _granular.shortest(score).tolist() == [float(str(x)) for x in score]


# --- many granularities -------------------------------------------------------------------------


@pytest.mark.parametrize("decimals", [2, None])
@pytest.mark.parametrize("boundary", ["exact", "float"])
def test_many_at_once_are_one_by_one(decimals, boundary):
    rng = np.random.default_rng(5)
    score = rng.normal(size=300)
    table = rs.tabulate(rng.random(300) < 0.4, score if decimals is None else score.round(decimals))
    deltas = [0.3, 0, 0.013, 5, 0.3, 0.02, 100]
    for threads in (1, 3):
        found = granular_areas(table, deltas, boundary=boundary, threads=threads)
        assert found.delta.tolist() == deltas
        for i, delta in enumerate(deltas):
            one = groc(table, delta, boundary=boundary)
            assert found.auc_low[i] == one.auc_low
            assert found.auc_high[i] == one.auc_high
            assert found.approximation_ratio[i] == one.approximation_ratio
            assert found.lambda_auc[i] == one.lambda_auc
            assert_near(found.high_ratio[i], one.auc / one.auc_high)
            assert_near(found.low_ratio[i], one.auc_low / one.auc)
    assert repr(found) == f"GranularAreas(7 granularities, auc={found.auc:.6g})"
    assert len(found) == 7


def test_equal_windows_are_swept_once(monkeypatch):
    from rocspace._kernels import windows as kernels

    calls = []
    sweep = kernels.window_areas
    monkeypatch.setattr(kernels, "window_areas", lambda *given: calls.append(1) or sweep(*given))
    granular_areas(paper("a"), np.linspace(0, 0.01, 101), threads=1)
    assert len(calls) <= 12  # distances are multiples of .001


@given(sample=samples(max_size=8, values=st.integers(0, 7).map(lambda k: k / 7)))
@settings(max_examples=20)
def test_exact_integrals_by_definition(sample):
    label, score = sample
    table = rs.tabulate(label, score)
    if rs.auc(table) == 0:
        assert np.isnan(rho(table, deltas="exact"))
        assert np.isnan(rho(table, deltas=10))
        assert np.isnan(rho_auc(table))
        return
    f, g = slow.granular.granular_integrals(label, score)
    found = rho_integrals(table, deltas="exact")
    assert_near(found.high, f)
    assert_near(found.low, g)
    assert found.rho == sqrt(found.high * found.low)
    assert rho(table, deltas=2000) == pytest.approx(found.rho, abs=0.02)


@given(sample=samples(max_size=7, weights=thirds))
@settings(max_examples=20)
def test_exact_integrals_of_other_scales(sample):
    label, score, weight = sample
    table = rs.tabulate(label, score, sample_weight=weight)
    assume(rs.auc(table) > 0)
    f, g = slow.granular.granular_integrals(label, score, weight)
    found = rho_integrals(table, deltas="exact")
    assert_near(found.high, f)
    assert_near(found.low, g)
    wide = rs.tabulate(label, np.array(score) * 100, sample_weight=weight)
    assume(max(score) > 1 or min(score) < 0)
    assert_near(rho(wide, deltas=50), rho(table, deltas=50))


def test_the_grid_approaches_the_integral():
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.5
    table = rs.tabulate(y, np.clip(rng.normal(0.4 + 0.2 * y, 0.2), 0, 1))
    exact = rho(table, deltas="exact")
    off = [abs(rho(table, deltas=k) - exact) for k in (10, 100, 1000, 10000)]
    assert off == sorted(off, reverse=True)
    assert off[-1] < 1e-4
    coarse = rho(table, deltas="exact", boundary="float")
    assert coarse == exact


# --- what the paper claims, and what holds --------------------------------------------------------


@given(sample=samples(), delta=widths, more=widths)
@settings(max_examples=80)
def test_points_move_as_claimed(sample, delta, more):
    label, score = sample
    table = rs.tabulate(label, score)
    curve, one, two = rs.roc_curve(table), groc(table, delta), groc(table, delta + more)
    for inner, outer in ((one, two), (groc(table, 0), one)):
        assert (outer.high_fpr <= inner.high_fpr + 1e-12).all()
        assert (outer.high_tpr >= inner.high_tpr - 1e-12).all()
        assert (outer.low_fpr >= inner.low_fpr - 1e-12).all()
        assert (outer.low_tpr <= inner.low_tpr + 1e-12).all()
    for found in (one, two):
        for rate in (found.low_fpr, found.low_tpr, found.high_fpr, found.high_tpr):
            assert ((rate >= 0) & (rate <= 1)).all()
        assert found.auc_low <= found.auc + 1e-12
        assert found.auc <= found.auc_high + 1e-12
    none = groc(table, 0)
    for fpr, tpr in ((none.low_fpr, none.low_tpr), (none.high_fpr, none.high_tpr)):
        assert fpr[:-1].tolist() == curve.fpr.tolist()
        assert tpr[:-1].tolist() == curve.tpr.tolist()
    assert none.threshold[:-1].tolist() == curve.threshold.tolist()
    assert none.auc_low == none.auc == none.auc_high == rs.auc(table)


def test_no_window_up_to_the_least_gap():
    table = rs.tabulate(*F3)
    gap = 0.005  # .51 - .505
    assert groc(table, gap).auc_high == groc(table, gap).auc_low == rs.auc(table)
    assert groc(table, gap + 1e-9).auc_high > rs.auc(table)


def test_areas_are_not_monotone_in_delta():
    # The paper says they are. Scores 0 -1 -2 -5 -6, labels n n n n p.
    counterexample = literal_eval(reference()["groc_monotone_counterexample"])
    n, label, score, first, second, at_first, at_second = counterexample
    assert n == 5
    table = rs.tabulate(label, [float(x) for x in score])
    found = granular_areas(table, [first, second])
    np.testing.assert_allclose(found.auc_low, [at_first[0], at_second[0]], atol=1e-16)
    np.testing.assert_allclose(found.auc_high, [at_first[1], at_second[1]], rtol=1e-15)
    assert found.auc_high[1] < found.auc_high[0]
    # Mirrored, the same of the lower area: it rises.
    lower = granular_areas(rs.tabulate([1, 1, 1, 1, 0], [0, -1, -2, -5, -6]), [2, 3]).auc_low
    assert lower[1] > lower[0]


@given(sample=samples(), delta=widths)
@settings(max_examples=40)
def test_what_leaves_it_as_it_is(sample, delta):
    label, score = sample
    areas = granular_areas(rs.tabulate(label, score), delta)
    for other, width in (
        (rs.tabulate(label, np.array(score) + 5), delta),
        (rs.tabulate(label, np.array(score) * 4), delta * 4),
        (rs.tabulate(label * 2, score * 2), delta),
        (rs.tabulate(label[::-1], score[::-1]), delta),
        (rs.tabulate(label, -np.array(score), higher_is_positive=False), delta),
    ):
        again = granular_areas(other, width)
        assert_near(again.auc_low, areas.auc_low[0])
        assert_near(again.auc_high, areas.auc_high[0])


def test_what_does_not():
    table = paper("a")
    found = groc(table, 0.02)
    data = datasets.load("groc_table3")
    stretched = rs.tabulate(data.y_true, data.columns["a"] ** 3)
    assert groc(stretched, 0.02).auc_high != pytest.approx(found.auc_high)
    mirrored = groc(rs.tabulate(~data.y_true, 1 - data.columns["a"]), 0.02)
    assert mirrored.auc_low != pytest.approx(found.auc_low)  # windows have one side only


def test_ratio_of_nothing():
    # The only positive is last: all areas are 0, and nothing is lost.
    found = groc(rs.tabulate([0, 0, 1], [3, 2, 1]), 0)
    assert found.auc_high == 0
    assert found.approximation_ratio == 1
    assert found.lambda_auc == 0
    assert np.isnan(granular_areas(rs.tabulate([0, 1], [2, 1]), [0]).high_ratio).all()
    assert np.isnan(granular_areas(rs.tabulate([0, 1], [2, 1]), [0]).low_ratio).all()


def test_huge_counts():
    small = ScoreTable.from_counts([1, 0.5, 0], [3, 2, 1], [1, 1, 2])
    n = 2**58
    large = ScoreTable.from_counts([1, 0.5, 0], [3 * n, 2 * n, n], [n, n, 2 * n])
    for delta in (0.5, 0.7, 2):
        assert_near(groc(large, delta).auc_high, groc(small, delta).auc_high)
        assert_near(groc(large, delta).auc_low, groc(small, delta).auc_low)


# --- bad input ------------------------------------------------------------------------------------


def test_bad_input():
    table = rs.tabulate(*F3)
    for function in (lambda t: groc(t, 0.1), lambda t: granular_areas(t, [0.1]), rho, rho_auc):
        with pytest.raises(SingleClassError, match="2 positives and 0 negatives"):
            function(rs.tabulate([1, 1], [1, 2]))
    for delta in (-0.1, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"must be zero or more, and finite"):
            groc(table, delta)
    with pytest.raises(ValueError, match="must be a number"):
        granular_areas(table, ["a"])
    with pytest.raises(ValueError, match="groc takes one delta"):
        groc(table, [0.1, 0.2])
    with pytest.raises(ValueError, match=r"boundary is 'exakt'.*Did you mean 'exact'"):
        groc(table, 0.1, boundary="exakt")
    with pytest.raises(ValueError, match=r"reading is 'close'.*Did you mean 'closed'"):
        groc_reading(table, 0.1, "close")
    with pytest.raises(ValueError, match="deltas is 0, but must be a whole number, 1 or more"):
        rho(table, deltas=0)
    for grid in ([0, 0.5], [0.1, 1], [0, 0.6, 0.5, 1], [0], [0, 0.5, 0.5, 1]):
        with pytest.raises(ValueError, match="must rise from 0 to 1"):
            rho(table, deltas=grid)
    with pytest.raises(ValueError, match="deltas is 'exac'"):
        rho(table, deltas="exac")
    with pytest.raises(ValueError, match="finite scores"):
        rho(rs.tabulate([0, 1, 1], [0, 1, np.inf]))


def test_too_many_scores_for_all_distances(monkeypatch):
    monkeypatch.setattr("rocspace.granular.curve.EXACT_ROWS", 19)
    with pytest.raises(ValueError, match=r"every two of 20 distinct scores.*Take a grid"):
        rho(rs.tabulate(*F3), deltas="exact")


def test_other_rows_of_readings():
    # Infinite scores have no window; "always-self" counts the score itself all the same.
    table = rs.tabulate([1, 0, 1, 0], [np.inf, 0.5, 0.4, -np.inf])
    assert groc_reading(table, 0.1, "never-self").auc_high == rs.auc(table)
    assert groc_reading(table, 0.1, "symmetric").auc_high == rs.auc(table)
    assert groc_reading(table, 0.2, "symmetric", boundary="float").auc_high > rs.auc(table)
    whole = rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1], higher_is_positive=True)
    assert groc_reading(whole, 1, "closed").auc_high > groc(whole, 1).auc_high


def test_scores_too_far_apart_are_refused():
    table = rs.tabulate([1, 0, 1, 0], [1.7e308, -1.7e308, 1e308, 0])
    with pytest.raises(ValueError, match="too far apart"):
        rho(table)
