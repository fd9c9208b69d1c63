"""The convex hull: by hand, by brute force over slopes, printed, and as other programs have it."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.counts
import slow.curves
import slow.data
import slow.hull
from rocspace import datasets
from rocspace._base.geometry import hull_indices
from rocspace.counts import ConfusionMatrix, ScoreTable, SingleClassError
from rocspace.hull import auch, eer_hull, roc_hull
from rocspace.measures import expected_cost
from rocspace.operating import Costs
from slow.data import F3, F4, F6, INF, answer, assert_close, cases, reference, samples

quarters = st.integers(1, 12).map(lambda k: k / 4)
tenths = st.integers(1, 9).map(lambda k: k / 10)
slopes = st.one_of(st.just(0.0), st.just(INF), st.fractions(0, 20, max_denominator=12).map(float))
points = st.tuples(st.integers(0, 6), st.integers(0, 7))


def polygon(label, score, weight=None):
    return [(f, t) for f, t, _ in slow.curves.points(label, score, weight)]


def vertices(hull):
    return list(zip(hull.fpr.tolist(), hull.tpr.tolist(), strict=True))


def floats(pairs):
    return [(float(f), float(t)) for f, t in pairs]


def discrete(fp, tp, n_neg=6, n_pos=7):
    return ConfusionMatrix(tp=tp, fp=fp, fn=n_pos - tp, tn=n_neg - fp)


# --- by hand and printed ----------------------------------------------------------------------


def test_four_cases_by_hand():
    # (0, 0), (0, 1/2), (1/2, 1/2), (1/2, 1), (1, 1): the third is under the edge of slope 1.
    hull = roc_hull({"a": rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])})
    assert vertices(hull) == [(0, 0), (0, 0.5), (0.5, 1), (1, 1)]
    assert hull.slopes.tolist() == [INF, 1, 0]
    assert hull.auc == 0.5 * (0.5 + 1) / 2 + 0.5
    assert [[(p.name, p.threshold) for p in at] for at in hull.points] == [
        [("never", INF)],
        [("a", 4)],
        [("a", 2)],
        [("a", 1)],
    ]
    assert repr(hull) == "RocHull(4 vertices of a, never)"
    assert len(hull) == 4


def test_reference_hull():
    expected = reference()
    hull = roc_hull(rs.tabulate(*F3))
    assert [list(v) for v in vertices(hull)] == expected["F3_hull"]
    assert_close(hull.slopes, expected["F3_hull_slopes"], 15)
    assert hull.slopes.tolist() == [INF, 3, 0.75, 0.5, 0]
    assert hull.auc == auch(rs.tabulate(*F3)) == expected["F3_auch"]
    assert eer_hull(rs.tabulate(*F3)) == pytest.approx(expected["F3_eer"]["hull"], rel=1e-15)
    for slope in (10, 1, 0.1):
        (best,) = hull.optimal(slope)
        assert list(vertices(hull)[best]) == expected[f"F3_opt_slope_{slope:g}"]


def test_perfect_and_useless():
    assert vertices(roc_hull(rs.tabulate(*F4))) == [(0, 0), (0, 1), (1, 1)]
    assert (auch(rs.tabulate(*F4)), eer_hull(rs.tabulate(*F4))) == (1, 0)
    assert vertices(roc_hull(rs.tabulate(*F6))) == [(0, 0), (1, 1)]
    assert (auch(rs.tabulate(*F6)), eer_hull(rs.tabulate(*F6))) == (0.5, 0.5)
    backwards = rs.tabulate([1, 1, 0], [1, 2, 3])
    assert (auch(backwards), eer_hull(backwards)) == (0.5, 0.5)


def test_hull_of_nothing_is_the_diagonal():
    hull = roc_hull({})
    assert vertices(hull) == [(0, 0), (1, 1)]
    assert [[p.name for p in at] for at in hull.points] == [["never"], ["always"]]
    assert [p.threshold for at in hull.points for p in at] == [INF, -INF]
    assert hull.auc == 0.5
    assert hull.optimal(1) == (0, 1)


# --- by definition ----------------------------------------------------------------------------


@given(sample=samples(weights=quarters))
@settings(max_examples=60)
def test_hull_is_what_some_slope_chooses(sample):
    label, score, weight = sample
    corners = polygon(label, score)
    table = rs.tabulate(label, score)
    hull = roc_hull({"a": table})
    exact = slow.hull.hull_by_slopes(corners)
    assert vertices(hull) == floats(exact)
    assert hull.auc == auch(table) == float(slow.curves.trapezoids(exact))
    assert eer_hull(table) == float(slow.curves.equal_error(exact))
    assert auch(table) >= max(rs.auc(table), 0.5)
    assert eer_hull(table) <= rs.eer(table) + 1e-15
    for (f, t), at in zip(exact[1:], hull.points[1:], strict=True):
        for point in at:
            c = slow.counts.counts_at(label, score, point.threshold)
            assert (c["fp"] / (c["fp"] + c["tn"]), c["tp"] / (c["tp"] + c["fn"])) == (f, t)
    # Quarters add up exactly, so the weighted hull has the same vertices as its fractions.
    weighted = roc_hull({"a": rs.tabulate(label, score, sample_weight=weight)})
    exact = slow.hull.hull_by_slopes(polygon(label, score, weight))
    assert len(weighted) == len(exact)
    assert_close(vertices(weighted), floats(exact), 14)
    assert_close(weighted.auc, float(slow.curves.trapezoids(exact)), 14)
    assert_close(auch(rs.tabulate(label, score, sample_weight=weight)), weighted.auc, 14)


@given(
    sample=samples(),
    other=samples(),
    single=st.lists(points, max_size=3),
    keep=st.booleans(),
)
@settings(max_examples=60)
def test_hull_of_several_on_different_cases(sample, other, single, keep):
    curves = {"a": rs.tabulate(*sample), "b": rs.roc_curve(rs.tabulate(*other))}
    given_ = {**curves, "c": [discrete(*p) for p in single]}
    hull = roc_hull(given_, keep_collinear=keep)
    named = [(p, "a") for p in polygon(*sample)[1:]] + [(p, "b") for p in polygon(*other)[1:]]
    named += [((Fraction(f, 6), Fraction(t, 7)), "c") for f, t in single] + [((0, 0), "never")]
    corners = [p for p, _ in named]
    exact = slow.hull.hull_by_slopes(corners)
    if keep:
        exact = sorted({p for p in corners if slow.hull.height(exact, p) == 0} | set(exact))
    assert vertices(hull) == floats(exact)
    assert hull.auc == float(slow.curves.trapezoids(exact))
    for vertex, at in zip(exact, hull.points, strict=True):
        names = [name for p, name in named if p == vertex] or ["always"]
        assert sorted(p.name for p in at) == sorted(names)
    # Every point is under the hull, and more classifiers never lower it.
    assert min(slow.hull.height(exact, p) for p in corners) >= 0
    assert hull.auc >= max(roc_hull({"a": given_["a"]}).auc, roc_hull({"b": given_["b"]}).auc)
    # Nothing changes when the hull's own points are added.
    again = roc_hull({"hull": [discrete(p[0], p[1], 1, 1) for p in vertices(roc_hull(curves))]})
    assert again.auc == pytest.approx(roc_hull(curves).auc, rel=1e-12)


@given(sample=samples(), slope=slopes, keep=st.booleans())
@settings(max_examples=60)
def test_optimal_is_the_cheapest(sample, slope, keep):
    label, score = sample
    hull = roc_hull(rs.tabulate(label, score), keep_collinear=keep)
    corners = polygon(label, score)
    m = None if slope == INF else Fraction(slope).limit_denominator(12)
    gain = {(f, t): -f if m is None else t - m * f for f, t in corners}
    best = [p for p in gain if gain[p] == max(gain.values())]
    if slope == INF:
        best = [max(best, key=lambda p: p[1])]
    if slope == 0:
        best = [min(best)]
    got = [vertices(hull)[i] for i in hull.optimal(slope)]
    wanted = floats(sorted(best))
    assert got == wanted if keep else set(got) <= set(wanted)
    assert (got[0], got[-1]) == (wanted[0], wanted[-1])


@given(sample=samples(), keep=st.booleans())
@settings(max_examples=30)
def test_slope_ranges_tile_the_half_line(sample, keep):
    hull = roc_hull(rs.tabulate(*sample), keep_collinear=keep)
    ranges = hull.ranges()
    assert [r.vertex for r in ranges] == list(range(len(hull)))
    assert (ranges[0].high, ranges[-1].low) == (INF, 0)
    for upper, lower in pairwise(ranges):
        assert upper.low == lower.high
        assert upper.low <= upper.high
    for r in ranges:
        if r.low < r.high and r.high > 0:
            inside = 2 * r.low + 1 if r.high == INF else (r.low + r.high) / 2
            assert hull.optimal(inside) == (r.vertex,)
            low = r.cost_ratios(0.2).low
            assert Costs(fp=low).iso_performance_slope(0.2) == pytest.approx(r.low, rel=1e-14)
            low_pi, high_pi = r.prevalences({"fp": 2, "fn": 3})
            assert Costs(fp=2, fn=3).iso_performance_slope(high_pi) == pytest.approx(
                r.low, rel=1e-12, abs=1e-15
            )
            assert Costs(fp=2, fn=3).iso_performance_slope(low_pi) == pytest.approx(
                r.high, rel=1e-12
            )


# --- iso-performance lines --------------------------------------------------------------------


def test_slopes_by_hand():
    assert Costs().iso_performance_slope() == 1
    assert Costs().iso_performance_slope(prevalence=1 / 11) == 10  # ten times as many negatives
    assert Costs(fn=10).iso_performance_slope() == 0.1
    # Decimals are read as written: float arithmetic makes .39999999999999997 of (1 - .2) / 2.
    assert Costs(fn=10).iso_performance_slope(prevalence=0.2) == 0.4
    assert Costs(fp=np.float64(0.3), fn=0.1).iso_performance_slope(0.5) == 3
    assert Costs(fn=0).iso_performance_slope() == Costs().iso_performance_slope(prevalence=0) == INF
    assert Costs(fp=0).iso_performance_slope() == Costs().iso_performance_slope(prevalence=1) == 0
    assert Costs().iso_performance_slope(prevalence=5e-324) == INF


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 1, 0.5), "fp costs -1"),
        ((1, INF, 0.5), "finite"),
        ((1, 1, 1.5), "prevalence is 1.5"),
        ((0, 0, 0.5), "No error costs"),
        ((0, 1, 0), "no error that can occur costs anything"),
        ((1, math.nan, 0.5), "nan"),
    ],
)
def test_slopes_that_make_no_sense(arguments, message):
    with pytest.raises(ValueError, match=message):
        Costs(fp=arguments[0], fn=arguments[1]).iso_performance_slope(arguments[2])


@given(point=points, cost_fp=quarters, cost_fn=quarters, prevalence=tenths)
def test_cost_follows_the_intercept(point, cost_fp, cost_fn, prevalence):
    c = discrete(*point)
    m = Costs(fp=cost_fp, fn=cost_fn).iso_performance_slope(prevalence)
    f, t = point[0] / 6, point[1] / 7
    cost = expected_cost(c, costs=Costs(fp=cost_fp, fn=cost_fn), prevalence=prevalence)
    assert_close(cost, prevalence * cost_fn * (1 - (t - m * f)), 12)


def test_questions_that_make_no_sense():
    hull = roc_hull(rs.tabulate(*F3))
    for slope in (-1, math.nan):
        with pytest.raises(ValueError, match="slope is"):
            hull.optimal(slope)
    with pytest.raises(ValueError, match="prevalence is 1"):
        hull.ranges()[0].cost_ratios(1)
    with pytest.raises(ValueError, match="one kind of error costs nothing"):
        hull.ranges()[0].prevalences(Costs(fp=0))
    with pytest.raises(ValueError, match="read-only"):
        hull.fpr[0] = 1


# --- what may be put in -----------------------------------------------------------------------


def test_names_of_equal_points_are_all_kept():
    table = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    hull = roc_hull({"a": table, "b": table, "c": ConfusionMatrix(tp=1, fp=0, fn=1, tn=2)})
    assert [[p.name for p in at] for at in hull.points] == [
        ["never"],
        ["a", "b", "c"],
        ["a", "b"],
        ["a", "b"],
    ]
    assert math.isnan(hull.points[1][2].threshold)


def test_points_of_many_thresholds_are_the_curve():
    table = rs.tabulate(*F3)
    many = rs.evaluate(table, table.score)
    single = [rs.point_at(table, s) for s in table.score]
    for given_ in (many, single, rs.roc_curve(table)):
        hull = roc_hull({"a": given_})
        assert vertices(hull) == vertices(roc_hull(table))
        assert hull.auc == auch(table)
    assert [at[0].threshold for at in roc_hull({"a": single}).points][1:] == [
        at[0].threshold for at in roc_hull(table).points
    ][1:]


def test_corners_inside_ties_do_not_count():
    curve = rs.roc_curve(rs.tabulate(*F6), ties="optimistic")
    assert vertices(roc_hull({"a": curve})) == [(0, 0), (1, 1)]


def test_trivial_classifiers_point_in_the_direction_of_the_scores():
    low = rs.tabulate([1, 0, 1], [1, 2, 2], higher_is_positive=False)
    assert roc_hull(low).points[0][0].threshold == -INF
    assert roc_hull({"a": low, "b": rs.tabulate([1, 0], [1, 2])}).points[0][0].threshold == INF
    assert vertices(roc_hull(low)) == [(0, 0), (0, 0.5), (1, 1)]


@pytest.mark.parametrize(
    "given_",
    [rs.tabulate([1, 1], [1, 2]), ConfusionMatrix(tp=1, fp=0, fn=0, tn=0)],
)
def test_one_class_is_not_enough(given_):
    with pytest.raises(SingleClassError, match=r"roc_hull of 'a'.* needs"):
        roc_hull({"a": given_})


# --- invariants -------------------------------------------------------------------------------


@given(sample=samples(), times=st.integers(2, 5), keep=st.booleans())
@settings(max_examples=30)
def test_the_mix_of_the_classes_does_not_matter(sample, times, keep):
    label, score = (np.array(column) for column in sample)
    hull = roc_hull(rs.tabulate(label, score), keep_collinear=keep)
    more = np.where(label, times, 1)
    repeated = roc_hull(
        rs.tabulate(np.repeat(label, more), np.repeat(score, more)), keep_collinear=keep
    )
    assert vertices(repeated) == vertices(hull)
    assert repeated.points == hull.points
    for factor in (0.1, 1 / 3, times):
        weight = np.where(label, factor, 1.0)
        weighted = roc_hull(rs.tabulate(label, score, sample_weight=weight), keep_collinear=keep)
        assert weighted.points == hull.points
        assert_close(vertices(weighted), vertices(hull), 12)
        assert (weighted.slopes[1:] <= weighted.slopes[:-1]).all()


@given(sample=samples())
@settings(max_examples=30)
def test_classes_and_direction_change_places(sample):
    label, score = (np.array(column) for column in sample)
    hull = roc_hull(rs.tabulate(label, score))
    mirrored = roc_hull(rs.tabulate(~label, -score))
    np.testing.assert_allclose(
        [(1 - t, 1 - f) for f, t in vertices(mirrored)][::-1], vertices(hull), atol=1e-15
    )
    squeezed = roc_hull(rs.tabulate(label, np.arctan(score)))
    assert vertices(squeezed) == vertices(hull)


# --- any size, any way ------------------------------------------------------------------------


def concave_counts(k, rng):
    """Rows whose likelihood ratios fall slowly, with many equal ones."""
    ratio = np.sort(rng.integers(1, 400, k))[::-1]
    return ratio, np.full(k, 100)


@pytest.mark.parametrize("scale", [1, 2**18, 2**40])
def test_the_compiled_sweeps_agree_with_python(scale):
    rng = np.random.default_rng(3)
    for pos, neg in (
        concave_counts(20000, rng),
        (rng.integers(0, 3, 20000), rng.integers(0, 3, 20000)),
        (np.arange(20000) % 2, 1 - np.arange(20000) % 2),
    ):
        x, y = np.cumsum(neg) * scale, np.cumsum(pos) * scale
        for keep in (False, True):
            by_python = hull_indices(x.astype(object), y.astype(object), keep_collinear=keep)
            assert hull_indices(x, y, keep_collinear=keep).tolist() == by_python.tolist()
        on_floats = hull_indices(x.astype(float), y.astype(float))
        short = hull_indices(x[:9000].astype(float), y[:9000].astype(float))
        assert on_floats.tolist() == hull_indices(x, y).tolist()
        assert short.tolist() == hull_indices(x[:9000], y[:9000]).tolist()


def test_huge_counts():
    n = 2**60
    # One case of 2**60 decides: (1/4, 1/2 + 2**-60) is above the edge of slope 2, or on it.
    for more, expected in ((1, 4), (0, 3)):
        table = ScoreTable.from_counts(
            [3, 2, 1], [n // 2 + more, n // 2 - more, 0], [n // 4, n // 4, n // 2]
        )
        assert len(roc_hull(table)) == expected
        kept = roc_hull(table, keep_collinear=True)
        assert len(kept) == 4
    assert auch(table) == 0.75


def test_many_tables_of_many_sizes():
    # Their common denominators have hundreds of digits.
    rng = np.random.default_rng(5)
    tables, corners = {}, []
    for i in range(60):
        n = 100 + 7 * i
        label = rng.random(n) < 0.4
        score = rng.integers(0, 30, n) + 12 * label
        tables[str(i)] = rs.tabulate(label, score)
        corners += polygon(label.tolist(), score.tolist())
    hull = roc_hull(tables)
    exact = slow.hull.upper_chain(corners)
    assert vertices(hull) == floats(exact)
    assert hull.auc == float(slow.curves.trapezoids(exact))


def test_small_weights_lose_no_vertex():
    # 10**5 weights on a parabola: neighbouring edges differ by 10**-10 of area, not by nothing.
    k = 10**5
    x = np.linspace(0, 1, k + 1)
    pos, neg = np.diff(2 * x - x * x), np.diff(x)
    table = rs.tabulate(
        np.repeat([True, False], k),
        np.tile(-np.arange(k), 2),
        sample_weight=np.concatenate([pos, neg]),
    )
    hull = roc_hull(table)
    at = np.linspace(0, 1, 1001)
    assert np.abs(np.interp(at, hull.fpr, hull.tpr) - (2 * at - at * at)).max() < 1e-9
    assert auch(table) == pytest.approx(2 / 3, abs=1e-9)
    assert hull.auc == pytest.approx(auch(table), abs=1e-11)


def test_weighted_curves_share_their_points():
    label, score = [1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1]
    tables = {
        name: rs.tabulate(label, score, sample_weight=np.full(6, w))
        for name, w in (("a", 0.1), ("b", 0.7), ("c", 3.0))
    }
    for keep in (False, True):
        hull, whole = (
            roc_hull(given_, keep_collinear=keep)
            for given_ in (tables, {n: rs.tabulate(label, score) for n in "abc"})
        )
        assert hull.points == whole.points
        assert_close(vertices(hull), vertices(whole))


def test_equal_weights_make_no_edges_of_rounding():
    label = np.tile([True, False], 5000)
    table = rs.tabulate(label, np.arange(10000), sample_weight=np.full(10000, 0.1))
    whole = rs.tabulate(label, np.arange(10000))
    assert roc_hull(table).points == roc_hull(whole).points


# --- other programs ---------------------------------------------------------------------------

HERE = ["breast_w_knn15", "sonar_nb", "sonar_rf", "two_class_example", "vehicle_tree5"]
ELSEWHERE = ["asah_ndka", "asah_s100b", "rocr_simple", "suicide_dsi"]


def check_rocr_hull(table, rch):
    """ROCR's rounding keeps one or another point inside an edge."""
    theirs = set(zip(np.round(rch["fpr"], 13), np.round(rch["tpr"], 13), strict=True))
    strict, loose = (roc_hull(table, keep_collinear=keep) for keep in (False, True))
    ours, kept = ({(round(f, 13), round(t, 13)) for f, t in vertices(h)} for h in (strict, loose))
    assert ours <= theirs <= kept


