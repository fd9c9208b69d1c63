"""The ROC surface of three classes and the best cuts: by hand, by all pairs, as printed."""

import csv
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.stats import norm

import rocspace as rs
from rocspace.multiclass import best_cuts, fit_trinormal, ordered_scores, roc_surface, vus

Y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
SCORE = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6]
ELEVEN = ordered_scores(Y, SCORE, order=[1, 2, 3])


def drawn(k=3, seed=1, each=9, decimals=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), each + np.arange(k))
    score = (2 * rng.normal(size=y.size) + 1.5 * y).round(decimals)
    return ordered_scores(y, score, order=list(range(k)))


def rates(data, cuts):
    called = np.searchsorted(cuts, data.score[:, 0], side="right")
    return np.array([np.mean(called[data.label == i] == i) for i in range(len(data.classes))])


VALUES = {
    "youden": lambda rate: (rate.sum() - 1) / (rate.size - 1),
    "closest": lambda rate: -np.sqrt(((1 - rate) ** 2).sum()),
    "product": lambda rate: rate.prod(),
}


@pytest.mark.parametrize(
    ("criterion", "k"),
    [("youden", 2), ("youden", 3), ("youden", 4), ("closest", 3), ("product", 3)],
)
@pytest.mark.parametrize("seed", range(4))
def test_cuts_are_the_best_of_all(criterion, k, seed):
    data = drawn(k, seed)
    found = best_cuts(data, criterion=criterion)
    np.testing.assert_allclose(rates(data, found.cut), found.rate, atol=1e-14)
    ends = [*np.unique(data.score), np.inf]
    value = VALUES[criterion]
    best = max(value(rates(data, c)) for c in combinations_with_replacement(ends, k - 1))
    assert abs(found.value) == pytest.approx(abs(best), abs=1e-14)
    assert value(found.rate) == pytest.approx(best, abs=1e-14)


def test_blocks_of_pairs_change_nothing(monkeypatch):
    from rocspace.multiclass import surfaces

    data = drawn(decimals=2)
    before = [best_cuts(data, criterion=c) for c in ("closest", "product")]
    monkeypatch.setattr(surfaces, "_PAIRS", 50)
    assert [best_cuts(data, criterion=c) for c in ("closest", "product")] == before


def test_two_classes_have_youdens_index():
    data = drawn(2, each=30)
    curve = rs.roc_curve(rs.tabulate(data.label, data.score[:, 0]))
    assert best_cuts(data).value == pytest.approx((curve.tpr - curve.fpr).max(), abs=1e-14)


def test_a_constant_and_a_perfect_score():
    y = np.repeat([0, 1, 2], 4)
    found = best_cuts(ordered_scores(y, np.ones(12), order=[0, 1, 2]))
    assert found.value == 0
    found = best_cuts(ordered_scores(y, y * 10, order=[0, 1, 2]))
    assert (found.value, found.cut.tolist()) == (1, [10, 20])


def test_the_steps_of_the_surface_hold_the_strict_volume():
    data = drawn()
    n = data.sizes.astype(int)
    first, last = (np.arange(n[0]) + 0.5) / n[0], (np.arange(n[2]) + 0.5) / n[2]
    volume = roc_surface(data, first[:, None], last).mean()
    own = [data.score[data.label == i, 0] for i in range(3)]
    rising = (own[0][:, None, None] < own[1][:, None]) & (own[1][:, None] < own[2])
    assert volume == pytest.approx(rising.mean(), abs=1e-14)


def test_the_surface_meets_its_cuts():
    found = best_cuts(ELEVEN)
    assert roc_surface(ELEVEN, found.rate[0], found.rate[2]) == pytest.approx(found.rate[1])
    assert roc_surface(ELEVEN, 1, 1) == 0
    assert roc_surface(ELEVEN, 0, 0) == 1


@pytest.fixture
def class2(shared):
    with (shared / "data" / "trinroc_cancer.csv").open() as file:
        rows = list(csv.DictReader(file))
    labels = [row["trueClass"] for row in rows]
    score = [float(row["Class2"]) for row in rows]
    return ordered_scores(labels, score, order=["healthy", "intermediate", "diseased"])


def test_the_published_trinormal_surface(class2):
    fit = fit_trinormal(class2)
    said = (1.7984915628, -1.2836559708, 0.8268255338, 0.5835494950)
    assert (fit.a, fit.b, fit.c, fit.d) == pytest.approx(said, abs=1e-9)
    volume, test = fit.vus_estimate(), fit.test(method="wald")
    assert (volume.value, volume.se) == pytest.approx((0.4328246806, 0.0563798713), abs=1e-9)
    assert (test.statistic, test.df) == (pytest.approx(49.98933480, abs=1e-7), 4)
    assert test.pvalue == pytest.approx(3.6294275937e-10, rel=1e-8)


def test_the_volume_is_that_under_the_trinormal_surface():
    fit = fit_trinormal(drawn(decimals=3))
    u = (np.arange(1500) + 0.5) / 1500
    under = fit.surface_at(u[:, None], u).mean()
    assert fit.vus_estimate().value == pytest.approx(under, abs=1e-5)


def test_the_slopes_of_the_delta_method():
    fit = fit_trinormal(drawn(decimals=3))
    variance = 0.0
    for part, factor in (("mean", 1.0), ("sd", 0.5)):
        for i in range(3):
            step = np.zeros(3)
            step[i] = 1e-5
            up, down = (
                type(fit)(
                    classes=fit.classes,
                    size=fit.size,
                    **{"mean": fit.mean, "sd": fit.sd, part: getattr(fit, part) + way * step},
                )
                .vus_estimate()
                .value
                for way in (1, -1)
            )
            variance += ((up - down) / 2e-5) ** 2 * factor * fit.sd[i] ** 2 / fit.size[i]
    assert fit.vus_estimate().se ** 2 == pytest.approx(variance, rel=1e-6)


def test_normal_scores_have_the_fitted_volume():
    score = [norm.ppf((np.arange(400) + 0.5) / 400) + shift for shift in (0, 1, 2)]
    data = ordered_scores(np.repeat([0, 1, 2], 400), np.concatenate(score), order=[0, 1, 2])
    assert vus(data) == pytest.approx(fit_trinormal(data).vus_estimate().value, abs=2e-3)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: best_cuts(drawn(4), criterion="product"), "is for three classes, and .* has 4"),
        (lambda: roc_surface(drawn(2), 0.5, 0.5), "roc_surface is for three classes"),
        (lambda: roc_surface(ELEVEN, 1.5, 0.5), "first"),
        (lambda: roc_surface(ELEVEN, [0.5, 0.6], [0.1, 0.2, 0.3]), r"first has shape \(2,\), last"),
        (lambda: fit_trinormal(ordered_scores(Y, [1] * 11, order=[1, 2, 3])), "class 1 have no"),
        (
            lambda: fit_trinormal(ordered_scores(Y, SCORE, order=[1, 2, 3], cluster=Y)),
            "without weights or clusters",
        ),
        (
            lambda: best_cuts(
                ordered_scores(np.arange(30_000) % 3, np.arange(30_000), order=[0, 1, 2]),
                criterion="closest",
            ),
            "30000 distinct scores",
        ),
    ],
)
def test_what_cannot_be_answered_is_told(call, said):
    with pytest.raises(ValueError, match=said):
        call()
