"""The test that the curve depends on covariates: known truth."""

import warnings

import numpy as np
import pytest

from covariate_studies import only_sex, study
from rocspace.designs import (
    covariate_scores,
    covariate_test,
)


def dependent(n, seed, effect):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n)
    age = rng.normal(size=2 * n) + 0.5 * y
    score = age + y * (1 + effect * age) + rng.normal(size=2 * n)
    return covariate_scores(y, score, {"age": age})


def test_dependence_is_found_and_independence_is_not():
    assert covariate_test(dependent(150, 1, 0.8), "age").pvalue < 1e-4
    assert covariate_test(dependent(150, 1, 0.0), "age").pvalue > 0.05
    # age shifts both classes alike, so that the pooled area of the young and old differs from ours
    found = covariate_test(dependent(60, 2, 0.9), "age", method="permutation", n_perm=39, rng=1)
    assert found.pvalue == pytest.approx(1 / 40)
    assert found.method == "permutation of residuals"


def test_the_test_of_one_covariate_is_that_of_its_coefficient():
    data = study(150)
    both, one = covariate_test(data, name="a"), covariate_test(data, "sex", "a")
    assert (both.df, one.df) == (2, 1)
    assert both.statistic >= one.statistic
    again = covariate_test(data, ["age", "sex"], "a")
    assert again == both


def test_permutations_in_strata_keep_the_placements():
    found = covariate_test(only_sex(study(30)), name="a", method="permutation", n_perm=19, rng=2)
    assert 0.05 <= found.pvalue <= 1
    assert found == covariate_test(
        only_sex(study(30)), name="a", method="permutation", n_perm=19, rng=2
    )


def rare(rng, n=40, few=4):
    """Old age is rare among negatives, shifts both classes, and leaves the curve as it is."""
    y = np.repeat([1, 0], n)
    old = np.concatenate([np.arange(n) % 2 == 0, np.arange(n) < few])
    score = 2.0 * old + 1.2 * y + rng.normal(size=y.size)
    return covariate_scores(y, score, {"age": np.where(old, "old", "young")})


@pytest.mark.filterwarnings("ignore:age '.+' has 6 positives")
def test_permutations_in_strata_are_those_of_plain_loops():
    """Ranks within strata are all that counts, so scores are minus the placements here."""
    data = rare(np.random.default_rng(3), 12)
    label, score, age = data.cases.label, data.cases.score[:, 0], data.covariates["age"]
    draw, seen = np.random.default_rng(8), covariate_test(data).statistic
    strata, as_high = [age == level for level in np.unique(age)], 0
    for _ in range(19):
        gaps = []
        for own in strata:
            negatives = score[own & ~label]
            above = [sum(negatives >= x) for x in score[own & label]]
            gaps += list((above + draw.uniform(size=len(above))) / (negatives.size + 1))
        gaps = list(draw.permutation(gaps))
        placement = np.zeros(label.size)
        for own in strata:
            placement[own & label] = [gaps.pop(0) for _ in range(sum(own & label))]
            placement[own & ~label] = draw.uniform(size=sum(own & ~label))
        again = covariate_scores(label, -placement, {"age": np.where(age, "b", "a")})
        as_high += covariate_test(again).statistic >= seen
    found = covariate_test(data, method="permutation", n_perm=19, rng=8)
    assert found.note == ""
    assert 0 < as_high < 19
    assert found.pvalue == pytest.approx((1 + as_high) / 20)


def test_permutations_hold_their_size_where_a_category_has_few_negatives():
    """2 of 40 expected, at most 7 with probability .999; exchanged within strata, 8."""
    rng, rejected = np.random.default_rng(5), 0
    for _ in range(40):
        found = covariate_test(rare(rng), method="permutation", n_perm=19, rng=rng)
        rejected += found.pvalue <= 0.05 + 1e-12
    assert rejected <= 7


@pytest.mark.filterwarnings("ignore:age 'old' has 1 negative")
@pytest.mark.parametrize(("few", "least", "most"), [(1, 0.3, 0.6), (8, 0.0, 0.11)])
def test_a_category_needs_some_negatives(few, least, most):
    """What the docstring says: 47 and 4 percent; four standard errors of 100 samples allowed."""
    rng, rejected = np.random.default_rng(12), 0
    y = np.repeat([1, 0], (100, 25))
    for _ in range(100):
        old = np.concatenate([rng.random(100) < 0.5, np.arange(25) < few])
        score = 2.0 * old + 1.2 * y + rng.normal(size=y.size)
        data = covariate_scores(y, score, {"age": np.where(old, "old", "young")})
        rejected += covariate_test(data).pvalue <= 0.05
    assert least <= rejected / 100 <= most


@pytest.mark.parametrize(("few", "least", "most"), [(1, 0.4, 0.9), (12, 0.0, 0.13)])
def test_a_category_needs_some_positives(few, least, most):
    """A single positive of a category is fitted by a coefficient of its own, without residual."""
    rng, rejected = np.random.default_rng(12), 0
    y = np.repeat([1, 0], (25, 80))
    old = np.concatenate([np.arange(25) < few, np.arange(80) < 40])
    for _ in range(60):
        score = 2.0 * old + 1.2 * y + rng.normal(size=y.size)
        data = covariate_scores(y, score, {"age": np.where(old, "old", "young")})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore" if few < 12 else "error")
            rejected += covariate_test(data).pvalue <= 0.05
    assert least <= rejected / 60 <= most
    if few < 12:
        with pytest.warns(UserWarning, match=r"age 'old' has 1 positive,"):
            covariate_test(data)


@pytest.mark.parametrize(
    ("n", "few", "needed"),
    [(40, 11, 12), (40, 12, None), (100, 12, 13), (100, 13, None), (440, 49, 50), (440, 50, None)],
)
def test_many_positives_have_to_be_in_a_category_if_there_are_many(n, few, needed):
    rng, y = np.random.default_rng(2), np.repeat([1, 0], n)
    age = np.where(np.concatenate([np.arange(n) < few, np.arange(n) % 2 == 0]), "old", "young")
    data = covariate_scores(y, y + rng.normal(size=y.size), {"age": age})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        covariate_test(data)
    assert [f"than {needed} here" in str(each.message) for each in told] == [True] * bool(needed)


def test_a_category_of_few_negatives_is_told_of():
    data = rare(np.random.default_rng(1), few=3)
    with pytest.warns(UserWarning, match=r"age 'old' has 3 negatives"):
        covariate_test(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        covariate_test(data, method="permutation", n_perm=2, progress=False)


@pytest.mark.parametrize("same", [{"site": ["a"] * 80}, {"dose": np.ones(80)}])
def test_a_covariate_that_is_the_same_in_all_cases(same):
    y, ((name, _),) = np.arange(80) % 2, same.items()
    data = covariate_scores(y, y + np.sin(np.arange(80)), same | {"age": np.arange(80) % 17})
    with pytest.raises(ValueError, match=f"'{name}' is .* in all cases, so no curve can depend"):
        covariate_test(data, name)
