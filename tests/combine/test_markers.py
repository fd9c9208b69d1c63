"""Combined scores: by hand, scikit-learn, the maximum by definition, honest areas, edges."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import rocspace as rs
from rocspace import compare
from rocspace.averaging import nested_cv_auc_estimate
from rocspace.combine import MarkerCombination, combine_markers
from rocspace.counts import SingleClassError

METHODS = ("logistic", "su-liu", "min-max")


def drawn(n: int = 40, seed: int = 1, **kwargs: Any) -> rs.PairedScores:
    rng = np.random.default_rng(seed)
    label = np.arange(n) < n // 2
    x = rng.normal(size=(n, 2)) @ [[1, 0.4], [0, 1]] + np.outer(label, [1.0, 0.5])
    return rs.pair_scores(label, {"a": x[:, 0], "b": x[:, 1]}, **kwargs)


def quick(data: rs.PairedScores, method: Any, **kwargs: Any) -> MarkerCombination:
    return combine_markers(data, method=method, n_folds=3, n_partitions=1, **kwargs)


def test_su_and_liu_by_hand() -> None:
    # Both classes have variances 1/3 + 1 and covariance 0; the means differ by (1, 2).
    corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1.0]])
    x = np.concatenate([corners + np.array([1, 2]), corners])
    data = rs.pair_scores(np.arange(8) < 4, {"a": x[:, 0], "b": x[:, 1]})
    found = quick(data, "su-liu")
    assert found.coefficients["b"] / found.coefficients["a"] == pytest.approx(2)
    # sqrt(D' (S0 + S1)^-1 D) = sqrt((1 + 4) / (8 / 3)).
    assert found.model_auc == pytest.approx(stats.norm.cdf(np.sqrt(15 / 8)))
    assert found.transform({"a": [0.5], "b": [1.0]})[0] == pytest.approx(0)  # between the means


def test_logistic_regression_of_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression

    data = drawn()
    found = quick(data, "logistic")
    model = LogisticRegression(C=1e12, tol=1e-10).fit(data.score, data.label)
    assert list(found.coefficients.values()) == pytest.approx(model.coef_[0].tolist(), rel=1e-4)
    assert found.intercept == pytest.approx(model.intercept_[0], rel=1e-4)
    odds = model.decision_function(data.score)
    np.testing.assert_allclose(found.transform(data), odds, rtol=1e-3, atol=1e-4)


def test_linear_weights_have_the_largest_fitted_area() -> None:
    data = drawn()
    found = quick(data, "su-liu")
    pos, neg = data.score[data.label], data.score[~data.label]

    def loss(angle: float) -> float:
        w = np.array([np.cos(angle), np.sin(angle)])
        spread = (pos @ w).var(ddof=1) + (neg @ w).var(ddof=1)
        return -float((pos.mean(axis=0) - neg.mean(axis=0)) @ w / np.sqrt(spread))

    best = optimize.minimize_scalar(loss, bounds=(-1, 2), method="bounded")
    assert found.model_auc == pytest.approx(stats.norm.cdf(-best.fun), abs=1e-6)
    a, b = found.coefficients.values()
    assert np.arctan2(b, a) == pytest.approx(best.x, abs=1e-4)


def test_min_max_has_the_largest_area_of_all() -> None:
    data = drawn(30)
    found = quick(data, "min-max")
    z = (data.score - data.score.mean(axis=0)) / data.score.std(axis=0)
    areas = [
        rs.auc(rs.tabulate(data.label, z.max(axis=1) + np.tan(angle) * z.min(axis=1)))
        for angle in np.linspace(-1.57, 1.57, 400)
    ]
    assert found.apparent_auc >= max(areas)
    assert found.apparent_auc == pytest.approx(max(areas), abs=0.005)
    assert list(found.coefficients) == ["max", "min"]


@pytest.mark.parametrize("method", METHODS)
def test_area_is_that_of_nested_cross_validation(method: Any) -> None:
    data = drawn(24)
    found = quick(data, method, rng=4)

    def fit(x: Any, y: Any) -> Any:  # the same by the public function alone
        inner = quick(rs.pair_scores(y, {"a": x[:, 0], "b": x[:, 1]}), method)
        return lambda new: inner.transform({"a": new[:, 0], "b": new[:, 1]})

    twin = nested_cv_auc_estimate(fit, data.score, data.label, n_folds=3, n_partitions=1, rng=4)
    assert found.auc_estimate.value == pytest.approx(twin.value)
    assert found.auc_estimate.se == pytest.approx(twin.se)
    assert found.single_aucs["a"] == rs.auc(data.table("a"))


@pytest.mark.parametrize("method", METHODS)
def test_directions_are_those_of_the_data(method: Any) -> None:
    data = drawn()
    turned = rs.pair_scores(
        data.label,
        {"a": data.score[:, 0], "b": -3 * data.score[:, 1] + 7},
        higher_is_positive={"b": False},
    )
    one, two = quick(data, method), quick(turned, method)
    assert two.apparent_auc == pytest.approx(one.apparent_auc)
    assert two.single_aucs == pytest.approx(one.single_aucs)
    np.testing.assert_allclose(two.transform(turned), one.transform(data), atol=1e-6)
    np.testing.assert_allclose(two.cross_fitted, one.cross_fitted, atol=1e-6)
    if method != "min-max":
        assert two.coefficients["b"] == pytest.approx(-one.coefficients["b"] / 3, rel=1e-6)


def test_cross_fitted_scores_can_be_compared() -> None:
    data = drawn(60)
    found = quick(data, "logistic")
    scores = {"both": found.cross_fitted, "b": data.score[:, 1]}
    compared = compare.compare_aucs(rs.pair_scores(data.label, scores))
    assert "both" in str(compared)
    assert rs.auc(rs.tabulate(data.label, found.cross_fitted)) < found.apparent_auc


def test_useless_scores_look_good_only_in_sample() -> None:
    rng = np.random.default_rng(5)
    label = np.arange(60) < 30
    noise = {f"x{i}": column for i, column in enumerate(rng.normal(size=(8, 60)))}
    found = quick(rs.pair_scores(label, noise), "logistic")
    assert found.apparent_auc > 0.65
    low, high = found.auc_estimate.interval()
    assert low < 0.5 < high


def test_classes_that_are_separated() -> None:
    label = np.arange(12) < 6
    data = rs.pair_scores(
        label, {"a": np.where(label, 5.0, 0) + np.arange(12) % 3, "b": np.arange(12) % 5}
    )
    found = quick(data, "logistic")
    assert list(found.flags) == ["separated"]
    assert all(np.isfinite(value) for value in found.coefficients.values())
    assert found.apparent_auc == 1
    assert "Separated" in str(found)


def test_what_is_refused() -> None:
    data = drawn()
    bad: Any
    for bad, why in (
        (drawn(sample_weight=np.ones(40)), "these have weights"),
        (drawn(cluster=np.arange(40) // 2), "these have clusters"),
    ):
        with pytest.raises(ValueError, match=why):
            quick(bad, "logistic")
    with pytest.raises(ValueError, match="two scores or more, but got a"):
        quick(data, "logistic", names=["a"])
    with pytest.raises(ValueError, match="There is no score 'c'"):
        quick(data, "logistic", names=["a", "c"])
    for column, why in (([1.0] * 40, "equal for all cases"), ([np.inf] + [1.0] * 39, "infinite")):
        odd = rs.pair_scores(data.label, {"a": data.score[:, 0], "b": column})
        with pytest.raises(ValueError, match=why):
            quick(odd, "su-liu")
    with pytest.raises(SingleClassError, match=r"combine_markers needs .* 2 positives and 3"):
        quick(rs.pair_scores([1, 1, 0, 0, 0], {"a": range(5), "b": [2, 1, 0, 3, 1]}), "logistic")
    with pytest.raises(TypeError, match="Give the scores by name"):
        quick(data, "logistic").transform([1.0, 2.0])
    with pytest.raises(ValueError, match="method is 'lasso'"):
        quick(data, "lasso")