@pytest.mark.parametrize("name", HERE + ELSEWHERE)
def test_hull_of_other_programs(name, request):
    found = answer(f"hull_h__{name}", request)
    table = rs.tabulate(*cases(name, request))
    hull = roc_hull(table)
    for column in ("fpr", "tpr"):
        assert_close(getattr(hull, column), found["hull"][column], 14)
    check_rocr_hull(table, found["rocr_rch"])
    assert [at[0].threshold for at in hull.points] == found["hull"]["threshold"]
    assert_close(hull.auc, found["auc_hull"], 14)
    assert_close(auch(table), found["hmeasure_R"]["AUCH"], 14)


@pytest.mark.parametrize(
    "name", ["breast_w_knn15", "sonar_rf", "two_class_example", "vehicle_tree5"]
)
def test_hull_and_cost_curve_of_rocr(name, request):
    found = answer(f"rocr__{name}", request)
    table = rs.tabulate(*cases(name, request))
    check_rocr_hull(table, found["rch"])
    # The corners of the cost curve's envelope are the edges of the hull: 1 / (1 + slope).
    breaks = sorted({0.0, 1.0, *(1 / (1 + roc_hull(table).slopes)).tolist()})
    theirs = np.array(found["ecost"]["pcf"])
    assert max(np.abs(theirs - b).min() for b in breaks) < 1e-12
    assert max(np.abs(np.array(breaks) - p).min() for p in theirs) < 1e-12


