"""One odds ratio of studies: printed numbers, by hand, its symmetry."""

from functools import partial
from math import log, sqrt

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

from rocspace.models import fit_summary_roc, pooled_odds_ratio
from studies import counts, large

weighted = partial(pooled_odds_ratio, method="dersimonian-laird")


def test_binomial_is_the_difference_of_the_means() -> None:
    found, fit = pooled_odds_ratio(**counts()), fit_summary_roc(**counts())
    tpr, fpr = fit.parameters["logit_tpr"], fit.parameters["logit_fpr"]
    assert found.log_odds_ratio == pytest.approx(tpr - fpr)
    error = sqrt(fit.covariance[0, 0] + fit.covariance[1, 1] - 2 * fit.covariance[0, 1])
    assert found.se == pytest.approx(error)
    s1, s2 = fit.parameters["sd_tpr"], fit.parameters["sd_fpr"]
    assert found.variance == pytest.approx(s1**2 + s2**2 - 2 * fit.correlation * s1 * s2)
    assert found.refined_se == pytest.approx(sqrt(14 / 13) * error)
    half = stats.t.ppf(0.95, 13) * found.refined_se
    ends = np.exp([tpr - fpr - half, tpr - fpr + half])
    assert tuple(found.interval(0.9)) == pytest.approx(tuple(ends))
    assert (found.method, found.interval().method) == ("binomial", "binomial")
    assert found.q == weighted(**counts()).q


def test_of_huge_studies_all_is_students() -> None:
    # Without sampling error the log odds ratios are known: their mean and its t interval.
    points = np.array([[1.0, -2.0], [2.0, -1.0], [0.5, -1.5], [1.5, -3.0], [0.0, -2.5]])
    y = points[:, 0] - points[:, 1]
    half = stats.t.ppf(0.975, 4) * stats.sem(y)
    ends = np.exp([y.mean() - half, y.mean() + half])
    for pool in (pooled_odds_ratio, weighted):
        found = pool(**large(points, 10**6))
        assert tuple(found.interval()) == pytest.approx(tuple(ends), rel=1e-3)
    # The likelihood divides by the studies.
    found = pooled_odds_ratio(**large(points, 10**6))
    assert found.variance == pytest.approx(y.var(), rel=1e-3)


def test_weights_of_small_studies_go_with_their_odds_ratios() -> None:
    # A mean log odds ratio of 3.5: the weighted mean of its estimates is below it by a tenth.
    rng = np.random.default_rng(1)
    rate = expit(rng.normal([1.5, -2.0], [0.8, 0.5], (600, 2)))
    tp, fp = rng.binomial([20, 60], rate).T
    given = {"tp": tp, "fp": fp, "fn": 20 - tp, "tn": 60 - fp}
    low, high = (pool(**given) for pool in (weighted, pooled_odds_ratio))
    assert high.log_odds_ratio == pytest.approx(3.5, abs=2.5 * high.se)
    assert low.log_odds_ratio < 3.5 - 0.08
    cells = np.array([tp, fp, 20 - tp, 60 - fp], dtype=float)
    tp, fp, fn, tn = cells + 0.5 * (cells == 0).any(axis=0)
    weight = 1 / (1 / tp + 1 / fp + 1 / fn + 1 / tn + low.variance)
    assert np.corrcoef(np.log(tp * tn / (fp * fn)), weight)[0, 1] == pytest.approx(-0.9, abs=0.05)


def test_printed_numbers_of_audit_c() -> None:
    found = weighted(**counts(), correction="all")
    assert found.log_odds_ratio == pytest.approx(3.270968, abs=1e-6)
    assert found.variance == pytest.approx(0.310786, abs=5e-7)
    assert found.q == pytest.approx(52.33664, abs=5e-6)
    assert found.i2 == pytest.approx((52.33664 - 13) / 52.33664, abs=1e-6)


