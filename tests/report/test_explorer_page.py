"""The explorer in a browser: Python's numbers, typed choices, links, pictures, sorted tables."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import rocspace as rs
from pages import Opened
from rocspace._base import text as words
from rocspace.inference import likelihood_ratio_interval, predictive_value_interval
from rocspace.operating import Costs, optimal_points
from rocspace.report import summarise, write_html
from rocspace.results import OperatingPoint

playwright = pytest.importorskip("playwright.sync_api")

N = 6000


def tables() -> dict[str, rs.ScoreTable]:
    """A score that is thinned for drawing, one whose low values are positive, and weights."""
    rng = np.random.default_rng(6)
    y = rng.random(N) < 0.1
    chance = 1 / (1 + np.exp(2 + rng.normal(size=N) - 2 * y))
    chance[np.flatnonzero(~y)[0]] = 0.9999  # the highest score is a negative's
    blur = 0.2 * rng.normal(size=N)
    noise, weight = rng.normal(size=40), rng.integers(1, 4, 40) / 2
    return {
        "chance": rs.tabulate(y, chance),
        "low, =1+1": rs.tabulate(
            y[:400], -(chance + blur)[:400].round(3), higher_is_positive=False
        ),
        "weighted": rs.tabulate(np.arange(40) % 3 == 0, noise, sample_weight=weight),
    }


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("explorer") / "page.html"
    return write_html(summarise(tables(), source={"file": "some data.csv"}), path)


@pytest.fixture(scope="module")
def opened(browser: Any, page_file: Path) -> Iterator[Opened]:
    found = Opened(browser, page_file)
    yield found
    assert found.complaints == []
    found.context.close()


@pytest.fixture(autouse=True)
def back_to_the_data(opened: Opened) -> None:
    opened.page.click("#reset")
    opened.page.select_option("#rate", "fpr")
    if opened.page.input_value("#which") != "0":
        opened.page.select_option("#which", "0")
    opened.settle()


def scores(opened: Opened) -> list[dict[str, Any]]:
    found = json.loads(opened.page.eval_on_selector("#drawn", "node => node.textContent"))
    return list(found["scores"])


# --- numbers --------------------------------------------------------------------------------------

TRICKY = [
    0.0,
    1.0,
    0.5,
    0.0625,
    0.1235,
    0.9994,
    0.9996,
    0.99999999,
    1e-3,
    4.9e-5,
    1e-9,
    1 / 3,
    0.0099,
]
LARGE = [999.6, 1000.0, 1234.5, 12.0, 123456.7, 3.2e8, 1e-5, 0.2, 99.95]


def test_numbers_have_the_texts_of_python(opened: Opened) -> None:
    rng = np.random.default_rng(0)
    shares = [*TRICKY, *(-x for x in TRICKY[2:]), *rng.random(200).tolist()]
    sizes = [*LARGE, *(10 ** rng.uniform(-4, 6, 100)).tolist()]
    counts = [0, 7, 999, 1000, 1234567, 0.5, 12.25, 1234.56]
    ends = [sorted(pair) for pair in itertools.combinations([*TRICKY, 0.25, 0.251, 0.99951], 2)]
    ends += [sorted(pair) for pair in itertools.combinations(LARGE, 2)]
    for function, python, values in (
        ("share", words.share, shares),
        ("percent", words.percent, [x for x in shares if x >= 0]),
        ("general", words.general, sizes),
        ("count", words.count, counts),
    ):
        got = opened.page.evaluate(f"values => values.map((x) => {function}(x))", values)
        assert got == [python(x) for x in values], function
    got = opened.page.evaluate("ends => ends.map(([a, b]) => interval(a, b))", ends)
    assert got == [words.interval(*pair) for pair in ends]


def test_limits_of_rates_are_those_of_python(opened: Opened) -> None:
    sizes = [1, 2, 10, 37.5, 400, 10**6]
    cases = [
        (x, n) for n in sizes for x in {0, n, n / 2, min(1, n), max(n - 1, 0), 0.01 * n, 0.999 * n}
    ]
    for level in (0.95, 0.5, 0.999):
        got = opened.page.evaluate(
            "([cases, level]) => cases.map(([x, n]) => rateLimits(x, n, level))", [cases, level]
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of less than one success
            wanted = [list(rs.rate_interval(x, n, level=level)) for x, n in cases]
        np.testing.assert_allclose(got, wanted, rtol=1e-8, atol=1e-12)
    assert opened.page.evaluate("rateLimits(0, 0, 0.95)") == [0, 1]


@pytest.mark.parametrize("sizes", [(10, 10), (5, 4000), (300, 200), (12.5, 80.25)])
def test_ratios_and_predictive_values_have_the_limits_of_python(
    opened: Opened, sizes: tuple[float, float]
) -> None:
    pos, neg = sizes
    for t, f, p in itertools.product((0, 0.2, 0.5, 1), (0, 0.1, 0.5, 1), (0.001, 0.3)):
        cells = {"tp": t * pos, "fn": (1 - t) * pos, "fp": f * neg, "tn": (1 - f) * neg}
        point = OperatingPoint(threshold=0.5, next_score=0.4, n_eff=sizes, **cells)
        got = opened.page.evaluate(
            "([rates, sizes, p]) => Object.entries(certainty(rates, sizes, p, 0.95))"
            ".map(([name, [, ends]]) => [name, ends.map(String)])",
            [[f, t], sizes, p],
        )
        wanted = {
            **{name: rs.point_interval(point, name) for name in ("tpr", "fpr", "tnr", "fnr")},
            "lrPositive": likelihood_ratio_interval(point, "positive"),
            "lrNegative": likelihood_ratio_interval(point, "negative"),
            "ppv": predictive_value_interval(point, "ppv", prevalence=p),
            "npv": predictive_value_interval(point, "npv", prevalence=p),
        }
        assert {name for name, _ in got} == set(wanted)
        for name, ends in got:
            said = [float(end.replace("Infinity", "inf")) for end in ends]
            np.testing.assert_allclose(
                said, list(wanted[name]), rtol=1e-7, atol=1e-10, err_msg=name
            )


def test_the_read_out_has_the_intervals_of_the_library(opened: Opened) -> None:
    for which, table in enumerate(sorted(tables().values(), key=rs.auc)[::-1]):
        opened.page.select_option("#which", str(which))
        score = scores(opened)[which]
        i = score["youden"]
        opened.type("threshold", score["threshold"][i])
        opened.type("prevalence", "2 %")
        point = rs.point_at(table, float(score["exact"][i]))
        said = opened.text("#readout")
        for name, interval in (
            ("TPR", rs.point_interval(point, "tpr")),
            ("FPR", rs.point_interval(point, "fpr")),
            ("Precision (PPV)", predictive_value_interval(point, "ppv", prevalence=0.02)),
            ("NPV", predictive_value_interval(point, "npv", prevalence=0.02)),
        ):
            assert f" {words.interval(*interval)} " in said[said.index(name) :], name
    opened.page.select_option("#which", "0")


# --- the state -----------------------------------------------------------------------------------


def cheapest(table: rs.ScoreTable, prevalence: float, ratio: float) -> float:
    costs = Costs(fp=1, fn=ratio)
    return optimal_points(table, criterion="cost", costs=costs, prevalence=prevalence)[0].threshold


def alike(table: rs.ScoreTable, *thresholds: float) -> bool:
    """Tell whether thresholds make the same decisions."""
    points = [rs.point_at(table, each) for each in thresholds]
    return len({(each.tp, each.fp) for each in points}) == 1


def test_it_opens_at_the_least_cost_and_follows_it(opened: Opened) -> None:
    table = tables()["chance"]
    assert opened.page.is_checked("#follow")
    prevalence = table.n_pos / N
    shown = float(opened.text("#code-shell").rsplit(" ", 1)[1])
    assert alike(table, shown, cheapest(table, prevalence, table.n_neg / table.n_pos))
    assert f"≥ {opened.text('#code-shell').rsplit(' ', 1)[1]} " in opened.text("#readout")
    assert "least cost" in opened.text("#readout .who")
    opened.type("ratio", "7")
    shown = float(opened.text("#code-shell").rsplit(" ", 1)[1])
    assert alike(table, shown, cheapest(table, prevalence, 7))
    opened.page.press("#threshold", "ArrowRight")
    opened.settle()
    assert not opened.page.is_checked("#follow")
    assert "yours" in opened.text("#readout .who")
    kept = opened.text("#code-shell")
    opened.type("ratio", "1/7")
    assert opened.text("#code-shell") == kept
    opened.page.check("#follow")
    opened.settle()
    assert opened.text("#code-shell") != kept


def test_it_opens_at_the_threshold_of_the_first_lines(opened: Opened) -> None:
    for which, score in enumerate(scores(opened)):
        opened.page.select_option("#which", str(which))
        assert int(opened.best()["point"]) == score["youden"]
        ratio = score["n_neg"] / score["n_pos"]
        assert float(opened.best()["ratio"]) == pytest.approx(ratio, rel=1e-12)
        assert "negatives for each positive in the data" in opened.text("#ratio-said")
    opened.page.select_option("#which", "0")
    opened.settle()
    numbers = r"([\d,]+) are called positive[:,] ([\d,]+)"
    first, told = (re.search(numbers, opened.text(part)) for part in (".readers", "#readout"))
    assert first is not None
    assert told is not None
    assert first.groups() == told.groups()
    opened.type("ratio", "7")
    assert "in the data" not in opened.text("#ratio-said")
    opened.type("ratio", "")
    assert "in the data" in opened.text("#ratio-said")


def test_where_nobody_should_be_called_it_says_when_that_ends(opened: Opened) -> None:
    opened.type("prevalence", "0.0001")
    said = opened.text("#best")
    assert "Least cost: call no case positive" in said
    ratio = float(said.split("costs more than ")[1].split(" false")[0].replace(",", ""))
    opened.type("ratio", str(ratio * 1.01))
    assert "Least cost: score ≥ " in opened.text("#best")
    opened.type("ratio", str(ratio * 0.99))
    assert "Least cost: call no case" in opened.text("#best")


def test_the_slider_has_the_direction_of_the_axis_below(opened: Opened) -> None:
    for which in range(3):
        opened.page.select_option("#which", str(which))
        score = scores(opened)[which]
        last = len(score["exact"]) - 1
        seen = []
        for at in (1, last // 2, last - 1):
            opened.slide("threshold", at)
            seen.append(float(opened.text("#code-shell").rsplit(" ", 1)[1]))
        assert seen == sorted(seen)
        assert seen[0] < seen[2]


@pytest.mark.parametrize("asked", [0.5, 0.25, 0.1, 0.03, 0.9, 7.0, -7.0])
def test_a_typed_round_threshold_gives_its_counts(opened: Opened, asked: float) -> None:
    opened.type("threshold", str(asked))
    point = rs.point_at(tables()["chance"], asked)
    for cell in ("tp", "fp", "fn", "tn"):
        assert opened.text(f"#cell-{cell}").startswith(f"{getattr(point, cell):,} ")
    assert "This page holds" not in opened.text("#threshold-said")


def test_a_typed_threshold_that_the_page_lacks_is_told_from_its_neighbour(opened: Opened) -> None:
    table = tables()["chance"]
    drawn = {float(x) for x in scores(opened)[0]["exact"]}
    lacking = next(x for x in table.score[table.score.size // 2 :].tolist() if x not in drawn)
    opened.type("threshold", repr(lacking))
    said = opened.text("#threshold-said")
    most = int(said.split("at most ")[1].split(" ")[0])
    shown = float(opened.text("#code-shell").rsplit(" ", 1)[1])
    asked, given = (rs.point_at(table, x) for x in (lacking, shown))
    assert 0 < abs(asked.tp + asked.fp - given.tp - given.fp) <= most


def test_every_number_between_two_stops_of_a_whole_curve_gives_the_same_counts(
    opened: Opened,
) -> None:
    which = next(i for i, score in enumerate(scores(opened)) if score["name"] == "low, =1+1")
    opened.page.select_option("#which", str(which))
    table = tables()["low, =1+1"]
    values = np.sort(table.score)
    for low, high in itertools.pairwise(values[:: values.size // 6]):
        opened.type("threshold", str((low + high) / 2))
        point = rs.point_at(table, (low + high) / 2)
        assert opened.text("#cell-tp").startswith(f"{point.tp:,} ")
        assert opened.text("#cell-fp").startswith(f"{point.fp:,} ")
    opened.page.select_option("#which", "0")


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("threshold", "half", "“half” is not a number. Type a threshold such as"),
        ("threshold", "0,5", "“0,5” is not a number"),
        ("prevalence", "1.5", "“1.5” is not a prevalence. Type a number between 0 and 1"),
        ("prevalence", "-2 %", "is not a prevalence"),
        ("prevalence", "NaN", "is not a prevalence"),
        ("ratio", "0", "“0” is not a cost. Type a number above 0"),
        ("ratio", "inf", "is not a cost"),
        ("ratio", "<b>1</b>", "“<b>1</b>” is not a cost"),
    ],
)
def test_bad_input_says_so_and_changes_nothing(
    opened: Opened, name: str, typed: str, said: str
) -> None:
    before = opened.text("#readout"), opened.best()
    opened.type(name, typed)
    assert said in opened.text(f"#{name}-bad")
    assert opened.page.get_attribute(f"#{name}-typed", "aria-invalid") == "true"
    assert (opened.text("#readout"), opened.best()) == before
    opened.page.press(f"#{name}-typed", "Escape")
    assert not opened.page.is_visible(f"#{name}-bad")
    assert opened.page.input_value(f"#{name}-typed") != typed


def address(opened: Opened) -> str:
    opened.page.wait_for_timeout(250)
    return str(opened.page.evaluate("location.hash"))


def test_a_copied_link_opens_the_same_view(browser: Any, opened: Opened, page_file: Path) -> None:
    assert "?" not in address(opened)
    opened.page.select_option("#which", "1")
    opened.type("prevalence", "0.021")
    opened.type("ratio", "12")
    opened.slide("threshold", 9)
    opened.page.select_option("#rate", "specificity")
    opened.settle()
    link = address(opened)
    assert "data" not in link
    assert not any(score["name"][:4] in link for score in scores(opened))
    other = Opened(browser, page_file, link)
    for part in ("#readout", "#best", "#measures", "#code", "#controls"):
        assert other.text(part) == opened.text(part), part
    assert other.page.input_value("#which") == "1"
    assert other.page.evaluate("scrollY") > 100
    assert other.complaints == []
    other.context.close()
    opened.page.evaluate("location.hash = '#explorer?prevalence=0.5&cost=3&score=1'")
    opened.settle()
    assert opened.best()["prevalence"] == "0.5"
    assert opened.page.input_value("#which") == "0"
    opened.page.evaluate("location.hash = '#areas'")
    assert address(opened).startswith("#areas?prevalence=0.5")


def test_a_broken_link_opens_the_page(browser: Any, page_file: Path) -> None:
    other = Opened(browser, page_file, "#explorer?at=x&prevalence=7&cost=-1&score=99")
    for link in ("#a?%E0%A4%A", "#?=&&=", "#explorer?at=&rate=<b>"):
        assert other.page.is_checked("#follow")
        assert "as in the data" in other.text("#prevalence-said")
        other.page.evaluate("link => { location.hash = link; }", link)
        other.settle()
    assert other.page.input_value("#rate") == "fpr"
    assert other.complaints == []
    other.context.close()


def test_one_switch_names_specificity_everywhere(opened: Opened) -> None:
    titles = "[data-chart] svg text"
    before = opened.page.eval_on_selector_all(titles, "nodes => nodes.map(n => n.textContent)")
    assert "False positive rate" in before
    fpr = opened.text("#readout").split("FPR ")[1].split(" ")[0]
    opened.page.select_option("#rate", "specificity")
    playwright.expect(opened.page.locator('[data-chart="roc"]')).to_contain_text("Specificity")
    playwright.expect(opened.page.locator('[data-chart="cost"] svg')).to_be_visible()
    after = opened.page.eval_on_selector_all(titles, "nodes => nodes.map(n => n.textContent)")
    assert "Specificity" in after
    assert "Sensitivity" in after
    assert not {"False positive rate", "True positive rate"} & set(after)
    said = opened.text("#readout")
    assert "FPR" not in said
    assert float(said.split("Specificity ")[1].split(" ")[0]) == pytest.approx(1 - float(fpr))
    assert "rate=specificity" in address(opened)


# --- keyboard, pictures and tables -------------------------------------------------------------


def test_the_keyboard_reaches_every_control_in_order_and_shows_where_it_is(opened: Opened) -> None:
    opened.page.focus("#which")
    seen = []
    for _ in range(12):
        name, outline = opened.page.evaluate(
            """() => [document.activeElement.id || document.activeElement.dataset.chart,
                getComputedStyle(document.activeElement).outlineStyle]"""
        )
        assert outline != "none", name
        seen.append(name)
        opened.page.keyboard.press("Tab")
    wanted = ["which", "rate", "threshold", "threshold-typed", "prevalence", "prevalence-typed"]
    assert seen[:11] == [*wanted, "ratio", "ratio-typed", "follow", "reset", "roc"]


def test_arrow_keys_move_sliders_and_the_curve(opened: Opened) -> None:
    for name in ("threshold", "prevalence", "ratio"):
        before = float(opened.page.input_value(f"#{name}"))
        opened.page.press(f"#{name}", "ArrowRight")
        opened.settle()
        assert float(opened.page.input_value(f"#{name}")) > before
    opened.page.focus('[data-chart="roc"]')
    opened.page.keyboard.press("Home")
    opened.settle()
    assert opened.text("#cell-tp").startswith("0 ")
    opened.page.keyboard.press("End")
    opened.settle()
    assert opened.text("#cell-tn").startswith("0 ")


def test_charts_keep_their_descriptions(opened: Opened) -> None:
    with opened.unfolded():
        charts = opened.page.eval_on_selector_all(
            "[data-chart]", "nodes => nodes.map(n => [n.role, n.getAttribute('aria-label')])"
        )
    assert len(charts) >= 6
    assert {role for role, _ in charts} == {"img", "application"}
    assert all(len(label) > 30 and "Vega" not in label for _, label in charts)


def test_all_scores_are_in_the_linked_graphs(opened: Opened) -> None:
    for name in ("pr", "det", "cost"):
        colours = opened.page.eval_on_selector_all(
            f'[data-chart="{name}"] svg g.mark-line path',
            "nodes => nodes.map(n => n.getAttribute('stroke'))",
        )
        assert {f"var(--score-{i})" for i in (1, 2, 3)} <= set(colours), name


@pytest.mark.parametrize("name", ["roc", "cost", "histogram"])
def test_a_chart_is_saved_as_it_looks(opened: Opened, name: str, tmp_path: Path) -> None:
    buttons = opened.page.locator(f'[data-chart="{name}"] + .save button')
    with opened.page.expect_download() as waiting:
        buttons.nth(0).click()
    assert waiting.value.suggested_filename == f"some-data-csv-{name}.svg"
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert "var(" not in text
    picture = ElementTree.fromstring(text)
    assert picture.tag.endswith("svg")
    assert len([each for each in picture.iter() if each.tag.endswith("path")]) > 3
    with opened.page.expect_download() as waiting:
        buttons.nth(1).click()
    pixels = Path(waiting.value.path()).read_bytes()
    assert pixels.startswith(b"\x89PNG")
    assert len(pixels) > 5000


def table_of(opened: Opened, selector: str) -> list[list[str]]:
    with opened.page.expect_download() as waiting:
        opened.page.locator(f"{selector} .save button, {selector} + .save button").first.click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def test_a_table_is_saved_with_plain_numbers(opened: Opened) -> None:
    head, *rows = table_of(opened, "section[aria-labelledby=areas]")
    assert {len(row) for row in rows} == {len(head)}
    assert {row[0] for row in rows} == {"chance", "low, =1+1", "weighted"}
    found = {row[0]: float(row[1]) for row in rows}
    for name, table in tables().items():
        assert found[name] == pytest.approx(rs.auc(table), abs=6e-4)


def test_each_value_of_a_saved_table_has_a_column_with_a_name(opened: Opened) -> None:
    """Two values of a cell once ran together, as 0.0440.9985, and heads did so too."""
    head, *rows = table_of(opened, "section[aria-labelledby=areas]")
    assert head[:4] == ["Score", "AUC", "95 % CI low", "95 % CI high"]
    assert not [name for name in head if "note" in name or "drawn" in name]
    for row in rows:
        assert float(row[2]) <= float(row[1]) <= float(row[3])
    head, row = opened.page.evaluate(
        """() => {
          const table = document.createElement("table");
          table.innerHTML = `<thead><tr><th>Score</th><th>1 %<small>PPV, NPV</small></th>
            <th>Slope<small>ideal 1</small></th><th>drawn</th></tr></thead><tbody><tr><th>a</th>
            <td>0.044<small>0.043 to 0.046</small>0.9985<small>0.998 to 1</small></td>
            <td>−1.01<small>−2 to ∞</small><small>p = 0.32</small></td><td><svg></svg></td></tr>
            </tbody>`;
          document.body.append(table);
          const rows = rowsOf(table);
          table.remove();
          return rows;
        }"""
    )
    ends = ["", " low", " high"]
    assert head[1:7] == [f"1 % {which}{end}" for which in ("PPV", "NPV") for end in ends]
    assert row[1:7] == ["0.044", "0.043", "0.046", "0.9985", "0.998", "1"]
    assert head[7:] == ["Slope", "Slope low", "Slope high", "Slope p"]
    assert row[7:] == ["-1.01", "-2", "inf", "0.32"]


def test_tables_sort_by_click_and_by_key(opened: Opened) -> None:
    table = "section[aria-labelledby=areas] table"
    names = f"{table} tbody th .name"

    def order() -> list[str]:
        return opened.page.eval_on_selector_all(names, "nodes => nodes.map(n => n.textContent)")

    first = order()
    head = opened.page.locator(f"{table} thead th").nth(0)
    head.locator("button").focus()
    opened.page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert order() == sorted(first)
    opened.page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "descending"
    assert order() == sorted(first)[::-1]
    area = opened.page.locator(f"{table} thead th").nth(1)
    area.locator("button").click()
    area.locator("button").click()
    assert area.get_attribute("aria-sort") == "descending"
    assert head.get_attribute("aria-sort") is None
    assert order() == first


def test_a_name_is_no_formula_in_a_spreadsheet(opened: Opened) -> None:
    written = opened.page.evaluate(
        """async () => [...new Uint8Array(await csv(
          [["=1+1", "-2", "−a", "@x", 'say "hi"', "a,b", "-cmd"]]).arrayBuffer())]"""
    )
    assert bytes(written).decode() == '\ufeff\'=1+1,-2,−a,\'@x,"say ""hi""","a,b",\'-cmd\r\n'


