import csv
import json
import subprocess
import sys
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from rocspace import datasets, measures
from rocspace.averaging import cv_auc_estimate, fold_tables, vertical_average
from rocspace.bands import difference_band, roc_band
from rocspace.compare import compare_aucs
from rocspace.costs import relative_superiority
from rocspace.granular import granular_areas, groc
from rocspace.report import More, render_html, summarise
from rocspace.report.sections.thresholds import MAX_TIED, bin_edges
from rocspace.report.shapes import thin
from rocspace.report.summary import SCHEMA

TOP = ["schema", "rocspace", "source", "settings", "scores", "warnings", "methods"]
SCORE = [
    *("name", "error", "direction", "weighted", "n", "n_pos", "n_neg", "n_eff", "prevalence"),
    *("distinct", "lowest", "highest", "tie_chance", "auc", "gini", "ks", "youden", "eer"),
    *("closest_to_perfect", "partial_auc", "operating_points", "curve", "histogram"),
]


def tables(name: str = "adult_scores") -> dict[str, rs.ScoreTable]:
    data = datasets.load(name)
    return {score: rs.tabulate(data.y_true, data.columns[score]) for score in data.scores}


def one(table: rs.ScoreTable, **options: Any) -> dict[str, Any]:
    """The only score of a summary, after a round trip through JSON."""
    summary = summarise({"score": table}, **options)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    return summary["scores"][0]


def codes(table: rs.ScoreTable, **options: Any) -> list[str]:
    return [each["code"] for each in summarise({"score": table}, **options)["warnings"]]


# --- the schema ---------------------------------------------------------------------------------


def test_keys_come_in_the_documented_order() -> None:
    source = {"file": Path("a/b.csv"), "dropped": {"x": np.int64(3)}, "more": (1, float("inf"))}
    summary = summarise(tables("fawcett20"), source=source, level=0.9)
    assert list(summary) == TOP
    assert summary["schema"] == SCHEMA == "rocspace.summary/1"
    assert summary["source"] == {"file": "a/b.csv", "dropped": {"x": 3}, "more": [1, "inf"]}
    assert summary["settings"] == {
        "level": 0.9,
        "fpr": [0.01, 0.05, 0.1, 0.2],
        "tpr": [0.8, 0.9, 0.95, 0.99],
    }
    assert [list(score) for score in summary["scores"]] == [SCORE]
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_every_key_is_documented() -> None:
    text = sys.modules["rocspace.report.summary"].__doc__ or ""
    score = one(rs.tabulate([0, 1, 1], [1, 2, 3]))
    point, curve = score["operating_points"][0], score["curve"]
    keys = [*TOP, *SCORE, *score["auc"], *point, *point["rates"], *curve, *score["histogram"]]
    assert [key for key in keys if key not in text] == []


def test_failed_scores_have_the_same_keys_and_do_not_stop_the_others() -> None:
    given_tables = {
        "fine": rs.tabulate([0, 1], [1, 2]),
        "no negatives": rs.tabulate([1, 1], [1, 2]),
        "no positives": rs.tabulate([0, 0], [1.5, 2]),
        "nothing": rs.ScoreTable.from_counts([1.0], [0], [0]),
    }
    summary = summarise(given_tables)
    fine, *failed = summary["scores"]
    assert fine["error"] is None
    assert all(list(score) == SCORE for score in failed)
    assert failed[0]["error"].startswith("There are 2 positives and 0 negatives")
    assert failed[0]["auc"] is None
    assert failed[0]["histogram"]["pos"] == [1, 1]
    assert failed[2]["prevalence"] is failed[2]["histogram"] is None
    assert "single_class" in {each["code"] for each in summary["warnings"]}
    assert json.dumps(summary, allow_nan=False)


def test_bad_settings_are_refused() -> None:
    table = {"score": rs.tabulate([0, 1], [1, 2])}
    with pytest.raises(ValueError, match="tables is empty"):
        summarise({})
    with pytest.raises(ValueError, match="level is 95"):
        summarise(table, level=95)
    with pytest.raises(ValueError, match=r"fpr is 1\.5"):
        summarise(table, fpr=[1.5])


