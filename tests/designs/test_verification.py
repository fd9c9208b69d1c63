"""Verification bias: by hand, by all pairs, by other programs, with known truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from rocspace import SingleClassError, delong, designs, pair_scores, roc_curve, tabulate
from rocspace.compare import compare_aucs
from rocspace.designs import (
    VerifiedScores,
    verification_sensitivity,
    verified_auc_difference,
    verified_auc_estimate,
    verified_band,
    verified_curve,
    verified_rates,
    verified_scores,
    verified_table,
)
from rocspace.designs.weighting import problem_of
from verified_studies import study

METHODS: tuple[Any, ...] = ("doubly-robust", "ipw", "imputation", "mean-score")
WEIGHTED: tuple[Any, ...] = (
    "doubly-robust",
    "ipw",
    "mean-score",
)  # the ordinary area if all are verified


SMALL, SMALL_ILL = study(120)
LARGE, LARGE_ILL = study(40_000, 2)


def literal(data: VerifiedScores, name: str, pos: Any, neg: Any) -> float:
    """Sum over all pairs of different cases."""
    s = data.column(name)
    wins = (s[:, None] > s) + (s[:, None] == s) / 2
    weight = np.outer(pos, neg)
    np.fill_diagonal(weight, 0)
    return float((weight * wins).sum() / weight.sum())


# --- by hand --------------------------------------------------------------------------------------


def by_hand() -> VerifiedScores:
    # scores 4 3 2 1; truth 1, unknown, 0, unknown
    return verified_scores([1, None, 0, None], [4.0, 3.0, 2.0, 1.0])


def test_doubly_robust_area_by_hand() -> None:
    """pi = 1/2, rho = (.8, .6, .4, .2): w1 = 2 V (D - rho) + rho."""
    # case 1: 2 * .2 + .8 = 1.2; case 2: .6; case 3: 2 * -.4 + .4 = -.4; case 4: .2
    # w0 = 1 - w1: -.2, .4, 1.4, .8
    # wins: 1.2 (.4 + 1.4 + .8) + .6 (1.4 + .8) + -.4 (.8) = 3.12 + 1.32 - .32 = 4.12
    # pairs: 1.6 * 2.4 - (1.2 * -.2 + .6 * .4 + -.4 * 1.4 + .2 * .8) = 3.84 + .4 = 4.24
    found = verified_auc_estimate(by_hand(), verification=[0.5] * 4, truth=[0.8, 0.6, 0.4, 0.2])
    assert found.raw == pytest.approx(4.12 / 4.24, abs=1e-15)
    assert found.uncorrected.value == 1


def test_imputed_areas_by_hand() -> None:
    """rho as above; mean score puts 1 and 0 for the verified."""
    rho = [0.8, 0.6, 0.4, 0.2]
    # imputation: wins .8 (.4 + .6 + .8) + .6 (.6 + .8) + .4 * .8 = 1.44 + .84 + .32 = 2.6
    # pairs 2 * 2 - (.16 + .24 + .24 + .16) = 3.2
    found = verified_auc_estimate(by_hand(), method="imputation", truth=rho)
    assert found.value == pytest.approx(2.6 / 3.2)
    # mean score, w1 = 1, .6, 0, .2: wins 1 (.4 + 1 + .8) + .6 (1 + .8) = 2.2 + 1.08 = 3.28
    # pairs 1.8 * 2.2 - (.24 + .16) = 3.56
    found = verified_auc_estimate(by_hand(), method="mean-score", truth=rho)
    assert found.value == pytest.approx(3.28 / 3.56)


def test_rates_by_hand() -> None:
    """Positives verified with 1/2 count twice, and so on, at threshold 3."""
    data = verified_scores([1, 1, 0, 0, None], [4.0, 2.0, 3.0, 1.0, 5.0])
    rates = verified_rates(data, 3.0, method="ipw", verification=[0.5, 0.25, 1.0, 0.5, 0.5])
    # positives weigh 2 and 4, negatives 1 and 2; called: 2 of 6, and 1 of 3
    found = {name: each.value for name, each in rates.estimates.items()}
    hand = {"tpr": 2 / 6, "fpr": 1 / 3, "ppv": 2 / 3, "npv": 2 / 6, "prevalence": 6 / 9}
    assert found == pytest.approx(hand)
    assert rates.tnr == pytest.approx(2 / 3)


def test_curve_by_hand() -> None:
    """A doubly robust curve falls where a weight is negative, and is drawn in order."""
    curve = verified_curve(by_hand(), verification=[0.5] * 4, truth=[0.8, 0.6, 0.4, 0.2])
    # w1 sums to 1.6: 1.2, 1.8, 1.4, 1.6; w0 to 2.4: -.2, .2, 1.6, 2.4
    assert curve.raw_tpr == pytest.approx([0, 0.75, 1.125, 0.875, 1])
    assert curve.raw_fpr == pytest.approx([0, -0.2 / 2.4, 0.2 / 2.4, 1.6 / 2.4, 1])
    assert curve.tpr == pytest.approx([0, 0.75, 0.875, 1, 1])
    assert curve.fpr == pytest.approx([0, 0, 0.2 / 2.4, 1.6 / 2.4, 1])
    assert curve.rearranged
    assert np.isinf(curve.threshold[0])
    assert curve.threshold[1:].tolist() == [4, 3, 2, 1]


# --- slow twins -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_area_is_that_of_all_pairs(method: Any) -> None:
    solved = problem_of(SMALL, method, None, None).solve()
    found = verified_auc_estimate(SMALL, "test", method=method)
    assert found.raw == pytest.approx(literal(SMALL, "test", solved.pos, solved.neg), rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_two_ways_to_an_error_agree(method: Any) -> None:
    data, _ = study(500, 5)
    one = verified_auc_estimate(data, "test", method=method)
    two = verified_auc_estimate(data, "test", method=method, errors="bootstrap", n_boot=200)
    assert two.value == one.value
    assert two.se == pytest.approx(one.se, rel=0.2)
    assert one.method == method
    assert two.method == f"{method}, bootstrap"


# --- other programs -------------------------------------------------------------------------------


def test_ipw_is_the_weighted_area_of_scikit_learn() -> None:
    """Its logistic regression gives the weights, and its weighted area the value."""
    data, _ = study(800, 6)
    x = np.column_stack([data.score, data.covariates["sign"]])
    model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(x, data.verified)
    seen = data.verified
    weight = 1 / model.predict_proba(x)[seen, 1]
    theirs = roc_auc_score(data.label[seen], data.column("test")[seen], sample_weight=weight)
    ours = verified_auc_estimate(data, "test", method="ipw").value
    assert ours == pytest.approx(theirs, abs=1e-6)


def test_all_verified_gives_delong() -> None:
    """Also its standard error, up to the divisor, and that of a paired difference."""
    data = verified_scores(SMALL_ILL, dict(zip(SMALL.names, SMALL.score.T, strict=True)))
    paired = compare_aucs(
        pair_scores(SMALL_ILL, dict(zip(SMALL.names, SMALL.score.T, strict=True)))
    )
    found = verified_auc_difference(data, "test", "other")
    gap = paired.pair("test", "other").difference
    assert found.value == pytest.approx(gap.value)
    assert found.se == pytest.approx(gap.se, rel=0.02)
    for method in WEIGHTED:
        area = verified_auc_estimate(data, "test", method=method)
        assert area.value == pytest.approx(paired.estimate("test").value)
        assert area.se == pytest.approx(paired.estimate("test").se, rel=0.02)


# --- known truth ----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_corrected_numbers_are_those_of_all_cases(method: Any) -> None:
    """40,000 cases: what the verified alone say is off by many standard errors."""
    whole = tabulate(LARGE_ILL, LARGE.column("test"))
    truth = delong(whole).value
    area = verified_auc_estimate(LARGE, "test", method=method)
    assert abs(area.value - truth) < 3.5 * area.se
    assert abs(area.uncorrected.value - truth) > 8 * area.uncorrected.se
    rates = verified_rates(LARGE, 1.0, "test", method=method)
    called = LARGE.column("test") >= 1.0
    true = {
        "tpr": called[LARGE_ILL].mean(),
        "fpr": called[~LARGE_ILL].mean(),
        "ppv": LARGE_ILL[called].mean(),
        "npv": 1 - LARGE_ILL[~called].mean(),
        "prevalence": LARGE_ILL.mean(),
    }
    for name, each in rates.estimates.items():
        assert abs(each.value - true[name]) < 3.5 * each.se
    curve = verified_curve(LARGE, "test", method=method)
    assert curve.tpr_at(0.2) == pytest.approx(roc_curve(whole).tpr_at(0.2), abs=0.02)


def test_one_right_model_is_enough() -> None:
    """Doubly robust holds if either model is wrong; each of the others fails with its own."""
    truth = delong(tabulate(LARGE_ILL, LARGE.column("test"))).value
    wrong: dict[str, Any] = {"verification": [], "truth": ["other"]}
    for which, columns in wrong.items():
        area = verified_auc_estimate(LARGE, "test", **{which: columns})
        assert abs(area.value - truth) < 3.5 * area.se
    ipw = verified_auc_estimate(LARGE, "test", method="ipw", verification=[])
    filled = verified_auc_estimate(LARGE, "test", method="imputation", truth=["other"])
    assert abs(ipw.value - truth) > 5 * ipw.se
    assert abs(filled.value - truth) > 5 * filled.se


def test_the_farthest_odds_are_those_of_certainty() -> None:
    far = verification_sensitivity(SMALL, "test", log_odds=(-1e308, -700, 700, 1e308))
    assert far.auc[0] == far.auc[1]
    assert far.auc[2] == far.auc[3]


def test_sensitivity_finds_the_area_at_the_true_odds_ratio() -> None:
    data, ill = study(30_000, 7, odds=1.0)
    truth = delong(tabulate(ill, data.column("test"))).value
    found = verification_sensitivity(data, "test", log_odds=(0.0, 1.0))
    assert abs(found.auc[1] - truth) < 3.5 * found.se[1]
    assert abs(found.auc[0] - truth) > 5 * found.se[0]
    assert found.prevalence[1] == pytest.approx(ill.mean(), abs=0.01)
    plain = verified_auc_estimate(data, "test", method="mean-score")
    assert (found.auc[0], found.se[0]) == (plain.value, plain.se)
    usual = verification_sensitivity(SMALL, "test")
    assert list(usual.log_odds) == [-1, -0.5, 0, 0.5, 1]


# --- invariants -----------------------------------------------------------------------------------

CASES = st.integers(0, 10**6).map(lambda seed: study(40, seed)[0])


@given(CASES, st.sampled_from(METHODS))
def test_ranks_alone_matter_when_models_are_given(data: VerifiedScores, method: Any) -> None:
    pi = np.linspace(0.2, 0.9, len(data))
    models: Any = {"method": method, "verification": pi, "truth": pi[::-1]}
    truth = np.where(data.verified, data.label, np.nan)
    one = verified_auc_estimate(data, "test", **models)
    for score, higher in ((np.exp(data.column("test")), True), (-data.column("test"), False)):
        again = verified_scores(truth, score, higher_is_positive=higher)
        two = verified_auc_estimate(again, **models)
        assert (two.raw, two.se) == pytest.approx((one.raw, one.se), rel=1e-9)
    opposite = verified_auc_estimate(verified_scores(truth, -data.column("test")), **models)
    assert opposite.raw == pytest.approx(1 - one.raw, abs=1e-9)


@given(CASES)
def test_constant_verification_gives_the_verified_alone(data: VerifiedScores) -> None:
    area = verified_auc_estimate(data, "test", method="ipw", verification=[])
    assert area.value == pytest.approx(area.uncorrected.value)
    assert area.se == pytest.approx(area.uncorrected.se, rel=0.15) or area.uncorrected.se == 0


@pytest.mark.filterwarnings("ignore:One verified case counts for")  # rare, and said rightly
@pytest.mark.filterwarnings("ignore:Logistic regression predicts without error")  # as rare
@pytest.mark.filterwarnings("ignore:.* have a fitted probability of verification below")
@given(CASES)
def test_table_has_the_curve_and_nearly_the_area(data: VerifiedScores) -> None:
    table = verified_table(data, "test", method="ipw")
    curve = verified_curve(data, "test", method="ipw")
    assert roc_curve(table).auc == pytest.approx(curve.auc)
    assert curve.auc == pytest.approx(verified_auc_estimate(data, "test", method="ipw").value)
    assert not curve.rearranged


def test_the_same_score_twice_does_not_differ() -> None:
    twice = replace(SMALL, score=SMALL.score[:, [0, 0]])
    gap = verified_auc_difference(twice, "test", "other")
    assert gap.value == 0
    assert gap.correlation == pytest.approx(1)


def test_a_test_agrees_with_its_interval() -> None:
    gap = verified_auc_difference(SMALL, "test", "other")
    ends = gap.interval(1 - gap.test().pvalue)
    assert min(abs(ends.low), abs(ends.high)) == pytest.approx(0, abs=1e-6)


# --- columns and first mistakes -------------------------------------------------------------------


def test_a_function_that_fits_the_same_models_changes_nothing() -> None:
    """It gets the cases to fit to and all of them, and is called anew in each sample."""
    calls = []

    def fit(known: Any, label: Any, every: Any) -> Any:
        calls.append(label.size)
        rows, at = (np.column_stack(list(each.values())) for each in (known, every))
        model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(rows, label)
        return model.predict_proba(at)[:, 1]

    wanted = verified_auc_estimate(SMALL, "test")
    how: Any = {"truth": fit, "verification": fit}
    assert verified_auc_estimate(SMALL, "test", **how).value == pytest.approx(
        wanted.value, abs=1e-4
    )
    assert calls == [SMALL.verified.sum(), len(SMALL)]
    errors = [
        verified_auc_estimate(SMALL, "test", errors="bootstrap", n_boot=20, **each).se
        for each in (how, {})
    ]
    assert errors[0] == pytest.approx(errors[1], rel=0.02)


def test_band_is_wilsons_with_the_spread_of_samples_fitted_anew() -> None:
    band = verified_band(SMALL, "test", n_boot=60, grid=5, level=0.9, rng=3)
    curve = verified_curve(SMALL, "test")
    assert (band.low <= curve.tpr_at(band.fpr)).all()
    assert (curve.tpr_at(band.fpr) <= band.high).all()
    assert (band.low[0], band.high[-1]) == (0, 1)
    # All verified: the spread of the ordinary bootstrap, with the same samples of the cases.
    whole = verified_scores([1, 0] * 20, np.arange(40) % 7)
    draw, heights = np.random.default_rng(1), []
    for _ in range(60):
        times = draw.multinomial(40, np.full(40, 1 / 40))
        rows = np.repeat(np.arange(40), times)
        heights.append(roc_curve(tabulate(rows % 2 == 0, rows % 7)).tpr_at(np.array([0.25, 0.5])))
    found = verified_band(whole, n_boot=60, grid=5, level=0.9, rng=1)
    at = verified_curve(whole).tpr_at(np.array([0.25, 0.5]))
    shares = np.std(heights, axis=0, ddof=1) ** 2 / (at * (1 - at))
    for ends in (found.low[1:3], found.high[1:3]):  # (a - at)^2 = t^2 share a (1 - a)
        t = np.abs(ends - at) / np.sqrt(shares * ends * (1 - ends))
        assert ((stats.norm.ppf(0.95) < t) & (t < stats.t.ppf(0.95, 5))).all()
    both = zip(found.low[1:3], found.high[1:3], strict=True)
    for v, share, (low, high) in zip(at, shares, both, strict=True):
        assert (v - low) ** 2 / (low * (1 - low)) == pytest.approx(
            (high - v) ** 2 / (high * (1 - high))
        ), share


def test_a_band_allows_for_positives_that_were_not_verified() -> None:
    # Few positives have a low score, and few of those are verified: here none, so that nearly all
    # samples of the cases say the same of the tpr beyond fpr .4. It is .954 there.
    draw = np.random.default_rng(0)
    ill = draw.random(150) < 0.3
    score = draw.exponential(np.where(ill, 9.0, 1.0))
    seen = draw.random(150) < 1 / (1 + np.exp(1.2 - score / 2))
    data = verified_scores(np.where(seen, ill, np.nan), score)
    truth = 0.4 ** (1 / 9)
    assert truth in verified_band(data, n_boot=60, grid=6, rng=1).at_fpr(0.4)


def test_rates_lean_on_the_models_where_few_cases_would_weigh_much() -> None:
    # Below the threshold no positive happened to be verified.
    score = np.repeat([0.0, 1.0, 2.0], 40)
    ill = np.tile([1.0, 0, 0, 0], 30)
    seen = np.tile([True, True, False, True], 30)
    seen[:40] = np.tile([False, True] + 6 * [False], 5)
    pi, rho = np.repeat([0.25, 0.75, 0.75], 40), np.repeat([0.02, 0.33, 0.34], 40)
    data = verified_scores(np.where(seen, ill, np.nan), {"test": score})
    rate = verified_rates(data, 1.0, verification=pi, truth=rho).tpr
    # The mean square of the influence values to expect, where rho and pi hold: of the weight w in
    # the positives, whose mean given the columns is rho, and its variance rho (1 - rho) / pi more.
    known, d = seen.astype(float), np.where(seen, ill, 0.0)
    w = known * d / pi - (known - pi) * rho / pi
    called = score >= 1
    tpr = (w * called).sum() / w.sum()
    assert rate.value == pytest.approx(tpr)
    by = (called - tpr) / w.mean()
    scale = 20 / 19  # verified positives
    expected = np.mean(by**2 * (rho**2 + rho * (1 - rho) / pi)) / 120 * scale
    assert rate.model_se**2 == pytest.approx(expected)
    assert rate.se < 0.8 * rate.model_se
    both = (rate.df * rate.se**2 + 20 * expected) / (rate.df + 20)
    t = stats.t.ppf(0.975, rate.df + 5)
    for end in rate.interval():  # Wilson's, with the moderated error
        spread = both * end * (1 - end) / (tpr * (1 - tpr))
        assert abs(end - tpr) == pytest.approx(t * np.sqrt(spread))
    others = [verified_rates(data, 1.0, method=m, verification=pi, truth=rho) for m in METHODS[1:]]
    assert [each.tpr.model_se for each in others] == [0, 0, 0]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: verified_scores([None, None], [1, 2]), ValueError, "no known label"),
        (lambda: verified_scores([1, None], [1, 2]), SingleClassError, "negative"),
        (lambda: verified_scores([1, 0], [1, np.inf]), ValueError, "infinite at index 1"),
        (lambda: verified_scores([1, 0], [1, np.nan]), ValueError, "missing"),
        (
            lambda: verified_scores([1, 0], {"a": [1, 2]}, covariates={"a": [1, 2]}),
            ValueError,
            "both a score and a covariate",
        ),
        (lambda: verified_auc_estimate(SMALL), ValueError, "several scores"),
        (lambda: verified_auc_estimate(SMALL, "tset"), ValueError, "test"),
        (lambda: verified_auc_estimate(SMALL, "test", truth=["sing"]), ValueError, "sign"),
        (
            lambda: verified_auc_estimate(SMALL, "test", verification=[0.0] * 120),
            ValueError,
            "was verified",
        ),
        (lambda: verified_auc_estimate(SMALL, "test", truth=[2.0] * 120), ValueError, "truth"),
        (lambda: verified_auc_estimate(SMALL, "test", truth=[0.5]), ValueError, "Lengths"),
        (
            lambda: verified_auc_estimate(SMALL, "test", method="ips"),  # type: ignore[arg-type]
            ValueError,
            "ipw",
        ),
        (
            lambda: verified_auc_estimate(SMALL, "test", errors="bootstrap", n_boot=3),
            ValueError,
            "at least 20",
        ),
        (lambda: verified_rates(SMALL, 99, "test"), ValueError, "no case is called"),
        (lambda: verified_table(SMALL, "test", method="doubly-robust"), ValueError, "negative"),
        (lambda: verification_sensitivity(SMALL, "test", log_odds=()), ValueError, "log_odds"),
    ],
)
def test_first_mistakes(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("seed", range(4))
def test_a_band_of_cases_apart_has_room_whatever_their_weights(seed: int) -> None:
    """Sums of weights that are not whole reach 1 but for rounding."""
    rng = np.random.default_rng(seed)
    truth = np.r_[np.ones(11), np.zeros(40), np.full(9, np.nan)]
    score = np.r_[np.arange(100, 89, -1), np.arange(40), np.arange(9)]
    data = verified_scores(truth, score)
    pi = rng.uniform(0.2, 0.9, 60)
    band = verified_band(data, method="ipw", verification=pi, n_boot=60, grid=5, rng=1)
    room = 1 - band.low[1]
    assert 1 - 0.05 ** (1 / 11) <= room <= 1 - 0.025 ** (1 / 11) + 1e-12
    np.testing.assert_allclose(band.low[1:], 1 - room)


@pytest.mark.parametrize(
    "name",
    [
        *("verified_auc_estimate", "verified_auc_difference", "verified_rates", "verified_curve"),
        *("verified_band", "verified_table", "verification_sensitivity"),
    ],
)
def test_cases_whose_truth_is_all_known_are_refused_with_the_line_to_write(name):
    paired = pair_scores([1, 0, 1, 0], {"a": [1, 2, 3, 4], "b": [4, 2, 3, 1]})
    function = getattr(designs, name)
    more = (1.0,) if name == "verified_rates" else ()
    with pytest.raises(TypeError, match=rf"{name} takes the data of verified_scores, not a Paired"):
        function(paired, *more)
