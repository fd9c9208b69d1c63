"""Concordance: by definition, by other programs."""

import json

import numpy as np
import pytest

import rocspace as rs
from followed import drawn
from rocspace.designs import (
    concordance_difference,
    concordance_estimate,
    incident_auc_over_time,
    integrated_auc_estimate,
    survival_scores,
)
from slow.designs import slow_concordance, slow_kept, slow_se

READINGS = {
    "uno": (concordance_estimate, lambda d: slow_concordance(d, "uno")),
    "harrell": (
        lambda d, name, **how: concordance_estimate(d, name, method="harrell", **how),
        lambda d: slow_concordance(d, "harrell"),
    ),
    "uno until 7": (
        lambda d, name, **how: concordance_estimate(d, name, until=7, **how),
        lambda d: slow_concordance(d, "uno", 7),
    ),
}


STRATA = np.arange(24) % 3
SITUATIONS = [(name, None) for name in READINGS] + [("uno", STRATA), ("uno until 7", STRATA)]


@pytest.mark.parametrize(("name", "strata"), SITUATIONS)
def test_values_and_standard_errors_by_definition(name, strata):
    fast, slow = READINGS[name]
    w = np.random.default_rng(3).integers(1, 4, 24).astype(float)

    def given(weight):
        return drawn(n=24, weight=weight, strata=strata)

    found = fast(given(w), "a", weight_type="frequency")
    assert found.value == pytest.approx(slow(given(w)), rel=1e-12)
    se = slow_se(lambda v: fast(given(v), "a").value, w)
    assert found.se == pytest.approx(se, rel=1e-6)


def test_r_survival_has_the_same_concordance(shared, trial):
    time, status, scores = trial
    data = survival_scores(time, status == 2, scores)
    file = shared / "oracle" / "timedep__pbc_trial__bili.json"
    theirs = json.loads(file.read_text())["concordance"]
    uno = concordance_estimate(data, "bili")
    harrell = concordance_estimate(data, "bili", method="harrell")
    assert uno.value == pytest.approx(theirs["uno_c"], rel=1e-12)
    assert harrell.value == pytest.approx(theirs["harrell_c"], rel=1e-12)
    # Theirs keeps the weights of censoring fixed, and divides by n.
    assert (uno.se, harrell.se) == pytest.approx((theirs["uno_se"], theirs["se"]), rel=3e-3)


def test_without_censoring_both_count_all_pairs():
    rng = np.random.default_rng(5)
    data = survival_scores(rng.permutation(30), np.ones(30), rng.normal(size=30))
    uno, harrell = (concordance_estimate(data, method=m) for m in ("uno", "harrell"))
    assert (uno.value, uno.se) == pytest.approx((harrell.value, harrell.se), rel=1e-12)
    # Each pair once: with times without ties the integrated area has the same weights.
    assert integrated_auc_estimate(data).value == pytest.approx(uno.value, rel=1e-12)


def test_strata_of_censoring_leave_no_bias():
    """Where cases with large scores are censored early, in a stratum of their own."""
    rng = np.random.default_rng(6)
    stratum = rng.integers(0, 2, 4000)
    score = rng.normal(size=4000) + stratum
    event = np.exp(rng.normal(size=4000) - score)
    end = rng.uniform(0, 3, 4000) * np.where(stratum, 1, 4)
    seen, status = np.minimum(event, end), event <= end
    until = 0.7
    truth = concordance_estimate(survival_scores(event, status | True, score), until=until)
    kept = concordance_estimate(survival_scores(seen, status, score, strata=stratum), until=until)
    plain = concordance_estimate(survival_scores(seen, status, score), until=until)
    assert abs(kept.value - truth.value) < 3 * kept.se
    assert abs(kept.value - truth.value) < abs(plain.value - truth.value) / 2


def test_differences():
    data = drawn()
    gain = concordance_difference(data)
    parts = [concordance_estimate(data, name) for name in "ab"]
    assert gain.value == parts[0].value - parts[1].value
    assert (gain.first.se, gain.second.se) == (parts[0].se, parts[1].se)
    turned = concordance_difference(data, "b", "a")
    assert (turned.value, turned.se) == pytest.approx((-gain.value, gain.se), rel=1e-12)


@pytest.mark.parametrize("levels", [2, 4, 1000])
def test_events_at_one_time_have_the_limits_of_two_classes(levels):
    rng = np.random.default_rng(levels)
    event = np.arange(50) < 9
    score = np.floor(levels * rng.beta(2 + event, 2)).clip(0, levels - 1)
    data = survival_scores(2.0 - event, np.ones(50), score)
    plain = rs.delong(rs.tabulate(event, score)).interval()
    found = [
        *(concordance_estimate(data, method=each, until=1.5) for each in ("uno", "harrell")),
        integrated_auc_estimate(data, until=1.5),
    ]
    for each in found:
        assert each.interval().method.endswith("unseen")
        moderated = each.interval(scale="moderated")
        farther = min(plain.low, moderated.low), max(plain.high, moderated.high)
        assert tuple(each.interval()) == pytest.approx(farther, rel=1e-9)


@pytest.mark.parametrize("method", ["uno", "harrell"])
def test_an_unseen_case_has_the_placements_of_the_ends_of_the_scale(method):
    rng = np.random.default_rng(3)
    time, status = rng.permutation(30) + 1.0, rng.random(30) < 0.5
    score = rng.integers(0, 4, 30).astype(float)
    data = survival_scores(time, status, score)
    (of_events, of_others) = concordance_estimate(data, method=method, until=20).classes
    whole, ties = 0.0, np.zeros(4)  # of the first and last score: among the later, the events
    for i in np.flatnonzero(status & (time < 20)):
        each = slow_kept(data, i, time[i]) ** -2 if method == "uno" else 1.0
        later = time > time[i]
        whole += each * later.sum()
        for j, end in enumerate((score.min(), score.max())):
            ties[j] += each * (score[later] == end).sum()
            ties[2 + j] += each * (score[i] == end) * later.sum()
    low, high, control_low, control_high = ties / whole / 2
    assert (of_events.low, of_events.high) == pytest.approx((low, 1 - high), rel=1e-12)
    assert of_others.low == pytest.approx(control_high, rel=1e-12)
    assert of_others.high == pytest.approx(1 - control_low, rel=1e-12)


def test_first_mistakes():
    others = survival_scores([1, 2, 3], [1, 2, 0], [3, 2, 1])
    with pytest.raises(ValueError, match="others compete"):
        concordance_estimate(others)
    last = survival_scores([1, 2], [0, 1], [1, 2])
    with pytest.raises(ValueError, match="no two cases"):
        concordance_estimate(last)
    with pytest.raises(ValueError, match="fewer than two times"):
        incident_auc_over_time(drawn(), 5, "a", bandwidth=0.5)