def test_importing_the_report_loads_nothing_heavy() -> None:
    heavy = ("altair", "jinja2", "vl_convert", "scipy", "numba", "polars")
    code = f"import sys, rocspace.report; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- the numbers --------------------------------------------------------------------------------


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


def test_operating_points_are_those_of_the_direct_calls() -> None:
    table = tables("pathology")["scan"]
    points = one(table, fpr=[0.05, 0.4], tpr=[0.5])["operating_points"]
    asked = [(p["kind"], p["target"]) for p in points]
    assert asked == [("youden", None), ("closest", None), ("fpr", 0.05), ("fpr", 0.4), ("tpr", 0.5)]
    direct = [
        *rs.optimal_points(table, criterion="youden"),
        *rs.optimal_points(table, criterion="closest"),
        *(rs.point_at_fpr(table, fpr) for fpr in (0.05, 0.4)),
        rs.point_at_tpr(table, 0.5),
    ]
    for shown, point in zip(points, direct, strict=True):
        assert [shown[c] for c in ("tp", "fp", "fn", "tn")] == [
            point.tp,
            point.fp,
            point.fn,
            point.tn,
        ]
        for name in ("tpr", "fpr", "tnr", "fnr", "ppv", "npv"):
            rate, interval = shown["rates"][name], rs.point_interval(point, name)
            assert rate["value"] in (None, getattr(measures, name)(point))
            assert (rate["low"], rate["high"]) == (interval.low, interval.high)
    assert points[2]["threshold"] == "inf"
    assert points[2]["rates"]["ppv"]["value"] is None  # nobody is called positive


def test_ties_of_the_best_point_are_counted_and_capped() -> None:
    y = [0, 1] * 20  # each negative is followed by a positive: many thresholds tie
    score = one(rs.tabulate(y, np.arange(40)))
    best = [p for p in score["operating_points"] if p["kind"] == "youden"]
    n_best = len(rs.optimal_points(rs.tabulate(y, np.arange(40))))
    assert {p["tied"] for p in best} == {n_best}
    assert len(best) == MAX_TIED < n_best


def test_weights_infinities_integers_and_direction() -> None:
    y = [0, 1, 0, 1, 1]
    weighted = one(rs.tabulate(y, [1, 2, 3, 4, 5], sample_weight=[1, 0.5, 2, 1, 1]))
    assert weighted["weighted"]
    assert weighted["auc"]["test"] is None
    assert weighted["n_pos"] == 2.5
    lower = one(rs.tabulate(y, [5, 4, 3, 2, 1], higher_is_positive=False))
    assert lower["direction"] == "lower"
    assert lower["curve"]["threshold"][0] == "-inf"
    assert (lower["lowest"], lower["highest"]) == (1, 5)
    infinite = one(rs.tabulate(y, [-np.inf, 1, 2, np.inf, np.inf]))
    assert infinite["histogram"]["outside"]["infinity"] == {"pos": 2, "neg": 0}
    assert infinite["histogram"]["outside"]["minus_infinity"] == {"pos": 0, "neg": 1}
    big = 2**60
    exact = one(rs.tabulate(y, [big, big + 1, big + 2, big + 3, big + 4]))
    assert exact["operating_points"][0]["threshold"] in range(big, big + 5)
    assert exact["curve"]["threshold"][1] == big + 4


def test_a_table_of_one_row() -> None:
    score = one(rs.ScoreTable.from_counts([1], [3], [4]))
    assert score["auc"]["value"] == 0.5
    assert score["tie_chance"] == 1
    assert score["histogram"]["pos"] == [3]


# --- comparisons, bands, granularities and folds ----------------------------------------------

N = 240
FOLD = np.arange(N) % 4
MORE = ["bands", "granular", "folds"]


