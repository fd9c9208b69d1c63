"""The bivariate binormal model: by hand, by a slow twin, by simulation and by a bootstrap."""

import itertools
import warnings

import numpy as np
import pytest
from scipy import optimize, stats

import rocspace as rs
from rocspace.counts import resample_cases
from rocspace.models import PairedFit, fit_labroc, fit_paired, paired


def draw(seed: int, n: int, *, levels: int = 0, shift: float = 0.8) -> rs.PairedScores:
    """Scores that correlate by .4 among negatives and .7 among positives."""
    rng = np.random.default_rng(seed)
    neg = rng.multivariate_normal([0, 0], [[1, 0.4], [0.4, 1]], n)
    pos = rng.multivariate_normal([1.2, shift], [[1.44, 1.26], [1.26, 2.25]], n)
    score = np.concatenate([pos, neg])
    if levels:
        score = np.clip(np.floor(score + levels / 2 - 0.5), 0, levels - 1)
    return rs.pair_scores(np.arange(2 * n) < n, {"x": np.exp(score[:, 0]), "y": score[:, 1]})


def slow_joint(data: rs.PairedScores) -> tuple[np.ndarray, np.ndarray]:
    """The joint maximum over all parameters and cuts, and the inverse of its Hessian."""
    columns = [np.unique(column, return_inverse=True)[1] for column in data.score.T]
    k = [int(column.max()) for column in columns]
    seen = np.zeros((2, k[0] + 1, k[1] + 1))
    np.add.at(seen, (data.label.astype(int), *columns), 1)

    def minus(x: np.ndarray) -> float:
        total = 0.0
        cuts = x[6 : 6 + k[0]], x[6 + k[0] :]
        for positive, count in enumerate(seen):
            ends = []
            for i in (0, 1):
                a, b = (x[2 * i], x[2 * i + 1]) if positive else (0.0, 1.0)
                ends.append(np.r_[-9.0, b * cuts[i] - a, 9.0])
            grid = np.stack(np.meshgrid(*ends, indexing="ij"), axis=-1)
            joint = stats.multivariate_normal(cov=[[1, x[4 + positive]], [x[4 + positive], 1]])
            chance = np.diff(np.diff(joint.cdf(grid), axis=0), axis=1)
            total -= float((count * np.log(np.maximum(chance, 1e-12))).sum())
        return total

    fit = fit_paired(data)
    start = [*fit.first.parameters.values(), *fit.second.parameters.values(), *fit.correlations]
    for one in (fit.first, fit.second):
        assert one.cuts is not None
        start = [*start, *stats.norm.isf(one.cuts[1][1:-1])[::-1]]
    best = optimize.minimize(minus, start, method="BFGS", options={"gtol": 1e-2}).x
    size, step = best.size, 2e-3
    hessian = np.empty((size, size))
    eye = np.eye(size) * step
    for i in range(size):
        for j in range(i + 1):
            corners = (
                minus(best + s * eye[i] + t * eye[j]) * s * t for s in (1, -1) for t in (1, -1)
            )
            hessian[i, j] = hessian[j, i] = sum(corners) / (4 * step**2)
    return best, np.linalg.inv(hessian)[:4, :4]


def test_margins_are_those_of_labroc() -> None:
    data = draw(1, 60)
    fit = fit_paired(data)
    for name, one, ends in (("x", fit.first, slice(0, 2)), ("y", fit.second, slice(2, 4))):
        alone = fit_labroc(data.table(name))
        assert one.parameters == alone.parameters
        np.testing.assert_allclose(fit.covariance[ends, ends], alone.covariance, rtol=1e-6)
    gain = fit.auc_difference()
    assert gain.value == pytest.approx(fit.first.auc - fit.second.auc)
    a, b = fit.first.parameters.values()
    q, density = a / np.hypot(1, b), stats.norm.pdf(a / np.hypot(1, b))
    slopes = [density / np.hypot(1, b), -density * q * b / (1 + b * b)]
    a, b = fit.second.parameters.values()
    q, density = a / np.hypot(1, b), stats.norm.pdf(a / np.hypot(1, b))
    slopes += [-density / np.hypot(1, b), density * q * b / (1 + b * b)]
    assert gain.se == pytest.approx(np.sqrt(slopes @ fit.covariance @ slopes), rel=1e-6)
    low, high = gain.interval()
    half = stats.t.ppf(0.975, 59) * gain.se
    assert (low, high) == pytest.approx((gain.value - half, gain.value + half))
    assert gain.test().pvalue == pytest.approx(2 * stats.t.sf(abs(gain.value) / gain.se, 59))


def test_slow_twin_with_the_joint_hessian() -> None:
    data = draw(2, 300, levels=3)
    fit = fit_paired(data)
    best, covariance = slow_joint(data)
    two_stages = [*fit.first.parameters.values(), *fit.second.parameters.values()]
    errors = np.sqrt(np.diag(covariance))
    assert (np.abs(best[:4] - two_stages) < 0.5 * errors).all()
    assert fit.correlations == pytest.approx(best[4:6], abs=0.03)
    # Two stages lose a little, and their correlations of estimates are nearly the same.
    np.testing.assert_allclose(np.sqrt(np.diag(fit.covariance)), errors, rtol=0.1)
    scale = np.sqrt(np.outer(np.diag(fit.covariance), np.diag(fit.covariance)))
    np.testing.assert_allclose(
        (fit.covariance / scale)[:2, 2:], (covariance / np.outer(errors, errors))[:2, 2:], atol=0.08
    )


