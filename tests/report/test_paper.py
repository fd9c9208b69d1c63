"""Tables for papers: the numbers in them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit

import rocspace as rs
from rocspace import datasets
from rocspace import report as tables
from rocspace.compare import compare_aucs
from rocspace.inference import likelihood_ratio_interval, point_interval
from rocspace.models import compare_models, fit_roc
from rocspace.multiclass import multiclass_scores, ordered_scores

DATA = datasets.load("fawcett20")
TABLE = rs.tabulate(DATA.y_true, DATA.y_score)
POINT = rs.point_at(TABLE, 0.54)
HOSTILE = r"a_b & 50% $x$ #1 {z} ~^\ | <b>"


def test_areas_have_the_numbers_of_delong() -> None:
    estimate = rs.delong(TABLE)
    low, high = estimate.interval(0.9)
    made = tables.areas_table({"s": TABLE, "again": estimate}, level=0.9)
    first, second = made.parts[0].rows
    assert first == ("s", "0.680", f"{estimate.se:.3f}", f"{low:.3f} to {high:.3f}")
    assert second[1:] == first[1:]
    assert made.parts[0].header[-1] == "90 % CI"


def test_stard_by_hand() -> None:
    # Fawcett (2006), figure 3, at .54: 5 of 10 positives and 1 of 10 negatives are called.
    cross, rates = tables.stard_table(POINT).parts
    assert cross.rows == (
        ("Test positive", "5", "1", "6"),
        ("Test negative", "5", "9", "14"),
        ("Total", "10", "10", "20"),
    )
    found = {row[0]: row[1:3] for row in rates.rows}
    assert found == {
        "Sensitivity": ("5/10", "0.500"),
        "Specificity": ("9/10", "0.900"),
        "Positive predictive value": ("5/6", "0.833"),
        "Negative predictive value": ("9/14", "0.643"),
        "Positive likelihood ratio": ("", "5"),
        "Negative likelihood ratio": ("", "0.556"),
    }
    # Both ends have as many decimals as the width justifies: 0.5550 to 0.9975 has three.
    assert rates.rows[1][3] == "0.555 to 0.997"
    assert list(point_interval(POINT, "tnr")) == pytest.approx([0.5550, 0.9975], abs=5e-5)
    ratio = likelihood_ratio_interval(POINT, "positive")
    assert float(rates.rows[4][3].split(" to ")[0]) == pytest.approx(ratio.low, rel=5e-3)
    assert tables.stard_table(POINT).note == "Test positive: score at least 0.54."


def test_stard_where_nobody_is_called_or_lower_is_positive() -> None:
    nobody = rs.roc_curve(TABLE)
    at = rs.point_at(TABLE, float(nobody.threshold[0]))
    rates = {row[0]: row[1:] for row in tables.stard_table(at).parts[1].rows}
    assert rates["Positive predictive value"] == ("0/0", "–", "")
    lower = rs.tabulate([1, 1, 0, 0], [1, 2, 3, 4], higher_is_positive=False)
    assert "score at most 2." in tables.stard_table(rs.point_at(lower, 2)).note


def test_stard_of_published_counts() -> None:
    """The example of epiR's `epi.tests`, as its help page prints it: two decimals."""
    counts = rs.ConfusionMatrix(tp=670, fp=202, fn=74, tn=640)
    table = tables.stard_table(counts)
    assert table.note == ""
    found = {row[0]: (row[2], row[3].split(" to ")) for row in table.parts[1].rows}
    theirs = {
        "Sensitivity": (0.90, 0.88, 0.92),
        "Specificity": (0.76, 0.73, 0.79),
        "Positive likelihood ratio": (3.75,),
        "Negative likelihood ratio": (0.13,),
    }
    for name, (value, *ends) in theirs.items():
        said = found[name]
        assert float(said[0]) == pytest.approx(value, abs=0.0051)
        shown = [float(each) for each in said[1]]
        assert shown[: len(ends)] == pytest.approx(ends, abs=0.0051)
    assert list(likelihood_ratio_interval(counts, method="log")) == pytest.approx(
        [3.32, 4.24], abs=0.005
    )
    assert "Sensitivity" in tables.to_markdown(counts)
    assert tables.stard_table(rs.point_at(TABLE, 0.54)).parts == (
        tables.stard_table(rs.ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)).parts
    )
    nobody = tables.stard_table(rs.ConfusionMatrix(tp=0, fp=0, fn=0, tn=4)).parts[1].rows
    assert {row[2] for row in nobody} == {"–", "1"}


