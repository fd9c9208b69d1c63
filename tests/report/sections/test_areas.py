"""Areas and single numbers, against direct calls and by hand."""

from __future__ import annotations

import pytest

import rocspace as rs
from reports import one, tables


@pytest.mark.parametrize("name", ["fawcett20", "pathology", "two_class_example"])
def test_every_number_is_that_of_the_direct_call(name: str) -> None:
    level = 0.9
    for table in tables(name).values():
        score = one(table, level=level)
        estimate = rs.delong(table)
        low, high = estimate.interval(level)
        assert score["auc"]["value"] == rs.auc(table) == estimate.value
        assert score["auc"]["se"] == estimate.se
        assert (score["auc"]["interval"]["low"], score["auc"]["interval"]["high"]) == (low, high)
        assert tuple(score["auc"]["bounds"].values()) == tuple(rs.auc_bounds(table))
        assert score["auc"]["test"]["pvalue"] == rs.auc_test(table).pvalue
        for key in ("gini", "ks", "youden", "eer", "closest_to_perfect"):
            assert score[key] == getattr(rs, key)(table)
        partial = score["partial_auc"][0]
        assert partial["value"] == rs.partial_auc(table, fpr=(0, 0.1))
        assert partial["standardised"] == rs.partial_auc(table, fpr=(0, 0.1), standardised=True)
        assert score["prevalence"] == table.prevalence


def test_fawcett_by_hand() -> None:
    # Fawcett (2006), figure 3: area .68; the largest tpr - fpr is .5 - .1 at .54.
    score = one(tables("fawcett20")["score"])
    assert score["auc"]["value"] == 0.68
    best = score["operating_points"][0]
    assert (best["kind"], best["threshold"], best["next_score"]) == ("youden", 0.54, 0.53)
    assert [best[cell] for cell in ("tp", "fp", "fn", "tn")] == [5, 1, 5, 9]
    assert best["rates"]["ppv"]["value"] == pytest.approx(5 / 6)
