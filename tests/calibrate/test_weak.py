"""Weak calibration: a fourfold table by hand, likelihoods by brute force, scikit-learn's fit."""

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

import rocspace as rs
from rocspace.calibrate import calibration_estimates
from rocspace.counts import SingleClassError
from slow.data import INF, assert_close

PARAMETERS = ("slope", "intercept", "in_the_large")


def drawn(n=60, seed=4, stretch=1.6, up=0.4):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n) * stretch
    return rng.random(n) < expit(0.7 * x + up), x


def of(label, x, **options):
    return calibration_estimates(rs.tabulate(label, x, **options), scores="log odds")


# --- by hand ----------------------------------------------------------------------------------


def test_a_fourfold_table_by_hand():
    # 7 of 10 positive where the log odds are 1, 2 of 9 where they are 0: two odds are fitted.
    label, x = [1] * 7 + [0] * 3 + [1] * 2 + [0] * 7, [1] * 10 + [0] * 9
    found = of(label, x)
    assert_close(found.intercept, np.log(2 / 7))
    assert_close(found.slope, np.log(7 / 3 * 7 / 2))
    # Each log odds has the variance 1 / pos + 1 / neg. The leverage of each of n cases is 1 / n, by
    # which the sandwich multiplies it by n / (n - 1): it is the larger one.
    one, other = (1 / 7 + 1 / 3) * 10 / 9, (1 / 2 + 1 / 7) * 9 / 8
    assert_close(found.intercept_estimate.se, other**0.5)
    assert_close(found.slope_estimate.se, (one + other) ** 0.5)
    # The residuals of n cases leave n - 1 degrees of freedom, and two such variances Welch's. HC2
    # has no bias: the model expects the model's variances.
    assert_close(found.intercept_estimate.df, 8)
    of_model = 1 / 7 + 1 / 3, 1 / 2 + 1 / 7
    of_leverage = sum(of_model) ** 2 / (of_model[0] ** 2 / 9 + of_model[1] ** 2 / 8)
    # A positive moves the slope by 1/7 (seven of them) or -1/2 (two), a negative by -1/3 (three) or
    # 1/7 (seven): within the classes the slope has the same variance, here with the squares of 9
    # positives and of 10 negatives about their means.
    pos, neg = (7 / 49 + 2 / 4) * 9 / 8, (3 / 9 + 7 / 49) * 10 / 9
    assert_close(pos + neg, one + other)
    df = (pos + neg) ** 2 / (pos**2 / 8 + neg**2 / 9)
    assert df < of_leverage
    assert_close(found.slope_estimate.df, df)
    half = stats.t.ppf(0.975, df) * found.slope_estimate.se
    assert_close(
        [*found.slope_estimate.interval(scale="identity")], found.slope + half * np.array([-1, 1])
    )
    # Firth's penalty adds half a case to each of the four counts, of which a case counts `unit`
    # times; there its deviance is 0.
    unit = (1 / 7 + 1 / 3 + 1 / 2 + 1 / 7) / (one + other)
    half = 0.5 / unit
    middle = np.log((7 + half) / (3 + half) * (7 + half) / (2 + half))
    assert abs(found.slope_estimate.test(null=middle).statistic) < 1e-4
    assert found.slope_estimate.test(null=middle + 0.1).statistic < 0
    assert found.slope_estimate.test(null=middle - 0.1).statistic > 0
    one, other = (
        found.slope_estimate.test(null=middle - 0.1, alternative=side)
        for side in ("less", "greater")
    )
    assert one.pvalue > 0.5 > other.pvalue
    assert_close(one.pvalue + other.pvalue, 1)


# --- by brute force ---------------------------------------------------------------------------


def variances(found, label, x):
    """Return the variances of (intercept, slope) by the model, and by the sandwich."""
    design = np.stack([np.ones(x.size), x])
    p = expit(found.slope * x + found.intercept)
    bread = np.linalg.inv((design * p * (1 - p)) @ design.T)
    leverage = p * (1 - p) * np.einsum("ij,ik,kj->j", design, bread, design)
    residual = (label - p) / np.sqrt(1 - leverage)
    return np.diag(bread), np.diag(bread @ (design * residual**2) @ design.T @ bread)