@pytest.fixture(scope="module")
def cases() -> rs.PairedScores:
    rng = np.random.default_rng(5)
    y = rng.random(N) < 0.4
    common = rng.normal(size=N)
    scores = {"a": common + 1.5 * y, "b": common + rng.normal(size=N) + y, "c": rng.normal(size=N)}
    return rs.pair_scores(y, scores)


@pytest.fixture(scope="module")
def full(cases: rs.PairedScores) -> dict[str, Any]:
    found = {name: cases.table(name) for name in cases.names}
    more = More(fold=FOLD, n_boot=60, rng=3, progress=False)
    return summarise(found, data=cases, more=more)


def test_more_is_plain_documented_and_in_order(full: dict[str, Any]) -> None:
    assert json.loads(json.dumps(full, allow_nan=False)) == full
    assert list(full) == [*TOP[:5], "comparison", *TOP[5:]]
    assert [list(score) for score in full["scores"]] == [SCORE + MORE] * 3
    text = sys.modules["rocspace.report.summary"].__doc__ or ""
    score, found = full["scores"][0], full["comparison"]
    keys = [*MORE, *found, *found["pairs"][0], *found["overall"], *found["difference"]]
    keys += [*found["costs"], *score["bands"][0], *score["granular"], *score["folds"]]
    keys += [*score["granular"]["areas"], *score["granular"]["curves"][0]]
    assert [key for key in keys if key not in text] == []


def test_comparisons_are_those_of_the_direct_calls(
    full: dict[str, Any], cases: rs.PairedScores
) -> None:
    found, direct = full["comparison"], compare_aucs(cases)
    assert found["names"] == list(direct.names)
    assert found["covariance"] == direct.covariance.tolist()
    assert found["overall"]["pvalue"] == direct.overall.pvalue
    assert found["reference"] is None
    for shown, pair in zip(found["pairs"], direct.pairs, strict=True):
        assert (shown["first"], shown["second"]) == (pair.first, pair.second)
        assert (shown["value"], shown["se"]) == (pair.difference.value, pair.difference.se)
        ends = shown["interval"]
        assert (ends["low"], ends["high"]) == tuple(pair.difference.interval(0.95))
        assert shown["test"]["pvalue"] == pair.test.pvalue
        assert shown["adjusted_pvalue"] == pair.adjusted_pvalue
    gap = found["difference"]
    band = difference_band(cases, ("a", "b"), n_boot=60, rng=3)
    assert (gap["first"], gap["second"], gap["replicates"]) == ("a", "b", 60)
    for at in (3, 50, 97):
        low, high = band.at_fpr(gap["fpr"][at])
        assert gap["low"][at] == pytest.approx(low, abs=1e-12)
        assert gap["high"][at] == pytest.approx(high, abs=1e-12)
    inside = np.zeros(band.fpr.size, dtype=bool)
    for run in gap["differs"]:
        inside |= (band.fpr >= run["low"]) & (band.fpr <= run["high"])
    assert (inside == band.differs).all()
    prevalence = full["scores"][0]["prevalence"]
    tables_ = {name: cases.table(name) for name in cases.names}
    costs = relative_superiority(tables_, prevalence=prevalence)
    for share in np.linspace(0.013, 0.987, 41):
        shown = found["costs"]["best"][np.searchsorted(found["costs"]["share"], share) - 1]
        assert tuple(shown) == costs.best[np.searchsorted(costs.share, share) - 1]


def test_bands_are_those_of_the_direct_calls(full: dict[str, Any], cases: rs.PairedScores) -> None:
    at = np.linspace(0.02, 0.98, 49)
    for band in full["scores"][0]["bands"]:
        direct = roc_band(cases.table("a"), method=band["method"], n_boot=1000, rng=3)
        assert band["area"] == direct.area
        assert band["simultaneous"] == direct.simultaneous == (band["method"] != "vertical")
        area = [np.trapezoid(band[end]["tpr"], band[end]["fpr"]) for end in ("low", "high")]
        assert area[1] - area[0] == pytest.approx(direct.area, abs=0.002)
        low = np.interp(at, band["low"]["fpr"], band["low"]["tpr"])
        assert (low <= np.array([each.high for each in direct.at_fpr(at)]) + 0.001).all()