def test_reference_cost_envelope():
    expected = reference()
    hull = roc_hull(rs.tabulate(*F3))
    assert_close(1 / (1 + hull.slopes), expected["F3_cost_env_breaks"], 14)


def test_hull_of_bundled_ratings():
    hanley = datasets.load("hanley_mcneil")
    table = rs.tabulate(hanley.y_true, hanley.y_score)
    # Likelihood ratios 33/2, 11/11, 2/6, 2/6, 3/33 (times 58/51): the middle two are one edge.
    assert len(roc_hull(table)) == 5
    assert len(roc_hull(table, keep_collinear=True)) == 6


def test_a_printed_hull_says_who_is_optimal_when() -> None:
    """By hand: a is at (.1, .6), b at (.5, .95), of ten cases of each class or twenty."""
    hull = roc_hull(
        {
            "a": ConfusionMatrix(tp=12, fp=2, fn=8, tn=18),
            "b": ConfusionMatrix(tp=19, fp=10, fn=1, tn=10),
        }
    )
    # Slopes: .6 / .1 = 6 to a, .35 / .4 = .875 from a to b, .05 / .5 = .1 from b on.
    rows = [line.split("  ") for line in str(hull).splitlines()]
    said = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert said[-4:] == [
        ["never", "6 to ∞", "0 to 0.143"],
        ["a", "0.875 to 6", "0.143 to 0.533"],
        ["b", "0.100 to 0.875", "0.533 to 0.909"],
        ["always", "0 to 0.100", "0.909 to 1"],
    ]


def test_classifiers_without_names_are_numbered() -> None:
    one, two = (
        ConfusionMatrix(tp=tp, fp=fp, fn=10 - tp, tn=10 - fp) for tp, fp in ((6, 1), (9, 5))
    )
    hull = roc_hull([one, two])
    assert [points[0].name for points in hull.points] == ["never", "score 1", "score 2", "always"]