def by_class(found, label, x, place):
    """Return the variance of a parameter from that within each class, and Welch's freedom."""
    design = np.stack([np.ones(x.size), x])
    p = expit(found.slope * x + found.intercept)
    bread = np.linalg.inv((design * p * (1 - p)) @ design.T)
    effect = (bread @ design)[place] * (label - p)
    of_class = [effect[label], effect[~label]]
    spread = [each.size * each.var(ddof=1) for each in of_class]
    variance = sum(spread) + sum(each.size * each.mean() ** 2 for each in of_class)
    welch = sum(s**2 / (each.size - 1) for s, each in zip(spread, of_class, strict=True))
    return variance, variance**2 / welch


def freedom(design, p, place):
    """Return 2 over the squared coefficient of variation of a sandwich, if the model holds.

    Its residuals, scaled to a variance of 1, are what the design leaves of independent ones.
    """
    rows = design * np.sqrt(p * (1 - p))
    bread = np.linalg.inv(rows @ rows.T)
    left = np.eye(p.size) - rows.T @ bread @ rows
    of_each = (bread @ rows)[place] ** 2 / np.diag(left)
    form = of_each[:, None] * left
    return np.trace(form) ** 2 / np.trace(form @ form)


def loss(theta, label, x, firth, unit=1.0):
    """Minus the penalised log likelihood of (intercept, slope), each case counted `unit` times."""
    at = theta[0] + theta[1] * x
    p = expit(at)
    lost = unit * np.logaddexp(0, np.where(label, -at, at)).sum()
    design = np.stack([np.ones(x.size), x])
    information = (design * p * (1 - p)) @ design.T
    return lost - firth * np.log(np.linalg.det(information)) / 2


def brute_limits(label, x, place, firth, rise, unit):
    """Return where twice the loss of the profile has risen so far."""
    best = minimize(loss, [0.0, 0.5], (label, x, firth, unit), tol=1e-12)

    def excess(value):
        def free(other):
            theta = [other, other]
            theta[place] = value
            return loss(theta, label, x, firth, unit)

        return 2 * (minimize_scalar(free, tol=1e-12).fun - best.fun) - rise

    middle = best.x[place]
    return brentq(excess, middle - 6, middle), brentq(excess, middle, middle + 6)


@pytest.mark.parametrize("scale", ["firth", "likelihood"])
@pytest.mark.parametrize("seed", [4, 5])
def test_limits_by_brute_force(scale, seed):
    label, x = drawn(seed=seed)
    found = of(label, x)
    of_model, of_sandwich = variances(found, label, x)
    p = expit(found.slope * x + found.intercept)
    for place, name in enumerate(("intercept", "slope")):
        estimate = getattr(found, f"{name}_estimate")
        within, welch = by_class(found, label, x, place)
        unit, df = min(1.0, of_model[place] / max(of_sandwich[place], within)), np.inf
        if unit < 1:
            df = min(freedom(np.stack([np.ones(x.size), x]), p, place), welch)
        assert_close(estimate.df, df, 9)
        rise = stats.t.ppf(0.95, df) ** 2
        brute = brute_limits(label, x, place, scale == "firth", rise, unit)
        assert_close([*estimate.interval(0.9, scale=scale)], brute, 5)


def test_few_positives_have_few_degrees_of_freedom():
    """Ten positives at both ends and 2,000 negatives: the slope is that of a mean of ten."""
    x = np.append(stats.norm.ppf((np.arange(2000) + 0.5) / 2000), [-2.5, -2.2, -2, -1.8, -1.5] * 2)
    x[-5:] *= -1
    label = np.arange(2010) >= 2000
    for estimate, y in ((of(label, x), label), (of(~label, x), ~label)):
        slope = estimate.slope_estimate
        assert 9 <= slope.df < 9.2
        variance, df = by_class(estimate, y, x, 1)
        assert_close([slope.se**2, slope.df], [variance, df], 7)
        # The variance of a mean of ten, over the square of what a unit of the slope moves it by.
        assert slope.se**2 == pytest.approx(x[-10:].var(ddof=1) / 10 / x.var() ** 2, rel=0.03)


