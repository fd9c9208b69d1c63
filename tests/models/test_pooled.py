"""One odds ratio of studies: printed numbers, by hand, its symmetry."""

from math import log, sqrt

import numpy as np
import pytest
from scipy import stats

from rocspace.models import pooled_odds_ratio
from studies import counts


def test_printed_numbers_of_audit_c() -> None:
    found = pooled_odds_ratio(**counts(), correction="all")
    assert found.log_odds_ratio == pytest.approx(3.270968, abs=1e-6)
    assert found.variance == pytest.approx(0.310786, abs=5e-7)
    assert found.q == pytest.approx(52.33664, abs=5e-6)
    assert found.i2 == pytest.approx((52.33664 - 13) / 52.33664, abs=1e-6)


def test_two_studies_by_hand() -> None:
    # ln odds ratios ln 16 and ln 9 with variances 1/40 + 1/10 + 1/10 + 1/40 = 1/4 and
    # 1/90 + 1/10 + 1/50 + 1/50 = 68/450; weights 4 and 450/68.
    found = pooled_odds_ratio(tp=[40, 90], fp=[10, 50], fn=[10, 10], tn=[40, 50])
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
    found = pooled_odds_ratio(tp=[25, 100], fp=[25, 100], fn=[25, 100], tn=[25, 100])
    assert (found.log_odds_ratio, found.q) == (0, 0)
    rows = [(20, 5, 5, 20), (10, 15, 15, 10), (20, 5, 5, 20)]
    found = pooled_odds_ratio(*np.transpose(rows))
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


def test_symmetry_and_order() -> None:
    given = counts()
    found = pooled_odds_ratio(**given)
    swapped = pooled_odds_ratio(given["tn"], given["fn"], given["fp"], given["tp"])
    reverse = pooled_odds_ratio(**{name: values[::-1] for name, values in given.items()})
    for other in (swapped, reverse):
        for name in ("log_odds_ratio", "se", "refined_se", "variance", "q"):
            assert getattr(other, name) == pytest.approx(getattr(found, name), rel=1e-12)
    inverse = pooled_odds_ratio(given["fn"], given["tn"], given["tp"], given["fp"])
    assert inverse.log_odds_ratio == pytest.approx(-found.log_odds_ratio)


def test_messages() -> None:
    with pytest.raises(ValueError, match="There are 1 studies, but pooling needs two"):
        pooled_odds_ratio([1], [2], [3], [4])
    with pytest.raises(ValueError, match="Study 1 has cases of one class only"):
        pooled_odds_ratio([1, 0], [2, 2], [3, 0], [4, 4])
    with pytest.raises(ValueError, match="correction is 'none'"):
        pooled_odds_ratio([1, 2], [2, 2], [3, 3], [4, 4], correction="none")
    assert "I2" in str(pooled_odds_ratio(**counts()))