def test_granularities_are_those_of_the_direct_calls(
    full: dict[str, Any], cases: rs.PairedScores
) -> None:
    table, found = cases.table("b"), full["scores"][1]["granular"]
    assert found["range"] == table.score.max() - table.score.min()
    direct = granular_areas(table, found["areas"]["delta"])
    assert found["areas"]["low"] == direct.auc_low.tolist()
    assert found["areas"]["high"] == direct.auc_high.tolist()
    for curve in found["curves"]:
        one_delta = groc(table, curve["delta"])
        assert (curve["auc_low"], curve["auc_high"]) == (
            one_delta.auc_low,
            one_delta.auc_high,
        )
        shown = np.trapezoid(curve["high"]["tpr"], curve["high"]["fpr"])
        assert shown == pytest.approx(one_delta.auc_high, abs=0.003)


def test_folds_are_those_of_the_direct_calls(full: dict[str, Any], cases: rs.PairedScores) -> None:
    found = full["scores"][0]["folds"]
    folds = fold_tables(cases.label, cases.score[:, 0], FOLD)
    assert found["names"] == ["0", "1", "2", "3"]
    assert found["auc"] == [rs.auc(table) for table in folds.values()]
    assert found["mean"]["value"] == cv_auc_estimate(folds).value
    average = vertical_average(folds)
    assert found["average"]["tpr"] == average.tpr.tolist()
    assert found["average"]["low"] == average.interval(0.95).tpr_low.tolist()
    assert len(found["curves"]) == 4


def test_folds_without_a_class_are_counted() -> None:
    y = np.array([0, 1, 0, 1, 1, 1])
    data = rs.pair_scores(y, {"s": np.arange(6.0)})
    summary = summarise({"s": data.table("s")}, data=data, more=More(fold=list("aabbcc")))
    folds = summary["scores"][0]["folds"]
    assert (folds["single_class"], folds["auc"]) == (1, [1.0, 1.0, None])
    assert "comparison" not in summary
    alone = summarise({"s": data.table("s")}, data=data, more=More(fold=[1] * 6))
    assert alone["scores"][0]["folds"]["mean"] is alone["scores"][0]["folds"]["average"] is None


def test_what_cannot_be_worked_out_is_told_or_null() -> None:
    y = np.arange(40) % 2
    rng = np.random.default_rng(1)
    weight = rng.random(40)
    data = rs.pair_scores(
        y, {"a": rng.normal(size=40) + y, "b": rng.normal(size=40)}, sample_weight=weight
    )
    summary = summarise({name: data.table(name) for name in data.names}, data=data)
    gap = summary["comparison"]["difference"]
    band = difference_band(data, ("a", "b"), n_boot=gap["replicates"], rng=0)
    assert gap["high"][50] == band.at_fpr(gap["fpr"][50]).high
    errors = {band["method"]: band["error"] for band in summary["scores"][0]["bands"]}
    assert errors.pop("likelihood") is None
    assert all("importance weights" in error for error in errors.values())
    infinite = rs.tabulate([0, 1, 1], [-np.inf, 1, np.inf])
    assert summarise({"s": infinite}, more=More())["scores"][0]["granular"] is None
    tie = rs.tabulate([0, 1, 1], [2, 2, 2])
    assert summarise({"s": tie}, more=More())["scores"][0]["granular"] is None
    one_class = rs.tabulate([1, 1], [1, 2])
    assert list(summarise({"s": one_class}, more=More())["scores"][0]) == SCORE


def test_many_scores_are_compared_with_the_best(cases: rs.PairedScores) -> None:
    rng = np.random.default_rng(2)
    y = rng.random(60) < 0.5
    many = {f"s{i}": rng.normal(size=60) + (i == 4) * y for i in range(10)}
    data = rs.pair_scores(y, many)
    summary = summarise({name: data.table(name) for name in many}, data=data, more=More(n_boot=60))
    found = summary["comparison"]
    best = max(summary["scores"], key=lambda score: score["auc"]["value"])["name"]
    assert found["reference"] == best
    assert len(found["pairs"]) == 9
    with pytest.raises(ValueError, match=r"data has the scores s0, .* but the tables are those"):
        summarise({"other": data.table("s0")}, data=data)
    with pytest.raises(ValueError, match="Folds need the cases"):
        summarise({"s0": data.table("s0")}, more=More(fold=[1]))