@pytest.mark.parametrize("positives_at_the_lowest", [True, False])
def test_errors_are_the_larger_ones(positives_at_the_lowest):
    """Positives among the lowest scores make the sandwich larger; a steep end makes it smaller."""
    x = np.repeat(np.arange(-4.0, 5), 20)
    share = np.where(x < -3, 0.2, expit(x)) if positives_at_the_lowest else expit(0.075 * x**3)
    label = np.tile(np.arange(20), 9) < np.round(20 * share)
    found = of(label, x)
    model, sandwich = variances(found, label, x)
    assert sandwich[1] > 1.2 * model[1] if positives_at_the_lowest else sandwich[1] < model[1]
    for place, name in enumerate(("intercept", "slope")):
        variance = max(model[place], sandwich[place], by_class(found, label, x, place)[0])
        assert_close(getattr(found, f"{name}_estimate").se, variance**0.5, 9)


def test_the_joint_test_by_brute_force():
    label, x = drawn()
    best = minimize(loss, [0.0, 0.5], (label, x, True), tol=1e-12)
    statistic = 2 * (loss([0, 1], label, x, True) - best.fun)
    test = of(label, x).joint_test
    assert_close(test.statistic, statistic, 7)
    assert_close(test.pvalue, stats.chi2.sf(statistic, 2), 7)
    assert (test.method, test.df) == ("chi-square", 2)


@pytest.mark.parametrize("times", [1.0, 0.1])
def test_in_the_large_by_its_equation(times):
    """The sandwich is the larger one of the first log odds, the model of the second."""
    label, x = drawn()
    x = times * x
    found = of(label, x).in_the_large_estimate
    p = expit(x + found.value)
    assert_close(p.sum(), label.sum())
    each = p * (1 - p)
    residual = (label - p) / np.sqrt(1 - each / each.sum())
    sandwich = (residual**2).sum() / each.sum() ** 2
    assert (sandwich > 1 / each.sum()) == (times == 1)
    variance = max(sandwich, 1 / each.sum())
    assert_close(found.se, variance**0.5)
    df = freedom(np.ones((1, x.size)), p, 0) if times == 1 else np.inf
    assert_close(found.df, df, 9)
    unit = 1 / each.sum() / variance

    def lost(a):
        p = expit(x + a)
        loss = -unit * np.where(label, np.log(p), np.log1p(-p)).sum()
        return loss - np.log((p * (1 - p)).sum()) / 2

    best = minimize_scalar(lost, tol=1e-12)
    for end in found.interval(0.95):
        assert_close(2 * (lost(end) - best.fun), stats.t.ppf(0.975, df) ** 2, 6)


def test_in_the_large_holds_where_log_odds_are_too_far_from_0():
    rng, covered = np.random.default_rng(8), 0
    for _ in range(200):
        z = rng.normal(size=100)
        label = rng.random(100) < expit(z)  # by symmetry its calibration-in-the-large is 0
        low, high = of(label, 4 * z).in_the_large_estimate.interval(0.95)
        covered += low <= 0 <= high
    assert covered >= 179  # fewer than that has a chance of .001 at 95 percent; the model had 152


# --- another program, and relations -----------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_the_fit_agrees_with_scikit_learn(weighted):
    label, x = drawn(200)
    weight = np.random.default_rng(1).lognormal(size=200) if weighted else None
    found = of(label, x, sample_weight=weight)
    other = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    other.fit(x[:, None], label, sample_weight=weight)
    assert_close(found.slope, other.coef_[0, 0], 5)
    assert_close(found.intercept, other.intercept_[0], 5)


def test_probabilities_are_log_odds():
    label, x = drawn()
    found = calibration_estimates(rs.tabulate(label, expit(x)))
    for name in PARAMETERS:
        assert_close(getattr(found, name), getattr(of(label, x), name), 9)


def test_a_line_changes_slopes_as_it_should():
    label, x = drawn()
    one, two = of(label, x), of(label, 1000 * x + 3000)
    assert_close(two.slope * 1000, one.slope, 9)
    assert_close(two.intercept + 3000 * two.slope, one.intercept, 9)
    ends = np.array([*two.slope_estimate.interval()]) * 1000
    assert_close(ends, [*one.slope_estimate.interval()], 6)
    down = of(label, -x, higher_is_positive=False)
    assert_close(
        [-down.slope_estimate.interval().high, down.intercept],
        [one.slope_estimate.interval().low, one.intercept],
        1e-6,
    )


