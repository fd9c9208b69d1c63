"""Reclassification: by hand, case by case, as Hmisc, and what it rewards."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import binom

import rocspace as rs
from rocspace.bands import tango_interval
from rocspace.compare import reclassification
from rocspace.costs import loss_difference
from slow.data import answer, assert_close, samples

NINTHS = st.integers(1, 9).map(lambda k: k / 10)
MODELS = [("breast_w", "knn15", "logreg"), ("sonar", "nb", "rf"), ("vehicle", "tree5", "rf")]


def test_by_hand():
    # Positives .2 to .6 (up), .6 to .7 (stays above .5), .4 to .3 (below, though lower).
    scores = {"old": [0.2, 0.6, 0.4, 0.1, 0.7], "new": [0.6, 0.7, 0.3, 0.1, 0.5]}
    data = rs.pair_scores([1, 1, 1, 0, 0], scores)
    found = reclassification(data, "old", "new", cuts=[0.5])
    assert found.events.tolist() == [[1, 1], [0, 1]]
    assert found.non_events.tolist() == [[1, 0], [0, 1]]  # .5 itself is above
    assert (found.event_nri, found.non_event_nri) == pytest.approx((1 / 3, 0))
    # Without categories two positives move up and one down, and one negative down.
    free = reclassification(data, "old", "new")
    assert (free.event_nri, free.non_event_nri) == pytest.approx((1 / 3, 1 / 2))
    assert free.nri == pytest.approx(5 / 6)
    # Means of positives rise by .4 / 3, those of negatives fall by .1.
    assert free.idi == pytest.approx(0.4 / 3 + 0.1)
    assert free.events.tolist() == [[3]]
    event = free.event_nri_estimate
    assert tuple(event.interval()) == pytest.approx(tuple(tango_interval(2, 1, 3, method="score")))
    assert event.test().statistic == pytest.approx(1 / 3**0.5)


@pytest.mark.parametrize("names", MODELS, ids=lambda names: names[0])
def test_as_improve_prob(names, request):
    data, old, new = names
    part = rs.datasets.load("uci_scores").where("dataset", data)
    cases = rs.pair_scores(part.y_true, {name: part.columns[name] for name in (old, new)})
    found = reclassification(cases)
    got = answer(f"reclass__{data}__{old}__{new}", request)["improveProb"]
    for estimate, name in (
        (found.event_nri_estimate, "nri.ev"),
        (found.non_event_nri_estimate, "nri.ne"),
        (found.nri_estimate, "nri"),
    ):
        assert_close((estimate.value, estimate.se), (got[name], got[f"se.{name}"]), 12)
        low, high = estimate.interval(scale="identity")
        assert (low + high) / 2 == pytest.approx(got[name], abs=1e-9)
    assert_close((found.idi, found.idi_estimate.se), (got["idi"], got["se.idi"]), 12)


@settings(max_examples=20)
@given(one=samples(values=NINTHS), shift=st.integers(0, 3), cuts=st.sets(NINTHS, max_size=2))
def test_case_by_case(one, shift, cuts):
    label, score = map(np.asarray, one)
    other = np.roll(score, shift)
    data = rs.pair_scores(label, {"a": score, "b": other})
    found = reclassification(data, "a", "b", cuts=sorted(cuts))
    up = down = 0.0
    for y, p, q in zip(label, score, other, strict=True):
        before, after = (sum(c <= x for c in cuts) for x in (p, q)) if cuts else (p, q)
        n = label.sum() if y else (~label).sum()
        sign = 1 if y else -1
        up += max(sign * np.sign(after - before), 0) / n
        down += max(-sign * np.sign(after - before), 0) / n
    assert found.nri == pytest.approx(up - down, abs=1e-12)
    assert found.events.sum() == label.sum()
    assert found.non_events.sum() == (~label).sum()
    back = reclassification(data, "b", "a", cuts=sorted(cuts))
    assert back.nri == pytest.approx(-found.nri, abs=1e-12)
    assert back.idi == pytest.approx(-found.idi, abs=1e-12)
    for estimate in (found.event_nri_estimate, found.non_event_nri_estimate, found.nri_estimate):
        low, high = estimate.interval()
        assert estimate.range[0] <= low <= estimate.value <= high <= estimate.range[1]
        assert low < high
        p = estimate.test().pvalue
        assert (p < 0.05) == (not low <= 0 <= high) or abs(p - 0.05) < 1e-6
    same = rs.pair_scores(label, {"a": score, "b": score})
    assert reclassification(same).nri_estimate.test().pvalue == 1


def test_rewards_overconfidence_where_a_proper_score_does_not():
    rng = np.random.default_rng(4)
    odds = rng.normal(size=600)
    label = rng.random(600) < expit(odds)
    honest = expit(odds)
    data = rs.pair_scores(label, {"honest": honest, "bold": expit(3 * logit(honest))})
    found = reclassification(data)
    assert rs.auc(data.table("bold")) == rs.auc(data.table("honest"))
    assert found.idi_estimate.interval().low > 0.1
    assert found.nri_estimate.interval().low > 0.5
    assert loss_difference(data, "bold", "honest").interval().low > 0
    assert len(found.cautions) == 1
    assert "'bold' are not calibrated" in found.cautions[0]


def test_the_interval_of_the_idi_allows_for_gains_that_few_positives_lack():
    # Positives gain .4 with a probability of .9, negatives with one of .05, the others nothing:
    # summed over all outcomes. Often all five positives gain, and do not vary at all.
    covered = {"default": 0.0, "moderated": 0.0}
    for i, p in enumerate(binom.pmf(range(6), 5, 0.9)):
        for j, q in enumerate(binom.pmf(range(13), 60, 0.05)):
            gain = np.repeat([0.4, 0, 0.4, 0], [i, 5 - i, j, 60 - j])
            data = rs.pair_scores(np.arange(65) < 5, {"old": np.full(65, 0.3), "new": 0.3 + gain})
            found = reclassification(data).idi_estimate
            for name in covered:
                low, high = found.interval(scale=None if name == "default" else name)
                covered[name] += p * q * (low <= 0.4 * (0.9 - 0.05) <= high)
    assert covered["default"] > 0.95
    assert covered["moderated"] < 0.6


def test_models_that_agree_everywhere_say_little_of_the_idi():
    data = rs.pair_scores([1, 1, 0, 0], {"a": [0.2, 0.6, 0.4, 0.1], "b": [0.2, 0.6, 0.4, 0.1]})
    low, high = reclassification(data).idi_estimate.interval()
    assert -2 <= low < 0 < high <= 2


def test_the_error_of_the_idi_by_hand():
    # Two positives gain .1 and .3: variance .02, halved .01. Three negatives gain 0, .1 and .2:
    # .01 / 3. By Satterthwaite's rule they have (.04 / 3)^2 / (.01^2 / 1 + (.01 / 3)^2 / 2)
    # degrees of freedom, 32 / 19.
    scores = {"old": [0.5, 0.5, 0.5, 0.5, 0.5], "new": [0.6, 0.8, 0.5, 0.6, 0.7]}
    found = reclassification(rs.pair_scores([1, 1, 0, 0, 0], scores)).idi_estimate
    assert (found.value, found.se) == pytest.approx((0.1, (0.04 / 3) ** 0.5))
    assert found.df == pytest.approx(32 / 19)
    # One positive says nothing of their spread.
    alone = rs.pair_scores([1, 0, 0, 0], {name: x[1:] for name, x in scores.items()})
    assert np.isnan(reclassification(alone).idi_estimate.se)


def test_certain_probabilities_are_cautioned_where_they_are_wrong():
    label = [1, 1, 0, 0]
    scores = {"right": [1, 1, 0, 0], "even": [0.5] * 4, "wrong": [1, 0, 0, 0]}
    data = rs.pair_scores(label, scores)
    assert reclassification(data, "right", "even").cautions == ()
    (said,) = reclassification(data, "right", "wrong").cautions
    assert said.startswith("the probabilities of 'wrong' are not calibrated (p <0.0001)")


def test_frame_and_card():
    data = rs.pair_scores([1, 1, 0, 0], {"a": [0.2, 0.6, 0.4, 0.1], "b": [0.6, 0.7, 0.3, 0.2]})
    found = reclassification(data)
    frame = found.to_frame()
    assert frame["measure"].tolist() == ["event NRI", "non-event NRI", "NRI", "IDI"]
    assert frame["value"].tolist() == pytest.approx([1, 0, 1, found.idi])
    assert "IDI" in str(found)
    assert "NRI 1, IDI" in repr(found)


def test_bad_input():
    scores = {"a": [0.2, 0.6], "b": [0.6, 0.7]}
    data = rs.pair_scores([1, 0], scores)
    for cuts in ([0.0], [0.5, 1.0]):
        with pytest.raises(ValueError, match="strictly between 0 and 1"):
            reclassification(data, cuts=cuts)
    with pytest.raises(ValueError, match="these have weights"):
        reclassification(rs.pair_scores([1, 0], scores, sample_weight=[1, 2]))
    with pytest.raises(ValueError, match="these have clusters"):
        reclassification(rs.pair_scores([1, 0], scores, cluster=[1, 1]))
    with pytest.raises(ValueError, match="reclassification of 'b' needs probabilities"):
        reclassification(rs.pair_scores([1, 0], scores | {"b": [1.5, 0]}))
    with pytest.raises(rs.SingleClassError, match=r"reclassification needs .* 2 positives and 0"):
        reclassification(rs.pair_scores([1, 1], scores))
    with pytest.raises(TypeError, match="takes PairedScores"):
        reclassification(rs.tabulate([1, 0], [0.1, 0.2]))
    with pytest.raises(ValueError, match="scale is 'logit'"):
        reclassification(data).nri_estimate.interval(scale="logit")