def test_warnings_about_cases() -> None:
    rng = np.random.default_rng(4)
    y = rng.random(300) < 0.5
    scores = {"a": rng.normal(size=300) + y, "b": rng.normal(size=300) + y}

    def told(labels: Any, columns: dict[str, Any]) -> list[str]:
        data = rs.pair_scores(labels, columns)
        tables_ = {name: data.table(name) for name in columns}
        found = summarise(tables_, data=data, more=More(n_boot=60))["warnings"]
        return [each["code"] for each in found]

    assert told(y, scores) == []
    twice = {name: np.append(x, x[:30]) for name, x in scores.items()}
    assert told(np.append(y, y[:30]), twice) == ["duplicate_cases"]
    coarse = {name: np.round(x) for name, x in scores.items()}
    assert "duplicate_cases" not in told(y, coarse)
    assert told(y, {"a": scores["a"], "b": np.exp(scores["a"])}) == ["same_order"]
    numbered = rs.tabulate(y, np.arange(300) + 1)
    assert "looks_like_id" in codes(numbered)
    nearly = rs.tabulate(y, rng.normal(size=300) + 4.2 * y)
    assert codes(nearly) == ["nearly_perfect"]


def test_the_quoted_coverage_is_what_was_measured() -> None:
    measured = Path(__file__).parents[2] / "benchmarks" / "results" / "coverage.csv"
    with measured.open(newline="") as file:
        rows = list(csv.DictReader(file))

    def ends(*, section: str, interval: str, single: bool = False) -> tuple[str, str]:
        found = [
            float(row["coverage"])
            for row in rows
            if row["section"].startswith(section)
            and row["interval"] == interval
            and (single or not row["size"].startswith("1 +"))
        ]
        return f"{100 * min(found):.1f}", f"{100 * max(found):.1f}"

    said = {m["id"]: m["coverage"] for m in summarise(tables("fawcett20"))["methods"]}
    quoted = {
        "auc.interval": ("area", "delong unseen"),
        "operating_points.rates": ("rate", "clopper-pearson"),
    }
    for key, (section, interval) in quoted.items():
        exact = [r for r in rows if r["section"] == section]
        assert exact
        low, high = ends(section=section, interval=interval)
        assert f"{low} to {high} percent" in said[key], key
    low, high = ends(section="part of the area, fpr 0 to 0.1", interval="placements moderated")
    assert f"{low} to {high} percent" in said["partial_auc"]


# --- the curve and the histogram ------------------------------------------------------------------


steps = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any), min_size=2, max_size=120
)


