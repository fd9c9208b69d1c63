"""The negatives of a stratum, among which positives are placed: by hand, by slopes."""

import numpy as np
import pytest
from scipy import stats

from rocspace.designs import CovariateModel, covariate_scores
from rocspace.designs.covariate_models import settled
from rocspace.designs.reference import Reference, references


def made(at_neg, at_pos, *, z_pos=None, w_pos=None, normal=False):
    neg, pos = np.ones((len(at_neg), 1)), np.ones((len(at_pos), 1))
    return Reference(
        called="all",
        neg=np.arange(len(at_neg)),
        pos=np.arange(len(at_pos)) + len(at_neg),
        line=None,
        at_neg=np.array(at_neg, float),
        at_pos=np.array(at_pos, float),
        z_neg=neg,
        z_pos=pos if z_pos is None else z_pos,
        w_neg=neg,
        w_pos=pos if w_pos is None else w_pos,
        normal=normal,
    )


def in_sites(y, s, site, **more):
    return covariate_scores(y, {"a": s}, {"site": list(site), **more})


# --- by hand ----------------------------------------------------------------------------------


def test_shares_beaten_by_hand_with_ties():
    beaten, below = made([2, 1, 0, 1], [1, 2, 5, -1]).beaten()
    assert beaten.tolist() == [2 / 4, 3.5 / 4, 1, 0]  # two ties count as one
    assert below.tolist() == [3 / 4, 1 / 4, 0, 1]  # as high, or higher


def test_normal_residuals_are_placed_by_their_distribution():
    beaten, below = made([0, 1], [1.6448536269514722, 0], normal=True).beaten()
    np.testing.assert_allclose(beaten, [0.95, 0.5], rtol=1e-12)
    np.testing.assert_allclose(below, [0.05, 0.5], rtol=1e-12)
    at = np.array([-1.0, 0.3])
    found = made([0, 1], [1], normal=True).density_at(at)
    np.testing.assert_allclose(found, stats.norm.pdf(at))


def test_shares_at_the_ends_by_hand():
    # The lowest is -1 and the highest 5: one of three positives each, and one of four negatives.
    ends = made([2, -1, 0, 1], [-1, 2, 5]).tied_ends()
    assert ends == ((1 / 3, 1 / 3), (1 / 4, 0))
    assert made([2, -1, 0, 1], [-1, 2, 5], normal=True).tied_ends() == ((0, 0), (0, 0))


@pytest.mark.parametrize(("n", "p", "loss"), [(10, 2, (10 / 8) ** 0.5), (2, 2, 1), (3, 2, 3**0.5)])
def test_coefficients_cost_cases(n, p, loss):
    found = made(np.arange(n), [1, 2])
    lines = Reference(**{**vars(found), "z_neg": np.ones((n, p))})
    assert lines.loss == pytest.approx(loss)


# --- slopes -----------------------------------------------------------------------------------


def test_a_change_of_both_classes_alike_changes_no_placement():
    weight, at = np.array([0.2, 0.5]), np.array([1.0, -2])
    found = made([0, 1, 3], [1, 2]).shift(weight, at, np.ones((2, 1)), np.ones((2, 1)))
    np.testing.assert_allclose(found, 0, atol=1e-15)