@given(st.lists(st.floats(0, 1), min_size=4, max_size=20, unique=True), st.booleans())
def test_thresholds_are_printed_so_that_they_decide_alike(values: list[float], up: bool) -> None:
    table = rs.tabulate(np.arange(len(values)) % 2, values, higher_is_positive=up)
    for point in rs.optimal_points(table):
        text = tables.stard_table(point).note.rsplit(" ", 1)[1].removesuffix(".")
        if "∞" in text:
            continue
        again = rs.point_at(table, float(text.replace("−", "-")))
        assert (again.tp, again.fp) == (point.tp, point.fp)


def test_comparisons_have_areas_and_pairs() -> None:
    adult = datasets.load("two_class_example")
    noise = np.random.default_rng(0).normal(size=len(adult))
    cases = rs.pair_scores(adult.y_true, {"a": adult.y_score, "b": adult.y_score + noise})
    found = compare_aucs(cases)
    areas, pairs = tables.comparison_table(found).parts
    assert [row[0] for row in areas.rows] == ["a", "b"]
    difference = found.pairs[0].difference
    assert pairs.rows[0][:2] == ("a minus b", f"{difference.value:.3f}")
    assert tables.to_markdown(found) == tables.to_markdown(tables.comparison_table(found))
    assert "adjusted for the number of pairs (Holm)" in tables.comparison_table(found).note
    assert pairs.header[2] == "p, Holm"
    alike = compare_aucs(rs.pair_scores(adult.y_true, {"a": adult.y_score, "c": adult.y_score}))
    note = tables.comparison_table(alike).note
    assert note.endswith("a minus c: no variance.")


def test_points_and_records() -> None:
    made = tables.points_table({"chosen": POINT})
    assert made.parts[0].rows[0][:3] == ("chosen", "0.54", "0.500 (0.187 to 0.813)")
    records = tables.records_table([{"size": 1000, "coverage": 0.94321, "why": None}])
    assert records.parts[0].rows == (("1,000", "0.943", "–"),)
    assert tables.to_markdown([{"a": 1}]).endswith("| 1 |")
    with pytest.raises(ValueError, match="There are no records"):
        tables.records_table([])
    table = rs.tabulate([0, 1], [1, 2])
    with pytest.raises(TypeError, match=r'ScoreTable. Give \{"score": table\}'):
        tables.to_markdown(table)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"PairedScores. Give compare_aucs\(data\)"):
        tables.to_latex(rs.pair_scores([0, 1], {"a": [1, 2]}))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="There is no table of a single int"):
        tables.to_html(3)  # type: ignore[arg-type]


def test_classes_and_ordered_classes_are_tabulated_without_naming_the_table() -> None:
    y, p = [0, 0, 1, 1, 2, 2], np.eye(3)[[0, 1, 1, 1, 2, 0]]
    scores = multiclass_scores(y, p)
    assert tables.to_markdown(scores) == tables.to_markdown(tables.classes_table(scores))
    marker = ordered_scores(y, [1, 3, 2, 4, 5, 6], order=[0, 1, 2])
    for write in (tables.to_markdown, tables.to_latex, tables.to_html):
        assert write(marker, level=0.9) == write(tables.ordered_table(marker, level=0.9))


# --- the flow -----------------------------------------------------------------------------------