@given(steps=steps, within=st.sampled_from([0.0005, 0.01, 0.05]), grid=st.integers(1, 30))
def test_no_point_left_out_is_far_from_what_is_drawn(
    steps: list[tuple[int, int]], within: float, grid: int
) -> None:
    xy = np.vstack([[0, 0], np.cumsum(steps, axis=0)]) + 0.0
    xy /= np.maximum(xy[-1], 1)
    x, y = xy.T
    marked = [len(x) // 2]
    kept = thin(x, y, within, marked, grid=grid)
    assert {0, len(x) - 1, *marked} <= set(kept.tolist())
    assert (np.diff(kept) > 0).all()
    for start, end in pairwise(kept.tolist()):
        for i in range(start + 1, end):
            assert distance(xy[i], xy[start], xy[end]) <= within + 1e-12


def distance(p: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """From a point to a segment, by the textbook."""
    t = np.clip((p - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return float(np.hypot(*(p - a - t * (b - a))))


def test_small_curves_are_kept_whole() -> None:
    table = tables("two_class_example")["Class1"]
    curve, whole = one(table)["curve"], rs.roc_curve(table)
    assert (curve["points"], curve["points_kept"], curve["thinning"]) == (500 + 1, 501, "none")
    assert curve["tpr"] == whole.tpr.tolist()
    assert curve["fp"] == whole.fp.tolist()


def test_large_curves_are_thinned_and_keep_the_operating_points() -> None:
    table = tables()["hgb"]
    score = one(table)
    curve = score["curve"]
    assert (curve["points"], curve["thinning"], curve["within"]) == (25589, "within", 0.0005)
    assert 300 < curve["points_kept"] == len(curve["fpr"]) < 1000
    drawn = np.interp(np.linspace(0, 1, 999), curve["fpr"], curve["tpr"])
    assert np.trapezoid(curve["tpr"], curve["fpr"]) == pytest.approx(rs.auc(table), abs=5e-4)
    assert (np.diff(drawn) >= 0).all()
    assert {p["threshold"] for p in score["operating_points"]} <= set(curve["threshold"])


def test_straight_runs_are_left_out_first() -> None:
    y = np.repeat([1, 0], 2000)
    curve = one(rs.tabulate(y, -np.arange(4000.0)))["curve"]
    assert (curve["points"], curve["thinning"]) == (4001, "collinear")
    assert {(0, 0), (0, 1), (1, 1)} <= set(zip(curve["fpr"], curve["tpr"], strict=True))
    assert curve["points_kept"] < 20


@given(
    values=st.lists(
        st.tuples(st.booleans(), st.floats(allow_nan=False, width=32)), min_size=1, max_size=60
    )
)
def test_histograms_count_everybody_once(values: list[tuple[bool, float]]) -> None:
    y, x = (np.array(column) for column in zip(*values, strict=True))
    table = rs.tabulate(y, x.astype(np.float64))
    shown = one(table)["histogram"]
    if shown is None:
        assert not np.isfinite(x).any()
        return
    edges = np.array(shown["edges"])
    assert (np.diff(edges) > 0).all()
    assert len(edges) - 1 == len(shown["pos"]) <= 60
    for key, total in (("pos", table.n_pos), ("neg", table.n_neg)):
        assert sum(shown[key]) + sum(each[key] for each in shown["outside"].values()) == total
    inside = x[np.isfinite(x) & (x >= edges[0]) & (x <= edges[-1])].astype(np.float64)
    both = np.add(shown["pos"], shown["neg"])
    assert both.tolist() == np.histogram(inside, edges)[0].tolist()


def test_edges_are_round_numbers() -> None:
    assert bin_edges(0.003, 0.998, 20, whole=False).tolist() == [i / 20 for i in range(21)]
    assert bin_edges(1, 5, 12, whole=True).tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert bin_edges(7, 7, 12, whole=True).tolist() == [6.5, 7.5]


def test_a_few_scores_far_out_do_not_hide_the_rest() -> None:
    rng = np.random.default_rng(1)
    x = np.append(rng.normal(size=2000), 1e9)
    shown = one(rs.tabulate(np.append(rng.random(2000) < 0.4, True), x))["histogram"]
    assert shown["edges"][-1] < 5
    assert shown["outside"]["above"]["pos"] >= 1


# --- warnings and methods -------------------------------------------------------------------------


def test_warnings_name_what_matters() -> None:
    rng = np.random.default_rng(0)
    y, noise = np.arange(400) % 2, rng.normal(size=400)
    assert codes(rs.tabulate(y, noise + 2 * y)) == []
    assert codes(rs.tabulate(y[:8], noise[:8] + y[:8] / 5)) == ["few_positives", "few_negatives"]
    assert codes(rs.tabulate(y, 1.0 * y)) == ["score_is_label"]
    assert codes(rs.tabulate(y, np.arange(400) + 1e3 * y)) == ["perfect_separation"]
    assert codes(rs.tabulate(y, noise - 2 * y)) == ["below_chance"]
    assert codes(rs.tabulate(y, np.ones(400))) == ["single_score"]
    assert codes(rs.tabulate(y, np.round(noise / 2 + y / 2))) == ["heavy_ties"]
    rare = np.arange(5000) < 20
    assert codes(rs.tabulate(rare, rng.normal(size=5000) + rare)) == ["rare_class"]
    assert codes(rs.tabulate(y, noise + y), source={"dropped": {"a": 2}}) == ["dropped_rows"]
    assert codes(rs.tabulate(y, noise + y), source={"counting": {"score": "binned"}}) == ["binned"]


def test_what_is_true_of_all_scores_is_said_once() -> None:
    table = rs.tabulate([0, 0, 1, 1], [1.0, 2, 3, 4])
    summary = summarise({"a": table, "b": table})
    few = [each["score"] for each in summary["warnings"] if each["code"].startswith("few")]
    assert few == [None, None]
    other = summarise({"a": table, "b": rs.tabulate([0, 1, 1], [1, 2, 3])})
    assert other["warnings"][0]["code"] == "different_cases"


def test_the_advice_fits_the_direction() -> None:
    lower = rs.tabulate([0, 1] * 50, [0, 1] * 50, higher_is_positive=False)
    higher = rs.tabulate([0, 1] * 50, [1, 0] * 50)
    summary = summarise({"s": lower, "it's": higher})
    turn = {
        w["score"]: w["higher_is_positive"]
        for w in summary["warnings"]
        if w["code"] == "below_chance"
    }
    assert turn == {"s": True, "it's": False}
    assert "is_positive" not in json.dumps([w["message"] for w in summary["warnings"]])
    page = unescape(render_html(summary))
    assert "higher_is_positive=True in Python, without --lower-is-positive s in a shell." in page
    assert "higher_is_positive=False in Python, --lower-is-positive 'it'\"'\"'s' in" in page


def test_the_python_lines_reproduce_the_numbers() -> None:
    data = datasets.load("fawcett20")
    source = {"file": "my file.csv", "label": "label", "positive": 1}
    table = rs.tabulate(data.y_true, data.y_score)
    summary = summarise({"score": table}, source=source)
    score = summary["scores"][0]
    lines = {each["id"]: each["python"] for each in summary["methods"]}
    names: dict[str, Any] = {"rs": rs, "data": data.columns}
    exec(lines.pop("table"), names)
    assert names["table"] == table
    (names["point"],) = rs.optimal_points(table)
    got = {key: eval(line, names) for key, line in lines.items()}
    assert got["auc"] == score["auc"]["value"]
    assert got["auc.interval"].low == score["auc"]["interval"]["low"]
    assert got["auc.bounds"].high == score["auc"]["bounds"]["high"]
    assert got["auc.test"].pvalue == score["auc"]["test"]["pvalue"]
    partial = score["partial_auc"][0]
    assert got["partial_auc"] == (partial["value"], partial["standardised"])
    for key in ("gini", "ks", "youden", "eer", "closest_to_perfect"):
        assert got[key] == score[key]
    point = score["operating_points"][0]
    assert got["operating_points.youden"][0][0].threshold == point["threshold"]
    assert got["operating_points.rates"].low == point["rates"]["tpr"]["low"]
    assert got["operating_points.ratios"].low == point["rates"]["lr_positive"]["low"]
    assert got["histogram"] == score["histogram"]
    assert len(got["curve"]) == score["curve"]["points"]


def test_the_shell_lines_quote_what_they_must() -> None:
    table = rs.tabulate([0, 1], [2, 1], higher_is_positive=False)
    source: dict[str, Any] = {
        "file": "my file.csv",
        "label": "it's",
        "positive": "$(rm x)",
        "weight": "w",
    }
    source["dropped"] = {"w": 3}
    methods = summarise({"a b": table}, source=source, level=0.9)["methods"]
    line = {each["id"]: each["shell"] for each in methods}["auc.interval"]
    assert line == (
        """rocspace auc 'my file.csv' --label 'it'"'"'s' --positive '$(rm x)' --score 'a b' """
        "--weight w --lower-is-positive 'a b' --missing omit --level 0.9"
    )