def test_normal_placements_fall_with_mean_and_scale_of_a_case():
    """By numerical slopes of the mean placement, by the coefficients of mean and log sd."""
    z, w = np.array([[1.0, 0.4], [1, -1.1]]), np.array([[1.0, 0.4], [1, -1.1]])
    beta, gamma, score = np.array([0.5, 0.2]), np.array([0.1, -0.3]), np.array([1.2, -0.4])

    def mean(by):
        sd = np.exp(w @ (gamma + by[2:]))
        return stats.norm.cdf((score - z @ (beta + by[:2])) / sd).mean()

    sd = np.exp(w @ gamma)
    at = (score - z @ beta) / sd
    found = made([0, 1], at, normal=True).shift(stats.norm.pdf(at) / 2, at, z / sd[:, None], w)
    steps = 1e-6 * np.eye(4)
    slow = [(mean(step) - mean(-step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(found, slow, rtol=1e-7)


def test_empirical_placements_also_rise_with_the_mean_of_the_negatives():
    # Column two is there for positives alone: each falls with it by its density.
    z_pos = np.array([[1.0, 1.0], [1.0, 0.0]])
    neg = made([0, 1, 3], [1, 2])
    found = Reference(**{**vars(neg), "z_neg": np.column_stack([np.ones(3), np.zeros(3)])})
    slopes = found.shift(np.array([0.2, 0.5]), np.array([1.0, -2]), z_pos, np.ones((2, 1)))
    np.testing.assert_allclose(slopes, [0, -0.2, 0], atol=1e-15)


# --- strata -----------------------------------------------------------------------------------


def test_positives_are_placed_among_the_negatives_of_their_stratum():
    data = in_sites([1, 0, 0, 1, 0, 1], [2, 1, 3, 9, 5, 7], "xxxyyy")
    one, two = references(data, data.column("a"), settled(data, "stratified"))
    assert (one.called, two.called) == ("site x", "site y")
    assert one.beaten()[0].tolist() == [1 / 2]
    assert two.pos.tolist() == [3, 5]
    assert two.beaten()[0].tolist() == [1, 1]
    assert one.line is None


def test_residuals_are_those_of_a_line_through_the_negatives():
    rng = np.random.default_rng(2)
    y, age = np.tile([0, 0, 1], 12), rng.normal(size=36)
    data = covariate_scores(y, {"a": age + rng.normal(size=36) + y}, {"age": age})
    (found,) = references(data, data.column("a"), settled(data, "location-scale"))
    neg = y == 0
    slope, intercept = np.polyfit(age[neg], data.column("a")[neg], 1)
    left = data.column("a") - intercept - slope * age
    np.testing.assert_allclose(found.at_neg, left[neg] / left[neg].std(), rtol=1e-9)
    np.testing.assert_allclose(found.at_pos, left[~neg] / left[neg].std(), rtol=1e-9)
    assert found.loss == pytest.approx((24 / 22) ** 0.5)


def test_positives_of_strata_without_negatives_are_counted_and_left_out():
    data = in_sites([1, 1, 1, 0, 0, 1], [1, 2, 3, 4, 5, 6], "xxyyyz")
    with pytest.warns(UserWarning, match=r"3 positives are left out.*site x: 2; site z: 1"):
        found = references(data, data.column("a"), settled(data, "stratified"))
    assert [each.called for each in found] == ["site y"]
    again = references(data, data.column("a"), settled(data, "stratified"), quiet=True)
    assert [each.called for each in again] == ["site y"]


def test_what_cannot_be_placed_is_told():
    apart = in_sites([1, 1, 0, 0], [1, 2, 3, 4], "xxyy")
    with (
        pytest.warns(UserWarning, match="2 positives are left out"),
        pytest.raises(ValueError, match="No stratum has both classes"),
    ):
        references(apart, apart.column("a"), settled(apart, "stratified"))
    shifted = CovariateModel(method="location-scale", strata=())
    new = in_sites([1, 0, 0, 0, 0, 1], [1, 2, 3, 4, 5, 6], "xyyzzz")
    with pytest.raises(ValueError, match="a category of 'site' that no negative there has"):
        references(new, new.column("a"), settled(new, shifted))
    known = in_sites([1, 0, 0, 0, 0, 1], [1, 2, 3, 4, 6, 6], "zyyzzz")
    (found,) = references(known, known.column("a"), settled(known, shifted))
    assert found.at_pos.size == 2
    far = covariate_scores([0, 0, 0, 1], {"a": [1, np.inf, 2, 3]}, {"age": [1.5, 2.5, 4, 3]})
    with pytest.raises(ValueError, match="A location needs finite scores"):
        references(far, far.column("a"), settled(far, None))


@pytest.mark.parametrize("site", ["north", "south"])
def test_categories_are_found_beside_the_columns_of_a_spline(site):
    """Of a positive in a site that no negative has, also behind four knots of a number."""
    rng = np.random.default_rng(3)
    y, age = np.arange(60) % 2, rng.normal(size=60)
    sites = np.where((y == 1) & (np.arange(60) == 7), site, "west")
    data = covariate_scores(y, {"a": age + rng.normal(size=60)}, {"age": age, "site": sites})
    model = CovariateModel(method="location-scale", strata=(), knots=4)
    with pytest.raises(ValueError, match="a category of 'site' that no negative there has"):
        references(data, data.column("a"), settled(data, model))
    mixed = covariate_scores(
        y, {"a": data.column("a")}, {"age": age, "site": np.where(np.arange(60) % 3, site, "west")}
    )
    (found,) = references(mixed, mixed.column("a"), settled(mixed, model))
    assert found.pos.size == 30