@pytest.mark.parametrize("name", PARAMETERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_interval_and_test_invert_each_other(name, weighted):
    label, x = drawn()
    weight = np.random.default_rng(1).lognormal(size=60) if weighted else None
    estimate = getattr(of(label, x, sample_weight=weight), f"{name}_estimate")
    for end in estimate.interval(0.9):
        assert_close(estimate.test(null=end).pvalue, 0.1, 6)
    assert_close(estimate.test().statistic, estimate.test(null=estimate.ideal).statistic)


# --- weights ----------------------------------------------------------------------------------


def test_weights_have_any_scale():
    label, x = drawn()
    weight = np.random.default_rng(1).lognormal(size=60)
    one, two = (of(label, x, sample_weight=weight * unit) for unit in (1, 6))
    assert one.slope_estimate.df == rs.tabulate(label, x, sample_weight=weight).n_eff[0] - 1 or (
        one.slope_estimate.df == rs.tabulate(label, x, sample_weight=weight).n_eff[1] - 1
    )
    for name in PARAMETERS:
        a, b = (getattr(found, f"{name}_estimate") for found in (one, two))
        assert_close([a.se, *a.interval()], [b.se, *b.interval()], 6)
    assert_close(one.joint_test.pvalue, two.joint_test.pvalue, 6)
    assert (one.joint_test.method, one.joint_test.df) == ("chi-square, score", 2)
    tiny = of(label, x, sample_weight=weight * 2.0**-20).joint_test
    assert tiny.statistic == pytest.approx(one.joint_test.statistic, rel=1e-9)


def test_the_weighted_joint_test_by_hand():
    # Log odds 0: p is 1/2. Weights 3 (positive), 1 and 1 (negative) where x is 1, 2 (positive)
    # where x is 0, and 2 (negative) where x is 0: the residuals add up to 3/2 - 1/2 - 1/2 + 1 - 1
    # = 1/2, times x to 1/2. Their covariance is a quarter of the sums of w^2, w^2 x, w^2 x^2, here
    # of 19, 11 and 11 (x is 1 or 0), but for log odds that are all 0 x is no score: so x is small.
    x, tiny = np.array([1.0, 1, 1, 0, 0]), 1e-9
    label, weight = [1, 0, 0, 1, 0], [3.0, 1, 1, 2, 2]
    spread = np.array([[19, 11], [11, 11]]) / 4
    expected = np.array([1, 1]) / 2 @ np.linalg.solve(spread, np.array([1, 1]) / 2)
    test = of(label, x * tiny, sample_weight=weight).joint_test
    assert test.statistic == pytest.approx(expected, rel=1e-6)
    assert test.pvalue == pytest.approx(stats.chi2.sf(expected, 2), rel=1e-6)


@pytest.mark.parametrize("far", [30.0, 700.0, 5000.0])
def test_the_weighted_joint_test_of_impossible_labels(far):
    # A case that the probabilities exclude: however extreme they are, there is an answer.
    label, x = [1, 0, 1, 0], np.array([far, -far, -far / 2, 0.1])
    test = of(label, x, sample_weight=[1.0, 2, 1, 3]).joint_test
    assert test.pvalue < 1e-4


def test_the_sandwich_by_hand():
    label, x = drawn()
    weight = np.random.default_rng(1).lognormal(size=60)
    found = of(label, x, sample_weight=weight)
    design = np.stack([x, np.ones(60)])
    p = expit(found.slope * x + found.intercept)
    bread = np.linalg.inv((design * weight * p * (1 - p)) @ design.T)
    leverage = weight * p * (1 - p) * np.einsum("ij,ik,kj->j", design, bread, design)
    residual = weight * (label - p) / (1 - leverage)
    covariance = bread @ (design * residual**2) @ design.T @ bread
    assert_close(found.slope_estimate.se, covariance[0, 0] ** 0.5)
    assert_close(found.intercept_estimate.se, covariance[1, 1] ** 0.5)
    half = stats.t.ppf(0.975, found.slope_estimate.df) * found.slope_estimate.se
    assert_close(found.slope_estimate.interval(scale="identity").high, found.slope + half)


def test_classes_that_overlap_in_one_pair():
    # Newton's steps for the level, given a slope, once left the valley and met a singular matrix.
    rng = np.random.default_rng(7)
    x = np.concatenate([rng.uniform(-30, -1.2, 25), [-1.06, -1.08], rng.uniform(3, 20, 13)])
    label = np.repeat([False, True], [26, 14])
    found = of(label, x)
    assert not found.separated
    p = expit(found.intercept + found.slope * x)
    assert_close([p.sum(), p @ x], [label.sum(), label @ x], 6)
    assert np.isfinite([found.intercept_estimate.se, *found.intercept_estimate.interval()]).all()


# --- where there is no slope ------------------------------------------------------------------


def test_separated_classes_have_half_an_interval():
    label, x = np.array([0, 0, 0, 1, 1, 1]), np.array([-3.0, -2, -1, 0, 1, 2])
    found = of(label, x)
    assert found.separated
    assert found.slope == INF
    low, high = found.slope_estimate.interval()
    assert (np.isfinite(low), high) == (True, INF)
    # The supremum of the likelihood is 1: the limit without penalty is where the profile says.
    low = found.slope_estimate.interval(scale="likelihood").low
    profile = minimize_scalar(lambda a: loss([a, low], label == 1, x, False))
    assert_close(2 * profile.fun, stats.chi2.ppf(0.95, 1), 6)
    assert (
        found.slope_estimate.interval(scale="identity").method == "calibration slope, whole range"
    )
    assert [*found.intercept_estimate.interval()] == [-INF, INF]
    assert np.isnan(found.intercept_estimate.test().pvalue)
    assert "a threshold separates" in str(found)
    assert 0 < found.joint_test.pvalue < 1
    assert of(1 - label, x).slope_estimate.interval().low == -INF
    assert of(label, -x, higher_is_positive=False).slope == -INF


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_separated_classes_have_limits_at_every_level(level):
    label, x = [0, 0, 0, 0, 1, 1, 1], np.array([-9.0, -8, -7, -6, -5.9, 1, 2])
    for scale in ("firth", "likelihood"):
        low, high = of(label, x).slope_estimate.interval(level, scale=scale)
        assert np.isfinite(low)
        assert high == INF


def test_classes_that_meet_in_a_tie():
    label, x = [0, 0, 0, 1, 1, 1, 1], np.array([0.0, 1, 2, 2, 2, 3, 4])
    found = of(label, x)
    assert found.separated
    low = found.slope_estimate.interval(scale="likelihood").low
    profile = minimize_scalar(lambda a: loss([a, low], np.array(label) == 1, x, False))
    best = -(np.log(1 / 3) + 2 * np.log(2 / 3))
    assert_close(2 * (profile.fun - best), stats.chi2.ppf(0.95, 1), 6)
    assert not of([0, 0, 1, 0, 1], [1, 2, 2, 3, 3]).separated


def alike():
    """One positive among negatives that score nearly alike, and three that do not."""
    x = np.r_[0.93, -0.89, -1.36, -2.5 + 0.02 * (np.arange(33) / 33) ** 4]
    return np.arange(36) == 11, x


def test_scores_that_are_nearly_alike_have_limits(capfd):
    # Far from even odds Newton's steps ended in a plain, and LAPACK met numbers that are none.
    label, x = alike()
    found = of(label, x)
    assert found.slope < -3000
    best = minimize(loss, [-3, 0.5], (label, x, True), tol=1e-12).fun
    high = found.slope_estimate.interval(0.95).high

    def rise(slope):
        return 2 * (minimize_scalar(lambda a: loss([a, slope], label, x, True)).fun - best)

    assert_close(high, brentq(lambda b: rise(b) - stats.chi2.ppf(0.95, 1), 0.5, 3), 4)
    assert found.slope_estimate.interval(0.95).low == found.slope
    for one in (found.slope_estimate, found.intercept_estimate):
        low, high = one.interval(scale="likelihood")
        assert -np.inf < low < one.value < high < np.inf
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("seed", [4, 17, 23, 25, 45, 69])
def test_rows_that_are_nearly_alike_have_standard_errors(seed):
    # A product of three nearly singular matrices had a negative variance.
    rng = np.random.default_rng(seed)
    far = [0.5, 1.0][: rng.integers(0, 3)]
    x = np.append(np.log(0.07 / 0.93) + 10.0 ** -rng.uniform(5, 7.5) * rng.random(30) ** 4, far)
    label = rng.random(x.size) < 0.9
    found = of(label, x, sample_weight=rng.uniform(0.2, 3, x.size))
    for one in (found.slope_estimate, found.intercept_estimate):
        assert 0 < one.se < np.inf
        low, high = one.interval()
        assert low <= one.value <= high


def test_what_is_refused():
    with pytest.raises(
        SingleClassError,
        match=r"calibration_estimates needs .* 2 positives and 0",
    ):
        calibration_estimates(rs.tabulate([1, 1], [0.1, 0.2], pos_label=1))
    with pytest.raises(ValueError, match=r"A probability is 1, whose log odds"):
        calibration_estimates(rs.tabulate([0, 1, 0], [0.5, 1, 0.7]))
    with pytest.raises(ValueError, match="needs probabilities"):
        calibration_estimates(rs.tabulate([0, 1, 0], [0.5, 2, 0.7]))
    with pytest.raises(ValueError, match=r'A score is -?inf.*scores="probability"'):
        of([0, 1, 0], [0.5, INF, 0.7])
    with pytest.raises(ValueError, match=r"All scores are 0\.4"):
        of([0, 1, 0], [0.4, 0.4, 0.4])
    with pytest.raises(ValueError, match=r"All scores are 0\.4, or nearly so: log odds differ"):
        of([0, 1, 0], [0.4, 0.4 + 1e-11, 0.4 - 1e-11])
    with pytest.raises(ValueError, match="weighted cases have no standard error"):
        of([0, 1, 1], [1, 2, 3], sample_weight=[1, 2, 3])
    estimate = of(*drawn()).slope_estimate
    with pytest.raises(ValueError, match="null is nan"):
        estimate.test(null=np.nan)
    with pytest.raises(ValueError, match="scale is 'logit'"):
        estimate.interval(scale="logit")


def test_how_it_reads():
    found = of(*drawn())
    assert repr(found).startswith("CalibrationEstimates(slope=")
    assert "Slope 1 and intercept 0" in str(found)
    frame = found.to_frame(backend="polars")
    assert frame["parameter"].to_list() == list(PARAMETERS)
    assert_close(frame["value"].to_list(), [getattr(found, name) for name in PARAMETERS])


@pytest.mark.parametrize(
    ("outlier", "n", "share", "seed"),
    [(1e3, 200, 0.1, 1), (1e6, 200, 0.1, 1), (1e3, 40, 0.2, 18), (100, 30, 0.5, 11)],
)
def test_an_outlier_between_two_summits(outlier, n, share, seed):
    """Firth's penalty has its summit where the outlier is no longer certain: at a flat slope.

    Maximum likelihood takes it as certain; an intercept's limits may lie near either slope.
    """
    rng = np.random.default_rng(seed)
    x = np.append(rng.normal(size=n), outlier)
    label = np.append(rng.random(n) < share, True)
    estimate = of(label, x).intercept_estimate
    low, high = estimate.interval(0.9)
    rise = stats.t.ppf(0.95, estimate.df) ** 2
    unit = float(estimate._profile.size.sum()) / label.size

    def least(theta):
        def free(slope):
            return loss([theta, slope], label, x, True, unit)

        at = np.concatenate([np.linspace(-3, 3, 61), np.linspace(-10, 10, 81) / outlier])
        near = at[np.argmin([free(slope) for slope in at])]
        return minimize_scalar(free, bracket=(near * 0.9, near * 1.1), tol=1e-12).fun

    best = minimize_scalar(least, bracket=(low, high), tol=1e-12).fun
    for end in (low, high):
        assert_close(2 * (least(end) - best), rise, 4)


@pytest.mark.parametrize("far", [50.0, 70.0, 1000.0])
def test_in_the_large_of_a_negative_that_was_certain_to_be_positive(far):
    """Where all others are excluded as well no case tells the level: its error has no end."""
    label = np.repeat([False, True, False], [7, 1, 8])
    x = np.append(np.arange(-7.0, 8), far)
    found = of(label, x).in_the_large_estimate
    assert found.se > 1e8
    low, high = found.interval()
    assert -2 * far - 200 < low < -far / 3 < 20 < high < 300
    for end in (low, high):
        assert found.test(null=end).pvalue == pytest.approx(0.05, rel=1e-4)