def test_loglik_by_scipy() -> None:
    data = rs.pair_scores(
        [0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1],
        {"x": [1, 2, 2, 1, 3, 2, 3, 1, 2, 3, 3], "y": [1, 2, 1, 3, 3, 3, 2, 2, 1, 2, 3]},
    )
    fit = fit_paired(data)
    total = 0.0
    for label, score in zip(data.label, data.score, strict=True):
        ends = []
        for one, value in zip((fit.first, fit.second), score, strict=True):
            assert one.cuts is not None
            cuts = np.r_[-9, stats.norm.isf(one.cuts[1][1:-1])[::-1], 9]
            a, b = one.parameters.values()
            low, high = cuts[int(value) - 1 : int(value) + 1]
            ends.append((b * low - a, b * high - a) if label else (low, high))
        (low, high), (lower, upper) = ends
        r = fit.correlations[int(label)]
        joint = stats.multivariate_normal(cov=[[1, r], [r, 1]]).cdf
        chance = (
            joint([high, upper]) - joint([low, upper]) - joint([high, lower]) + joint([low, lower])
        )
        total += np.log(chance)
    assert fit.loglik == pytest.approx(total, abs=1e-4)


def test_simulation() -> None:
    found = []
    for seed in range(30):
        fit = fit_paired(draw(seed, 50))
        gain = fit.auc_difference()
        found.append((gain.value, gain.se, *fit.correlations))
    value, se, *correlations = np.transpose(found)
    truth = stats.norm.cdf(1.2 / np.sqrt(2.44)) - stats.norm.cdf(0.8 / np.sqrt(3.25))
    assert value.mean() == pytest.approx(truth, abs=0.02)
    assert se.mean() == pytest.approx(value.std(), rel=0.2)
    assert np.mean(correlations, axis=1) == pytest.approx([0.4, 0.7], abs=0.06)


def test_bootstrap_of_cases() -> None:
    data = draw(3, 60)
    rng = np.random.default_rng(1)
    again = [fit_paired(resample_cases(data, rng=rng), covariance="sandwich") for _ in range(40)]
    values = [fit.first.auc - fit.second.auc for fit in again]
    for how in ("expected", "sandwich"):
        gain = fit_paired(data, covariance=how).auc_difference()  # type: ignore[arg-type]
        assert gain.se == pytest.approx(np.std(values), rel=0.25)
    assert gain.se == pytest.approx(rs.compare.auc_difference(data).se, rel=0.15)


def test_weights_clusters_and_directions() -> None:
    data = draw(4, 40)
    plain = fit_paired(data, covariance="sandwich")
    weighted = rs.pair_scores(
        data.label,
        {"x": -data.score[:, 0], "y": data.score[:, 1]},
        sample_weight=np.full(80, 0.3),
        cluster=np.arange(80),
        higher_is_positive={"x": False},
    )
    same = fit_paired(weighted)
    np.testing.assert_allclose(same.covariance, plain.covariance, rtol=1e-5)
    assert same.correlations == pytest.approx(plain.correlations, abs=1e-4)
    assert same.loglik is None
    twice = rs.pair_scores(
        np.tile(data.label, 2), np.tile(data.score, (2, 1)), cluster=np.tile(np.arange(80), 2)
    )
    np.testing.assert_allclose(fit_paired(twice).covariance, plain.covariance, rtol=1e-4)
    with pytest.raises(ValueError, match=r'Take "sandwich"\.'):
        fit_paired(twice, covariance="expected")


def test_other_readings() -> None:
    fit = fit_paired(draw(5, 60))
    gain = fit.difference(lambda one: one.tpr_at(0.2))
    assert gain.value == pytest.approx(fit.first.tpr_at(0.2) - fit.second.tpr_at(0.2))
    assert 0.2 < gain.correlation < 0.9
    assert "Difference of areas" in str(fit)


def test_scores_that_rank_alike() -> None:
    data = draw(6, 40)
    same = rs.pair_scores(data.label, {"x": data.score[:, 0], "log": np.log(data.score[:, 0])})
    fit = fit_paired(same)
    assert "boundary" in fit.flags
    assert fit.correlations == pytest.approx([np.tanh(4)] * 2, abs=1e-5)  # searched up to .9993
    gain = fit.auc_difference()
    assert gain.value == pytest.approx(0, abs=1e-12)
    assert gain.correlation > 0.9


def test_degenerate_curves_have_no_errors() -> None:
    label = [0, 0, 0, 0, 1, 1, 1, 1]
    data = rs.pair_scores(label, {"perfect": range(8), "fair": [1, 2, 5, 3, 4, 7, 0, 8]})
    fit = fit_paired(data)
    assert fit.flags["degenerate"].startswith("perfect: All points lie")
    gain = fit.auc_difference()
    assert gain.value == pytest.approx(1 - fit.second.auc)
    assert np.isnan([gain.se, gain.correlation, *fit.correlations]).all()
    low, high = gain.interval()
    assert low < gain.value < high


