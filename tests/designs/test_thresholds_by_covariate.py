"""Thresholds with one false positive rate for all covariates."""

import numpy as np
import pytest

from covariate_studies import only_sex, study
from rocspace.designs import (
    CovariateModel,
    covariate_thresholds,
)

NORMAL = CovariateModel(residuals="normal")


@pytest.mark.parametrize("fpr", [0.0, 0.05, 0.1, 1 / 3, 0.5, 1.0])
def test_thresholds_keep_the_false_positive_rate_in_each_stratum(fpr):
    data = only_sex(study(90))
    found = covariate_thresholds(data, {"sex": ["f", "m"]}, "a", fpr=fpr)
    score, negative = data.column("a"), ~data.cases.label
    for code, threshold in enumerate(found.threshold):
        own = score[negative & (data.covariates["sex"] == code)]
        assert np.mean(own >= threshold) <= fpr
        lower = own[own < threshold]
        assert not lower.size or np.mean(own >= lower.max()) > fpr


def test_thresholds_by_age_are_parallel_lines():
    data = study(200)
    at = {"age": [0.0, 1.0, 2.0], "sex": "f"}
    ten, twenty = (covariate_thresholds(data, at, "a", fpr=x).threshold for x in (0.1, 0.2))
    np.testing.assert_allclose(np.diff(ten), np.diff(ten)[0])
    np.testing.assert_allclose(ten - twenty, (ten - twenty)[0])
    assert (ten > twenty).all()
    smooth = covariate_thresholds(data, at, "a", fpr=0.1, model=NORMAL).threshold
    assert smooth[0] - smooth[1] == pytest.approx(ten[0] - ten[1])
