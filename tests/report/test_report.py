import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from rocspace import datasets
from rocspace._base import text as words
from rocspace.report import More, drawing, render_html, sections, summarise, write_html
from rocspace.report.explained import entries
from rocspace.report.html import _library, json_for_html
from rocspace.report.plain import plain
from rocspace.report.section import Section
from rocspace.report.sections import explorer

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!-- <script>",
    "{{ 7 * 7 }}{% raw %}",
    "a\u2028b'\"\\\n`${x}",
    "a.b[c]",
    "datum.x",
    "\ud800 lone",
    "<img src=x onerror=alert(3)>",
]
VOID = {"meta", "br", "input"}


class Page(HTMLParser):
    """Elements, their attributes, and the texts outside scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif not self.open or self.open[-1] != "style":
            self.text += data


def adult_summary() -> dict[str, Any]:
    data = datasets.load("adult_scores")
    tables = {name: rs.tabulate(data.y_true, data.columns[name]) for name in data.scores}
    source = {"file": "data/adult.csv", "rows": len(data), "label": "label", "positive": 1}
    more = {"dropped": {"label": 0}, "scores_chosen": "by name", "labels": {"0": 1, "1": 2, "2": 3}}
    return summarise(tables, source=source | more)


def full_summary(names: tuple[str, ...] = ("good", "fair", "poor")) -> dict[str, Any]:
    rng = np.random.default_rng(8)
    y = rng.random(150) < 0.5
    columns = {name: rng.normal(size=150) + (2 - i) * y for i, name in enumerate(names)}
    data = rs.pair_scores(y, columns)
    tables = {name: data.table(name) for name in names}
    fold = np.array([names[0], "<i>two</i>"])[np.arange(150) % 2]
    more = More(fold=fold, n_boot=60, progress=False)
    source = {"file": "f.csv", "label": "y", "positive": "yes", "fold": names[0]}
    return summarise(tables, data=data, more=more, source=source)


@pytest.fixture(scope="module")
def full() -> dict[str, Any]:
    return full_summary()


@pytest.fixture(scope="module")
def summary() -> dict[str, Any]:
    return adult_summary()


@pytest.fixture(scope="module")
def html(summary: dict[str, Any]) -> str:
    return render_html(summary)


def hostile_summary() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    y = rng.random(60) < 0.5
    tables = {name: rs.tabulate(y, rng.normal(size=60) + y) for name in HOSTILE}
    tables["<b>one class</b>"] = rs.tabulate([1, 1], [1, 2])
    source = dict.fromkeys(("file", "label", "positive", "weight"), "<script>alert(4)</script>")
    return summarise(tables, source=source | {"dropped": {HOSTILE[0]: 3}, HOSTILE[1]: HOSTILE[2]})


# --- the page -------------------------------------------------------------------------------


def test_the_page_has_the_answer_in_words_and_numbers(html: str) -> None:
    page = Page(html)
    assert page.open == []
    text = " ".join(page.text.split())
    for part in (
        "adult.csv",
        "32,561",
        "7,841",
        "24.1\u202f%",
        "hgb ranks best: AUC 0.927 (95\u202f% CI 0.924 to 0.930).",
        "logreg follows with 0.904 (0.900 to 0.907).",
        "by name",
        "0: 1, 1: 2, 2: 3",
        "How each number was made",
        "DeLong, DeLong and Clarke-Pearson (1988)",
        "rs.delong(table).interval(0.95)",
        "6,876 of 7,841 positives",
        f"rocspace {rs.__version__}",
    ):
        assert " ".join(part.split()) in text


def test_the_page_is_small_semantic_and_labelled(html: str) -> None:
    assert len(html.encode()) < 1.5e6
    page = Page(html)
    tags = [tag for tag, _ in page.elements]
    assert {"header", "main", "footer", "section", "table", "figure", "h1"} <= set(tags)
    assert tags.count("h1") == 1
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    wanted = [attrs["aria-labelledby"] for _, attrs in page.elements if "aria-labelledby" in attrs]
    assert set(wanted) <= set(ids)
    drawn = [attrs for _, attrs in page.elements if "data-chart" in attrs]
    assert all(attrs["aria-label"] for attrs in drawn)
    shown = {attrs["data-chart"] for attrs in drawn} - {"histogram"}  # a copy of score-1's
    assert shown == set(json.loads(page.scripts[0])["charts"])


def test_the_page_asks_for_nothing_from_outside(html: str) -> None:
    page = Page(html)
    assert not {"link", "img", "iframe", "base", "form"} & {tag for tag, _ in page.elements}
    for _, attrs in page.elements:
        assert not {"src", "style", "srcset"} & set(attrs)
        assert not any(name.startswith("on") for name in attrs)
        assert (attrs.get("href") or "#").startswith("#")
    assert re.search(r"https?://", html.replace(_library(), "")) is None
    assert "@import" not in html.replace(_library(), "")
    assert "url(" not in html[: html.index("</style>")]


def test_the_policy_allows_only_the_scripts_of_the_page(html: str) -> None:
    page = Page(html)
    (policy,) = [
        attrs["content"]
        for _, attrs in page.elements
        if "content-security-policy" in str(attrs).lower()
    ]
    assert policy is not None
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    data, *scripts = page.scripts
    assert json.loads(data)
    assert len(scripts) == 2
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_a_summary_read_from_json_gives_the_same_page(summary: dict[str, Any], html: str) -> None:
    assert render_html(json.loads(json.dumps(summary, allow_nan=False))) == html


def test_another_schema_is_refused(summary: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"schema 'rocspace\.summary/2'"):
        render_html(summary | {"schema": "rocspace.summary/2"})


# --- comparison and uncertainty -----------------------------------------------------------------


def test_the_full_page_compares_and_tells_how_sure_it_is(full: dict[str, Any]) -> None:
    page = Page(render_html(full))
    assert page.open == []
    text = " ".join(page.text.split())
    (gap,) = (
        p for p in full["comparison"]["pairs"] if {p["first"], p["second"]} == {"good", "fair"}
    )
    value = abs(gap["value"])
    for part in (
        f"The difference of {value:.3f}",
        "good minus poor",
        "That all 3 areas are equal: F ",
        "Where the two best curves differ",
        "Which score costs least",
        "Cheapest",
        "Likelihood Bootstrap envelope Kolmogorov-Smirnov Bootstrap at each rate",
        "Areas of each fold's test cases",
        "Measured. At level 0.95 it covers in",
        "rocspace compare f.csv --label y --positive yes --score good",
        "rocspace average f.csv",
        "--fold good",
        "rs.bands.roc_band(table, method='ks', level=0.95)",
    ):
        assert " ".join(part.split()) in text, part


def test_the_contents_lead_to_every_section(full: dict[str, Any], html: str) -> None:
    for made, wanted in ((render_html(full), 6), (html, 4)):
        page = Page(made)
        ids = {attrs["id"] for _, attrs in page.elements if "id" in attrs}
        links = [attrs["href"] for tag, attrs in page.elements if tag == "a"]
        inside = [link for link in links if link]
        assert {link.removeprefix("#") for link in inside} <= ids
        at = made.index('<nav class="contents"')
        assert made[at : made.index("</nav>")].count("<a href=") == wanted


def test_a_full_page_is_small_semantic_and_labelled(full: dict[str, Any]) -> None:
    html = render_html(full)
    assert len(html.encode()) < 1.6e6
    page = Page(html)
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    wanted = {
        attrs["aria-describedby"] for _, attrs in page.elements if "aria-describedby" in attrs
    }
    assert wanted <= set(ids)
    drawn = [attrs for _, attrs in page.elements if "data-chart" in attrs]
    assert all(attrs["aria-label"] for attrs in drawn)
    shown = {attrs["data-chart"] for attrs in drawn} - {"histogram"}
    assert shown == set(json.loads(page.scripts[0])["charts"])
    for _, attrs in page.elements:
        assert not {"src", "style", "srcset"} & set(attrs)


def test_the_python_lines_of_more_reproduce_its_numbers(full: dict[str, Any]) -> None:
    rng = np.random.default_rng(8)
    y = rng.random(150) < 0.5
    columns = {
        name: rng.normal(size=150) + (2 - i) * y for i, name in enumerate(("good", "fair", "poor"))
    }
    label = np.where(y, "yes", "no")
    fold = np.array(["good", "<i>two</i>"])[np.arange(150) % 2]
    names: dict[str, Any] = {"rs": rs, "data": {"y": label, **columns}}
    names["table"] = rs.tabulate(label, columns["good"], pos_label="yes")
    lines = {each["id"]: each["python"].splitlines() for each in full["methods"]}
    score, found = full["scores"][0], full["comparison"]

    def result(key: str) -> Any:
        *first, last = lines[key]
        for line in first:
            exec(line, names)
        return eval(last, names)

    pairs = result("comparison.pairs")
    assert [p.difference.value for p in pairs] == [p["value"] for p in found["pairs"]]
    assert result("comparison.difference").names == ("good", "fair")
    assert result("comparison.costs").names == ("good", "fair", "poor")
    areas = {f"bands.{band['method']}": band["area"] for band in score["bands"]}
    assert {key: result(key).area for key in areas} == areas
    assert result("granular").auc_low == score["granular"]["curves"][4]["auc_low"]
    names["data"]["good"] = fold  # the column of folds has this name in the test
    assert result("folds.mean").low == score["folds"]["mean"]["interval"]["low"]
    assert result("folds.average").tpr_low.tolist() == score["folds"]["average"]["low"]


def test_hostile_names_stay_text_in_every_section() -> None:
    summary = full_summary(tuple(HOSTILE[:4]))
    html = render_html(summary)
    page = Page(html)
    assert page.open == []
    _, *scripts = page.scripts
    assert len(scripts) == 2
    assert not {"img", "i"} & {tag for tag, _ in page.elements}
    assert not any("alert(" in script for script in scripts if script != _library())
    assert "<i>two</i>" in page.text
    charts_of = json.loads(page.scripts[0])["charts"]
    for name in ("bands", "granular", "granular-areas", "folds", "difference"):
        assert "alert" not in json.dumps(charts_of[name])
    known = json.loads(page.scripts[0])["uncertain"]
    assert sorted(score["name"] for score in known) == sorted(HOSTILE[:4])


def test_a_sure_difference_and_an_unsure_one() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    noise = rng.normal(size=80)
    columns = {
        "a": noise + 2 * y,
        "b": rng.normal(size=80),
        "c": noise + 2 * y + rng.normal(size=80) / 9,
    }

    def said(*names: str) -> str:
        data = rs.pair_scores(y, {name: columns[name] for name in names})
        more = More(n_boot=60, progress=False)
        tables = {name: data.table(name) for name in names}
        return Page(render_html(summarise(tables, data=data, more=more))).text

    assert "is more than chance would do: p <0.0001" in said("a", "b")
    assert "may be chance: p =" in said("a", "c")


# --- strings from the data --------------------------------------------------------------------


def test_hostile_names_stay_text() -> None:
    html = render_html(hostile_summary(), title="</title><script>alert(5)</script>")
    page = Page(html.encode("utf-8", "xmlcharrefreplace").decode())
    assert page.open == []
    data, *scripts = page.scripts
    assert len(scripts) == 2
    assert not any("alert(" in script for script in scripts if script != _library())
    assert "img" not in {tag for tag, _ in page.elements}
    for name in HOSTILE[:4]:
        assert name in page.text
    assert "<b>one class</b>" in page.text
    assert "alert(5)" in page.text
    drawn = json.loads(data)
    names = [row["name"] for row in drawn["charts"]["roc"]["datasets"]["curve"]]
    assert sorted(names) == sorted(HOSTILE)
    assert sorted(score["name"] for score in drawn["scores"]) == sorted(HOSTILE)


def test_every_chart_is_valid_vega_lite(full: dict[str, Any], html: str) -> None:
    altair = pytest.importorskip("altair")
    for page in (Page(render_html(full)), Page(html)):
        charts = json.loads(page.scripts[0])["charts"]
        assert {"roc", "pr", "det", "cost", "score-1"} <= set(charts)
        for spec in charts.values():
            altair.LayerChart.from_dict(spec, validate=True)


def test_names_are_only_values_of_data() -> None:
    spec = explorer.roc_chart(hostile_summary())
    for layer in spec["layer"]:
        fields = re.findall(r'"field": "([^"]*)"', json.dumps(layer))
        assert set(fields) <= {
            *("fpr", "tpr", "name", "kind", "label", "area", "x", "x0", "x1"),
            *("y", "y0", "y1", "line0", "line1", "x_area"),
        }
        # The scales list names as values of their domain; else the layers know none.
        encoding = {key: value for key, value in layer["encoding"].items() if "scale" not in value}
        assert "alert" not in json.dumps([layer["mark"], encoding, layer.get("transform")])


@given(st.text())
def test_json_in_html_cannot_leave_its_element(text: str) -> None:
    written = json_for_html({"a": text, text: [text]})
    assert written.isascii()
    assert not set("<>&\n\u2028") & set(written)
    assert json.loads(written) == {"a": text, text: [text]}


# --- all sorts of data ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table",
    [
        rs.ScoreTable.from_counts([1], [3], [4]),
        rs.tabulate([0, 1], [1, 2]),
        rs.tabulate([1, 1], [1, 2]),
        rs.tabulate([0, 1, 1], [np.inf, -np.inf, np.inf]),
        rs.tabulate([0, 1, 1], [2**60, 2**60 + 1, 2**60 + 2]),
        rs.tabulate([0, 1, 0, 1], [1e-300, 1e300, -1e300, 3], sample_weight=[1, 2, 0.5, 1e-9]),
        rs.tabulate([0, 1, 0], [0.1, 0.2, 0.3], higher_is_positive=False),
        rs.tabulate([0, 1, 0], np.array([0.1, 0.2, 0.3], dtype=np.float32)),
    ],
    ids=["row", "perfect", "class", "inf", "int", "weight", "lower", "float32"],
)
def test_odd_tables_give_a_sound_page(table: rs.ScoreTable) -> None:
    summary = summarise({"score": table})
    page = Page(render_html(summary))
    assert page.open == []
    if table.n_pos and table.n_neg:
        assert words.share(rs.auc(table)) in page.text
    else:
        assert "No score could be evaluated." in page.text


def test_ties_and_failures_are_said() -> None:
    table = rs.tabulate([0, 0, 1, 1], [1.0, 2, 2, 3])
    text = Page(render_html(summarise({"a": table, "b": table}))).text
    assert "ties for best: AUC 0.875" in text
    y = [0, 1] * 20
    many = Page(render_html(summarise({"s": rs.tabulate(y, np.arange(40))}))).text
    assert "thresholds tie for the best Youden index; the first 10 are listed." in many


def test_dropped_rows_are_added_up_only_where_they_differ() -> None:
    table = rs.tabulate([0, 0, 1, 1], [1.0, 2, 2, 3])

    def told(dropped: dict[str, int], *names: str) -> str:
        source = {"dropped": dropped}
        text = Page(render_html(summarise(dict.fromkeys(names, table), source=source))).text
        return text[text.index("Dropped") :]

    assert re.match(r"Dropped\s+5\s+3 without y, 2 without a", told({"y": 3, "a": 2}, "a"))
    assert re.match(r"Dropped\s+5\s+3 without y, 2 without w", told({"y": 3, "w": 2}, "a", "b"))
    # The rows without a may be those without b.
    assert re.search(
        r"Dropped\s+differ\s+3 without a, 2 without b", told({"a": 3, "b": 2}, "a", "b")
    )


def test_grey_beyond_the_palette_and_the_rest_is_counted() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(50) < 0.4
    summary = summarise({f"s{i}": rs.tabulate(y, rng.normal(size=50)) for i in range(9)})
    spec = explorer.roc_chart(summary)
    assert spec["datasets"]["key"][-1]["label"] == "3 others"
    areas = [score["auc"]["value"] for score in drawing.ranked(summary)]
    assert areas == sorted(areas, reverse=True)
    assert drawing.colour(5) == "var(--score-6)"
    assert drawing.colour(6) == "var(--faint)"


def test_a_million_rows_make_a_small_page() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(10**6) < 0.1
    page = render_html(summarise({"s": rs.tabulate(y, rng.normal(size=10**6) + y)}))
    assert len(page) < 1.5e6


# --- the file ---------------------------------------------------------------------------------


def test_the_file_is_replaced_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, summary: dict[str, Any], html: str
) -> None:
    target = tmp_path / "report.html"
    target.write_text("old")
    assert write_html(summary, target) == target
    assert target.read_text(encoding="utf-8") == html

    def full_disk(self: Path, data: bytes) -> int:
        msg = "disk full"
        raise OSError(msg)

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match="disk full"):
        write_html(summary, target, title="new")
    assert target.read_text(encoding="utf-8") == html
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_hostile_names_can_be_written(tmp_path: Path) -> None:
    path = write_html(hostile_summary(), str(tmp_path / "a.html"))
    assert Page(path.read_text(encoding="utf-8")).open == []


def test_a_missing_folder_is_named(tmp_path: Path, summary: dict[str, Any]) -> None:
    with pytest.raises(FileNotFoundError, match=r"There is no folder .*nowhere.* Make it first"):
        write_html(summary, tmp_path / "nowhere" / "a.html")


# --- the sections -----------------------------------------------------------------------------


def test_a_section_is_one_module_one_template_and_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def most_common(score: Any, table: rs.ScoreTable, work: Any) -> dict[str, Any]:
        return {"most_common": plain(table.score[np.argmax(table.pos + table.neg)])}

    def how(summary: Any, shell: Any) -> Any:
        lines = ("most_common: Commonest score", "  Of both classes.", "  Shell: rocspace columns")
        return entries("\n".join(lines), shell)

    commonest = Section(
        "commonest",
        title="Commonest",
        of_score=most_common,
        view=lambda summary: [score["most_common"] for score in summary["scores"]],
        charts=lambda summary: {"commonest": {"mark": "point"}},
        methods=how,
        template='<section id="commonest"><p>Most common: {{ page.commonest[0] }}</p></section>',
    )
    monkeypatch.setattr(sections, "SECTIONS", (*sections.SECTIONS, commonest))
    summary = summarise({"score": rs.tabulate([0, 0, 1, 1], [1.0, 2, 2, 3])})
    assert summary["scores"][0]["most_common"] == 2
    html = render_html(summary)
    page = Page(html)
    assert page.open == []
    assert "Most common: 2.0" in page.text
    assert "Commonest score" in page.text
    assert '<a href="#commonest">Commonest</a>' in html
    assert json.loads(page.scripts[0])["charts"]["commonest"] == {"mark": "point"}


def test_each_section_has_a_template_of_its_name() -> None:
    folder = Path(sections.__file__).parent.parent / "templates"
    for section in sections.SECTIONS:
        assert (folder / f"{section.name}.html").is_file()
        assert (Path(sections.__file__).parent / f"{section.name}.py").is_file()