def difficult(label: np.ndarray) -> dict[str, np.ndarray]:
    """Scores of these cases that leave a curve or a correlation without an estimate."""
    n = label.size
    noise = np.random.default_rng(0).normal(size=n)
    step, plain = np.arange(n), noise + label
    infinite = np.where(step % 5, noise, -np.inf)
    return {
        "plain": plain,
        "separated": 10 * label + step / 10,
        "reversed": -10 * label + step / 10,
        "constant": np.ones(n),
        "two levels": (plain > 0.5) * 1.0,
        "three levels": np.clip(np.round(plain), 0, 2),
        "tied classes": label * 1.0,
        "infinite": np.where(step % 4, infinite, np.inf),
        "huge": plain * 1e300,
        "tiny": plain * 1e-300,
        "nearly constant": 1 + (noise > 0) * 2**-52,
        "alike": 2 * plain,
        "opposite": -plain,
    }


def fitted(data: rs.PairedScores) -> tuple[PairedFit | None, str]:
    """The fit, or why there is none."""
    try:
        return fit_paired(data), ""
    except ValueError as error:
        return None, str(error)


@pytest.mark.parametrize(
    "label",
    [[0, 1] * 20, [0, 1] * 5, [1] + [0] * 7, [0] + [1] * 7, [0, 1]],
    ids=["20 + 20", "5 + 5", "one positive", "one negative", "one of each"],
)
def test_difficult_pairs_give_a_flagged_fit_or_a_clear_error(label: list[int]) -> None:
    scores = difficult(np.array(label))
    for one, two in itertools.combinations_with_replacement(scores, 2):
        data = rs.pair_scores(label, {"a": scores[one], "b": scores[two]})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fit, refusal = fitted(data)
            if fit is None:
                assert len(refusal) > 50, (one, two)
                continue
            gain = fit.auc_difference()
            low, high = gain.interval()
            p = gain.test().pvalue
        assert -1 <= low <= gain.value <= high <= 1, (one, two)
        assert np.isnan(gain.se) == ("degenerate" in fit.flags), (one, two)
        assert np.isnan(p) if np.isnan(gain.se) else gain.se >= 0 <= p <= 1, (one, two)


def test_names() -> None:
    scores = {name: draw(7, 20).score[:, i % 2] + i for i, name in enumerate("abc")}
    data = rs.pair_scores(draw(7, 20).label, scores)
    assert fit_paired(data, "a", "b").names == ("a", "b")
    for wrong in ((None, None), ("a", None)):
        with pytest.raises(TypeError, match="fit_paired compares two scores of a, b, c"):
            fit_paired(data, *wrong)
    with pytest.raises(ValueError, match="but both are 'a'"):
        fit_paired(data, "a", "a")
    with pytest.raises(ValueError, match="There is no score"):
        fit_paired(data, "a", "d")


def test_the_population_of_a_fit() -> None:
    rng = np.random.default_rng(2)
    label = np.repeat([1, 0], [300, 300])
    shared = rng.normal(size=600) + label
    scores = {"a": shared + rng.normal(size=600), "b": shared + 2 * rng.normal(size=600)}
    fit = fit_paired(rs.pair_scores(label, scores))
    population = fit.population()
    assert population.names == ("a", "b")
    again = fit_paired(population.draw(3000, 3000, rng=1))
    assert again.first.auc == pytest.approx(fit.first.auc, abs=0.02)
    assert again.second.auc == pytest.approx(fit.second.auc, abs=0.02)
    assert again.correlations == pytest.approx(fit.correlations, abs=0.06)


def test_the_population_has_the_curves_and_correlations_of_the_fit() -> None:
    fit = fit_paired(draw(3, 60))
    population = fit.population()
    np.testing.assert_allclose(population.auc, [fit.first.auc, fit.second.auc])
    np.testing.assert_allclose(
        population.sd, [1 / each.parameters["b"] for each in (fit.first, fit.second)]
    )
    assert (population.r_neg[0, 1], population.r_pos[0, 1]) == pytest.approx(fit.correlations)
    at = np.array([0.1, 0.5])
    for margin, one in zip(population.margins, (fit.first, fit.second), strict=True):
        np.testing.assert_allclose(margin.tpr_at(at), one.tpr_at(at), rtol=1e-9)


def test_many_pairs_of_runs_have_the_sandwich_unless_asked(monkeypatch):
    rng = np.random.default_rng(5)
    label = np.arange(80) % 2 == 0
    data = rs.pair_scores(label, rng.standard_normal((80, 2)) + label[:, None])
    asked, sandwich = (fit_paired(data, covariance=how) for how in ("expected", "sandwich"))
    assert fit_paired(data) == asked
    monkeypatch.setattr(paired, "_JOINT", 100)
    assert fit_paired(data) == sandwich
    assert fit_paired(data, covariance="expected") == asked
