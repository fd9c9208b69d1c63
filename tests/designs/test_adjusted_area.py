"""Adjusted areas: by hand, by pairs, by printed numbers, against the bootstrap."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rocspace as rs
from covariate_studies import by_age, read_endosyn, study
from rocspace.designs import (
    CovariateModel,
    aauc_difference,
    aauc_estimate,
    adjusted_roc,
    covariate_scores,
    covariate_thresholds,
)
from rocspace.designs.adjusted_area import place
from rocspace.designs.covariate_models import settled

Y = [0, 0, 1, 0, 1, 0, 0, 1, 1, 0]
SCORE = [1, 2, 3, 3, 5, 6, 7, 8, 9, 7]
OTHER = [3, 1, 2, 4, 5, 5, 7, 6, 9, 8]
SITE = list("aaaaabbbbb")
NORMAL = CovariateModel(residuals="normal")


@pytest.fixture(scope="module")
def endosyn(shared):
    return read_endosyn(shared)


# --- by hand --------------------------------------------------------------------------------------


def test_the_area_of_two_strata_by_hand():
    # site a: negatives 1 2 3, positives 3 (beats 2.5 of 3) and 5; site b: 6 7 7 under 8 and 9
    data = covariate_scores(Y, SCORE, {"site": SITE})
    assert aauc_estimate(data).value == pytest.approx((2.5 / 3 + 1 + 1 + 1) / 4)
    assert adjusted_roc(data).auc == pytest.approx(23 / 24)


def test_the_error_of_two_strata_by_hand():
    # positives: shares beaten -1/8, 1/24, 1/24, 1/24 from the mean, variance 1/144, by 4
    # negatives of a: placements 1, 1, 3/4 with variance 1/48, by 3, weight (2/4)^2; of b: none
    se = aauc_estimate(covariate_scores(Y, SCORE, {"site": SITE})).se
    of_pos = (1 / 64 + 3 / 576) / (4 * 3)
    pull = np.array([1, 1, 0.75]) - 11 / 12
    of_neg = (2 / 4) ** 2 * (pull**2).sum() / (3 * 2)
    assert se == pytest.approx((of_pos + of_neg) ** 0.5)


def test_the_only_negative_of_a_stratum_differs_from_the_whole_area():
    # site b has one negative, 7, below 8 and above 6: R's survey centres it at the whole mean.
    site, y = list("aaaaabbb"), [0, 0, 0, 1, 1, 0, 1, 1]
    found = aauc_estimate(covariate_scores(y, [1, 2, 3, 3, 5, 7, 8, 6], {"site": site}))
    beats, area = np.array([2.5 / 3, 1, 1, 0]), (2 * 11 / 12 + 2 * 1 / 2) / 4
    assert found.value == pytest.approx(area)
    of_pos = ((beats - area) ** 2).sum() / (4 * 3)
    of_a = (2 / 4) ** 2 * ((np.array([1, 1, 0.75]) - 11 / 12) ** 2).sum() / (3 * 2)
    of_b = (2 / 4) ** 2 * (1 / 2 - area) ** 2
    assert found.se == pytest.approx((of_pos + of_a + of_b) ** 0.5)


# --- printed numbers, and another program ---------------------------------------------------------


def test_areas_of_endosyn_in_strata(endosyn):
    columns, answers = endosyn
    data = covariate_scores(columns["cvd_idf"], columns["bmi"], {"gender": columns["gender"]})
    found = aauc_estimate(data)
    assert found.value == pytest.approx(answers["aauc_stratified_gender"], abs=1e-12)
    for gender in ("Men", "Women"):
        own = columns["gender"] == gender
        table = rs.tabulate(columns["cvd_idf"][own], columns["bmi"][own])
        assert rs.auc(table) == pytest.approx(answers[gender.lower()])


@pytest.mark.parametrize("residuals", ["normal", "empirical"])
@pytest.mark.parametrize("gender", ["Men", "Women", None])
def test_areas_of_endosyn_by_age(endosyn, gender, residuals):
    columns, answers = endosyn
    kind = "normal_divisor_n" if residuals == "normal" else "empirical_residuals"
    expected = answers[f"aauc_age_linear_{kind}"][gender.lower() if gender else "both"]
    model = CovariateModel(residuals=residuals)
    data = by_age(columns, gender)
    assert aauc_estimate(data, model=model).value == pytest.approx(expected, abs=1e-10)
    assert adjusted_roc(data, model=model).auc == pytest.approx(expected, abs=1e-10)


# --- the slow twin --------------------------------------------------------------------------------


def slow_area(data, name, *, normal):
    """The mean over positives of the share of negatives of their sex that they beat, by age."""
    from scipy.stats import norm

    label, score = data.cases.label, data.column(name)
    age, sex = data.covariates["age"], data.covariates["sex"]
    shares = []
    for i in np.flatnonzero(label):
        own = np.flatnonzero(~label & (sex == sex[i]))
        slope, level = np.polyfit(age[own], score[own], 1)
        residual = score[own] - level - slope * age[own]
        sd = np.sqrt(np.mean(residual**2))
        mine = (score[i] - level - slope * age[i]) / sd
        each = residual / sd
        beats = np.mean(each < mine) + np.mean(each == mine) / 2
        shares.append(norm.cdf(mine) if normal else beats)
    return np.mean(shares)


@pytest.mark.parametrize("normal", [False, True])
def test_the_area_by_residuals_is_the_slow_one(normal):
    data = study(60)
    model = NORMAL if normal else None
    assert aauc_estimate(data, "a", model=model).value == pytest.approx(
        slow_area(data, "a", normal=normal)
    )


MODELS = {
    "within sex": CovariateModel(),
    "normal": NORMAL,
    "pooled, spline": CovariateModel(strata=(), knots=3),
    "sd by age": CovariateModel(scale="linear", residuals="normal", strata=()),
    "sd by age, empirical": CovariateModel(scale="linear", strata=()),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_the_influence_is_what_a_case_more_changes(model):
    """A case that is added twice over moves the area by its influence (infinitesimal jackknife)."""
    data = study(150, wide=0.2)
    found = settled(data, model)
    base = place(data, "a", found)
    label = data.cases.label
    n = np.where(label, label.sum(), (~label).sum())
    influence = base.pos + base.neg
    picked = np.concatenate([np.flatnonzero(label)[::9], np.flatnonzero(~label)[::9]])
    copies = 3
    moved = []
    for i in picked:
        rows = np.concatenate([np.arange(label.size), np.full(copies, i)])
        again = place(data.take(rows), "a", settled(data, model))
        moved.append((again.value - base.value) * (n[i] + copies) / copies)
    for own in (label[picked], ~label[picked]):
        r = np.corrcoef(np.array(moved)[own], influence[picked][own])[0, 1]
        slope = np.polyfit(influence[picked][own], np.array(moved)[own], 1)[0]
        assert r > 0.97
        assert slope == pytest.approx(1, abs=0.12)  # the loss of degrees of freedom is within


# --- differences ----------------------------------------------------------------------------------


def test_the_difference_is_antisymmetric_and_paired():
    data = study(100)
    one, two = aauc_difference(data, "a", "b"), aauc_difference(data, "b", "a")
    assert one.value == -two.value
    assert one.se == pytest.approx(two.se)
    assert one.first == aauc_estimate(data, "a")
    assert one.correlation > 0.3
    assert one.se < np.hypot(one.first.se, one.second.se)
    low, high = one.interval(0.95)
    p = one.test(null=low).pvalue
    assert p == pytest.approx(0.05, abs=1e-6)
    assert high > one.value > low


def test_a_score_does_not_differ_from_itself():
    data = study(50)
    same = covariate_scores(
        data.cases.label,
        {"a": data.column("a"), "c": 2 * data.column("a")},
        {"age": data.covariates["age"]},
    )
    gap = aauc_difference(same)
    assert gap.value == pytest.approx(0, abs=1e-12)
    assert gap.se == pytest.approx(0, abs=1e-9)


def test_one_stratum_is_delongs_difference():
    data = covariate_scores(Y, {"a": SCORE, "b": OTHER}, {"site": ["one"] * 10})
    plain = rs.compare.auc_difference(data.cases)
    assert aauc_difference(data).se == pytest.approx(plain.se)


# --- invariants -----------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_a_monotone_change_in_each_stratum_changes_nothing(seed, k):
    rng = np.random.default_rng(seed)
    y, site = np.arange(40) % 2, rng.integers(0, k, 40)
    score = rng.integers(0, 6, 40)
    data = covariate_scores(y, score, {"site": site.astype(str)})
    other = covariate_scores(
        y, np.exp(score / 3) * (site + 1) + 9 * site, {"site": site.astype(str)}
    )
    both = [np.isin(range(k), site[y == label]) for label in (0, 1)]
    assume((both[0] | ~both[1]).all())  # no stratum of positives alone
    one, two = aauc_estimate(data), aauc_estimate(other)
    assert one.value == pytest.approx(two.value)
    assert one.se == pytest.approx(two.se)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.floats(-3, 3), st.floats(0.1, 5))
def test_a_linear_shift_by_age_changes_nothing(seed, slope, scale):
    data = study(30, seed)
    age, sex = data.covariates["age"], np.array(["f", "m"])[data.covariates["sex"].astype(int)]
    moved = covariate_scores(
        data.cases.label, scale * data.column("a") + slope * age, {"age": 7 * age - 2, "sex": sex}
    )
    one, two = aauc_estimate(data, "a"), aauc_estimate(moved)
    assert one.value == pytest.approx(two.value)
    assert one.se == pytest.approx(two.se, rel=1e-6)


def test_lower_scores_can_be_positive():
    data = covariate_scores(Y, SCORE, {"site": SITE})
    turned = covariate_scores(Y, [-x for x in SCORE], {"site": SITE}, higher_is_positive=False)
    assert aauc_estimate(turned) == aauc_estimate(data)
    at = covariate_thresholds(turned, {"site": ["a", "b"]}, fpr=0.35).threshold
    np.testing.assert_array_equal(at, [-3, -np.inf])


# --- what is refused, and what is said ------------------------------------------------------------


def test_positives_without_negatives_are_left_out_with_a_warning():
    with pytest.warns(UserWarning, match="2 positives are left out.*site b: 2"):
        found = aauc_estimate(
            covariate_scores([0, 0, 1, 1, 1], [1, 2, 3, 1, 2], {"site": list("aaabb")})
        )
    assert found.value == 1


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: aauc_estimate(rs.tabulate(Y, SCORE)), TypeError, "takes CovariateScores"),
        (lambda: covariate_scores(Y, SCORE, SITE), TypeError, "must map names to values"),
        (lambda: covariate_scores(Y, SCORE, {}), ValueError, "no covariates"),
        (lambda: covariate_scores(Y, {"a": SCORE}, {"a": SITE}), ValueError, "both a score and"),
        (lambda: covariate_scores(Y, SCORE, {"x": [np.inf] * 10}), ValueError, "finite numbers"),
        (lambda: covariate_scores(Y, SCORE, {"x": SITE[:9]}), ValueError, "Lengths differ"),
        (lambda: covariate_scores(Y, SCORE, {"x": [None, *SITE[1:]]}), ValueError, "missing value"),
        (
            lambda: aauc_estimate(study(50), "a", model="stratified"),
            ValueError,
            "'age' has 75 distinct values, too many for strata",
        ),
        (lambda: aauc_estimate(study(50)), ValueError, "one score of a, b"),
        (lambda: aauc_estimate(study(50), "c"), ValueError, "no score 'c'"),
        (lambda: aauc_estimate(study(50), "a", model="roc-glm"), ValueError, "averages over"),
        (lambda: CovariateModel(strata="sex"), TypeError, r"strata=\('sex',\)"),
        (lambda: CovariateModel(knots=2), ValueError, "knots"),
        (
            lambda: aauc_estimate(study(50), "a", model=CovariateModel(strata=("sax",))),
            ValueError,
            "Did you mean 'sex'",
        ),
        (
            lambda: aauc_estimate(covariate_scores([0, 1, 1], [1, 2, 3], {"x": [1, 2, 3]})),
            ValueError,
            "negatives of all cases has 2 coefficients, which takes more than 1 case",
        ),
        (
            lambda: aauc_estimate(
                covariate_scores([0, 0, 0, 1], [1, 2, 3, 2], {"x": [1.0, 2.0, 3.0, 4.0]})
            ),
            ValueError,
            "do not vary for given covariates",
        ),
        (
            lambda: covariate_thresholds(study(50), {"age": 1}, "a", fpr=0.1),
            ValueError,
            "lacks 'sex'",
        ),
        (
            lambda: covariate_thresholds(study(50), {"age": 1, "sex": "x"}, "a", fpr=0.1),
            ValueError,
            "must be one of 'f', 'm'",
        ),
        (
            lambda: covariate_thresholds(study(50), {"age": "old", "sex": "f"}, "a", fpr=0.1),
            ValueError,
            "finite numbers",
        ),
    ],
)
def test_first_mistakes(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_a_category_that_negatives_lack():
    data = covariate_scores([0, 0, 0, 0, 1, 1], [1, 2, 3, 1, 2, 5], {"site": list("aabbac")})
    with pytest.raises(ValueError, match="category of 'site' that no negative"):
        aauc_estimate(data, model=CovariateModel(method="location-scale", strata=()))


def test_of_one_stratum_it_has_the_interval_of_a_plain_area_or_a_wider_one():
    rng = np.random.default_rng(8)
    y = np.arange(80) % 3 == 0
    for score in (rng.normal(size=80) + y, (rng.random(80) < 0.2 + 0.5 * y).astype(float)):
        data = covariate_scores(y, score, {"site": ["a"] * 80})
        found, plain = aauc_estimate(data), rs.delong(rs.tabulate(y, score))
        both = found.interval(scale="moderated"), plain.interval()
        assert found.value == pytest.approx(plain.value)
        assert found.interval().low == pytest.approx(min(each.low for each in both), rel=1e-9)
        assert found.interval().high == pytest.approx(max(each.high for each in both), rel=1e-9)


def test_negatives_of_each_stratum_have_degrees_of_freedom_of_their_own():
    y = np.r_[np.ones(40), np.zeros(6)]
    site = np.r_[np.arange(40) % 2, [0, 0, 0, 1, 1, 1]]
    score = np.r_[np.arange(40) % 9 + 2, [1, 4, 7, 2, 5, 8]]
    gap = aauc_estimate(covariate_scores(y, score, {"site": site.astype(str)}))
    neg = [[1, 4, 7], [2, 5, 8]]
    share = [  # of a negative: positives of its site above it
        [
            np.mean(score[:40][site[:40] == k] > v) + np.mean(score[:40][site[:40] == k] == v) / 2
            for v in neg[k]
        ]
        for k in (0, 1)
    ]
    of_neg = [np.var(each, ddof=1) / 3 / 4 for each in share]
    whole = gap.se**2
    of_pos = whole - sum(of_neg)
    welch = sum(of_neg) ** 2 / sum(v**2 / 2 for v in of_neg)
    slow = whole**2 / (of_pos**2 / 39 + sum(of_neg) ** 2 / welch)
    assert gap.df == pytest.approx(slow, rel=1e-9)
