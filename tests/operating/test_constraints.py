"""Constraints and targets: by trying every threshold, and what cannot be met."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.counts
import slow.curves
import slow.data
import slow.operating
from rocspace.measures import CRITERIA
from rocspace.operating import (
    Costs,
    optimal_points,
)
from rocspace.operating.constraints import Constraint, NoThresholdError, Target
from slow.data import F3, answer, assert_close, cases, samples


def thresholds(points):
    return [point.threshold for point in points]


mixes = st.one_of(st.none(), st.integers(1, 19).map(lambda k: Fraction(k, 20)))

LIMITED = ["tpr", "fpr", "ppv", "npv", "accuracy", "kappa", "youden", "lr_positive", "f_score"]


@pytest.mark.filterwarnings("ignore:.* is the same at any prevalence")
@given(
    sample=samples(),
    mix=mixes,
    one=st.sampled_from(LIMITED),
    goal=st.sampled_from(["tpr", "ppv", "accuracy"]),
    tenth=st.integers(0, 10),
    most=st.integers(0, 25),
)
@settings(max_examples=80)
def test_promises_by_trying_every_threshold(sample, mix, one, goal, tenth, most):
    label, score = sample
    table = rs.tabulate(label, score)
    bound = tenth / 10
    limits = [Constraint(one, ">=", bound)]
    if mix is None:
        limits.append(Constraint("selected", "<=", most))
    sign = -1 if one == "fpr" else 1
    pi = Fraction(sum(label), len(label)) if mix is None else mix
    kept = []
    for f, t, threshold in slow.curves.points(label, score):
        value = slow.operating.criterion_value(one, f, t, pi, len(label))
        selected = f * label.count(False) + t * label.count(True)
        if value is None or float(sign * value) < bound or (mix is None and selected > most):
            continue
        worth = slow.operating.criterion_value(goal, f, t, pi, len(label))
        if worth is not None:
            kept.append((worth, threshold))
    prevalence = None if mix is None else float(mix)
    question = {"criterion": goal, "subject_to": limits, "prevalence": prevalence}
    if one == "lr_positive" and any(f == 0 < t for f, t, _ in slow.curves.points(label, score)):
        return  # infinite ones are passed over, where the definition has none
    if kept:
        best = max(value for value, _ in kept)
        expected = [threshold for value, threshold in kept if value == best]
        assert thresholds(optimal_points(table, **question)) == expected
    else:
        with pytest.raises(ValueError, match=r"No threshold has|is undefined"):
            optimal_points(table, **question)


def test_promises_by_hand():
    # Rows of F3 from the top: p p n p p p n n p n p n p n n n p n p n.
    table = rs.tabulate(*F3)
    # At most 7 selected: tp = 5 at .54 already, the seventh is a negative.
    (best,) = optimal_points(
        table, criterion=("tpr", "fpr"), subject_to=Constraint("selected", "<=", 7)
    )
    assert (best.threshold, best.tp, best.fp) == (0.54, 5, 1)
    assert best.criterion == "tpr and fpr, selected <= 7"
    # ppv >= 2 / 3: 6 of 9 at .51, and nothing later reaches it (7 of 11).
    (best,) = optimal_points(table, criterion="tpr", subject_to=Constraint("ppv", ">=", 2 / 3))
    assert best.threshold == 0.51
    # Nearest to tnr .65: .7 at .51 and .505 has .6: both .05 away; the larger tpr decides not.
    points = optimal_points(table, criterion=Target("tnr", 0.65))
    assert {round(1 - p.fpr, 2) for p in points} == {0.6, 0.7}
    (best,) = optimal_points(table, criterion=(Target("tnr", 0.65), "tpr", "tnr"))
    assert (best.threshold, best.tpr, best.fpr) == (0.4, 0.7, 0.4)


def test_promises_that_cannot_be_kept():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match=r"No threshold has kappa >= 0\.99: the largest is 0\.4\."):
        optimal_points(table, subject_to=Constraint("kappa", ">=", 0.99))
    with pytest.raises(ValueError, match=r"error_rate <= 0\.1: the smallest is 0\.3\."):
        optimal_points(table, subject_to=Constraint("error_rate", "<=", 0.1))
    both = [Constraint("tpr", ">=", 0.9), Constraint("fpr", "<=", 0.1)]
    with pytest.raises(ValueError, match=r"tpr >= 0\.9 and fpr <= 0\.1 at once, though each alone"):
        optimal_points(table, subject_to=both)
    with pytest.raises(ValueError, match="criterion is 'cost'"):
        Constraint("cost", "<=", 1)
    with pytest.raises(ValueError, match="sense is '>'"):
        Constraint("tpr", ">", 1)
    with pytest.raises(ValueError, match="bound is nan"):
        Constraint("tpr", ">=", float("nan"))
    assert Constraint("precision", ">=", 0.5) == Constraint("ppv", ">=", 0.5)
    with pytest.raises(ValueError, match="depends on how many cases"):
        optimal_points(table, prevalence=0.1, subject_to=Constraint("selected", "<=", 9))
    assert optimal_points(table, criterion="MaxKappa")[0].criterion == "kappa"
    with pytest.raises(ValueError, match=r"Costs do not matter to accuracy\. They do to 'youden'"):
        optimal_points(table, criterion="accuracy", costs=Costs(fn=2))
    with pytest.raises(ValueError, match="prevalence is 1, but must lie strictly"):
        optimal_points(table, prevalence=1)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            lambda: Constraint("tpr", ">=", 90),
            (
                "tpr is between 0 and 1, but its bound is 90: 90 percent is 0.9, as in "
                'Constraint("tpr", ">=", 0.9).'
            ),
        ),
        (
            lambda: Constraint("precision", "<=", Fraction(5, 2)),
            (
                "ppv is between 0 and 1, but its bound is Fraction(5, 2): 2.5 percent is 0.025, "
                'as in Constraint("ppv", "<=", 0.025).'
            ),
        ),
        (
            lambda: Target("tnr", 85.0),
            (
                "tnr is between 0 and 1, but its value is 85.0: 85 percent is 0.85, as in "
                'Target("tnr", 0.85).'
            ),
        ),
        (
            lambda: Constraint("fpr", "<=", -0.1),
            "fpr is between 0 and 1, but its bound is -0.1.",
        ),
        (lambda: Constraint("tpr", ">=", 101), "tpr is between 0 and 1, but its bound is 101."),
        (lambda: Constraint("kappa", ">=", 90), "kappa is between -1 and 1, but its bound is 90."),
        (lambda: Constraint("lift", ">=", -1), "lift is 0 or more, but its bound is -1."),
        (lambda: Constraint("selected", "<=", -1), "selected is 0 or more, but its bound is -1."),
    ],
)
def test_a_bound_that_the_measure_never_has_is_refused_at_once(made, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        made()


def test_the_ends_of_the_range_may_be_asked_for():
    for measure in CRITERIA:
        if CRITERIA[measure].rank_based and measure != "cost":
            for bound in CRITERIA[measure].range:
                if np.isfinite(bound):
                    assert Constraint(measure, ">=", bound).bound == bound
    assert Constraint("selected", "<=", 800).bound == 800


def test_a_missing_threshold_can_be_told_apart():
    with pytest.raises(NoThresholdError, match=r"kappa >= 0\.99: the largest is 0\.4\."):
        optimal_points(rs.tabulate(*F3), subject_to=Constraint("kappa", ">=", 0.99))


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_cutpointr_constrained(name, request):
    found = answer(f"cutpointr__{name}", request)
    table = rs.tabulate(*cases(found["dataset"], request, found["marker"]))
    for theirs, criterion, limit in (
        ("sens_constrain_0.9", "tpr", Constraint("tnr", ">=", 0.9)),
        ("spec_constrain_0.9", "tnr", Constraint("tpr", ">=", 0.9)),
        ("acc_constrain_0.6", "accuracy", Constraint("tpr", ">=", 0.6)),
    ):
        points = optimal_points(table, criterion=criterion, subject_to=limit)
        row = found["constrained"][theirs]
        assert set(row["cutpoints"]) <= set(thresholds(points))
        assert_close({p.tpr for p in points}.pop(), row["sensitivity"][0], digits=14)


def test_a_constraint_is_not_a_criterion():
    for wrong in ("tpr >= 0.9", "ppv>.5"):
        with pytest.raises(ValueError, match="is a constraint, not a criterion"):
            Target(wrong, 0.9)
    assert Target("recall", 0.9).measure == "tpr"
    with pytest.raises(ValueError, match="must be one of"):
        Target("recal", 0.9)
