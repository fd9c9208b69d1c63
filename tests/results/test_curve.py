"""Whatever its kind, a curve answers as a rising function from (0, 0) to (1, 1) does."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from scipy import stats
from scipy.special import expit, logit

import rocspace as rs
from rocspace import simulate
from rocspace.averaging import horizontal_average, threshold_average, vertical_average
from rocspace.bands import ks_band
from rocspace.curves import curve_distance
from rocspace.models import fit_summary_roc
from rocspace.plot import plot_roc
from rocspace.results import Curve
from rocspace.results.curve import Line, left_right

TABLES = [simulate.binormal(0.75).draw(20, 15, rng=i) for i in range(3)]
WEIGHTED = rs.tabulate([0, 1, 0, 1, 1], [1, 2, 2, 3, 1], sample_weight=[1, 0.5, 2, 0.3, 1])
FLAT = rs.tabulate([1, 0, 0, 1, 0], [5, 4, 3, 2, 1])

POLYGONS: dict[str, Curve] = {
    "table": rs.roc_curve(TABLES[0]),
    "corners dropped": rs.roc_curve(TABLES[1], collinear="drop"),
    "ties optimistic": rs.roc_curve(WEIGHTED, ties="optimistic"),
    "weighted": rs.roc_curve(WEIGHTED),
    "one score": rs.roc_curve(rs.tabulate([0, 1], [1, 1])),
    "perfect": rs.roc_curve(rs.tabulate([0, 1], [1, 2])),
    "runs": rs.roc_curve(FLAT),
    "hull": rs.roc_hull(FLAT),
    "vertical": vertical_average(TABLES, grid=10),
    "horizontal": horizontal_average(TABLES, grid=None),
    "threshold": threshold_average(TABLES, same_scale=True),
    "ratings": simulate.ratings(),
    "cut": simulate.paired_binormal([0.8], cuts=[-1, 0, 2]).margins[0],
}
STUDIES = fit_summary_roc(tp=[20, 45, 18], fp=[5, 20, 1], fn=[5, 5, 7], tn=[45, 30, 49])
SMOOTH: dict[str, Curve] = {
    "normal": simulate.binormal(0.8),
    "wide": simulate.binormal(0.7, 2.0),
    "exponential": simulate.exponential(0.9),
    "gamma": simulate.gamma(2.0, 3.0),
    "summary": STUDIES,
}
CURVES = POLYGONS | SMOOTH
ALL = pytest.mark.parametrize("name", CURVES)
RATE = st.floats(0, 1)


def ends_of(curve: Any) -> np.ndarray[Any, Any]:
    """Return the false positive rates at which a polygon turns."""
    return curve.line.x if hasattr(curve, "line") else np.array([0.0, 1.0])


@ALL
def test_all_are_curves(name: str) -> None:
    curve = CURVES[name]
    assert isinstance(curve, Curve)
    assert curve.name
    assert (curve.tpr_at(1), curve.fpr_at(0)) == (1, 0)
    assert 0 <= curve.auc <= 1


def test_others_are_not() -> None:
    for other in (TABLES[0], lambda f: f, rs.curves.pr_curve(TABLES[0]), ks_band(TABLES[0])):
        assert not isinstance(other, Curve)


@ALL
@given(one=RATE, other=RATE)
@settings(max_examples=30)
def test_both_rates_rise(name: str, one: float, other: float) -> None:
    curve, (low, high) = CURVES[name], sorted((one, other))
    for read in (curve.tpr_at, curve.fpr_at):
        first, second = read([low, high])
        assert 0 <= first <= second + 1e-15 <= 1 + 2e-15
        assert read(low) == first


@ALL
@given(rate=RATE)
@settings(max_examples=30)
def test_each_is_the_inverse_of_the_other(name: str, rate: float) -> None:
    curve = CURVES[name]
    left = curve.fpr_at(rate)  # the smallest that reaches it
    assert curve.tpr_at(left) >= rate - 1e-12
    if left > 0:
        assert curve.tpr_at(max(left * (1 - 1e-6) - 1e-12, 0.0)) <= rate + 1e-12
    height = curve.tpr_at(rate)
    back = curve.fpr_at(min(height, 1.0))
    assert back <= rate + 1e-12
    around = curve.slope_at(rate)
    if 1e-3 < rate < 1 - 1e-3 and around > 1e-2:  # strictly rising there
        inside = np.abs(ends_of(curve) - rate).min() > 1e-6
        if inside:
            assert back == pytest.approx(rate, abs=1e-10)


@ALL
@given(rate=RATE)
@settings(max_examples=30)
def test_slope_is_a_difference_quotient(name: str, rate: float) -> None:
    curve, slope = CURVES[name], CURVES[name].slope_at(rate)
    assert slope >= 0
    if name in POLYGONS:
        x = ends_of(curve)
        step = x[x > rate].min() - rate if rate < 1 else x[x < 1].max() - 1
        near, far = rate + step / 4, rate + step / 2
        if abs(step) > 1e-9:
            found = (curve.tpr_at(far) - curve.tpr_at(near)) / (far - near)
            assert slope == pytest.approx(found, rel=1e-5, abs=1e-6)
    elif 1e-3 < rate < 1 - 1e-3:
        h = 1e-5
        found = (curve.tpr_at(rate + h) - curve.tpr_at(rate - h)) / (2 * h)
        assert slope == pytest.approx(found, rel=1e-3, abs=1e-7)


@ALL
@given(low=RATE, high=RATE, axis=st.sampled_from(["fpr", "tpr"]))
@settings(max_examples=15, deadline=None)
def test_parts_of_the_area_add_up(name: str, low: float, high: float, axis: Any) -> None:
    curve = CURVES[name]
    low, high = sorted((low, high))
    cuts = np.unique([0, low, high, 1]).tolist()
    parts = [curve.partial_auc(**{axis: ends}) for ends in pairwise(cuts)]
    assert sum(parts) == pytest.approx(curve.auc, abs=1e-8)
    for part, (left, right) in zip(parts, pairwise(cuts), strict=True):
        width = right - left
        assert -1e-10 <= part <= width + 1e-10
        least, most = (
            (curve.tpr_at(left), curve.tpr_at(right))
            if axis == "fpr"
            else (1 - curve.fpr_at(right), 1 - curve.fpr_at(left))
        )
        jump = name in POLYGONS and axis == "tpr"  # beside a flat run fpr_at is its left end
        assert part <= width * most + 1e-9
        assert jump or part >= width * least - 1e-9
    assert curve.partial_auc(**{axis: (0, 1)}) == curve.auc


@ALL
def test_what_is_no_rate_is_refused(name: str) -> None:
    curve = CURVES[name]
    for read in (curve.tpr_at, curve.fpr_at, curve.slope_at):
        for wrong in (-0.1, 1.5, np.nan):
            with pytest.raises(ValueError, match=r"fpr|tpr"):
                read(wrong)
    with pytest.raises(ValueError, match="smaller"):
        curve.partial_auc(fpr=(0.5, 0.1))
    with pytest.raises(ValueError, match="not both"):
        curve.partial_auc(fpr=(0, 0.5), tpr=(0.5, 1))


def test_limits_of_a_line_by_hand() -> None:
    line = Line(np.array([0, 0.25, 0.25, 0.75]), np.array([0, 0.2, 0.6, 0.8]))
    left, right = left_right(line, np.array([0, 0.125, 0.25, 0.5, 0.75, 1]))
    np.testing.assert_allclose(left, [0, 0.1, 0.2, 0.7, 0.8, np.nan])
    np.testing.assert_allclose(right, [0, 0.1, 0.6, 0.7, 0.8, np.nan])


def test_slope_by_hand() -> None:
    curve = rs.roc_curve(FLAT)  # up, right twice, up, right
    assert curve.slope_at([0, 0.5, 2 / 3, 1]).tolist() == [0, 0, 0, 0]
    tied = rs.roc_curve(rs.tabulate([0, 0, 1, 1], [1, 2, 2, 3]))
    assert tied.slope_at([0, 0.25, 0.5, 1]).tolist() == [1, 1, 0, 0]
    assert isinstance(tied.slope_at(0.1), float)


def test_smooth_curves_against_their_formulas() -> None:
    f = np.array([0.01, 0.2, 0.5, 0.97])
    mu = stats.norm.ppf(0.8) * 2**0.5
    z = stats.norm.ppf(f)
    normal = SMOOTH["normal"]
    np.testing.assert_allclose(normal.slope_at(f), np.exp(-mu * z - mu**2 / 2), rtol=1e-6)
    np.testing.assert_allclose(normal.fpr_at(normal.tpr_at(f)), f, rtol=1e-12)
    np.testing.assert_allclose(normal.fpr_at(f), stats.norm.cdf(z - mu), rtol=1e-12)
    a, b = STUDIES.intercept, STUDIES.slope
    exact = expit((logit(f) - a / (1 - b)) * (1 - b) / (1 + b))
    np.testing.assert_allclose(STUDIES.fpr_at(f), exact, rtol=1e-12)
    t = STUDIES.tpr_at(f)
    steep = (1 + b) / (1 - b) * t * (1 - t) / (f * (1 - f))
    np.testing.assert_allclose(STUDIES.slope_at(f), steep, rtol=1e-6)


@pytest.mark.parametrize("table", [*TABLES, WEIGHTED, FLAT])
def test_area_of_a_curve_is_that_of_its_table(table: rs.ScoreTable) -> None:
    curve = rs.roc_curve(table)
    assert curve.auc == pytest.approx(rs.auc(table), rel=0 if not table.is_weighted else 1e-15)
    both = [rs.roc_curve(table, ties=t).auc for t in ("optimistic", "pessimistic")]  # type: ignore[arg-type]
    assert sum(both) / 2 == pytest.approx(rs.auc(table))
    for axis in ("fpr", "tpr"):
        part = rs.partial_auc(table, **{axis: (0.1, 0.4)})  # type: ignore[arg-type]
        assert curve.partial_auc(**{axis: (0.1, 0.4)}) == part  # type: ignore[arg-type]


def test_ratings_are_a_polygon() -> None:
    population = simulate.ratings()
    assert population.table is not None
    whole = rs.roc_curve(population.table)
    assert population.auc == rs.auc(population.table)
    assert population.slope_at(0.5) == whole.slope_at(0.5)
    assert curve_distance(population, population.table) == 0


@ALL
def test_a_curve_is_at_no_distance_from_itself(name: str) -> None:
    curve = CURVES[name]
    assert curve_distance(curve, curve) == 0
    apart = curve_distance(curve, POLYGONS["perfect"])
    assert apart == pytest.approx(1 - curve.auc, abs=1e-5)


@ALL
def test_a_band_contains_any_curve(name: str) -> None:
    wide = ks_band(rs.tabulate([0, 1], [1, 1]), level=0.99)
    assert wide.contains(CURVES[name])
    band = ks_band(simulate.binormal(0.99).draw(500, 500, rng=1))
    assert band.contains(CURVES[name]) == (name == "perfect")


@ALL
def test_a_plot_draws_any_curve(name: str) -> None:
    curve: Any = CURVES[name]
    drawn = plot_roc({"it": curve, "again": curve}, ax=Figure().subplots()).lines[-1]
    x, y = (np.asarray(data) for data in (drawn.get_xdata(), drawn.get_ydata()))
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    assert np.trapezoid(y, x) == pytest.approx(curve.auc, abs=1e-5)
    assert len(x) == 2001 if name in SMOOTH else len(x) <= len(curve.line.x)
