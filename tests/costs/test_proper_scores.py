"""Log loss, Brier score and their differences: by hand, by definition, and as others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.costs import (
    LossEstimate,
    brier_estimate,
    brier_score,
    log_loss,
    log_loss_estimate,
    loss_difference,
)
from slow.data import answer, assert_close, cases, samples

NINTHS = st.integers(1, 9).map(lambda k: k / 10)
OPEN = ["sonar_rf", "two_class_example", "vehicle_tree5"]


def test_by_hand():
    # -log .8 for the positive, -log .75 for the negative that got .25.
    table = rs.tabulate([1, 0], [0.8, 0.25])
    assert log_loss(table) == pytest.approx(-(np.log(0.8) + np.log(0.75)) / 2)
    # Everybody at the prevalence: its entropy.
    quarter = rs.tabulate([1, 0, 0, 0], [0.25] * 4)
    assert log_loss(quarter) == pytest.approx(-0.25 * np.log(0.25) - 0.75 * np.log(0.75))
    # Certain and right costs nothing; certain and wrong everything, but for a clip.
    assert log_loss(rs.tabulate([1, 0], [1.0, 0.0])) == 0
    wrong = rs.tabulate([1, 0], [0.0, 0.0])
    assert log_loss(wrong) == np.inf
    assert log_loss(wrong, clip=0.1) == pytest.approx(-(np.log(0.1) + np.log(0.9)) / 2)


@settings(max_examples=60)
@given(sample=samples(values=NINTHS, weights=st.integers(1, 3).map(float)))
def test_means_of_losses_and_their_errors(sample):
    label, score, weight = map(np.asarray, sample)
    table = rs.tabulate(label, score)
    log = -np.log(np.where(label, score, 1 - score))
    square = (label - score) ** 2
    for estimate, loss in ((log_loss_estimate(table), log), (brier_estimate(table), square)):
        assert estimate.value == pytest.approx(loss.mean())
        assert estimate.se == pytest.approx(loss.std(ddof=1) / loss.size**0.5, abs=1e-12)
        low, high = estimate.interval()
        assert estimate.range[0] <= low <= high <= estimate.range[1]
        # The test rejects exactly what the interval leaves out.
        for null in (0.1, 0.3, 0.8):
            inside = estimate.test(null=null).pvalue > 0.05
            assert inside == (low <= null <= high) or estimate.se < 1e-12 or null > 1
    assert log_loss(table) == pytest.approx(log.mean())
    weighted = rs.tabulate(label, score, sample_weight=weight)
    assert log_loss(weighted) == pytest.approx(np.average(log, weights=weight))
    assert log_loss_estimate(weighted).value == pytest.approx(np.average(log, weights=weight))


def test_weights_count_cases_by_their_effective_number():
    # Losses of 1/4 and 9/16 with weights 3 and 1: mean 21/64, mean square of the gaps
    # (3 x 25 + 225) / 4 / 64^2 = 75/4096. Effective cases 16 / 10, so 0.6 that tell of the spread.
    label, score, weight = [1, 0], [0.5, 0.75], [3.0, 1.0]
    found = brier_estimate(rs.tabulate(label, score, sample_weight=weight))
    assert found.value == pytest.approx(21 / 64)
    assert found.se == pytest.approx(np.sqrt(75 / 0.6) / 64)
    # The unit of the weights does not matter.
    tenths = brier_estimate(rs.tabulate(label, score, sample_weight=[30.0, 10.0]))
    assert tenths.se == pytest.approx(found.se)


@pytest.mark.parametrize("name", OPEN)
def test_as_mlmetrics_and_scikit_learn(name, request):
    label, score = cases(name, request)
    table = rs.tabulate(label, score)
    for program in ("sklearn", "mlmetrics"):
        got = answer(f"{program}__{name}", request)
        wanted = got.get("log_loss", got.get("LogLoss"))
        assert_close(log_loss(table, clip=1e-15), wanted, 12)  # as both programs clip
    assert_close(brier_estimate(table).value, brier_score(table), 13)


def test_the_transformation_by_hand():
    found = LossEstimate(value=1.0, se=0.5, method="m", range=(0, np.inf), df=9.0, skewness=0.6)
    t = stats.t(9).ppf(0.975)

    def moved(x):
        root = (1 - x) / 0.5
        return root + 0.2 * root**2 + 0.6**2 / 27 * root**3 + 0.1

    low, high = found.interval()
    assert moved(low) == pytest.approx(t)
    assert moved(high) == pytest.approx(-t)
    assert tuple(found.interval(scale="t")) == pytest.approx((max(0, 1 - t / 2), 1 + t / 2))
    z = stats.norm.ppf(0.975)
    assert tuple(found.interval(scale="identity")) == pytest.approx((1 - z / 2, 1 + z / 2))
    assert found.test(null=low).pvalue == pytest.approx(0.05)
    assert found.test(null=high, alternative="less").pvalue == pytest.approx(0.025)
    plain = LossEstimate(value=1.0, se=0.5, method="m", range=(0, np.inf), df=9.0)
    assert tuple(plain.interval()) == pytest.approx(tuple(plain.interval(scale="t")))


def limit(loss, end, tail, added=0.5):
    """A limit with part of an unseen case at an end, from the moments of Dirichlet weights."""
    (low, high), unseen = sorted((min(loss.min(), end), max(loss.max(), end))), end
    values, parts = np.append(loss, unseen), np.append(np.ones(loss.size), added)
    total = parts.sum()
    mean = parts @ values / total
    variance = parts @ (values - mean) ** 2 / total / (total + 1)
    u = (mean - low) / (high - low)
    nu = u * (1 - u) * (high - low) ** 2 / variance - 1
    return low + (high - low) * stats.beta(u * nu, (1 - u) * nu).ppf(tail)


def by_size(loss):
    """The contraharmonic mean."""
    return (loss**2).sum() / loss.sum()


def test_the_unseen_case_by_hand():
    # Ten cases without a mistake: the other outcomes would cost about 3 each.
    p = np.linspace(0.93, 0.97, 10)
    loss, other = -np.log(p), -np.log(1 - p)
    found = log_loss_estimate(rs.tabulate([1] * 10, p))
    high = found.interval().high
    assert high == pytest.approx(limit(loss, by_size(other), 0.975))
    assert high > 3 * found.interval(scale="skewed").high
    # On the other side the unseen case is the least loss seen, and Student's limit is farther.
    assert limit(loss, loss.min(), 0.025) > found.interval().low
    assert found.interval().low == found.interval(scale="t").low
    # The test inverts the interval.
    assert found.test(null=high).pvalue == pytest.approx(0.05, abs=1e-6)
    assert found.test(null=high, alternative="less").pvalue == pytest.approx(0.025, abs=1e-6)
    assert found.test(null=1.01 * high).pvalue < 0.05
    # A difference: the outcome that did not come is the end of each score's own loss.
    second = np.linspace(0.6, 0.9, 10)
    data = rs.pair_scores([1] * 5 + [0] * 5, {"a": np.append(p[:5], 1 - p[5:]), "b": second})
    b = np.append(-np.log(second[:5]), -np.log1p(-second[5:]))
    flipped = np.append(-np.log1p(-second[:5]), -np.log(second[5:]))
    gap, far = loss - b, by_size((other - flipped)[other > flipped])
    student = loss_difference(data).interval(scale="t").high
    wanted = max(limit(gap, max(far, gap.max()), 0.975, 1), student)
    assert loss_difference(data).interval().high == pytest.approx(wanted)


def test_a_difference_of_log_losses_allows_for_the_few_cases_that_decide():
    # The scores agree in 57 cases; in three the first is surer, and right so far.
    label = [1, 1, 1, *[0] * 37, *[1] * 20]
    first = np.array([0.99] * 3 + [0.2] * 57)
    second = np.where(first > 0.5, 0.8, first)
    found = loss_difference(rs.pair_scores(label, {"a": first, "b": second}))
    gap = np.append([-np.log(0.99 / 0.8)] * 3, np.zeros(57))
    wrong = -np.log(0.01 / 0.2)  # what the first loses if it is wrong there
    assert found.interval().high == pytest.approx(limit(gap, wrong, 0.975, 1))
    assert found.interval(scale="t").high < found.interval().high / 10
    # To both sides, which cancel in the mean: the other way round in two more cases.
    label, first, second = [1, 0, *label], [0.01, 0.8, *first], [0.2, 0.99, *second]
    found = loss_difference(rs.pair_scores(label, {"a": first, "b": second}))
    gap = np.append([-np.log(0.01 / 0.2), -np.log(0.2 / 0.01)], gap)
    other = np.append([-np.log(0.99 / 0.8), -np.log(0.8 / 0.99)], [wrong] * 3)
    ends = by_size(other[other > 0]), -by_size(-other[other < 0])
    assert found.interval().high == pytest.approx(limit(gap, max(*gap, ends[0]), 0.975, 1))
    assert found.interval().low == pytest.approx(limit(gap, min(*gap, ends[1]), 0.025, 1))


def test_a_difference_of_brier_scores_allows_for_the_case_that_speaks_most_against_it():
    # All positive; the second score is a little better where both are sure, and far worse in the
    # one doubtful case, if that is negative: .5^2 - .9^2 = -.56.
    p, q = np.array([0.98, 0.99, 0.97, 0.99, 0.5]), np.array([0.99, 1.0, 0.985, 0.995, 0.9])
    data = rs.pair_scores([1, 1, 1, 1, 1, 0], {"a": np.append(p, 0.1), "b": np.append(q, 0.05)})
    found = loss_difference(data, score="brier")
    gap = np.append((1 - p) ** 2 - (1 - q) ** 2, 0.1**2 - 0.05**2)
    least = 0.5**2 - 0.9**2
    wanted = min(limit(gap, least, 0.025), found.interval(scale="t").low)
    assert found.interval().low == pytest.approx(wanted)
    assert found.interval().low < found.interval(scale="t").low
    # The mean of what the cases would cost with the other outcome would be much less.
    other = np.append(p**2 - q**2, (1 - 0.1) ** 2 - (1 - 0.05) ** 2)
    assert limit(gap, other.mean(), 0.025) > wanted


def test_certain_probabilities_are_said():
    table = rs.tabulate([1, 1, 0, 0, 0], [1.0, 0.8, 0.3, 0.2, 0.1])
    with pytest.warns(UserWarning, match=r"0 or 1 was given to 20.0\s% of cases"):
        found = log_loss_estimate(table)
    other = -np.log([0.2, 0.3, 0.2, 0.1])
    wanted = limit(-np.log([1, 0.8, 0.7, 0.8, 0.9]), by_size(other), 0.975)
    assert found.interval().high == pytest.approx(wanted)
    assert log_loss_estimate(table, clip=1e-3).interval().high > found.interval().high
    by_hand = LossEstimate(value=1.0, se=0.5, method="m", range=(0, np.inf), df=9.0)
    with pytest.raises(ValueError, match='Use scale="skewed"'):
        by_hand.interval(scale="unseen")


def test_what_has_no_error_has_the_whole_range():
    one = log_loss_estimate(rs.tabulate([1], [0.4]))
    assert tuple(one.interval()) == (0, np.inf)
    assert np.isnan(one.test(null=1).pvalue)
    wrong = log_loss_estimate(rs.tabulate([1, 0, 1], [0.0, 0.2, 0.7]))
    assert wrong.value == np.inf
    assert tuple(wrong.interval()) == (0, np.inf)
    assert tuple(brier_estimate(rs.tabulate([1], [0.4])).interval()) == (0, 1)


@settings(max_examples=30)
@given(sample=samples(values=NINTHS), shift=st.integers(0, 3))
def test_differences_are_means_of_differences(sample, shift):
    label, score = map(np.asarray, sample)
    other = np.roll(score, shift)
    data = rs.pair_scores(label, {"a": score, "b": other})
    for kind, loss in (
        ("log", lambda p: -np.log(np.where(label, p, 1 - p))),
        ("brier", lambda p: (label - p) ** 2),
    ):
        gap = loss(score) - loss(other)
        found = loss_difference(data, "a", "b", score=kind)
        assert found.value == pytest.approx(gap.mean(), abs=1e-12)
        assert found.se == pytest.approx(gap.std(ddof=1) / gap.size**0.5, abs=1e-12)
        back = loss_difference(data, "b", "a", score=kind)
        assert back.value == pytest.approx(-found.value, abs=1e-12)
        assert tuple(back.interval()) == pytest.approx([-x for x in found.interval()][::-1])
        t = stats.t(gap.size - 1).ppf(0.975)
        assert found.interval(scale="t").high == pytest.approx(
            min(gap.mean() + t * found.se, found.range[1])
        )
        assert found.interval().high >= found.interval(scale="t").high
        if found.se > 1e-9:
            student = stats.ttest_1samp(gap, 0)
            assert found.test(scale="t").pvalue == pytest.approx(student.pvalue)
            normal = 2 * stats.norm.sf(abs(gap.mean() / found.se))
            assert found.test(scale="identity").pvalue == pytest.approx(normal)
    same = loss_difference(rs.pair_scores(label, {"a": score, "b": score}))
    assert (same.value, same.test().pvalue) == (0, 1)


def test_the_interval_of_skewed_losses_covers():
    rng = np.random.default_rng(5)
    truth = np.exp(2)  # of lognormal losses with a spread of 2
    held = dict.fromkeys(("skewed", "t"), 0)
    for _ in range(400):
        loss = rng.lognormal(1.5, 1, 60)
        gap = loss - loss.mean()
        se = loss.std(ddof=1) / 60**0.5
        skew = (gap**3).mean() / loss.var(ddof=1) ** 1.5 / 60**0.5
        found = LossEstimate(
            value=loss.mean(), se=se, method="", range=(0, np.inf), df=59.0, skewness=skew
        )
        for scale in held:
            held[scale] += truth in found.interval(scale=scale)
    assert held["skewed"] >= 0.925 * 400
    assert held["t"] < held["skewed"] - 8


def test_bad_input():
    table, cases = rs.tabulate([0, 1], [1, 2]), rs.pair_scores([0, 1], {"a": [1, 2], "b": [0, 1]})
    for function in (log_loss, log_loss_estimate, brier_estimate):
        with pytest.raises(ValueError, match="needs probabilities, but a score is 2"):
            function(table)
    endless = rs.pair_scores([1, 0, 1, 0], {"a": [0, 0.9, 0.5, 0.2], "b": [0.1, 1, 0.3, 0.2]})
    with pytest.raises(ValueError, match=r"infinitely much, 'a' \(case 0\) and 'b' \(case 1\)"):
        loss_difference(endless)
    assert loss_difference(endless, clip=1e-6).value == pytest.approx(np.log(0.6) / 4)
    with pytest.raises(ValueError, match="loss_difference of 'a' needs probabilities"):
        loss_difference(cases)
    with pytest.raises(ValueError, match=r"clip is 0.5, but must be"):
        log_loss(rs.tabulate([0, 1], [0.1, 0.2]), clip=0.5)
    clustered = rs.pair_scores([0, 1], {"a": [0.1, 0.2], "b": [0, 1]}, cluster=[1, 1])
    with pytest.raises(ValueError, match="these are in clusters"):
        loss_difference(clustered)
    estimate = brier_estimate(rs.tabulate([0, 1], [0.1, 0.2]))
    with pytest.raises(ValueError, match="scale is 'logit'"):
        estimate.interval(scale="logit")
    with pytest.raises(ValueError, match="alternative is 'more'"):
        estimate.test(alternative="more")
    with pytest.raises(TypeError, match="takes PairedScores"):
        loss_difference(table)


def test_losses_that_hardly_vary():
    even = log_loss_estimate(rs.tabulate([1, 1, 0, 0], [0.5] * 4))
    assert (even.se, even.skewness, even.df) == (0, 0, np.inf)
    # A variance of 1e-200 has a square of 0: nothing is divided by it.
    nearly = log_loss_estimate(rs.tabulate([0, 0, 0], [1e-100, 2e-100, 3e-100]))
    assert 0 < nearly.se < 1e-99
    assert nearly.df == np.inf