def test_two_studies_by_hand() -> None:
    # ln odds ratios ln 16 and ln 9 with variances 1/40 + 1/10 + 1/10 + 1/40 = 1/4 and
    # 1/90 + 1/10 + 1/50 + 1/50 = 68/450; weights 4 and 450/68.
    found = weighted(tp=[40, 90], fp=[10, 50], fn=[10, 10], tn=[40, 50])
    w = np.array([4, 450 / 68])
    mean = w @ [log(16), log(9)] / w.sum()
    q = w @ (np.array([log(16), log(9)]) - mean) ** 2
    assert found.q == pytest.approx(q)
    assert q < 1
    assert (found.variance, found.i2, found.df) == (0, 0, 1)
    assert found.log_odds_ratio == pytest.approx(mean)
    assert found.odds_ratio == pytest.approx(np.exp(mean))
    assert found.se == found.refined_se == pytest.approx(1 / sqrt(w.sum()))
    half = stats.t.ppf(0.95, 1) * found.se
    assert tuple(found.interval(0.9)) == pytest.approx(tuple(np.exp([mean - half, mean + half])))
    test = found.heterogeneity_test()
    assert test.pvalue == pytest.approx(stats.chi2.sf(q, 1))


def test_studies_that_differ_by_hand() -> None:
    # All variances are 4/25 in both studies: equal weights, so all is that of two numbers.
    found = weighted(tp=[25, 100], fp=[25, 100], fn=[25, 100], tn=[25, 100])
    assert (found.log_odds_ratio, found.q) == (0, 0)
    rows = [(20, 5, 5, 20), (10, 15, 15, 10), (20, 5, 5, 20)]
    found = weighted(*np.transpose(rows))
    y = np.array([log(16), 2 * log(2 / 3), log(16)])
    within = np.array([1 / 2, 1 / 3, 1 / 2])
    w = 1 / within
    q = w @ (y - w @ y / w.sum()) ** 2
    variance = (q - 2) / (w.sum() - w @ w / w.sum())
    v = 1 / (within + variance)
    mean = v @ y / v.sum()
    assert found.variance == pytest.approx(variance)
    assert found.log_odds_ratio == pytest.approx(mean)
    assert found.i2 == pytest.approx(1 - 2 / q)
    scale = v @ (y - mean) ** 2 / 2
    assert found.refined_se == pytest.approx(sqrt(max(1, scale) / v.sum()))


@pytest.mark.parametrize("method", ["binomial", "dersimonian-laird"])
def test_symmetry_and_order(method: str) -> None:
    pool = partial(pooled_odds_ratio, method=method)
    given = counts()
    found = pool(**given)
    swapped = pool(given["tn"], given["fn"], given["fp"], given["tp"])
    reverse = pool(**{name: values[::-1] for name, values in given.items()})
    # The sum of 15 x 15 nodes depends on the order of the classes in its last digits.
    near = 1e-12 if method == "dersimonian-laird" else 1e-4
    for other in (swapped, reverse):
        for name in ("log_odds_ratio", "se", "refined_se", "variance", "q"):
            assert getattr(other, name) == pytest.approx(getattr(found, name), rel=near)
    inverse = pool(given["fn"], given["tn"], given["tp"], given["fp"])
    assert inverse.log_odds_ratio == pytest.approx(-found.log_odds_ratio, rel=near)


def test_messages() -> None:
    with pytest.raises(ValueError, match="There are 1 studies, but pooling needs two"):
        pooled_odds_ratio([1], [2], [3], [4])
    with pytest.raises(ValueError, match="Study 1 has cases of one class only"):
        pooled_odds_ratio([1, 0], [2, 2], [3, 0], [4, 4])
    with pytest.raises(ValueError, match=r'There are 2 studies.*method="dersimonian-laird"'):
        pooled_odds_ratio([1, 2], [2, 2], [3, 3], [4, 4])
    with pytest.raises(ValueError, match="The fpr of every study is 0 or 1"):
        pooled_odds_ratio([1, 2, 3], [0, 0, 0], [3, 3, 3], [4, 4, 4])
    with pytest.raises(ValueError, match="correction is 'none'"):
        pooled_odds_ratio([1, 2], [2, 2], [3, 3], [4, 4], correction="none")
    assert "I2" in str(pooled_odds_ratio(**counts()))
