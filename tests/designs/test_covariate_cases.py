"""Labels, scores and covariates of the same cases."""

import pickle

import numpy as np
import pytest

from covariate_studies import study
from rocspace.designs import (
    covariate_scores,
)

Y = [0, 0, 1, 0, 1, 0, 0, 1, 1, 0]
SCORE = [1, 2, 3, 3, 5, 6, 7, 8, 9, 7]


def test_cases_without_a_covariate_can_be_omitted():
    with pytest.warns(UserWarning, match="1 of 10 cases omitted"):
        data = covariate_scores(Y, SCORE, {"x": [np.nan, *range(9)]}, missing="omit")
    assert len(data) == 9


def test_data_survive_pickling_and_show_their_columns():
    data = study(20)
    assert pickle.loads(pickle.dumps(data)) == data
    frame = data.to_frame()
    assert list(frame) == ["label", "a", "b", "age", "sex"]
    assert set(frame["sex"]) == {"f", "m"}


def test_an_infinite_covariate_is_told_with_its_place():
    with pytest.raises(ValueError, match=r"^Covariate 'x' is inf at index 3\. Covariates are"):
        covariate_scores(Y, SCORE, {"x": [0, 1, 2, np.inf, *range(6)]})
