"""What results show in a notebook, and the numbers that are written there."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from rocspace import bands, granular
from rocspace._base import cards
from rocspace.averaging import vertical_average
from rocspace.compare import auc_difference, compare_aucs
from rocspace.curves import RocCurve

Y = np.arange(60) % 2
NOISE = np.random.default_rng(0).normal(size=(2, 60))
HOSTILE = "<script>alert(1)</script>"
DATA = rs.pair_scores(Y, {"good": Y + NOISE[0], HOSTILE: NOISE[1]})
TABLE = DATA.table("good")
COMPARED = compare_aucs(DATA)
RESULTS: dict[str, Any] = {
    "ScoreTable": TABLE,
    "RocCurve": rs.roc_curve(TABLE),
    "Estimate": rs.delong(TABLE),
    "Interval": rs.delong(TABLE).interval(),
    "Difference": auc_difference(DATA, "good", HOSTILE),
    "TestResult": rs.auc_test(TABLE),
    "AucComparison": COMPARED,
    "PairTest": COMPARED.pairs[0],
    "OperatingPoint": rs.optimal_points(TABLE)[0],
    "ConfusionMatrix": rs.ConfusionMatrix(tp=5, fn=5, fp=1, tn=9),
    "Band": bands.roc_band(TABLE),
    "DifferenceBand": bands.difference_band(DATA, n_boot=60, rng=1),
    "AverageCurve": vertical_average([TABLE, DATA.table(HOSTILE)], grid=20),
    "GranularRoc": granular.groc(TABLE, 0.1),
}


class Elements(HTMLParser):
    """Elements, and the texts between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag not in ("path", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("name", RESULTS)
def test_results_show_a_sound_small_card(name: str) -> None:
    shown = RESULTS[name]._repr_html_()
    page = Elements(shown)
    assert page.open == []
    assert page.text[0] == name
    assert not {"script", "img", "style", "iframe"} & set(page.tags)
    assert len(shown) < 20_000
    assert "nan" not in shown


@pytest.mark.parametrize("name", ["RocCurve", "Band", "DifferenceBand", "AverageCurve"])
def test_curves_are_drawn(name: str) -> None:
    assert RESULTS[name]._repr_html_().count("<svg") == 1


def test_tests_are_shown_with_their_law() -> None:
    scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0], "c": [0] * 8}
    label = [1, 1, 1, 1, 0, 0, 0, 0]
    two = compare_aucs(rs.pair_scores(label, {name: scores[name] for name in "ab"}))
    df = two.overall.df_denominator
    assert f"F {two.overall.statistic:.3g} with 1 and {df:.1f} degrees" in two._repr_html_()
    assert f"1 and {df:.1f}" in two.overall._repr_html_()
    normal = compare_aucs(
        rs.pair_scores(label, {n: scores[n] for n in "ab"}), distribution="normal"
    )
    assert f"chi-square {normal.overall.statistic:.2f} with 1 degree of" in normal._repr_html_()
    three = compare_aucs(rs.pair_scores(label, scores))
    assert f"({three.overall.note})" in three._repr_html_()


def test_the_numbers_are_those_of_the_result() -> None:
    shown = RESULTS["Estimate"]._repr_html_()
    estimate = rs.delong(TABLE)
    assert f">{estimate.value:.3f}<" in shown
    low, high = estimate.interval(0.95)
    assert f">{low:.3f} to {high:.3f}<" in shown
    matrix = RESULTS["ConfusionMatrix"]._repr_html_()
    # 5 of 10, 1 of 10, 5 of 6
    assert all(f">{text}<" in matrix for text in ("0.500", "0.100", "0.833"))
    difference = RESULTS["Difference"]
    assert f">{difference.test().pvalue:.3f}"[:4] in difference._repr_html_()


def test_hostile_names_are_escaped() -> None:
    for name in ("AucComparison", "PairTest", "DifferenceBand"):
        shown = RESULTS[name]._repr_html_()
        assert "<script" not in shown
        assert "&lt;script&gt;" in shown


def test_other_results_are_not_touched() -> None:
    class Estimate2(type(RESULTS["Estimate"])):  # a kind of Estimate shows itself as one
        pass

    made = Estimate2(value=0.5, se=0.1, method="x", n_pairs=10)
    assert "Estimate2" in made._repr_html_()


def test_pictures_stay_small_and_start_and_end_where_the_curve_does() -> None:
    rng = np.random.default_rng(2)
    y = rng.random(50_000) < 0.3
    curve = rs.roc_curve(rs.tabulate(y, rng.normal(size=y.size) + y))
    assert isinstance(curve, RocCurve)
    shown = curve._repr_html_()
    assert len(shown) < 10_000
    path = re.findall(r'd="M([^"]*)"', shown)[-1].split("L")
    assert (path[0], path[-1]) == ("6 186", "186 6")
    heights = [float(point.split()[1]) for point in path]
    assert heights == sorted(heights, reverse=True)


def test_a_picture_shows_what_matplotlib_is_not_needed_for() -> None:
    code = (
        "import sys, rocspace as rs\n"
        "rs.roc_curve(rs.tabulate([0, 1], [1, 2]))._repr_html_()\n"
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_estimate_is_drawn_on_its_range() -> None:
    """By hand: 0 is at 6, 1 at 186, so .5 is at 96."""
    drawn = cards.interval_picture(0.5, (0.25, 0.75), (0.0, 1.0))
    assert 'cx="96"' in drawn
    assert "M51 12H141" in drawn
    assert ">0</text>" in drawn
    assert ">1</text>" in drawn
    difference = cards.interval_picture(0.5, (0.25, 0.75), (-1.0, 1.0))
    assert 'cx="141"' in difference
    assert cards.interval_picture(0.5, (0.2, 0.7), (0.0, float("inf"))) == ""
    assert cards.interval_picture(float("nan"), (0.0, 1.0), (0.0, 1.0)) == ""


def test_cards_of_curves_and_estimates_have_a_picture() -> None:
    table = rs.tabulate([0, 1, 0, 1, 1], [1, 2, 3, 4, 5])
    for result in (rs.roc_curve(table), rs.delong(table), rs.roc_band(table)):
        assert "<svg" in result._repr_html_()
        assert "<svg" not in str(result)
