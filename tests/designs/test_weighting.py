"""Weights of cases in both classes: models of verification and of the truth."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from rocspace.designs import (
    verified_auc_estimate,
    verified_scores,
)
from rocspace.designs.corrected import area_reading, ranked
from rocspace.designs.weighting import (
    Chance,
    Fitter,
    Problem,
    model_of,
    problem_of,
    read_all,
    samples_of,
    warn_of,
)
from verified_studies import study

METHODS: tuple[Any, ...] = ("doubly-robust", "ipw", "imputation", "mean-score")


SMALL, SMALL_ILL = study(120)


@pytest.mark.parametrize("method", METHODS)
def test_influence_is_the_derivative_by_each_case(method: Any) -> None:
    """Let one case count a little more, fit the models anew, and see what the area does."""
    problem = problem_of(SMALL, method, None, ["test", "sign"])
    at = (0, 1, 17, 50, int(np.flatnonzero(~SMALL.verified)[0]))
    check_influence(problem, SMALL.column("test"), at)


def check_influence(problem: Problem, score: Any, at: Sequence[int]) -> None:
    order = ranked(score, higher_is_positive=True)
    solved = problem.solve()
    influence = solved.influence(area_reading(order, solved.pos, solved.neg))
    step, n = 1e-5, score.size
    for i in at:
        ends = []
        for way in (step, -step):
            times = np.ones(n)
            times[i] += way
            again = problem.solve(times)
            ends.append(area_reading(order, again.pos, again.neg, times).value)
        assert influence[i] == pytest.approx(n * (ends[0] - ends[1]) / (2 * step), abs=2e-5)
    assert influence.mean() == pytest.approx(0, abs=1e-8)


def test_categories_are_indicators() -> None:
    truth = np.where(SMALL.verified, SMALL.label, np.nan)
    site = np.array(["north", "south", "west"])[np.arange(120) % 3]
    south, west = (site == "south") * 1.0, (site == "west") * 1.0
    score = SMALL.column("test")
    one = verified_scores(truth, score, covariates={"site": site})
    two = verified_scores(truth, score, covariates={"south": south, "west": west})
    assert verified_auc_estimate(one).value == pytest.approx(verified_auc_estimate(two).value)


def test_perfect_models_are_told() -> None:
    score = np.arange(40.0)
    truth = np.where(score < 20, np.nan, score % 2)
    data = verified_scores(truth, score)
    with pytest.warns(UserWarning, match="never verified"):
        verified_auc_estimate(data)


def test_a_case_that_counts_for_many_is_told() -> None:
    pi = np.where(np.arange(120) == int(np.flatnonzero(SMALL.label)[0]), 0.001, 0.5)
    with pytest.warns(UserWarning, match="counts for 9"):
        verified_auc_estimate(SMALL, "test", method="ipw", verification=pi)


def test_a_fitted_chance_that_rounds_to_0_leaves_a_number():
    # Of scores with tails as heavy as Cauchy's a few lie so far out that the fitted log odds of
    # their verification are below -745.
    rng = np.random.default_rng(30)
    ill = rng.random(1000) < 0.3
    score = rng.standard_cauchy(1000) + 2 * ill
    seen = rng.random(1000) < 1 / (1 + np.exp(1.5 - 2 * np.tanh(score / 3)))
    seen[:2] = True
    ill[:2] = True, False
    data = verified_scores(np.where(seen, ill, np.nan), score)
    with pytest.warns(UserWarning, match="predicts without error"):
        found = verified_auc_estimate(data, method="ipw")
    assert 0 < found.value < 1
    assert 0 < found.se < 1


# --- a least probability --------------------------------------------------------------------------

LEAST = 5 / (np.sqrt(300) * np.log(300))  # Gruber and others (2022), of 300 cases


def floored(n: int, seed: int, floor: float = 0.02) -> tuple[Any, Any]:
    """A fifth or so is verified, steeply by the score, and of those with low scores 2 percent."""
    draw = np.random.default_rng(seed)
    ill = draw.random(n) < 0.3
    score = draw.normal(size=n) + 1.19 * ill
    seen = draw.random(n) < np.maximum(1 / (1 + np.exp(3.6 - 3 * score)), floor)
    seen[:2], ill[:2] = True, (True, False)
    return verified_scores(np.where(seen, ill, np.nan), score), ill


def test_a_fitted_chance_of_verification_has_a_least_value() -> None:
    data, _ = floored(300, 1)
    chosen = problem_of(data, "ipw", None, None).solve().slopes[0][0]
    assert chosen.values.min() == pytest.approx(LEAST)
    assert (chosen.raised == (chosen.values == chosen.values.min())).all()
    assert 0.2 < chosen.raised.mean() < 0.4
    by_plan = np.where(data.verified, 0.01, 0.001)
    given = problem_of(data, "ipw", by_plan, None).solve().slopes[0][0]
    np.testing.assert_array_equal(given.values, by_plan)  # known, so that it stays
    of_user = problem_of(data, "ipw", lambda known, label, every: by_plan, None).solve()
    assert set(of_user.slopes[0][0].values) == {chosen.values.min()}


@pytest.mark.parametrize("method", ["doubly-robust", "ipw"])
def test_influence_knows_which_chances_were_raised(method: Any) -> None:
    data, _ = floored(300, 1)
    problem = problem_of(data, method, None, None)
    raised = problem.solve().slopes[-1][0].raised
    kinds = [raised & data.verified, raised & ~data.verified, ~raised & data.verified]
    check_influence(problem, data.column(), [int(np.flatnonzero(kind)[0]) for kind in kinds])


def test_the_least_chance_leaves_a_constant_one_alone() -> None:
    """Of few cases the published bound is above the share verified: half of that is taken."""
    data = verified_scores([1, 0, None, None, None, None, None, None], np.arange(8.0))
    problem = problem_of(data, "ipw", [], None)
    assert problem.least == 1 / 8
    np.testing.assert_allclose(problem.solve().slopes[0][0].values, 1 / 4)


def test_the_truth_has_no_least_chance() -> None:
    data, _ = floored(300, 1)
    truth = problem_of(data, "doubly-robust", None, None).solve().slopes[0][0]
    assert truth.raised is None
    assert truth.values.min() < LEAST / 2


@pytest.mark.filterwarnings("ignore:.*have a fitted probability of verification below")
@pytest.mark.filterwarnings("ignore:One verified case counts for")
def test_huge_weights_do_not_throw_a_doubly_robust_area_out() -> None:
    """A wrong model of verification gave verified cases thousands of others to stand for."""
    found = [verified_auc_estimate(floored(300, seed)[0]) for seed in range(40)]
    assert all(0.4 < area.raw < 1.1 for area in found)
    assert sum(0.8 in area.interval() for area in found) >= 37


def test_many_cases_that_were_hardly_verified_are_told() -> None:
    data, _ = floored(300, 1)
    solved = problem_of(data, "doubly-robust", None, None).solve()
    (truth, *_), (chosen, *_) = solved.slopes
    low = chosen.values == chosen.values.min()
    held = truth.values[low].sum() / truth.values.sum()
    said = rf"{100 * low.mean():.1f}.%.*, with {100 * held:.1f}.% of the positives.* below 0\.0506"
    with pytest.warns(UserWarning, match=said):
        verified_auc_estimate(data)
    with pytest.warns(UserWarning, match=r"of the cases, have .* lean to those verified"):
        verified_auc_estimate(data, method="ipw")
    turned = verified_scores(np.where(data.verified, ~data.label, np.nan), -data.column())
    with pytest.warns(UserWarning, match=rf"with {100 * held:.1f}.% of the negatives"):
        verified_auc_estimate(turned)


@pytest.mark.parametrize(
    ("cases", "positives", "told"),
    [(0.24, 0.09, False), (0.26, 0.01, True), (0.1, 0.11, True), (0.1, 0.09, False)],
)
def test_more_than_a_quarter_or_a_tenth_of_the_smaller_class_is_told(
    cases: float, positives: float, told: bool
) -> None:
    low = np.arange(1000) < 1000 * cases
    rho = np.where(low, 200 * positives / low.sum(), 200 * (1 - positives) / (~low).sum())
    seen = np.arange(1000) % 2
    problem = Problem(
        label=seen * (np.arange(1000) % 4 == 1),
        verified=seen.astype(float),
        method="doubly-robust",
        truth=Chance(rho),
        verification=Fitter(lambda *_: np.where(low, 0.001, 0.5), {}, "verification"),
    )
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        warn_of(problem, problem.solve())
    assert [("below 0.0229" in str(each.message)) for each in said] == [True] * told


# --- by hand --------------------------------------------------------------------------------------


def given(method: Any, pi: Any, rho: Any, *, tilt: float = 0.0) -> Problem:
    """Three cases, of whom the first is positive, the second negative and the third not known."""
    return Problem(
        label=np.array([1.0, 0, 0]),
        verified=np.array([1.0, 1, 0]),
        method=method,
        truth=Chance(np.array(rho)),
        verification=Chance(np.array(pi)),
        tilt=tilt,
    )


@pytest.mark.parametrize(
    ("method", "pos"),
    [
        ("ipw", [2, 0, 0]),
        ("imputation", [0.6, 0.3, 0.2]),
        ("mean-score", [1, 0, 0.2]),
        ("doubly-robust", [2 * 0.4 + 0.6, 4 * -0.3 + 0.3, 0.2]),
    ],
)
def test_weights_by_hand(method: Any, pos: list[float]) -> None:
    found = given(method, [0.5, 0.25, 0.4], [0.6, 0.3, 0.2]).solve()
    np.testing.assert_allclose(found.pos, pos)
    whole = np.array([2, 4, 0]) if method == "ipw" else np.ones(3)
    np.testing.assert_allclose(found.pos + found.neg, whole)


def test_a_tilt_divides_the_odds_of_those_not_verified() -> None:
    found = given("mean-score", [0.5] * 3, [0.6, 0.3, 0.5], tilt=np.log(3)).solve()
    np.testing.assert_allclose(found.pos, [1, 0, 1 / 4])


def test_cases_that_pull_alike_have_all_but_one_degree_of_freedom() -> None:
    data = verified_scores([1, 0, 1, 0], [3, 2, 1, 0])  # placements 1, 1/2 and 1/2, 1
    found = verified_auc_estimate(data, method="ipw", verification=np.ones(4))
    assert (found.value, found.df) == (0.75, 3)


def test_where_all_are_verified_nobody_stands_for_others() -> None:
    problem = given("ipw", [0.5] * 3, [0.5] * 3)
    whole = Problem(**{**_fields(problem), "verified": np.ones(3)})
    np.testing.assert_allclose(whole.solve().pos, problem.label)


def _fields(problem: Problem) -> dict[str, Any]:
    return {name: getattr(problem, name) for name in Problem.__dataclass_fields__}


# --- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("many_positives", [True, False])
def test_the_error_allows_for_the_smaller_class_of_those_verified(many_positives: bool) -> None:
    """Of given probabilities: the mean square of the slopes, times k / (k - 1)."""
    rng = np.random.default_rng(7)
    n, step = 60, 1e-6
    ill = rng.random(n) < (0.8 if many_positives else 0.2)
    score, pi = rng.normal(size=n) + ill, rng.uniform(0.3, 1, n)
    seen = rng.random(n) < pi
    data = verified_scores(np.where(seen, ill, np.nan), score)
    problem = problem_of(data, "ipw", pi, None)
    order = ranked(score, higher_is_positive=True)

    def area(pos: Any, neg: Any, times: Any = None) -> Any:
        return area_reading(order, pos, neg, times)

    def value(times: Any) -> float:
        return area(seen * ill / pi, seen * ~ill / pi, times).value

    slopes = []
    for i in range(n):
        move = step * (np.arange(n) == i)
        slopes.append(n * (value(1 + move) - value(1 - move)) / 2 / step)
    k = min((seen & ill).sum(), (seen & ~ill).sum())
    assert (k == (seen & ill).sum()) != many_positives
    found = read_all(problem, [area], "influence", 0, None)
    assert found.values[0] == pytest.approx(value(np.ones(n)))
    assert found.se(0) ** 2 == pytest.approx(np.mean(np.square(slopes)) / n * k / (k - 1), rel=1e-5)
    assert found.model_se.tolist() == [0]


def test_a_fitted_model_costs_its_coefficients() -> None:
    data, _ = study(150, 4)
    fitted = problem_of(data, "ipw", ["other"], None)
    solved = fitted.solve()
    chosen = solved.slopes[0][0]
    assert chosen.inflation == pytest.approx(150 / 148)
    assert not chosen.raised.any()
    # The logistic regression of the verification: its scores balance.
    np.testing.assert_allclose(chosen.design.T @ (fitted.verified - chosen.values), 0, atol=1e-8)
    order = ranked(data.column("test"), higher_is_positive=True)

    def area(pos: Any, neg: Any, times: Any = None) -> Any:
        return area_reading(order, pos, neg, times)

    found = read_all(fitted, [area, area], "influence", 0, None)
    influence = solved.influence(area(solved.pos, solved.neg))
    known = [int((data.label & data.verified).sum()), int((~data.label & data.verified).sum())]
    scale = min(known) / (min(known) - 1) * 150 / 148
    np.testing.assert_allclose(found.covariance, (influence**2).sum() / 150**2 * scale)


def test_samples_keep_the_number_of_cases_and_both_classes() -> None:
    problem = given("ipw", [0.5] * 3, [0.5] * 3)
    drawn = samples_of(problem, 200, 1)
    assert {each.sum() for each in drawn} == {3}
    assert all(each[0] > 0 and each[1] > 0 for each in drawn)
    # Both of two cases are among three draws: 1 - 2 (2/3)^3 + (1/3)^3 = 12 of 27.
    assert len(drawn) / 200 == pytest.approx(12 / 27, abs=0.12)
    assert (np.array(drawn) == np.array(samples_of(problem, 200, 1))).all()
    with pytest.raises(ValueError, match=r"Only \d+ of 20 replicates have verified cases of both"):
        samples_of(problem, 20, 1)
    with pytest.raises(ValueError, match=r"n_boot is 19, .* at least 20"):
        samples_of(problem, 19, 1)


@pytest.mark.parametrize(
    ("n", "weight", "told"),
    [(50, 14, "22"), (50, 12, None), (5, 100, None), (200, 20, None), (200, 23, "10")],
)
def test_a_case_is_told_that_counts_for_a_tenth_and_for_ten(
    n: int, weight: float, told: str | None
) -> None:
    """Of n verified positives one has a weight, and the others 1; n negatives have 1, too."""
    problem = Problem(
        label=np.repeat([1.0, 0, 0], [n, n, 1]),
        verified=np.repeat([1.0, 0], [2 * n, 1]),
        method="ipw",
        truth=Chance(np.full(2 * n + 1, 0.5)),
        verification=Chance(1 / np.where(np.arange(2 * n + 1) == 0, weight, 1.0)),
    )
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        warn_of(problem, problem.solve())
    texts = [str(each.message) for each in said]
    assert len(texts) == (told is not None)
    assert all(f"counts for {told}" in each and "of the positives" in each for each in texts)


# --- given models ---------------------------------------------------------------------------------


def test_columns_are_standardised_and_those_without_spread_left_out() -> None:
    data = verified_scores(
        [1, 0, 1, 0], {"a": [1, 2, 3, 6]}, covariates={"flat": [2, 2, 2, 2], "site": list("xyxz")}
    )
    found = model_of(data, None, "truth")
    assert found.shape == (4, 4)  # ones, a, two of three sites
    np.testing.assert_allclose(found[:, 1], (np.array([1, 2, 3, 6]) - 3) / 3.5**0.5)
    assert found[:, 2].tolist() == [0, 1, 0, 0]
    assert found[:, 3].tolist() == [0, 0, 0, 1]
    np.testing.assert_array_equal(model_of(data, "a", "truth"), found[:, :2])
    assert model_of(data, (), "truth").tolist() == [[1]] * 4


def test_a_probability_of_0_matters_where_a_case_was_verified() -> None:
    data = verified_scores([1, 0, None], [3.0, 2, 1])
    found = model_of(data, [0.5, 0.2, 0.0], "verification")
    assert isinstance(found, Chance)
    assert found.values.tolist() == [0.5, 0.2, 1]  # which multiplies a weight of 0
    assert model_of(data, [0.5, 0.0, 0.0], "truth").values.tolist() == [0.5, 0, 0]
    with pytest.raises(ValueError, match="verification is 0 at index 1, a case that was verified"):
        model_of(data, [0.5, 0.0, 0.2], "verification")


def test_a_function_must_answer_for_all_cases() -> None:
    data = verified_scores([1, 0, None], [3.0, 2, 1])
    short = model_of(data, lambda known, label, every: label, "truth")
    with pytest.raises(ValueError, match=r"of truth returned the shape \(2,\), .* all 3 cases"):
        short.fitted(np.array([1.0, 0, 0]), np.array([1.0, 1, 0]))
    counted = model_of(
        data, lambda known, label, every: np.full(3, label.mean() + known["score"][0] / 10), "truth"
    )
    found = counted.fitted(np.array([1.0, 0, 0]), np.array([1.0, 3, 0]))
    np.testing.assert_allclose(found.values, 1 / 4 + 3 / 10)  # the second three times
