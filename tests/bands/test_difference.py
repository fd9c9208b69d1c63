"""Band of a difference: its replicates by definition, weights, clusters, and how it is cut."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace import simulate
from rocspace.bands import DifferenceBand, difference_band, likelihood_band
from rocspace.bands import difference as _paired_cells
from rocspace.bands.band import cell_ends
from rocspace.bands.difference import joint_cells
from rocspace.counts import take_cases
from rocspace.counts.draws import draw_counts, rows_of

FPR = np.linspace(0, 1, 41)


def cases(n, seed, *, ties=False, **columns):
    rng = np.random.default_rng(seed)
    label = np.arange(n) % 3 == 0
    common = rng.normal(size=n)
    score = np.stack([1.5 * label + common, 0.8 * label + common / 2], 1) + rng.normal(size=(n, 2))
    return rs.pair_scores(label, np.round(score) if ties else score, names=["a", "b"], **columns)


def difference_of_cases(data, weight):
    """By definition: the polygons of the cases with these weights, read at the rates."""
    tables = (
        rs.tabulate(
            data.label, column, sample_weight=weight, higher_is_positive=data.higher_is_positive
        )
        for column in data.score.T
    )
    one, two = (rs.roc_curve(table).tpr_at(FPR) for table in tables)
    return one - two


def heights(cells, times, *, compiled=False):
    """Read one replicate, given how often each unit was drawn."""
    sizes = cells.ends[0].size, cells.ends[1].size
    pos, neg = (own.reached(times[own.group], sizes, compiled=compiled) for own in cells.classes)
    one, two = (np.interp(FPR, f, t) for f, t in zip(neg, pos, strict=True))
    return one - two


def bounds(band):
    return np.stack([band.fpr, band.difference, band.low, band.high])


# --- replicates -------------------------------------------------------------------------------


@given(seed=st.integers(0, 99), ties=st.booleans(), weighted=st.booleans(), higher=st.booleans())
@settings(max_examples=40)
def test_a_replicate_is_the_curves_of_the_cases_drawn(seed, ties, weighted, higher):
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 4, 30) / 2 if weighted else None
    data = cases(30, seed, ties=ties, sample_weight=weight, cluster=np.arange(30) // 2)
    data = replace(data, higher_is_positive=higher)
    cells = joint_cells(data, (0, 1), weight=data.weight, cells=100)
    drawn = rng.multinomial(15, np.full(15, 1 / 15))
    times = drawn[np.arange(30) // 2] * (1.0 if weight is None else weight)
    expected = difference_of_cases(data, times)
    np.testing.assert_allclose(heights(cells, [drawn]), expected, atol=1e-12)
    np.testing.assert_allclose(heights(cells, [drawn], compiled=True), expected, atol=1e-12)


def test_a_replicate_that_lacks_a_class_is_nan():
    data = cases(6, 1, cluster=[0, 1, 2, 3, 4, 5])
    cells = joint_cells(data, (0, 1), weight=None, cells=100)
    assert np.isnan(heights(cells, [np.array([0, 3, 3, 0, 0, 0])])).all()


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", ["plain", "importance", "frequency"])
def test_replicates_have_the_law_of_drawing_cases(kind):
    rng = np.random.default_rng(3)
    data = cases(60, 2, ties=True)
    weight = None if kind == "plain" else rng.integers(1, 5, 60)
    scale = 0.5 if kind == "importance" else 1
    cells = joint_cells(data, (0, 1), weight=None if weight is None else weight * scale, cells=2048)
    if kind == "importance":  # ties of both scores and the weight are one unit
        assert sum(count.size for count in cells.counts) < 60
    n_boot = 3000
    options = {"threads": 1, "progress": False}
    ours = cells.replicates(FPR, n_boot=n_boot, rng=1, **options)
    if kind == "frequency":
        data, weight = take_cases(data, np.repeat(np.arange(60), weight)), None
    slow = np.empty((n_boot, FPR.size))
    for i in range(n_boot):
        times = np.zeros(len(data))
        for own in (data.label, ~data.label):
            at = np.flatnonzero(own)
            np.add.at(times, rng.choice(at, at.size), 1)
        slow[i] = difference_of_cases(data, times if weight is None else times * weight)
    sd = slow.std(axis=0)
    # Five standard errors of a difference of two means, and of two standard deviations.
    assert (np.abs(ours.mean(axis=0) - slow.mean(axis=0)) <= 5 * sd * np.sqrt(2 / n_boot)).all()
    some = sd > 1e-3
    assert some.sum() > 30
    fourth = ((slow - slow.mean(axis=0)) ** 4).mean(axis=0)[some] / sd[some] ** 4
    error = np.sqrt((fourth - 1) / 4 * 2 / n_boot)
    assert (np.abs(ours.std(axis=0)[some] / sd[some] - 1) <= 5 * error).all()


def test_cut_scores_are_read_inside_their_cells():
    data = simulate.paired_binormal([0.9, 0.75]).draw(6000, 6000, rng=1)
    # Every case a cluster: a unit is a case, however the scores are cut.
    data = replace(data, cluster=np.arange(12_000))
    whole, cut = (joint_cells(data, (0, 1), weight=None, cells=k) for k in (12_000, 512))
    assert whole.ends[0].size == 12_000
    assert cut.ends[0].size == pytest.approx(512, rel=0.02)
    rng = np.random.default_rng(2)
    for _ in range(20):
        drawn = [np.bincount(rng.integers(0, 12_000, 12_000), minlength=12_000)]
        away = np.abs(heights(whole, drawn) - heights(cut, drawn))
        # Steps of pi / 512 in arcsin(sqrt(rate)), so pi / 512 of the positives at the most, for
        # each curve, and a replicate has some more or less in a cell.
        assert 0 < away.max() < 1.5 * 2 * np.pi / 512
    for line, table in zip(cut.curves(), cut.tables, strict=True):
        curve = rs.roc_curve(table, collinear="keep")
        points = set(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))
        assert points.issuperset(zip(line.x.tolist(), line.y.tolist(), strict=True))


def test_ends_of_cells_by_hand():
    # Rates 1/2, 1/2 after the second row: an angle of pi / 2, the middle of two cells.
    table = rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1])
    assert cell_ends(table, 4).tolist() == [0, 1, 2, 3]
    # Angles pi / 4 * (1, 2, 3, 4), floor(angle * 2 / pi) = 0, 1, 1, 2.
    assert cell_ends(table, 2).tolist() == [0, 2, 3]


@pytest.mark.parametrize("compiled", [False, True])
def test_threads_do_not_matter(monkeypatch, compiled):
    monkeypatch.setattr(_paired_cells, "pays_to_compile", lambda draws: compiled)
    data = cases(9000, 1)
    many, one = (difference_band(data, n_boot=60, rng=5, threads=k) for k in (3, 1))
    assert (bounds(many) == bounds(one)).all()


def test_rows_are_given_or_found():
    count = np.array([3, 0, 2, 1])
    assert rows_of(count).tolist() == [0, 0, 0, 2, 2, 3]
    given_, found = (
        draw_counts(np.random.default_rng(1), count, 5, row=row) for row in (rows_of(count), None)
    )
    assert (given_ == found).all()


# --- weights ----------------------------------------------------------------------------------


@pytest.mark.parametrize("weight_type", ["importance", "frequency"])
def test_unit_weights_are_no_weights(weight_type):
    plain = difference_band(cases(90, 4), n_boot=60, rng=1)
    data = cases(90, 4, sample_weight=np.ones(90))
    assert (
        bounds(difference_band(data, weight_type=weight_type, n_boot=60, rng=1)) == bounds(plain)
    ).all()


@given(seed=st.integers(0, 99), ties=st.booleans())
@settings(max_examples=10)
def test_frequencies_are_repeated_cases(seed, ties):
    weight = np.random.default_rng(seed).integers(1, 5, 40)
    data = cases(40, seed, ties=ties, sample_weight=weight)
    again = take_cases(replace(data, weight=None), np.repeat(np.arange(40), weight))
    one = difference_band(data, weight_type="frequency", n_boot=60, rng=1)
    assert (bounds(one) == bounds(difference_band(again, n_boot=60, rng=1))).all()


def test_frequencies_in_clusters_are_repeated_cases():
    weight = np.random.default_rng(1).integers(1, 4, 60)
    data = cases(60, 1, sample_weight=weight, cluster=np.arange(60) // 3)
    again = take_cases(replace(data, weight=None), np.repeat(np.arange(60), weight))
    one = difference_band(data, weight_type="frequency", n_boot=60, rng=1)
    assert (bounds(one) == bounds(difference_band(again, n_boot=60, rng=1))).all()


@pytest.mark.parametrize(("pos", "neg", "exact"), [(8, 0.25, True), (5, 1, False), (1, 0.3, False)])
def test_the_unit_of_importance_weights_does_not_matter(pos, neg, exact):
    weight = np.random.default_rng(2).lognormal(0, 1, 80)
    data = cases(80, 2, sample_weight=weight)
    scaled = replace(data, weight=weight * np.where(data.label, pos, neg))
    one, two = (bounds(difference_band(d, n_boot=60, rng=1)) for d in (data, scaled))
    if exact:
        assert (one == two).all()
    # Rounding may move a rate over a jump of a curve, where the bounds have two limits.
    moved = np.abs(one - two) > 1e-9
    assert moved.mean() < 0.01
    np.testing.assert_allclose(two, one, atol=0.03)


def test_cases_of_no_weight_are_absent():
    weight = np.where(np.arange(80) % 7 == 0, 0.0, 1 + np.arange(80) % 3)
    data = cases(80, 3)
    columns = data.label, data.score, weight
    one, two = (
        difference_band(rs.pair_scores(y, x, sample_weight=w), n_boot=60, rng=1)
        for y, x, w in (columns, [c[weight > 0] for c in columns])
    )
    assert (bounds(one) == bounds(two)).all()


def test_unequal_weights_widen_the_band():
    weight = np.random.default_rng(4).lognormal(0, 1, 600)
    plain, heavy = cases(600, 5), cases(600, 5, sample_weight=weight)
    widths = [
        np.trapezoid(b.high - b.low, b.fpr)
        for b in (difference_band(d, n_boot=200, rng=1) for d in (plain, heavy))
    ]
    # (sum w)^2 / sum w^2 is about n / e: standard errors grow by sqrt(e) = 1.65.
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(np.e), rel=0.2)


# --- clusters ---------------------------------------------------------------------------------


def test_copies_of_a_cluster_tell_nothing_new():
    data = cases(90, 6, cluster=np.arange(90) // 2)
    again = take_cases(data, np.tile(np.arange(90), 4))
    one, four = (difference_band(d, n_boot=60, rng=1) for d in (data, again))
    np.testing.assert_allclose(bounds(four), bounds(one), atol=1e-12)
    alone = difference_band(replace(again, cluster=None), n_boot=60, rng=1)
    narrow, wide = (np.trapezoid(b.high - b.low, b.fpr) for b in (alone, four))
    assert narrow < 0.7 * wide  # as if there were four times as many cases: about one half


# --- the band ---------------------------------------------------------------------------------


def test_swapped_names_mirror_the_band():
    data = cases(60, 7)
    one, two = (
        difference_band(data, *names, n_boot=60, rng=1) for names in (("a", "b"), ("b", "a"))
    )
    assert (one.low == -two.high).all()
    assert (one.difference == -two.difference).all()


@given(seed=st.integers(0, 99), n=st.integers(2, 40), ties=st.booleans())
@settings(max_examples=25)
def test_the_band_holds_the_difference_and_agrees_with_bands_of_both(seed, n, ties):
    data = cases(max(n, 4), seed, ties=ties)
    band = difference_band(data, n_boot=40, rng=seed)
    assert (band.low <= band.difference + 1e-12).all()
    assert (band.difference <= band.high + 1e-12).all()
    one, two = (rs.bands.likelihood_band(data.table(name), level=0.975) for name in "ab")
    # Where a curve jumps, the bounds have two limits: read both bands beside each rate, too.
    before, after = np.append(0, band.fpr[:-1]), np.append(band.fpr[1:], 1)
    least, most = (
        np.array(
            [(a.low, b.high) for a, b in zip(each.at_fpr(before), each.at_fpr(after), strict=True)]
        ).T
        for each in (one, two)
    )
    assert (band.low >= least[0] - most[1] - 1e-3).all()
    assert (band.high <= least[1] - most[0] + 1e-3).all()


def test_what_is_refused():
    data = cases(30, 1, sample_weight=np.arange(30) / 2)
    with pytest.raises(ValueError, match=r"case \d+ weighs 0\.5"):
        difference_band(data, weight_type="frequency")
    with pytest.raises(ValueError, match="weight_type is 'counts'"):
        difference_band(data, weight_type="counts")
    with pytest.raises(TypeError, match="takes PairedScores"):
        difference_band(data.table("a"))
    with pytest.raises(ValueError, match="level is 95"):
        difference_band(data, level=95)
    with pytest.raises(ValueError, match="5 replicates are too few"):
        difference_band(data, n_boot=5)
    with pytest.raises(TypeError, match=r"compares two scores of .*Name them, as in first='a'"):
        difference_band(data, "a")
    with pytest.raises(ValueError, match="compares two scores, but both are 'a'"):
        difference_band(data, "a", "a")
    band = difference_band(data, n_boot=100, rng=1)
    with pytest.raises(TypeError, match="difference is a RocCurve"):
        band.contains(rs.roc_curve(data.table("a")))


# --- two curves of the same cases ---------------------------------------------------------------


def paired(n, seed):
    rng = np.random.default_rng(seed)
    label = np.arange(n) % 2 == 0
    common = rng.normal(size=n)
    good = 2 * label + common + rng.normal(size=n) / 2
    poor = 0.5 * label + common + rng.normal(size=n) / 2
    return rs.pair_scores(label, {"good": good, "poor": poor, "twin": good})


def test_difference_of_a_score_and_its_twin():
    band = difference_band(paired(200, 1), "good", "twin", n_boot=100, rng=1)
    assert (band.difference == 0).all()
    assert not band.differs.any()
    assert band.contains(lambda f: 0 * f)
    assert (band.high > 0).all()  # even where all replicates agree


def test_difference_band():
    data = paired(300, 1)
    band = difference_band(data, "good", "poor", n_boot=300, rng=1, threads=1)
    curves = [rs.roc_curve(data.table(name)) for name in ("good", "poor")]
    expected = curves[0].tpr_at(band.fpr) - curves[1].tpr_at(band.fpr)
    np.testing.assert_allclose(band.difference, expected, atol=1e-12)
    assert band.names == ("good", "poor")
    assert band.differs[np.searchsorted(band.fpr, 0.2)]
    assert not band.differs[0]
    assert (band.low >= -1).all()
    assert (band.high <= 1).all()
    other = difference_band(data, "poor", "good", n_boot=300, rng=1, threads=2)
    np.testing.assert_allclose(other.low, -band.high, atol=1e-12)
    assert band.at_fpr(0.2).low == pytest.approx(-other.at_fpr(0.2).high)
    assert len(band.at_fpr([0.1, 0.2])) == 2


def test_difference_band_draws_cases_together():
    # Scores that share their noise: a band of unpaired replicates would be far wider.
    rng = np.random.default_rng(5)
    label = np.arange(400) % 2 == 0
    score = label + rng.normal(size=400)
    near = rs.pair_scores(label, {"a": score, "b": score + rng.normal(size=400) / 50})
    other = rs.pair_scores(label, {"a": score, "b": label + rng.normal(size=400)})
    widths = [difference_band(d, n_boot=200, rng=1).at_fpr(0.3).width for d in (near, other)]
    assert widths[0] < widths[1] / 2


def test_difference_band_of_an_unknown_score():
    data = paired(100, 2)
    with pytest.raises(ValueError, match="no score 'god'"):
        difference_band(data, "god", "poor")


def test_a_card_shows_differences_from_minus_one_to_one(monkeypatch):
    shown = []

    def picture(lines, *, region, **options):
        shown.append((lines, region))
        return ""

    monkeypatch.setattr(_paired_cells, "picture", picture)
    label = np.arange(60) % 2
    score = np.random.default_rng(1).normal(size=(60, 2)) + label[:, None] * [2, 0]
    band = difference_band(rs.pair_scores(label, score), n_boot=50, rng=1)
    band._card()
    ((lines, region),) = shown
    for fpr, height, value in (
        (*lines[0], band.difference),
        (*region[0], band.low),
        (*region[1], band.high),
    ):
        assert fpr is band.fpr
        np.testing.assert_allclose(height * 2 - 1, value, atol=1e-15)
    assert lines[1] == ([0, 1], [0.5, 0.5])


def test_resampling_is_trusted_where_five_negatives_lie_beyond_a_rate():
    rng = np.random.default_rng(4)
    label = np.arange(220) < 200
    common = rng.normal(size=220)
    data = rs.pair_scores(
        label, np.stack([label + common, label + common + rng.normal(size=220) / 9], 1)
    )
    band = difference_band(data, n_boot=100, rng=1)
    one, two = (
        likelihood_band(data.table(name), level=0.975).at_fpr(band.fpr) for name in data.names
    )
    widest = np.array([min(a.high - b.low, 1) for a, b in zip(one, two, strict=True)])
    beyond = np.minimum(band.fpr, 1 - band.fpr) * 20
    some, few = (beyond >= 5) & (beyond < 6), (beyond > 4) & (beyond < 5)
    assert some.sum() > 3
    assert few.sum() > 3
    assert (band.high[some] < widest[some] - 0.05).all()
    np.testing.assert_allclose(band.high[few], widest[few], atol=0.02)


def test_the_print_says_where_the_curves_differ():
    fpr = np.linspace(0, 1, 11)
    side = np.array([0, 1, 1, 0, -1, -1, 0, 1, 0, -1, 0])
    kept = {"names": ("new", "old"), "level": 0.95, "method": "x", "fpr": fpr}
    band = DifferenceBand(difference=side / 2, low=side / 2 - 0.1, high=side / 2 + 0.1, **kept)
    told = " ".join(str(band).split("Sure to differ:")[1].partition("Method:")[0].split())
    first = "new above for fpr 0.100 to 0.200, old above for fpr 0.400 to 0.500"
    assert told.startswith(f"{first}, new above for fpr 0.7")
    assert told.endswith(", and 1 more")
    alike = DifferenceBand(difference=0 * fpr, low=fpr - 1, high=1 - fpr, **kept)
    assert "Sure to differ: nowhere" in str(alike)
