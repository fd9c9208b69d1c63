"""What the fits of all models share: limits, flags, replicates."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace.models import fit_binormal
from rocspace.models.binormal import binormal_fit
from rocspace.models.fitting import (
    bootstrap_covariance,
    df_of,
    errors_of,
    flag_ties,
    floats_of,
    hook,
    hook_of,
    larger,
    likelihood_of,
    limits_of,
    placed_shares,
    split_counts,
    stepped,
)

TABLE = rs.tabulate_classes([1.0, 2, 4, 5, 7], [0.0, 1, 3, 3, 2, 6])


def curve(a: float, b: float) -> Any:
    return binormal_fit("given", a, b, covariance=np.eye(2), covariance_method="unknown")


# --- steps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axis", "at", "area", "tpr"), [("tpr", 0.7, 0.7, 0.7), ("fpr", 0.2, 0.8, 0.0)]
)
def test_a_curve_that_stays_at_a_rate(axis: Any, at: float, area: float, tpr: float) -> None:
    fit = stepped("binormal", {"a": np.inf, "b": 1.0}, axis, at, {"degenerate": "why"}, df=3.0)
    assert fit.auc == pytest.approx(area)
    assert fit.tpr_at(0.1) == tpr
    assert fit.tpr_at(0.3) == (at if axis == "tpr" else 1)
    assert (fit.flags, fit.df) == ({"degenerate": "why"}, 3)
    assert fit.covariance.shape == (2, 2)
    assert np.isnan(fit.covariance).all()


def test_limits_of_a_binormal_curve_are_those_of_steeper_and_steeper_ones() -> None:
    level = limits_of("tpr", 0.7)
    assert level == {"a": pytest.approx(stats.norm.ppf(0.7)), "b": 0}
    for at, side in ((0.2, np.inf), (0.8, -np.inf)):
        assert limits_of("fpr", at) == {"a": side, "b": np.inf}
        # tpr = Phi(a + b Phi^-1(fpr)) jumps where a = -b Phi^-1(at).
        b = 1e6
        near = curve(-b * stats.norm.ppf(at), b)
        assert near.tpr_at(at - 0.001) == 0
        assert near.tpr_at(at + 0.001) == 1
    assert np.isnan(limits_of("fpr", 0.5)["a"])


# --- numbers of cases -----------------------------------------------------------------------------


def test_degrees_of_freedom_are_of_the_smaller_class() -> None:
    assert df_of(TABLE) == 4
    weighted = rs.tabulate([1, 1, 0, 0, 0], [1, 2, 3, 4, 5], sample_weight=[1, 3, 1, 1, 1])
    assert df_of(weighted) == pytest.approx(16 / 10 - 1)
    assert df_of(rs.tabulate([1, 0, 0], [1, 2, 3])) == 0


def test_only_counts_have_a_likelihood() -> None:
    assert likelihood_of(TABLE, -3.5, 2) == {"loglik": -3.5, "n_cases": 11, "n_parameters": 2}
    weighted = rs.tabulate([1, 0], [1, 2], sample_weight=[1, 3])
    assert likelihood_of(weighted, -3.5, 2) == {}


# --- flags ----------------------------------------------------------------------------------------


def test_a_crossing_near_an_end_is_no_hook() -> None:
    assert hook(None) == hook(0.0005) == hook(0.9995) == {}
    assert "crosses the diagonal at (0.2, 0.2): below" in hook(0.2)["improper"]
    assert "above that rate" in hook(0.7)["improper"]


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.4), (0.5, 2.0), (-0.3, 0.5)])
def test_a_hook_is_found_where_the_curve_crosses(a: float, b: float) -> None:
    # a + b z = z at z = a / (1 - b).
    at = stats.norm.cdf(a / (1 - b))
    assert hook_of(curve(a, b)) == hook(at)
    assert hook_of(curve(1, 1)) == {}
    assert hook_of(curve(0, 1)) == {}  # the diagonal itself


def test_ties_are_flagged_that_move_an_area_by_a_third_of_its_error() -> None:
    # More and more cases of both classes at one score.
    flagged = []
    for k in (1, 2, 4, 8):
        table = rs.tabulate_classes(
            [*np.linspace(0.2, 2, 10), *[0.5] * k], [*np.linspace(0, 1.7, 10), *[0.5] * k]
        )
        fit = fit_binormal(table)
        once = flag_ties(fit, table)
        lost = (table.pos @ table.neg) / table.n_pos / table.n_neg / 2
        moved = lost / fit.auc_estimate().se
        assert ("tied" in once.flags) == (moved > 1 / 3)
        flagged.append("tied" in once.flags)
        if flagged[-1]:
            assert f"{round(moved, 1)} standard errors" in once.flags["tied"]
            assert f"up to {round(lost, 3)}" in once.flags["tied"]
    assert (flagged[0], flagged[-1]) == (False, True)
    plain = rs.tabulate_classes([1.0, 2.5, 3], [0.0, 2, 4])
    assert flag_ties(fit_binormal(plain), plain).flags == fit_binormal(plain).flags


# --- scores ---------------------------------------------------------------------------------------


def test_scores_become_floats_that_stay_distinct() -> None:
    assert floats_of(TABLE).dtype == np.float64
    infinite = rs.tabulate([1, 0, 1], [np.inf, 1, 2])
    assert floats_of(infinite).tolist() == [np.inf, 2, 1]
    with pytest.raises(ValueError, match=r"scores 9007199254740992 and 9007199254740993 are the"):
        floats_of(rs.tabulate([1, 0], [2**53 + 1, 2**53]))
    with pytest.raises(ValueError, match=r"they differ by less than rounding\. Subtract"):
        floats_of(rs.tabulate([1, 0, 1], [1e15, 1e15 + 1, 1e15 + 2]))
    assert floats_of(rs.tabulate([1, 0, 1], [1e12, 1e12 + 1, 1e12 + 2])).size == 3
    with pytest.raises(ValueError, match=r"they have lost digits\. Multiply"):
        floats_of(rs.tabulate([1, 0], [1e-305, 1e-306]))
    assert floats_of(rs.tabulate([1, 0], [1e-300, 1e-299])).size == 2
    assert floats_of(rs.tabulate([1, 0], [0.0, 0.0])).tolist() == [0]


# --- errors ---------------------------------------------------------------------------------------


def test_a_negative_variance_is_unknown() -> None:
    found = errors_of(TABLE, "observed", lambda t: [0.0], lambda: np.diag([1.0, -1e-9]), 9, 0)
    assert np.isnan(found["covariance"]).all()
    known = errors_of(TABLE, "expected", lambda t: [0.0], lambda: np.diag([1.0, 2.0]), 9, 0)
    assert known["covariance"].tolist() == [[1, 0], [0, 2]]
    assert known["covariance_method"] == "expected information"
    assert known["df"] == 4
    sandwich = errors_of(TABLE, "sandwich", lambda t: [0.0], lambda: np.eye(1), 9, 0)
    assert sandwich["covariance_method"] == "sandwich"


def test_replicates_are_the_covariance_of_what_they_give() -> None:
    def means(table: rs.ScoreTable) -> list[float]:
        score = table.score.astype(float)
        return [score @ table.pos / table.n_pos, score @ table.neg / table.n_neg]

    found = bootstrap_covariance(TABLE, means, n_boot=4000, rng=1)
    pos, neg = (np.repeat(TABLE.score, many) for many in (TABLE.pos, TABLE.neg))
    exact = np.diag([pos.var() / pos.size, neg.var() / neg.size])
    np.testing.assert_allclose(found, exact, atol=0.05)
    together = bootstrap_covariance(
        TABLE,
        means,
        n_boot=4000,
        rng=1,
        together=lambda tables: np.array([means(each) for each in tables]),
    )
    np.testing.assert_allclose(together, found, rtol=1e-12)


def test_replicates_that_cannot_be_fitted_are_left_out_up_to_half() -> None:
    calls = iter(range(100))

    def sometimes(table: rs.ScoreTable) -> list[float]:
        i = next(calls)
        if i % 4 == 0:
            raise ValueError
        return [float("nan")] if i % 4 == 1 else [float(i % 4)]

    found = bootstrap_covariance(TABLE, sometimes, n_boot=100, rng=1)
    assert found.tolist() == [[pytest.approx(np.var([2.0, 3.0] * 25, ddof=1))]]
    calls = iter(range(1, 100))
    assert np.isnan(bootstrap_covariance(TABLE, sometimes, n_boot=97, rng=1)).all()

    def never(table: rs.ScoreTable) -> list[float]:
        raise ValueError

    assert np.isnan(bootstrap_covariance(TABLE, never, n_boot=9, rng=1)).all()


def test_parts_hold_each_case_once_and_are_as_large_as_they_can() -> None:
    parts = list(split_counts(TABLE, 3, 1))
    np.testing.assert_array_equal(sum(pos for pos, _ in parts), TABLE.pos)
    np.testing.assert_array_equal(sum(neg for _, neg in parts), TABLE.neg)
    assert [pos.sum() for pos, _ in parts] == [2, 2, 1]
    assert [neg.sum() for _, neg in parts] == [2, 2, 2]
    again = list(split_counts(TABLE, 3, 1))
    assert all((a == b).all() for a, b in zip(np.ravel(parts[0]), np.ravel(again[0]), strict=True))


def test_the_larger_of_two_covariances_by_hand() -> None:
    one, other = np.diag([4.0, 1.0]), np.diag([2.0, 3.0])
    np.testing.assert_allclose(larger(one, other), np.diag([4.0, 3.0]))
    turn = np.array([[1.0, 2.0], [-1.0, 0.5]])  # no axes are special
    np.testing.assert_allclose(
        larger(turn @ one @ turn.T, turn @ other @ turn.T), turn @ np.diag([4.0, 3.0]) @ turn.T
    )
    for broken in (np.full((2, 2), np.nan), np.zeros((2, 2))):
        np.testing.assert_array_equal(larger(one, broken), one)


def test_placements_among_few_negatives_by_hand() -> None:
    placed, share, ratio = placed_shares(np.array([0.2]), np.ones(1), 2.0)
    np.testing.assert_allclose(placed, [0, 0.5, 1])
    np.testing.assert_allclose(share, [0.64, 0.32, 0.04])
    assert ratio == 1
    nodes, weights = np.polynomial.legendre.leggauss(20)  # of chance all placements are as likely
    _, share, _ = placed_shares((nodes + 1) / 2, weights / 2, 30.0)
    np.testing.assert_allclose(share, np.full(31, 1 / 31))
    _, share, ratio = placed_shares(np.array([0.0, 1.0]), np.array([0.3, 0.7]), 5000.0)
    np.testing.assert_allclose(share[[0, -1]], [0.3, 0.7])
    assert (share.size, ratio) == (501, 0.1)
