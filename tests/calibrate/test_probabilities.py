"""Calibration: bins by hand, the identity with the hull, Platt by its equations, other programs."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

import rocspace as rs
from rocspace.averaging import need_same_scale
from rocspace.calibrate import (
    BinnedCalibration,
    fit_binning,
    fit_isotonic,
    fit_platt,
    fit_ranks,
)
from rocspace.counts import SingleClassError
from rocspace.hull import auch, roc_hull
from slow.data import F3, INF, answer, assert_close, cases, reference, samples

infinite = st.one_of(st.integers(-4, 4).map(float), st.sampled_from([INF, -INF]))
thirds = st.integers(1, 9).map(lambda k: k / 3)


def arrays(sample):
    return tuple(np.array(column) for column in sample)


# --- binning ----------------------------------------------------------------------------------


def test_bins_by_hand():
    # Ten cases in three bins: ranks 0 to 3, 4 to 6, 7 to 9 (floor of 3 r / 10).
    label = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1]
    binned = fit_binning(rs.tabulate(label, range(10)), bins=3)
    assert binned.value.tolist() == [1, 1 / 3, 1 / 4]
    assert binned.boundary.tolist() == [6.5, 3.5]
    assert binned.predict([-5, 3, 3.49, 3.5, 6.5, 99]).tolist() == [1 / 4] * 3 + [1 / 3, 1, 1]
    assert repr(binned) == "BinnedCalibration(3 bins)"
    smooth = fit_binning(rs.tabulate(label, range(10)), bins=3, smoothing="laplace")
    assert smooth.value.tolist() == [4 / 5, 2 / 5, 2 / 6]


def test_bins_smoothed_to_the_base_rate_by_hand():
    # Base rate 1/2, so M is 20: (k + 10) / (m + 20) for 3 of 3, 1 of 3 and 1 of 4.
    table = rs.tabulate([0, 0, 0, 1, 0, 1, 0, 1, 1, 1], range(10))
    smooth = fit_binning(table, bins=3, smoothing="m")
    assert_close(smooth.value, [13 / 23, 11 / 23, 11 / 24])
    assert_close(fit_binning(table, bins=3, smoothing="m", strength=2).value, [4 / 5, 2 / 5, 2 / 6])
    vast = fit_binning(table, bins=3, smoothing="m", strength=1e12)
    assert_close(vast.value, [1 / 2] * 3, 1e-10)
    # Laplace's C is the number of classes: (k + 1) / (m + 3).
    more = fit_binning(table, bins=3, smoothing="laplace", strength=3)
    assert_close(more.value, [4 / 6, 2 / 6, 2 / 7])
    # One in four: M is 40, and one bin of all cases keeps the base rate.
    skewed = fit_binning(rs.tabulate([1, 0, 0, 0] * 5, range(20)), bins=1, smoothing="m")
    assert_close(skewed.value, [1 / 4])
    with pytest.raises(ValueError, match="no positives"):
        fit_binning(rs.tabulate([0, 0], [1, 2], pos_label=1), smoothing="m")
    with pytest.raises(ValueError, match="strength is -1"):
        fit_binning(table, smoothing="m", strength=-1)


def test_ties_stay_together():
    # Ranks 0 to 5; the tie of ranks 1 to 4 begins in the first of three bins, so it is there,
    # and the middle bin is empty.
    binned = fit_binning(rs.tabulate([0, 1, 0, 1, 0, 1], [1, 2, 2, 2, 2, 3]), bins=3)
    assert binned.value.tolist() == [1, 2 / 5]
    assert binned.boundary.tolist() == [2.5]


def test_bins_of_ones_own_are_of_rising_scores():
    own = BinnedCalibration(boundary=np.array([2.5]), value=np.array([0.75, 0.25]))
    assert own.predict([3, 2]).tolist() == [0.75, 0.25]


def test_bins_where_nothing_lies_between():
    up = np.nextafter(1.0, 2)
    binned = fit_binning(rs.tabulate([0, 1, 0, 1], [-INF, 1.0, up, INF]), bins=4)
    assert binned.boundary.tolist() == [INF, up, 1.0]
    assert binned.predict([-INF, 0, 1, up, 1e9, INF]).tolist() == [0, 0, 1, 0, 0, 1]
    large = np.array([2**60, 2**60 + 1], dtype="i8")
    assert fit_binning(rs.tabulate([0, 1], large), bins=2).predict(large).tolist() == [0, 1]
    extreme = fit_binning(rs.tabulate([0, 1], [-1.7e308, 1.7e308]), bins=2)
    assert extreme.boundary.tolist() == [0]


def test_wide_bins_by_hand():
    # Edges 2.5, 5, 7.5; nobody in [2.5, 5), which joins [0, 2.5): the boundary is 5.
    label, score = [0, 1, 1, 0, 1], [0, 2, 5, 7, 10]
    binned = fit_binning(rs.tabulate(label, score), bins=4, width="score")
    assert binned.boundary.tolist() == [7.5, 5.0]
    assert binned.value.tolist() == [1, 1 / 2, 1 / 2]
    down = rs.tabulate(label, [-s for s in score], higher_is_positive=False)
    mirrored = fit_binning(down, bins=4, width="score")
    assert mirrored.boundary.tolist() == [-7.5, -5.0]
    assert mirrored.value.tolist() == binned.value.tolist()


@given(sample=samples(values=infinite, weights=thirds), bins=st.integers(1, 12), up=st.booleans())
@settings(max_examples=50)
def test_bins_keep_their_promises(sample, bins, up):
    label, score, weight = arrays(sample)
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w, higher_is_positive=up)
        binned = fit_binning(table, bins=bins)
        value = binned.predict(score)
        assert 1 <= binned.value.size <= min(bins, len(table))
        assert ((value >= 0) & (value <= 1)).all()
        assert_close(np.average(value, weights=w), table.prevalence)
        if w is None:
            # Each tie is where its first case would be in a plain cut of the sorted cases.
            order = np.sort(score if up else -score)
            first = np.searchsorted(order, score if up else -score)
            group = first * bins // score.size
            wanted = [label[group == g].mean() for g in group]
            assert_close(value, wanted)
        pooled = fit_binning(table, bins=bins, monotone=True)
        assert (np.diff(pooled.value) <= 1e-12).all()


# --- isotonic regression ----------------------------------------------------------------------


def test_reference_pav():
    expected = reference()
    table = rs.tabulate(*F3)
    fitted = fit_isotonic(table)
    value = fitted.predict(F3[1])
    np.testing.assert_allclose(value, expected["F3_pav_by_desc_score"], atol=5e-7)
    assert fitted.value.tolist() == [1, 3 / 4, 3 / 7, 1 / 3, 0]
    assert fitted.low.tolist() == [0.8, 0.54, 0.38, 0.30, 0.1]
    assert_close(np.mean((value - np.array(F3[0])) ** 2), expected["F3_pav_brier"])
    assert repr(fitted) == "IsotonicCalibration(5 blocks)"


@given(sample=samples(values=infinite, weights=thirds), up=st.booleans())
@settings(max_examples=60)
def test_blocks_are_edges_of_the_hull(sample, up):
    label, score, weight = arrays(sample)
    table = rs.tabulate(label, score, higher_is_positive=up)
    fitted = fit_isotonic(table)
    hull = roc_hull(table)
    n_pos, n_neg = table.n_pos, table.n_neg
    steps = zip(np.diff(hull.fpr * n_neg).round(), np.diff(hull.tpr * n_pos).round(), strict=True)
    assert fitted.value.tolist() == [t / (t + f) for f, t in steps]
    assert fitted.low.tolist() == [at[0].threshold for at in hull.points[1:]]
    value = fitted.predict(score)
    # The hull of the calibrated scores is their curve, and the hull of the scores.
    assert rs.auc_score(label, value) == auch(table) == auch(rs.tabulate(label, value))
    again = fit_isotonic(rs.tabulate(label, value))
    assert again.predict(value).tolist() == value.tolist()
    assert_close(value.mean(), table.prevalence)
    # With weights: the same by rates.
    weighted = rs.tabulate(label, score, sample_weight=weight, higher_is_positive=up)
    fitted, hull = fit_isotonic(weighted), roc_hull(weighted)
    steps = zip(np.diff(hull.fpr) * weighted.n_neg, np.diff(hull.tpr) * weighted.n_pos, strict=True)
    np.testing.assert_allclose(fitted.value, [t / (t + f) for f, t in steps], atol=1e-12)
    assert_close(np.average(fitted.predict(score), weights=weight), weighted.prevalence)


@given(sample=samples(max_size=9, values=st.integers(0, 4).map(float)))
@settings(max_examples=40)
def test_isotonic_by_the_definition(sample):
    # Max-min formula: the largest mean from here down to the smallest from there up.
    label, score = sample
    value = fit_isotonic(rs.tabulate(label, score)).predict(score)
    levels = sorted(set(score))

    def mean(low, high):
        inside = [int(y) for y, s in zip(label, score, strict=True) if low <= s <= high]
        return Fraction(sum(inside), len(inside))

    for s, v in zip(score, value, strict=True):
        exact = max(min(mean(a, b) for b in levels if b >= s) for a in levels if a <= s)
        assert v == float(exact)


def test_shares_of_weights_that_differ_by_rounding_are_one_block():
    # .7 of 2.1 is a last bit more than .1 of .3: no reason for a step.
    table = rs.tabulate([1, 0, 1, 0], [2, 2, 1, 1], sample_weight=[0.7, 1.4, 0.1, 0.2])
    assert 0.7 / (0.7 + 1.4) > 0.1 / (0.1 + 0.2)
    found = fit_isotonic(table)
    assert (found.low.tolist(), found.high.tolist()) == ([1], [2])
    assert found.value == pytest.approx([1 / 3])


def test_isotonic_minimises_two_losses():
    rng = np.random.default_rng(4)
    label = rng.random(300) < 0.4
    score = rng.normal(size=300) + label
    value = fit_isotonic(rs.tabulate(label, score)).predict(score)

    def losses(p):
        with np.errstate(divide="ignore", invalid="ignore"):
            log = np.where(label, np.log(p), np.log1p(-p))
        return ((p - label) ** 2).mean(), -log.mean()

    brier, log = losses(value)
    for _ in range(20):
        a, b = rng.uniform(0.2, 3), rng.normal()
        other = losses(1 / (1 + np.exp(-(a * score + b))))
        assert brier < other[0]
        assert log < other[1]


def test_between_training_scores():
    table = rs.tabulate([0, 1, 0, 1, 1, 1], [-INF, 2, 3, 4, 6, INF])
    fitted = fit_isotonic(table)
    # Blocks: 4, 6 and inf at 1; 2 and 3 at 1/2; -inf at 0.
    at = [-INF, 0, 2, 2.5, 3, 3.25, 4, 5, 9, INF]
    assert fitted.predict(at).tolist() == [0, 0, 0.5, 0.5, 0.5, 0.5, 1, 1, 1, 1]
    line = fitted.predict(at, interpolation="linear")
    assert line.tolist() == [0, 0, 0.5, 0.5, 0.5, 0.625, 1, 1, 1, 1]
    down = fit_isotonic(
        rs.tabulate([0, 1, 0, 1, 1, 1], [INF, -2, -3, -4, -6, -INF], higher_is_positive=False)
    )
    assert down.predict([-s for s in at], interpolation="linear").tolist() == line.tolist()


def test_linear_never_falls():
    rng = np.random.default_rng(8)
    label = rng.random(200) < 0.5
    fitted = fit_isotonic(rs.tabulate(label, rng.integers(0, 40, 200) + 9 * label))
    at = np.linspace(-3, 60, 999)
    line = fitted.predict(at, interpolation="linear")
    assert (np.diff(line) >= 0).all()
    assert (line >= fitted.predict(at)).all()


def test_ends_inside_zero_and_one():
    table = rs.tabulate(*F3)
    assert fit_isotonic(table, clip=0.01).value.tolist() == [0.99, 3 / 4, 3 / 7, 1 / 3, 0.01]
    # Laplace: 3/4, 4/6, 4/9, 3/8, 1/3.
    smooth = fit_isotonic(table, smoothing="laplace")
    assert_close(smooth.value, [3 / 4, 4 / 6, 4 / 9, 3 / 8, 1 / 3])
    # A small block on top would fall below a large one: they are pooled.
    few = rs.tabulate([1] + [1] * 9 + [0] + [0] * 9, [3] + [2] * 10 + [1] * 9)
    pooled = fit_isotonic(few, smoothing="laplace").value
    assert (np.diff(pooled) < 0).all()
    assert pooled.size == 2


@pytest.mark.parametrize("name", ["sonar_nb", "sonar_rf", "two_class_example", "vehicle_tree5"])
def test_pav_of_other_programs(name, request):
    found = answer(f"hull_h__{name}", request)
    fitted = fit_isotonic(rs.tabulate(*cases(name, request)))
    assert_close(fitted.predict(found["pav_scores"]), found["pav_calibrated"], 13)


@pytest.mark.parametrize("name", ["breast_w_knn15", "sonar_rf", "two_class_example"])
def test_isotonic_of_scikit_learn(name, request):
    label, score = cases(name, request)
    fitted = fit_isotonic(rs.tabulate(label, score))
    theirs = IsotonicRegression(out_of_bounds="clip").fit(score, label)
    distinct = np.unique(score)
    assert_close(fitted.predict(distinct), theirs.predict(distinct))
    assert_close(
        fitted.predict(distinct), answer(f"sklearn__{name}", request)["isotonic_fitted"], 12
    )
    at = np.linspace(score.min(), score.max(), 333)
    np.testing.assert_allclose(
        fitted.predict(at, interpolation="linear"), theirs.predict(at), atol=1e-12
    )


def test_isotonic_of_huge_counts():
    table = rs.ScoreTable.from_counts([3, 2, 1], [2**60, 2**59, 1], [1, 2**60, 2**60])
    assert fit_isotonic(table).value.tolist() == [1.0, 1 / 3, 2.0**-60]


# --- Platt ------------------------------------------------------------------------------------


@given(sample=samples(weights=thirds), stretch=st.sampled_from([1e-9, 1.0, 1e9]))
@settings(max_examples=40)
def test_platt_solves_its_equations(sample, stretch):
    label, score, weight = arrays(sample)
    for w in (None, weight):
        fitted = fit_platt(rs.tabulate(label, score * stretch + 5, sample_weight=w))
        size = np.ones(label.size) if w is None else w
        P, N = size[label].sum(), size[~label].sum()
        target = np.where(label, (P + 1) / (P + 2), 1 / (N + 2))
        p = fitted.predict(score * stretch + 5)
        residual = size * (p - target)
        assert abs(residual.sum()) < 1e-9 * size.sum()
        assert abs(residual @ (score * stretch + 5 - 5)) < 1e-9 * size.sum() * 5 * stretch
        assert ((p > 0) & (p < 1)).all()


def test_platt_of_scikit_learn():
    from sklearn.calibration import _sigmoid_calibration

    rng = np.random.default_rng(6)
    label = rng.random(400) < 0.3
    score = rng.normal(size=400) + 2 * label
    fitted = fit_platt(rs.tabulate(label, score))
    a, b = _sigmoid_calibration(score, label.astype(float))
    np.testing.assert_allclose([fitted.slope, fitted.intercept], [-a, -b], rtol=2e-4)
    down = fit_platt(rs.tabulate(label, -score, higher_is_positive=False))
    assert_close([-down.slope, down.intercept], [fitted.slope, fitted.intercept], 9)


def test_platt_at_the_edge():
    # Perfectly separated: P = N = 2, targets 3/4 and 1/4: log odds +-log 3 at +-1.
    fitted = fit_platt(rs.tabulate([0, 0, 1, 1], [-1, -1, 1, 1]))
    assert_close([fitted.slope, fitted.intercept], [np.log(3), 0], 12)
    flat = fit_platt(rs.tabulate([0, 1, 1], [5, 5, 5]))
    assert flat.slope == 0
    assert_close(flat.predict([5, INF, -9]), [(2 * 3 / 4 + 1 / 3) / 3] * 3)
    with pytest.raises(ValueError, match="infinite"):
        fit_platt(rs.tabulate([0, 1], [1, INF]))


# --- one scale --------------------------------------------------------------------------------


@given(sample=samples(values=infinite), up=st.booleans())
@settings(max_examples=30)
def test_ranks_keep_the_curve(sample, up):
    label, score = sample
    table = rs.tabulate(label, score, higher_is_positive=up)
    scale = fit_ranks(table)
    rank = scale.transform(score)
    key = np.array(score) if up else -np.array(score)
    assert rank.tolist() == [(key < k).sum() / key.size for k in key]
    on_ranks = rs.tabulate(label, rank)
    assert on_ranks.tp.tolist() == table.tp.tolist()
    assert on_ranks.fp.tolist() == table.fp.tolist()
    for t in rank:
        # As thresholds, ranks say how many are called positive.
        c = rs.evaluate(on_ranks, t)
        assert_close((c.tp + c.fp) / len(label), 1 - t, 14)


def test_thresholds_of_several_scores_need_a_word():
    said = r"threshold_average .*same_scale=True.*on_rank_scale.*fit_ranks"
    with pytest.raises(ValueError, match=said):
        need_same_scale("threshold_average", False)
    assert need_same_scale("threshold_average", True) is None
    assert repr(fit_ranks(rs.tabulate(*F3))) == "RankScale(20 distinct scores)"


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: fit_binning(t, bins=0), "bins is 0"),
        (lambda t: fit_binning(t, width="equal"), "width is 'equal'"),
        (lambda t: fit_isotonic(t, clip=0.5), "clip is 0.5"),
        (lambda t: fit_isotonic(t, smoothing="laplac"), "Did you mean 'laplace'"),
        (lambda t: fit_isotonic(t).predict([np.nan]), "missing"),
        (lambda t: fit_isotonic(t).predict([1.0], interpolation="spline"), "interpolation is"),
    ],
)
def test_what_makes_no_sense(call, message):
    with pytest.raises(ValueError, match=message):
        call(rs.tabulate(*F3))


def test_what_is_missing():
    one = rs.tabulate([1, 1], [1, INF])
    for fit in (fit_isotonic, fit_platt):
        with pytest.raises(SingleClassError, match=fit.__name__):
            fit(one)
    with pytest.raises(ValueError, match="1 finite scores"):
        fit_binning(one, width="score")
    two = fit_binning(rs.tabulate([0, 1, 0, 1], [1.0, 3.0, -np.inf, np.inf]), bins=2, width="score")
    assert two.boundary.tolist() == [2.0]  # half way from the least finite score to the largest
    assert fit_binning(one).predict([1, 2]).tolist() == [1, 1]


def test_platt_of_tiny_and_of_huge_scores():
    score = np.array([1.0, 2, 3, 4])
    usual = fit_platt(rs.tabulate([0, 1, 0, 1], score))
    for unit in (2.0**-600, 2.0**400):
        scaled = fit_platt(rs.tabulate([0, 1, 0, 1], score * unit))
        assert scaled.slope * unit == usual.slope
        assert scaled.predict(score * unit) == pytest.approx(usual.predict(score), abs=1e-15)
    with pytest.raises(ValueError, match=r"as large as 1.7e\+308, whose square"):
        fit_platt(rs.tabulate([0, 1, 0, 1], [1.7e308, 1.6e308, -1.7e308, 1.65e308]))
    with pytest.raises(ValueError, match="a slope that float64 cannot hold"):
        fit_platt(rs.tabulate([0, 1, 0, 1], [0, 5e-324, 1e-323, 1.5e-323]))


def test_lapack_writes_nothing_to_the_terminal(capfd):
    label = np.repeat([1, 0], 5)
    huge = np.r_[np.linspace(1.6, 1.79, 5), np.linspace(1.5, 1.7, 5)] * 1e308
    with pytest.raises(ValueError, match="Divide all scores"):
        fit_platt(rs.tabulate(label, huge))
    assert capfd.readouterr() == ("", "")
