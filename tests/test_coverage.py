"""The committed coverage table is what the intervals do; and the check of it can fail."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import coverage

COMMITTED = coverage.read(coverage.RESULTS)


@pytest.mark.slow
def test_no_interval_has_drifted(capsys):
    assert coverage.main(["--quick"]) == 0, capsys.readouterr().out
    assert capsys.readouterr().out.startswith("no drift")


def test_the_page_is_made_of_the_table():
    assert coverage.PAGE.read_text(encoding="utf-8") == coverage.page(COMMITTED)


def test_exact_rows_have_not_drifted_at_all():
    rates = [*coverage.rate_rows()]
    before = [row for row in COMMITTED if row.section == "rate"]
    assert coverage.drifted(rates, before) == []
    assert len(rates) == 144


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"coverage": 0.7}, "coverage 0.7, was"),
        ({"width": 2.0}, "mean width 2, was"),
    ],
)
def test_the_check_sees_drift(change, said):
    quick = [replace(row, samples=40) if row.samples else row for row in COMMITTED]
    assert coverage.drifted(quick, COMMITTED) == []
    for section in ("rate", "area"):
        i = next(i for i, row in enumerate(quick) if row.section == section)
        (found,) = coverage.drifted(
            [*quick[:i], replace(quick[i], **change), *quick[i + 1 :]], COMMITTED
        )
        assert said in found
        assert section in found
    assert "other rows" in coverage.drifted(quick[1:], COMMITTED)[0]


@pytest.mark.parametrize("population", coverage.POPULATIONS, ids=lambda p: p.name)
def test_true_areas_are_those_of_large_samples(population):
    # 40 000 of each: an area is known to about .002, a part of .2 to about .0015.
    rng = np.random.default_rng(9)
    pos, neg = (draw(rng, (1, 40_000))[0] for draw in (population.pos, population.neg))
    table = coverage.rs.tabulate_classes(pos, neg)
    assert coverage.rs.auc(table) == pytest.approx(population.auc, abs=0.01)
    part = coverage.rs.partial_auc(table, fpr=(0, 0.2))
    assert part == pytest.approx(population.partial_auc(0, 0.2), abs=0.006)


def test_default_holds_its_level():
    # What the docstring of Estimate.interval says.
    worst = {}
    for row in COMMITTED:
        if row.section == "area" and not row.size.startswith("1 +"):
            worst[row.interval] = min(row.coverage, worst.get(row.interval, 1))
    assert worst["delong moderated"] > 0.92
    assert worst["delong logit"] < 0.8
    assert worst["delong hoeffding"] > 0.95
