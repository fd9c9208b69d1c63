"""Few true labels and many of a judge: by hand, by all pairs, with known truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocspace import delong, pair_scores, tabulate
from rocspace.compare import auc_difference
from rocspace.designs import (
    VerifiedScores,
    powered_auc_difference,
    powered_auc_estimate,
    verified_scores,
)


def study(seed: int, n: int = 80, rest: int = 320, right: float = 0.85) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    ill = np.arange(n + rest) % 5 < 2
    scores = {"a": draw.normal(size=ill.size) + ill, "b": draw.normal(size=ill.size) + 0.8 * ill}
    judge = np.where(draw.random(ill.size) < right, ill, ~ill)
    truth = np.where(np.arange(ill.size) < n, ill, np.nan)
    beside = {"judge": judge, "soft": np.where(judge, 0.8, 0.3), "truth": ill}
    return verified_scores(truth, scores, covariates=beside), ill


def area(score: Any, pos: Any) -> float:
    """Area of weights, over all pairs of different cases."""
    weight = np.outer(pos, 1 - pos)
    np.fill_diagonal(weight, 0)
    wins = (score[:, None] > score) + (score[:, None] == score) / 2
    return float((weight * wins).sum() / weight.sum())


def test_by_hand() -> None:
    """True labels of four cases give 3/4, the judge 2/4 for them and 6/9 for all six."""
    score = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    truth, judge = [1, 0, 1, 0, None, None], [1, 0, 0, 1, 1, 0]
    data = verified_scores(truth, score, covariates={"judge": judge})
    # judge, all: positives 6, 3, 2 win 3, 1, 1 of 9 pairs; known: 6 and 3 win 2 and 0 of 4
    found = powered_auc_estimate(data, "judge", judge_weight=0.6)
    assert found.raw == pytest.approx(3 / 4 + 0.6 * (5 / 9 - 2 / 4))
    assert found.uncorrected.value == 0.75
    assert found.weight == 0.6


@given(st.integers(0, 10**6), st.sampled_from(["judge", "soft"]))
def test_it_is_that_of_all_pairs(seed: int, judge: str) -> None:
    data, _ = study(seed, 20, 30)
    soft, known = data.covariates[judge].astype(float), data.verified
    s = data.column("a")
    found = powered_auc_estimate(data, judge, "a", judge_weight=0.7)
    gap = area(s, soft) - area(s[known], soft[known])
    hand = area(s[known], data.label[known].astype(float)) + 0.7 * gap
    assert found.raw == pytest.approx(hand, abs=1e-12)


@given(st.integers(0, 10**6))
def test_no_weight_gives_the_true_labels_alone(seed: int) -> None:
    data, _ = study(seed, 30, 30)
    found = powered_auc_estimate(data, "judge", "a", judge_weight=0.0)
    plain = delong(data.complete_cases("a"))
    assert found.value == pytest.approx(plain.value)
    assert found.se == pytest.approx(plain.se, rel=0.02)
    assert found.saved == pytest.approx(0, abs=1e-9)


@given(st.integers(0, 10**6))
def test_a_perfect_judge_gives_the_area_of_all(seed: int) -> None:
    """With the weight 1 the unlabelled cases count as labelled ones."""
    data, ill = study(seed)
    found = powered_auc_estimate(data, "truth", "a", judge_weight=1.0)
    whole = delong(tabulate(ill, data.column("a")))
    assert found.value == pytest.approx(whole.value)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_weight_of_a_perfect_judge_tends_to_one(seed: int) -> None:
    data, _ = study(seed, 4000, 16_000)
    best = powered_auc_estimate(data, "truth", "a")
    assert best.weight == pytest.approx(1, abs=0.08)  # 0.02 is its standard error
    assert best.se == pytest.approx(best.uncorrected.se / 5**0.5, rel=0.05)  # five times the cases


@given(st.integers(0, 10**6))
def test_ranks_alone_matter(seed: int) -> None:
    data, ill = study(seed, 30, 60)
    truth = np.where(data.verified, ill, np.nan)
    one = powered_auc_estimate(data, "judge", "a")
    for score, higher in ((np.exp(data.column("a")), True), (-data.column("a"), False)):
        again = verified_scores(truth, score, covariates=data.covariates, higher_is_positive=higher)
        two = powered_auc_estimate(again, "judge")
        assert (two.raw, two.se) == pytest.approx((one.raw, one.se))


def test_the_best_weight_has_the_least_error() -> None:
    data, _ = study(4, 200, 800)
    best = powered_auc_estimate(data, "judge", "a")
    assert best.weight is not None
    assert 0 < best.weight < 1
    for weight in (0.0, best.weight - 0.2, best.weight + 0.2, 1.0):
        other = powered_auc_estimate(data, "judge", "a", judge_weight=weight)
        assert other.se > best.se * 0.995


def test_errors_are_those_of_many_samples() -> None:
    """200 true labels and 800 more: spread of 150 estimates, against the mean error."""
    found = [powered_auc_estimate(study(seed, 200, 800)[0], "judge", "a") for seed in range(150)]
    values = np.array([each.value for each in found])
    assert values.std() == pytest.approx(np.mean([each.se for each in found]), rel=0.15)
    truth = 0.5 * (1 + 0.5204998778)  # Phi(1 / sqrt(2))
    assert abs(values.mean() - truth) < 3.5 * values.std() / 150**0.5
    assert values.std() < np.std([each.uncorrected.value for each in found])
    inside = [each.interval().low < truth < each.interval().high for each in found]
    assert np.mean(inside) > 0.9


def test_differences() -> None:
    data, ill = study(5, 200, 800)
    gap = powered_auc_difference(data, "judge", "a", "b")
    one, two = (powered_auc_estimate(data, "judge", name) for name in "ab")
    assert gap.value == pytest.approx(one.value - two.value)
    known = data.verified
    scores = {name: data.column(name)[known] for name in "ab"}
    plain = auc_difference(pair_scores(ill[known], scores))
    assert gap.se < plain.se
    # As many more true labels as give the judge's precision.
    assert gap.gaps is not None
    assert plain.gaps is not None
    more = [one.n / two.n for one, two in zip(gap.gaps, plain.gaps, strict=True)]
    assert more == pytest.approx([(plain.se / gap.se) ** 2] * 2)
    assert gap.interval().width < plain.interval().width
    assert (gap.test().pvalue < 0.05) == (0 not in gap.interval())
    twice = replace(data, score=data.score[:, [0, 0]])
    same = powered_auc_difference(twice, "judge", "a", "b")
    assert (same.value, same.se) == (0, 0)


def wrong(column: Any) -> VerifiedScores:
    return verified_scores([1, 0, None], [3.0, 2.0, 1.0], covariates={"judge": column})


@pytest.mark.parametrize(
    ("data", "judge", "message"),
    [
        (wrong([1, 0, 1]), "jugde", "judge"),
        (wrong([1, 0, 2]), "judge", "0 and 1"),
        (wrong(["ill", "well", "ill"]), "judge", "0 and 1"),
        (wrong([1, 1, 0]), "judge", "tells nothing"),
        (
            verified_scores([1, 0], [3.0, 2.0], covariates={"judge": [1, 0]}),
            "judge",
            "no judge is needed",
        ),
    ],
)
def test_first_mistakes(data: VerifiedScores, judge: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        powered_auc_estimate(data, judge)
