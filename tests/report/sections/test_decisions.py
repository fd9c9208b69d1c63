"""Net benefit, gains and lift in the report."""

from __future__ import annotations

import numpy as np
import pytest

import rocspace as rs
from reports import one
from rocspace.costs import net_benefit
from rocspace.curves import gains_curve
from rocspace.inference import predictive_value_interval
from rocspace.report import More, summarise
from rocspace.report.sections import decisions

MORE = More(progress=False)
TEST = rs.tabulate([0, 0, 0, 1, 0, 1, 1], [0.2, 0.2, 0.2, 0.2, 0.9, 0.9, 0.9])  # like a yes/no test


def test_net_benefit_is_exact_between_scores() -> None:
    found = one(TEST, more=MORE)["decision"]
    at = np.array(found["threshold"])
    assert found["net_benefit"] == net_benefit(TEST, at).tolist()
    assert found["threshold"][0] == 0
    assert found["net_benefit"][0] == pytest.approx(3 / 7)  # calling everybody, at no cost
    assert found["treat_all"] == pytest.approx((3 / 7 - 4 / 7 * at / (1 - at)).tolist())


def test_gains_by_hand() -> None:
    # The three highest of seven hold two of three positives: 3/7 of the cases, lift (2/3)/(3/7).
    found = one(TEST, more=MORE)["gains"]
    assert found["depth"][-1] == 0.5
    half = 2 / 3 + (0.5 * 7 - 3) / 4 / 3  # half a case of the tie of four, one of them positive
    assert found["tpr"][-1] == pytest.approx(half)
    assert found["lift"][-1] == pytest.approx(half / 0.5)
    assert found["precision"][-1] == pytest.approx(half * 3 / 3.5)
    curve = gains_curve(TEST)
    drawn = found["lift_curve"]
    assert drawn["lift"] == np.asarray(curve.lift_at(np.array(drawn["depth"]))).tolist()


def test_a_score_that_is_no_probability_has_gains_only() -> None:
    summary = summarise({"s": rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])}, more=MORE)
    assert set(decisions._charts(summary)) == {"gains", "lift"}
    ids = {each["id"] for each in summary["methods"]}
    assert "gains" in ids
    assert "decision.net_benefit" not in ids


def test_predictive_values_at_other_prevalences() -> None:
    found = one(TEST, more=MORE)["predictive_values"]
    # The threshold .9 has tpr 2/3, fpr 1/4: at 10 percent PPV is .1 * 2/3 / (.1 * 2/3 + .9 / 4).
    (tenth,) = [each for each in found if each["prevalence"] == 0.1]
    assert tenth["ppv"]["value"] == pytest.approx(0.1 * 2 / 3 / (0.1 * 2 / 3 + 0.9 / 4))
    assert tenth["npv"]["value"] == pytest.approx(0.9 * 3 / 4 / (0.9 * 3 / 4 + 0.1 / 3))
    point = rs.optimal_points(TEST)[0]
    ends = predictive_value_interval(point, "npv", prevalence=0.1)
    assert (tenth["npv"]["low"], tenth["npv"]["high"]) == tuple(ends)
    assert [each["ppv"]["value"] for each in found] == sorted(e["ppv"]["value"] for e in found)


def test_the_axis_ends_where_nothing_is_worth_more() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(4000) < 0.02
    p = 1 / (1 + np.exp(4.5 - 1.2 * y - rng.normal(size=4000)))
    chart = decisions._charts(summarise({"p": rs.tabulate(y, p)}, more=MORE))["decision"]
    (low, high) = chart["layer"][-1]["encoding"]["x"]["scale"]["domain"]
    assert low == 0
    assert high < 0.5


def test_a_lift_of_one_reads_alike_at_every_share() -> None:
    table = rs.tabulate([1] * 30 + [0] * 40, [0.5] * 70)
    summary = summarise({"s": table}, more=MORE)
    view = decisions.SECTION.view(summary)
    assert view is not None
    assert {cell["lift"] for cell in view["rows"][0]["cells"]} == {"1"}
