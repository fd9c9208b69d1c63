"""The report in a real browser: offline, without a console error, and telling the truth.

Chromium is Debian's, driven by Playwright; CI installs it. Where there is none the tests are
skipped.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from pages import Opened
from printed import RASTER, emptiness
from rocspace import datasets
from rocspace._base.text import share
from rocspace.multiclass import multiclass_scores
from rocspace.operating import Costs, optimal_points
from rocspace.report import More, summarise, write_html

playwright = pytest.importorskip("playwright.sync_api")


def tables(name: str) -> dict[str, rs.ScoreTable]:
    data = datasets.load(name)
    return {score: rs.tabulate(data.y_true, data.columns[score]) for score in data.scores}


@cache
def adult_summary() -> dict[str, Any]:
    data = datasets.load("adult_scores")
    cases = rs.pair_scores(data.y_true, {name: data.columns[name] for name in data.scores})
    source = {"file": "adult.csv", "label": "label", "positive": 1}
    more = More(fold=np.arange(len(cases)) % 5, n_boot=60, progress=False)
    return summarise(tables("adult_scores"), data=cases, more=more, source=source)


@pytest.fixture(scope="module")
def adult(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    path = tmp_path_factory.mktemp("report") / "adult.html"
    write_html(adult_summary(), path)
    opened = Opened(browser, path)
    yield opened
    opened.context.close()


def test_it_opens_offline_without_a_complaint(adult: Opened) -> None:
    assert adult.complaints == []
    charts = adult.page.locator("[data-chart] svg")
    drawn = charts.count()
    with adult.unfolded():
        # Of the overview, the explorer, both scores, five of uncertainty, six of use.
        assert charts.count() == 19
    assert drawn == 16  # the second score's and those of granularity when they are unfolded
    assert adult.complaints == []


# Sliders, as log odds and powers of ten.
MOVES = [(0.0, 0.0), (-3.0, 1.0), (2.5, -0.7), (-1.15, 2.2), (-6.0, 0.3), (0.4, -2.9)]


@pytest.mark.parametrize(("log_odds", "power"), MOVES)
def test_the_marked_threshold_is_the_one_that_operating_chooses(
    adult: Opened, log_odds: float, power: float
) -> None:
    adult.slide("prevalence", log_odds)
    adult.slide("ratio", power)
    for which, table in enumerate(sorted(tables("adult_scores").values(), key=rs.auc)[::-1]):
        adult.page.select_option("#which", str(which))
        best = adult.best()
        prevalence, ratio = float(best["prevalence"]), float(best["ratio"])
        assert prevalence == pytest.approx(1 / (1 + np.exp(-log_odds)), rel=1e-9)
        assert ratio == pytest.approx(10**power, rel=1e-9)
        costs = Costs(fp=1, fn=ratio)
        wanted = optimal_points(table, criterion="cost", costs=costs, prevalence=prevalence)
        assert float(best["threshold"]) == wanted[0].threshold
    adult.page.select_option("#which", "0")
    adult.page.click("#reset")


def test_one_threshold_moves_through_every_graph(adult: Opened) -> None:
    table = tables("adult_scores")["hgb"]
    last = int(adult.page.get_attribute("#threshold", "max") or 0)
    for at in (0, last // 3, last // 2, last):
        adult.slide("threshold", at)
        assert not adult.page.is_checked("#follow")
        shell = adult.text("#code-shell")
        threshold = float(shell.rsplit(" ", 1)[1])
        point = rs.point_at(table, threshold)
        counts = f"{point.tp:,} of {table.n_pos:,} positives"
        assert counts in adult.text("#readout")
        for cell in ("tp", "fp", "fn", "tn"):
            assert adult.text(f"#cell-{cell}").startswith(f"{getattr(point, cell):,}")
        picked = {
            name: adult.page.evaluate(
                f"""() => {{
                  const marks = document.querySelectorAll('[data-chart="{name}"] svg path');
                  return [...marks].filter(m => m.getAttribute('fill') === 'var(--ink)').length;
                }}"""
            )
            for name in ("pr", "det", "cost")
        }
        assert all(picked.values()), picked
    adult.page.click("#reset")


def test_precision_follows_the_prevalence(adult: Opened) -> None:
    point = optimal_points(tables("adult_scores")["hgb"])[0]
    adult.type("threshold", repr(point.threshold))
    adult.slide("prevalence", -2.0)
    share = 1 / (1 + np.exp(2.0))
    wanted = share * point.tpr / (share * point.tpr + (1 - share) * point.fpr)
    assert f"Precision (PPV) {wanted:.3f}" in adult.text("#readout")
    adult.page.click("#reset")
    adult.type("threshold", repr(point.threshold))
    wanted = point.tp / (point.tp + point.fp)
    assert f"Precision (PPV) {wanted:.3f}" in adult.text("#readout")
    adult.page.click("#reset")


def test_hovering_shows_counts_and_a_click_keeps_them(adult: Opened) -> None:
    chart, readout = adult.page.locator('[data-chart="roc"] svg'), adult.page.locator("#readout")
    point = optimal_points(tables("adult_scores")["hgb"])[0]
    adult.type("threshold", repr(point.threshold))
    before = adult.text("#readout")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    inside = {"x": 0.35 * box["width"], "y": 0.1 * box["height"]}
    chart.hover(position=inside, force=True)
    playwright.expect(readout).not_to_contain_text("largest Youden index")
    hovered = adult.text("#readout dl")
    assert "of 7,841 positives" in hovered
    assert "where you point" in adult.text("#readout .who")
    adult.page.mouse.move(5, 5)
    playwright.expect(readout).to_contain_text("largest Youden index")
    assert adult.text("#readout") == before
    chart.click(position=inside, force=True)
    adult.page.mouse.move(5, 5)
    playwright.expect(readout).not_to_contain_text("largest Youden index")
    assert adult.text("#readout dl") == hovered
    assert "yours" in adult.text("#readout .who")
    adult.page.click("#reset")


def test_the_keyboard_walks_along_the_curve(adult: Opened) -> None:
    adult.page.focus('[data-chart="roc"]')
    start = int(adult.page.input_value("#threshold"))
    adult.page.keyboard.press("ArrowRight")  # more cases are called: a lower threshold
    adult.settle()
    assert int(adult.page.input_value("#threshold")) == start - 1
    adult.page.keyboard.press("ArrowDown")
    assert adult.page.input_value("#which") == "1"
    assert "logreg" in adult.text("#readout")
    adult.page.keyboard.press("ArrowUp")
    said = adult.page.get_attribute("#threshold", "aria-valuetext") or ""
    assert said.startswith("score ≥ ")
    adult.page.click("#reset")


def test_the_code_can_be_run(adult: Opened) -> None:
    data = datasets.load("adult_scores")
    lines = adult.page.inner_text("#code").splitlines()
    known = {"rs": rs, "data": {"label": data.y_true.astype(int), **data.columns}}
    exec(lines[0], known)
    point = eval(lines[1], known)
    assert f"{point.tp:,} of" in adult.text("#readout")


# --- comparison and uncertainty -----------------------------------------------------------------


def drawn_path(opened: Opened, chart: str, mark: str) -> list[str]:
    """Return the outlines of the lines of a chart, in the order of its layers."""
    return list(
        opened.page.eval_on_selector_all(
            f'[data-chart="{chart}"] svg g.{mark} path',
            "nodes => nodes.map(node => node.getAttribute('d'))",
        )
    )


def test_the_slider_moves_the_granular_curves(adult: Opened) -> None:
    curves = adult_summary()["scores"][1]["granular"]["curves"]  # hgb, the best
    adult.unfold("#granular")
    seen = set()
    for step in (0, 4, 8):
        adult.slide("delta", step)
        adult.settle()
        said = adult.text("#granular-said")
        assert f"Upper area {curves[step]['auc_high']:.3f}" in said
        assert f"Lower area {curves[step]['auc_low']:.3f}" in said
        seen.add(tuple(drawn_path(adult, "granular", "mark-line")))
    assert len(seen) == 3
    assert "10 % of the range" not in adult.text("#delta-said")
    assert "20 % of the range" in adult.text("#delta-said")


def test_the_band_is_chosen_by_its_method(adult: Opened) -> None:
    bands = {band["method"]: band for band in adult_summary()["scores"][1]["bands"]}
    seen = set()
    for which, method in enumerate(bands):
        adult.page.select_option("#band-method", str(which))
        adult.settle()
        said = adult.text("#band-said")
        assert f"Area between {share(bands[method]['area'])} " in said
        kind = (
            "the whole curve"
            if bands[method]["simultaneous"]
            else "each false positive rate by itself"
        )
        assert f"95 % for {kind}" in said
        seen.add(tuple(drawn_path(adult, "bands", "mark-line")))
    assert len(seen) == 4
    adult.page.select_option("#band-method", "0")


def test_uncertainty_follows_the_score(adult: Opened) -> None:
    before = drawn_path(adult, "folds", "mark-line")
    adult.page.select_option("#uncertain-score", "1")
    adult.settle()
    assert drawn_path(adult, "folds", "mark-line") != before
    area = adult_summary()["scores"][0]["auc"]["value"]
    adult.unfold("#granular")
    assert f" Area {area:.3f} " in adult.text("#granular-said")
    adult.page.select_option("#uncertain-score", "0")


def test_the_contents_lead_there_and_tell_where_one_is(adult: Opened) -> None:
    for name in ("Explorer", "Compare", "Uncertainty", "Thresholds", "Methods", "Overview"):
        link = adult.page.locator(".contents a", has_text=name)
        link.click()
        adult.settle()
        target = (link.get_attribute("href") or "#").removeprefix("#")
        top = adult.page.evaluate(
            f"document.getElementById('{target}').getBoundingClientRect().top"
        )
        bar = adult.page.evaluate(
            "document.querySelector('.contents').getBoundingClientRect().bottom"
        )
        assert bar - 1 <= top < 400, name  # not behind the bar
        playwright.expect(link).to_have_attribute("aria-current", "true")


def test_everything_works_from_the_keyboard(adult: Opened) -> None:
    adult.unfold("#delta")
    adult.page.focus("#delta")
    adult.slide("delta", 4)
    adult.page.keyboard.press("ArrowRight")
    assert adult.page.input_value("#delta") == "5"
    assert (adult.page.get_attribute("#delta", "aria-valuetext") or "").endswith("of the range")
    assert adult.complaints == []


def test_hostile_names_stay_text_in_the_browser(browser: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.random(60) < 0.5
    hostile = [
        "<img src=x onerror=document.title='gone'>",
        "</script><script>document.title='gone'</script>",
        "${document.title}",
    ]
    cases = rs.pair_scores(y, {name: rng.normal(size=60) + y for name in hostile})
    named = {name: cases.table(name) for name in hostile}
    more = More(fold=np.array(hostile)[np.arange(60) % 3], n_boot=60, progress=False)
    summary = summarise(named, data=cases, more=more, source={"file": hostile[0]})
    path = write_html(summary, tmp_path / "a.html")
    opened = Opened(browser, path)
    assert opened.complaints == []
    assert "gone" not in opened.page.title().replace(hostile[0], "")
    for which in range(3):
        opened.page.select_option("#which", str(which))
        assert any(name in opened.text("#readout") for name in hostile)
        opened.page.select_option("#uncertain-score", str(which))
    assert all(name in opened.text(".compare") for name in hostile)
    assert opened.page.query_selector("img") is None
    opened.context.close()


def test_the_best_of_a_million_rows_is_not_thinned_away(browser: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.random(10**6) < 0.1
    table = rs.tabulate(y, rng.normal(size=10**6) + 1.5 * y)
    path = write_html(summarise({"s": table}, more=More(progress=False)), tmp_path / "a.html")
    assert path.stat().st_size < 3e6
    opened = Opened(browser, path)
    assert opened.complaints == []
    drawn = json.loads(opened.page.eval_on_selector("#drawn", "node => node.textContent"))
    assert len(drawn["scores"][0]["hull"]) == len(rs.roc_hull(table))
    opened.slide("ratio", 1.3)
    best = opened.best()
    costs, prevalence = Costs(fp=1, fn=float(best["ratio"])), float(best["prevalence"])
    wanted = optimal_points(table, criterion="cost", costs=costs, prevalence=prevalence)
    assert float(best["threshold"]) == wanted[0].threshold
    opened.context.close()


# --- the page --------------------------------------------------------------------------------


def test_the_first_screen_has_the_answer_and_the_picture(adult: Opened) -> None:
    page = adult.page
    page.set_viewport_size({"width": 1024, "height": 768})
    adult.settle()
    page.evaluate("scrollTo(0, 0)")
    for part in (".lead", ".readers", ".first .chart", ".key"):
        box = page.locator(part).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 768, part
    assert "hgb ranks best: AUC 0.927" in adult.text(".lead")
    page.set_viewport_size({"width": 390, "height": 844})
    adult.settle()
    picture = page.locator(".first .chart").bounding_box()
    assert picture is not None
    assert picture["y"] + picture["height"] < 844
    words = page.locator(".readers dd").first.bounding_box()
    assert words is not None
    assert words["y"] + words["height"] <= picture["y"]


@pytest.mark.parametrize("width", [390, 760, 820, 1024, 1100, 1440])
def test_nothing_scrolls_sideways_but_tables_in_a_narrow_window(adult: Opened, width: int) -> None:
    page = adult.page
    page.set_viewport_size({"width": width, "height": 900})
    with adult.unfolded():
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        if width > 1000:
            wide = "n.scrollWidth > n.clientWidth + 1"
            cut = f"nodes => nodes.filter(n => {wide}).map(n => n.ariaLabel)"
            assert page.eval_on_selector_all(".scroll:has(.areas), .scroll:has(.data)", cut) == []
    bar = "nodes => nodes.every(n => n.getBoundingClientRect().right <= innerWidth)"
    assert page.eval_on_selector_all(".contents a", bar)
    page.set_viewport_size({"width": 1200, "height": 900})


def test_heads_and_names_of_tables_keep_their_room_on_a_phone(adult: Opened) -> None:
    page = adult.page
    page.set_viewport_size({"width": 390, "height": 900})
    with adult.unfolded():
        beyond = """nodes => nodes.filter(th => [...th.querySelectorAll("button, small")].some(n =>
          n.getBoundingClientRect().left < th.getBoundingClientRect().left - 1))
          .map(th => th.innerText)"""
        assert page.eval_on_selector_all("thead th.num:not(.whisker)", beyond) == []
        tall = "nodes => nodes.filter(n => n.getClientRects().length > 1 || n.offsetHeight > 30)"
        names = page.eval_on_selector_all(".data tbody .name", tall + ".map(n => n.innerText)")
        assert names == []
    page.set_viewport_size({"width": 1200, "height": 900})


def test_where_nobody_is_called_the_sentence_says_none(adult: Opened) -> None:
    adult.type("threshold", "2")
    assert "none is called positive; 241 positives are missed" in adult.text("#readout .told")
    adult.page.click("text=Back to the data")
    adult.settle()
    assert "356 are called positive" in adult.text("#readout .told")


def test_specificity_is_said_where_the_reader_wants_it(adult: Opened) -> None:
    heads = ".points thead"
    assert "FPR" in adult.text(heads)
    adult.page.select_option("#rate", "specificity")
    adult.settle()
    assert "Specificity" in adult.text(heads)
    assert "Specificity ≥ 0.99" in adult.text(".points tbody")
    adult.page.select_option("#rate", "fpr")
    adult.settle()
    assert "FPR ≤ 0.01" in adult.text(".points tbody")


def test_a_link_opens_what_is_folded(adult: Opened) -> None:
    page = adult.page
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = false; })")
    page.click(".areas a[href='#score-2']")
    playwright.expect(page.locator("#score-2 .points")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = false; })")


def test_two_scores_print_on_six_pages_with_their_choices(adult: Opened) -> None:
    page = adult.page
    page.evaluate("document.querySelector('.fold:has(.score)').open = true")
    printed = page.pdf(format="A4", print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 6
    page.emulate_media(media="print")
    assert page.is_visible("#which")
    assert page.is_visible("#threshold-typed")
    assert not page.is_visible("#threshold")
    assert page.is_visible(".points thead")
    page.emulate_media(media="screen")


def few_cases(n: int, names: str) -> dict[str, Any]:
    rng = np.random.default_rng(7)
    y = np.arange(n) % 2
    data = rs.pair_scores(y, {name: np.round(rng.normal(size=n) + y, 1) for name in names})
    found = {name: data.table(name) for name in data.names}
    return summarise(found, data=data, more=More(n_boot=60, progress=False), source={"file": "f"})


PRINTED = {
    "one score": lambda: few_cases(300, "a"),
    "two scores": adult_summary,
    "three scores": lambda: few_cases(120, "abc"),
    "eight cases": lambda: few_cases(8, "ab"),
}


@pytest.mark.skipif(RASTER is None, reason="pdftoppm is not installed")
@pytest.mark.parametrize("case", PRINTED)
def test_no_sheet_but_the_last_is_more_than_a_third_empty(
    browser: Any, tmp_path: Path, case: str
) -> None:
    write_html(PRINTED[case](), tmp_path / "report.html")
    opened = Opened(browser, tmp_path / "report.html")
    sheets = emptiness(opened.page, tmp_path)
    opened.context.close()
    assert len(sheets) <= 6
    assert max(sheets[:-1]) < 1 / 3


@pytest.mark.parametrize(("names", "breaks"), [("abc", "page"), ("abcdefghijkl", "auto")])
def test_the_explorer_follows_a_table_that_is_longer_than_the_first_sheet(
    browser: Any, tmp_path: Path, names: str, breaks: str
) -> None:
    write_html(few_cases(40, names), tmp_path / "report.html")
    opened = Opened(browser, tmp_path / "report.html")
    opened.page.emulate_media(media="print")
    found = opened.page.eval_on_selector("#explore", "node => getComputedStyle(node).breakBefore")
    opened.context.close()
    assert found == breaks


def test_a_warning_of_a_long_name_does_not_scroll_a_narrow_window(
    browser: Any, tmp_path: Path
) -> None:
    y = np.arange(60) % 2
    reversed_score = np.random.default_rng(1).normal(-y)
    path = tmp_path / "long.html"
    source = {"file": "long.csv", "label": "y"}
    write_html(summarise({"x" * 60: rs.tabulate(y, reversed_score)}, source=source), path)
    opened = Opened(browser, path)
    try:
        opened.page.set_viewport_size({"width": 390, "height": 900})
        assert "lower-is-positive" in opened.text(".warnings")
        wide = opened.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
    finally:
        opened.context.close()


# --- several classes ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def several(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    rng = np.random.default_rng(4)
    y = np.arange(400) % 4
    block = {name: rng.normal(d * np.eye(4)[y]) for name, d in (("a", 1), ("b", 2))}
    names = ["<b>one</b>", "two", "a class with a long name", "four"]
    data = multiclass_scores([names[i] for i in y], block, classes=names)
    path = tmp_path_factory.mktemp("classes") / "classes.html"
    write_html(summarise(data, source={"file": "classes.csv", "label": "y"}), path)
    opened = Opened(browser, path)
    yield opened
    opened.context.close()


def test_several_classes_open_without_a_complaint(several: Opened) -> None:
    with several.unfolded():
        assert several.complaints == []
        charts = several.page.eval_on_selector_all("[data-chart] svg", "nodes => nodes.length")
        assert charts == 9  # five of the explorer, and the scores of four classes
    assert "b ranks best" in several.text(".lead")


@pytest.mark.parametrize("width", [390, 1024, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_several_classes_fit_every_window(several: Opened, width: int, scheme: Any) -> None:
    several.page.emulate_media(color_scheme=scheme)
    several.page.set_viewport_size({"width": width, "height": 900})
    wide = several.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    low = several.page.evaluate(CONTRAST)
    assert low == []


# Texts in the cells of a matrix of shades whose contrast is below 4.5: composited by a canvas.
CONTRAST = """() => {
  const rgb = (colour, under) => {
    const c = document.createElement('canvas').getContext('2d');
    for (const each of [under, colour].filter(Boolean)) {
      c.fillStyle = each;
      c.fillRect(0, 0, 1, 1);
    }
    return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = ([r, g, b]) => [r, g, b].map((x) => x / 255)
    .map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
    .reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = getComputedStyle(document.body).backgroundColor;
  return [...document.querySelectorAll('.heat td')].filter((cell) => cell.textContent.trim())
    .filter((cell) => {
      const look = getComputedStyle(cell);
      const [a, b] = [rgb(look.color), rgb(look.backgroundColor, paper)].map(light);
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
    }).map((cell) => cell.textContent);
}"""


def test_each_class_has_a_threshold_that_moves_through_the_graphs(several: Opened) -> None:
    page = several.page
    assert page.eval_on_selector_all("#which option", "nodes => nodes.length") == 8
    for which in (0, 3, 4, 7):  # of the better classifier first, then of the other
        page.select_option("#which", str(which))
        of_both = several.text(f"#which option:nth-child({which + 1})")
        assert several.text("#readout .who").startswith(of_both)
        classifier, name = of_both.split(": ")
        assert (classifier == several.text("#which option").split(": ")[0]) == (which < 4)
        assert "100 positives" in several.text("#readout")
        assert f"--positive {shlex.quote(name)}" in several.text("#code-shell")
        assert "data.table(data.classes[" in several.text("#code")


def test_methods_are_folded_and_open(several: Opened) -> None:
    page = several.page
    assert not page.is_visible(".methods article")
    page.click(".methods summary")
    assert page.is_visible(".methods article")


def test_a_screen_reader_finds_names_for_everything(several: Opened) -> None:
    nameless = several.page.evaluate(
        """() => ['select', 'input', 'button', '[role=region]', '[role=group]']
            .flatMap((each) => [...document.querySelectorAll(each)])
            .filter((node) => !(node.getAttribute('aria-label') || node.labels?.length ||
              node.textContent.trim() || node.getAttribute('aria-labelledby')))
            .map((node) => node.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    headless = (
        "[...document.querySelectorAll('tbody tr')].filter((row) => !row.querySelector('th'))"
    )
    assert several.page.evaluate(f"{headless}.length") == 0
