"""Goodness of fit: the p value by a slow twin, its size, its power, and what ties do to samples."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from rocspace.curves import curve_distance
from rocspace.models import MODELS, compare_models, fit_roc, goodness_of_fit
from rocspace.models.goodness import _ties, distance_of, sampler, simulated_goodness
from rocspace.simulate import binormal, mixture

NORMAL = binormal(0.85)
TABLE = NORMAL.draw(30, 40, rng=3)
RATED = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])


def p_of(table: rs.ScoreTable, model: str, **options: Any) -> float:
    return goodness_of_fit(table, model=model, rng=5, **options).pvalue


def test_by_hand() -> None:
    # Binormal samples, their fits and distances, drawn here in the plainest way.
    fit, rng = fit_roc(TABLE), np.random.default_rng(8)
    a, b = fit.parameters.values()
    seen = curve_distance(fit, TABLE, metric="l2")
    further = 0
    for _ in range(200):
        sample = rs.tabulate_classes(rng.normal(a / b, 1 / b, 30), rng.normal(0, 1, 40))
        further += curve_distance(fit_roc(sample), sample, metric="l2") >= seen
    found = goodness_of_fit(TABLE, n_sim=200, rng=1)
    assert found.statistic == pytest.approx(seen, abs=1e-4)
    assert found.pvalue == pytest.approx(further / 200, abs=0.14)  # 3 errors of a difference
    assert found.alternative == "greater"


def test_the_count_and_its_error() -> None:
    # Samples that are the table itself are as far away; none is nearer: p = (1 + 9) / (9 + 1).
    fit = fit_roc(TABLE)
    same = simulated_goodness(fit, TABLE, lambda _: fit, n_sim=9, rng=0, distance=lambda *_: 1.0)
    assert (same.pvalue, same.statistic) == (1.0, 1.0)
    apart = iter([1.0, *[0.0] * 99])
    none = simulated_goodness(
        fit, TABLE, lambda _: fit, n_sim=99, rng=0, distance=lambda *_: next(apart)
    )
    assert none.pvalue == 0.01
    assert none.note == "99 samples, Monte Carlo error 0.00995"


def test_a_model_holds_or_not() -> None:
    # Many cases of which a fifth of the positives are hidden: no binormal curve.
    hidden = mixture(0.2).draw(400, 400, rng=2)
    for model in ("binormal", "labroc", "minimum-distance"):
        assert p_of(hidden, model, n_sim=39) <= 0.05
    assert p_of(NORMAL.draw(400, 400, rng=2), "binormal", n_sim=39) > 0.05


@pytest.mark.no_cover
def test_size() -> None:
    rng = np.random.default_rng(4)
    tables = [NORMAL.draw(25, 25, rng=rng) for _ in range(80)]
    found = np.array([goodness_of_fit(t, n_sim=19, rng=rng).pvalue for t in tables])
    assert np.mean(found <= 0.1) < 0.1 + 4 * np.sqrt(0.09 / 80)
    assert np.mean(found) == pytest.approx(0.525, abs=0.15)


@pytest.mark.parametrize("name", MODELS)
def test_samples_are_like_the_table(name: str) -> None:
    # Of any model: the size of both classes, the direction, and an area near that of the fit.
    positive = name in ("box-cox", "exponential", "weibull", "gamma", "lognormal", "pareto")
    rng = np.random.default_rng(6)
    pos, neg = rng.normal(1, 1, 60), rng.normal(0, 1, 70)
    scale = np.exp if positive or name == "uniform" else lambda x: 1 / (1 + np.exp(-x))
    table = rs.tabulate_classes(scale(-pos), scale(-neg), higher_is_positive=False)
    fit = fit_roc(table, model=name)
    draw = sampler(fit, table)
    assert draw is not None
    drawn = [draw(rng) for _ in range(40)]
    assert {(each.n_pos, each.n_neg) for each in drawn} == {(60, 70)}
    if fit.cuts is None:
        assert not any(each.higher_is_positive for each in drawn)
    areas = [rs.auc(each) for each in drawn]
    ranked = getattr(fit, "inner", fit)  # a likelihood ratio is not drawn, but its scores
    assert np.mean(areas) == pytest.approx(ranked.auc, abs=4 * np.std(areas) / np.sqrt(40))


def test_ties_are_drawn_as_they_are() -> None:
    rng = np.random.default_rng(1)
    for model in ("rating", "minimum-distance", "binormal", "kernel"):
        draw = sampler(fit_roc(RATED, model=model), RATED)
        assert draw is not None
        sample = draw(rng)
        assert len(sample) <= 5
        assert len(sample) >= 3
    many = [sampler(fit_roc(RATED, model="rating"), RATED)(rng) for _ in range(200)]  # type: ignore[misc]
    first = np.mean([each.neg[-1] / 58 for each in many])  # the lowest rating, of negatives
    fitted = 1 - fit_roc(RATED, model="rating").cuts[1][-2]  # type: ignore[index]
    assert first == pytest.approx(fitted, abs=0.02)
    # One score that a third of all cases share, among scores that nobody shares.
    mixed = rs.tabulate_classes(
        [*np.linspace(1, 4, 20), *[2.0] * 4], [*np.linspace(0, 3, 20), *[2.0] * 12]
    )
    for model in ("minimum-distance", "kernel"):
        draw = sampler(fit_roc(mixed, model=model), mixed)
        assert draw is not None
        sample = draw(rng)
        assert (sample.pos + sample.neg).max() >= 3
        assert len(sample) > 20


def test_weights_count_as_effective_cases() -> None:
    weighted = rs.tabulate(
        [1, 0] * 30, np.random.default_rng(1).normal(0, 1, 60), sample_weight=[1, 2, 3] * 20
    )
    draw = sampler(fit_roc(weighted), weighted)
    assert draw is not None
    assert draw(np.random.default_rng(0)).n_pos == round(weighted.n_eff[0])
    assert 0 < p_of(weighted, "binormal", n_sim=9) <= 1


def test_the_same_seed_gives_the_same_answer() -> None:
    one, two = (goodness_of_fit(TABLE, model="gls", n_sim=9, rng=3) for _ in range(2))
    assert one == two


def test_no_shape_no_test() -> None:
    found = goodness_of_fit(rs.tabulate_classes([3, 4, 5], [0, 1, 2]), model="labroc", n_sim=9)
    assert np.isnan(found.pvalue)
    assert "no shape" in found.note
    refused = partial(fit_roc, model="box-cox", nonsense=1)
    with pytest.raises(TypeError, match="nonsense"):
        simulated_goodness(fit_roc(TABLE), TABLE, refused, n_sim=3, rng=0)


def test_samples_without_a_fit_are_counted() -> None:
    calls = iter(range(100))

    def sometimes(table: rs.ScoreTable) -> Any:
        if next(calls) % 3:
            return fit_roc(table)
        msg = "none"
        raise ValueError(msg)

    found = simulated_goodness(fit_roc(TABLE), TABLE, sometimes, n_sim=30, rng=0)
    assert found.note.startswith("20 samples")
    assert found.note.endswith("; 10 more could not be fitted")

    def never(table: rs.ScoreTable) -> Any:
        msg = f"none of {table}"
        raise ValueError(msg)

    found = simulated_goodness(fit_roc(TABLE), TABLE, never, n_sim=30, rng=0)
    assert np.isnan(found.pvalue)
    assert "30 of 30" in found.note


def test_it_is_shown_beside_other_models() -> None:
    found = compare_models(RATED, models=("rating", "gls"), n_folds=0, n_sim=9)
    frame = found.to_frame()
    assert frame["goodness"].notna().all()
    assert found.fits["rating"].goodness == fit_roc(RATED, model="rating").goodness
    gls = goodness_of_fit(RATED, model="gls", n_sim=9)
    assert found.fits["gls"].goodness == gls
    assert frame["goodness"][1] == gls.pvalue
    assert "p of fit" in str(found)
    plain = compare_models(RATED, models=("gls",), n_folds=0)
    assert plain.to_frame()["goodness"].isna().all()
    assert "p of fit" not in str(plain)
    assert distance_of(found.fits["gls"], RATED) == gls.statistic
    with pytest.raises(ValueError, match="n_sim"):
        compare_models(RATED, n_sim=-1)


def test_cases_are_tied_that_are_more_than_one() -> None:
    label = [1, 1, 1, 0, 0]
    score, weight = [1, 2, 2, 3, 4], [2.0, 2, 2, 3, 1]
    many, tied = _ties(rs.tabulate(label, score, sample_weight=weight))
    assert many.tolist() == [1, 3, 4, 2]  # the largest score first
    assert tied.tolist() == [0, 0, 4, 0]
    both = rs.tabulate([1, 0, 0], [5, 5, 1], sample_weight=[1.0, 1, 7])
    assert _ties(both)[1].tolist() == [2, 0]
    counted = rs.ScoreTable.from_counts([1, 2, 3], [1, 0, 2], [0, 1, 1])
    assert _ties(counted)[1].tolist() == [3, 0, 0]


def test_scores_without_finite_squares_are_refused_where_their_size_matters() -> None:
    huge = rs.tabulate([0, 1, 0, 1, 0, 1], [-1e307, 2.5e307, 3e307, 1e307, 2e307, 1e308])
    with pytest.raises(ValueError, match=r"up to 1e\+308 in size.*Divide all scores"):
        goodness_of_fit(huge, model="kernel", n_sim=19)
    small = rs.tabulate([0, 1, 0, 1, 0, 1], [-1, 2.5, 3, 1, 2, 10])
    found = [goodness_of_fit(each, model="labroc", n_sim=19, rng=1) for each in (huge, small)]
    assert found[0] == found[1]
    goodness = compare_models(huge, models=["kernel", "labroc"], n_sim=19).fits["kernel"].goodness
    assert np.isnan(goodness.pvalue)
    assert "take a rank-based model" in goodness.note
