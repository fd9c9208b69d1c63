"""Concordance, incident cases and dynamic controls: by definition, by other programs."""

import json

import numpy as np
import pytest

from rocspace.designs import (
    concordance_difference,
    concordance_estimate,
    incident_auc_over_time,
    integrated_auc_estimate,
    survival_scores,
)


def drawn(seed=2, n=40, weight=None, strata=None):
    rng = np.random.default_rng(seed)
    time, status = rng.integers(1, 12, n), rng.integers(0, 2, n)
    scores = {"a": rng.integers(0, 9, n), "b": rng.integers(0, 9, n)}
    return survival_scores(time, status, scores, sample_weight=weight, strata=strata, cause=1)


def later(data, i, j):
    """Whether j outlives the event of i."""
    same = data.time[j] == data.time[i] and data.status[j] == 0
    return data.time[j] > data.time[i] or same


def slow_concordance(data, method, until=np.inf):
    score, w, sums = data.column("a"), data.case_weight, np.zeros(2)
    for i in np.flatnonzero((data.status == 1) & (data.time < until)):
        for j in range(len(data)):
            if later(data, i, j):
                # At its own time a case with an event counts by what came before it.
                both = (slow_kept(data, k, data.time[i]) for k in (i, j))
                g = 1 / np.prod(list(both)) if method == "uno" else 1.0
                win = (score[i] > score[j]) + (score[i] == score[j]) / 2
                sums += w[i] * w[j] * g * np.array([win, 1])
    return sums[0] / sums[1]


def slow_kept(data, k, before):
    """The probability of a case not to be censored before a time, by those of its stratum."""
    free, w = 1.0, data.case_weight
    same = np.ones(len(data), bool) if data.stratum is None else data.stratum == data.stratum[k]
    for u in np.unique(data.time[(data.status == 0) & same & (data.time < before)]):
        lost = same & (data.time == u) & (data.status == 0)
        free *= 1 - w[lost].sum() / w[same & (data.time > u) | lost].sum()
    return free


def slow_shares(data):
    """The times of events with followers, and the share that each case beats."""
    score, w = data.column("a"), data.case_weight
    found = {}
    for i in np.flatnonzero(data.status == 1):
        rest = [j for j in range(len(data)) if later(data, i, j)]
        if rest:
            wins = [(score[i] > score[j]) + (score[i] == score[j]) / 2 for j in rest]
            found[i] = np.average(wins, weights=w[rest])
    return found


def slow_integrated(data, until=np.inf):
    w, shares, free, sums = data.case_weight, slow_shares(data), 1.0, np.zeros(2)
    for t in np.unique(data.time[data.status == 1]):
        here = [i for i in np.flatnonzero(data.time == t) if data.status[i] == 1]
        died, risk = w[here].sum(), w[data.time >= t].sum()
        before, free = free, free * (1 - died / risk)
        if here[0] in shares and t < until:
            area = np.average([shares[i] for i in here], weights=w[here])
            sums += before * died / risk * free * np.array([area, 1])
    return sums[0] / sums[1]


def slow_incident(data, at, width):
    shares = slow_shares(data)
    cases = np.array(list(shares))
    step = data.time[cases] - at
    kernel = np.sqrt(data.case_weight[cases] * np.maximum(1 - (step / width) ** 2, 0))
    design = np.column_stack([np.ones(cases.size), step])
    line = np.linalg.lstsq(design * kernel[:, None], kernel * list(shares.values()), rcond=None)
    return line[0][0]


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
    "integrated": (integrated_auc_estimate, slow_integrated),
    "integrated until 7": (
        lambda d, name, **how: integrated_auc_estimate(d, name, until=7, **how),
        lambda d: slow_integrated(d, 7),
    ),
    "incident": (
        lambda d, name, **how: incident_auc_over_time(d, 5, name, bandwidth=4, **how).estimates[0],
        lambda d: slow_incident(d, 5, 4),
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
    slopes, step, n = [], 1e-5, w.sum()
    for i in range(w.size):
        moved = step * (np.arange(w.size) == i)
        ends = [fast(given(w + sign * moved), "a").value for sign in (1, -1)]
        slopes.append(n * (ends[0] - ends[1]) / 2 / step)
    se = np.sqrt((w * np.square(slopes)).sum() / n / (n - 1))
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


def test_other_concordances_know_no_strata_of_censoring():
    data = drawn(n=24, strata=STRATA)
    for call in (
        lambda: integrated_auc_estimate(data, "a"),
        lambda: incident_auc_over_time(data, 5, "a", bandwidth=4),
    ):
        with pytest.raises(ValueError, match="no strata of censoring"):
            call()


def test_differences():
    data = drawn()
    gain = concordance_difference(data)
    parts = [concordance_estimate(data, name) for name in "ab"]
    assert gain.value == parts[0].value - parts[1].value
    assert (gain.first.se, gain.second.se) == (parts[0].se, parts[1].se)
    turned = concordance_difference(data, "b", "a")
    assert (turned.value, turned.se) == pytest.approx((-gain.value, gain.se), rel=1e-12)


def test_first_mistakes():
    others = survival_scores([1, 2, 3], [1, 2, 0], [3, 2, 1])
    with pytest.raises(ValueError, match="others compete"):
        concordance_estimate(others)
    last = survival_scores([1, 2], [0, 1], [1, 2])
    with pytest.raises(ValueError, match="no two cases"):
        concordance_estimate(last)
    with pytest.raises(ValueError, match="nobody is at risk after"):
        integrated_auc_estimate(last)
    with pytest.raises(ValueError, match="the first event is at"):
        integrated_auc_estimate(drawn(), "a", until=0.5)
    with pytest.raises(ValueError, match="fewer than two times"):
        incident_auc_over_time(drawn(), 5, "a", bandwidth=0.5)