def test_a_threshold_among_ratings_is_drawn_between_their_bars(
    browser: Any, tmp_path: Path
) -> None:
    """A bar is a rating; a line through its middle would say that it is called both ways."""
    data = rs.datasets.load("hanley_mcneil")
    low = rs.tabulate(data.y_true, 6 - data["rating"], higher_is_positive=False)
    found = {"rating": rs.tabulate(data.y_true, data["rating"]), "low": low}
    ratings = Opened(browser, write_html(summarise(found), tmp_path / "ratings.html"))
    for which, typed, edge in (("0", "4", 3), ("0", "2", 1), ("0", "1", 0), ("1", "2", 2)):
        ratings.page.select_option("#which", which)
        ratings.settle()
        ratings.type("threshold", typed)
        assert rule_place(ratings) == pytest.approx(edge / 5, abs=1e-9), (which, typed)
    assert ratings.complaints == []
    ratings.context.close()


def rule_place(opened: Opened) -> float:
    """Where the threshold stands among the scores, as a share of the width."""
    lines = opened.page.eval_on_selector_all(
        '[data-chart="histogram"] svg g.mark-rule line[y2="210"]',
        "nodes => nodes.map(n => n.getAttribute('transform'))",
    )
    (at,) = [float(re.findall(r"[-\d.]+", each)[0]) for each in lines]
    across = opened.page.eval_on_selector_all(
        '[data-chart="histogram"] svg g.mark-rule line',
        "nodes => nodes.map(n => Number(n.getAttribute('x2')))",
    )
    return at / max(across)