def test_the_flow_adds_up_or_is_refused() -> None:
    source = {"rows": 20, "dropped": {"<y>": 2, "s": 0}}
    flow = tables.flow_of(source, n_pos=8, n_neg=10)
    assert flow.excluded == (("no <y>", 2),)
    assert "&lt;y&gt;" in tables.to_html(flow)
    assert str(flow).splitlines()[:3] == ["Rows: 20", "  |-- left out, no <y>: 2", "  v"]
    assert "| analysed | 18 |" in tables.to_markdown(flow)
    assert "&lt;y&gt;" in flow._repr_html_()
    assert flow.to_frame()["cases"].tolist() == [20, 2, 18, 8, 10]
    with pytest.raises(ValueError, match="are not the 20 rows"):
        tables.flow_of(source, n_pos=8, n_neg=9)


def test_the_area_of_a_fit_has_its_standard_error() -> None:
    fit = fit_roc(TABLE)
    ((_, value, se, interval),) = tables.areas_table({"fit": fit}).parts[0].rows
    found = fit.auc_estimate()
    assert float(value) == pytest.approx(found.value, abs=5e-3)
    assert float(se) == pytest.approx(found.se, abs=5e-3)
    assert " to " in interval


def test_fits_have_their_parameters_by_symbol() -> None:
    found = compare_models(
        TABLE, models=("binormal", "labroc", "kernel", "pareto"), n_folds=0, n_sim=9
    )
    first, second = tables.fits_table(found, level=0.9).parts
    assert [row[:2] for row in first.rows[:4]] == [
        ("binormal", "a"),
        ("binormal", "b"),
        ("labroc", "a"),
        ("labroc", "b"),
    ]
    for row, (name, symbol) in zip(first.rows, [row[:2] for row in first.rows], strict=True):
        fit = found.fits[name]
        assert float(row[2]) == pytest.approx(fit.parameters[symbol], rel=5e-3)
        if name == "kernel":
            assert row[3:] == ("–", "–")
            continue
        low, high = (float(end.replace("−", "-")) for end in row[4].split(" to "))
        value, half = fit.parameters[symbol], -stdtrit(9, 0.05) * fit.se[symbol]  # 10 + 10 cases
        ends = (value - half, value + half)
        if symbol != "a":  # a positive parameter
            ends = (value * np.exp(-half / value), value * np.exp(half / value))
        assert (low, high) == pytest.approx(ends, rel=6e-3, abs=6e-3)
    areas = {row[0]: row[1:] for row in second.rows}
    assert areas["labroc"][0] == "0.690"
    test = found.fits["labroc"].goodness
    assert test is not None
    assert float(areas["labroc"][-1]) == pytest.approx(test.pvalue, abs=5e-3)
    note = tables.fits_table(found).note
    assert "Standard errors by expected information: binormal, labroc" in note
    assert "9 samples" in note
    assert "Improper: labroc." in note


def test_fits_in_every_format() -> None:
    fits = {"labroc": fit_roc(TABLE, model="labroc"), "proper": fit_roc(TABLE, model="proper")}
    assert "| proper | d\\_a | 0 | – | – |" in tables.to_markdown(fits)
    assert r"proper & d\_a & 0 & -- & -- \\" in tables.to_latex(fits)
    assert "<td>d_a</td>" in tables.to_html(fits)
    assert tables.to_markdown(fits) == tables.to_markdown(tables.fits_table(fits))
    assert "Boundary: proper." in tables.to_markdown(fits)
    found = compare_models(TABLE, models=("labroc", "proper"), n_folds=0)
    assert tables.to_markdown(found) == tables.to_markdown(fits)
    frame = tables.fits_table(fits).to_frame()
    assert frame[frame["column"] == "Estimate"]["text"].tolist()[0] == "0.634"
    # A table of areas of anything else is as it was.
    assert "Areas under" in tables.to_markdown({"fit": fits["labroc"], "empirical": TABLE})
    with pytest.raises(ValueError, match="There is no fit"):
        tables.fits_table({})
