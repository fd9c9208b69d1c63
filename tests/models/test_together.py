"""Replicates of ratings that are fitted together: those that are fitted one after the other."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.models import fit_rating
from rocspace.models.rating import fit_ratings
from rocspace.simulate import ratings

HANLEY = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])


@pytest.mark.parametrize("size", [(6, 6), (30, 20), (400, 900)])
def test_each_table_has_the_fit_it_has_alone(size: tuple[int, int]) -> None:
    tables = [ratings().draw(*size, rng=seed) for seed in range(60)]
    tables += [HANLEY, rs.tabulate([0, 1, 0, 1], [1, 1, 2, 2])]
    whole = fit_rating(HANLEY)
    assert whole.cuts is not None
    found = fit_ratings("rating", np.zeros(0), tables)
    kinds = set()
    for table, each in zip(tables, found, strict=True):
        try:
            alone = fit_rating(table)
        except ValueError:
            kinds.add("refused")
            assert np.isnan(each).all()
            continue
        if "degenerate" in alone.flags:
            kinds.add("degenerate")
            assert np.isinf(each).all()
        elif "unconverged" not in alone.flags:
            kinds.add("fitted")
            assert each == pytest.approx(list(alone.parameters.values()), rel=1e-6, abs=1e-6)
    assert kinds >= {"refused", "fitted"}


def test_the_error_of_replicates_is_near_that_of_the_information() -> None:
    by_information = fit_rating(HANLEY).auc_estimate().se
    fit = fit_rating(HANLEY, covariance="bootstrap", n_boot=500)
    assert fit.auc_estimate().se == pytest.approx(by_information, rel=0.15)
    again = fit_rating(HANLEY, covariance="bootstrap", n_boot=500)
    assert (again.covariance == fit.covariance).all()
