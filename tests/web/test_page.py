"""The page in Chromium: by keyboard, by dropping, after mistakes, on a phone, in the dark."""

from __future__ import annotations

import io
import json
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rocspace as rs
from rocspace import datasets
from rocspace._base import text as words
from rocspace.multiclass import compare_classifiers, multiclass_file, ordered_file, vus_estimate
from rocspace.web import Limits, web_app
from served import GRADES, KINDS, ROWS, Loop, do_here, nothing

axe_core = pytest.importorskip("axe_playwright_python.sync_playwright")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The application on a port of this computer; what a worker would do, it does itself."""
    import uvicorn

    app = web_app(limits=Limits(size=50_000), folder=tmp_path_factory.mktemp("private"))
    app.state.house.workers.run = do_here
    app.state.house.workers.warm = nothing
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    with Loop() as loop, socket.create_server(("127.0.0.1", 0)) as listening:
        serving = loop.begin(server.serve(sockets=[listening]))
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        serving.result(timeout=30)


class Seen:
    """A visitor with a browser."""

    def __init__(self, browser: Any, address: str, **context: Any) -> None:
        self.context = browser.new_context(accept_downloads=True, **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(120_000)  # a guard: nothing rests on it
        self.complaints: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        home = address.partition("#")[0]
        self.page.on("request", lambda request: self._request(request.url, home))
        self.page.goto(address)
        self.page.locator("#privacy:not(:empty)").wait_for()

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning") and "status of 422" not in message.text:
            self.complaints.append(message.text)

    def _request(self, url: str, address: str) -> None:
        if not url.startswith((address, "data:", "blob:")):
            self.complaints.append(f"asked for {url}")

    def give(self, content: str, name: str = "cases.csv", to: str = "#file") -> None:
        file = {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
        self.page.set_input_files(to, files=[file])

    def wait_for(self, said: str) -> None:
        """Wait until the line below the top says something."""
        self.page.locator("#status", has_text=said).wait_for()

    def report(self) -> Any:
        return self.page.frame_locator("#report")

    def problem(self) -> str:
        return str(self.page.wait_for_selector("#problems .problem").inner_text())

    def take(self, selector: str) -> bytes:
        with self.page.expect_download() as taking:
            self.page.click(selector)
        return Path(taking.value.path()).read_bytes()


@pytest.fixture(scope="module")
def seen(browser: Any, address: str) -> Iterator[Seen]:
    found = Seen(browser, address)
    yield found
    found.context.close()


def area(name: str, text: str = ROWS, *, higher: bool = True) -> str:
    rows = [line.split(",") for line in text.splitlines()]
    at = rows[0].index(name)
    table = rs.tabulate(
        [row[0] == "yes" for row in rows[1:]],
        [float(row[at]) for row in rows[1:]],
        higher_is_positive=higher,
    )
    ends = rs.delong(table).interval()
    return words.estimate(rs.auc(table), ends.low, ends.high)[0]


def test_with_the_keyboard_only(seen: Seen) -> None:
    page = seen.page
    for _ in range(2):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "file"
    style = "getComputedStyle(document.querySelector('label[for=file]')).outlineStyle"
    assert page.evaluate(style) == "solid"
    seen.give(ROWS)
    seen.wait_for(f"risk: {area('risk')}")
    assert page.evaluate("document.activeElement.id") == "choices-title"
    assert "by the word “yes”" in page.inner_text("#positive-why")
    assert page.input_value("#label") == "ill"
    seen.report().locator("h1", has_text="cases.csv").wait_for()
    page.evaluate("window.same = true")
    page.focus("#score-0")
    page.keyboard.press("Tab")
    named = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(named) == "Direction of risk"
    page.keyboard.press("ArrowDown")
    seen.wait_for(f"risk: {area('risk', higher=False)}")
    assert page.evaluate(named) == "Direction of risk"
    page.focus("#score-1")
    page.keyboard.press("Space")
    page.locator("#status", has_text="Area").filter(has_not_text="age").wait_for()
    assert page.evaluate("window.same"), "the page was loaded again"
    assert "lower=risk" in page.url
    assert "scores=age" not in page.url
    button = page.get_by_role("button", name="Higher values of “risk” mean positive")
    button.focus()
    page.keyboard.press("Enter")
    seen.wait_for(f"risk: {area('risk')}")
    assert seen.complaints == []


def test_what_can_be_taken_is_what_is_shown(seen: Seen) -> None:
    page = seen.page
    whole = seen.take("#take-html").decode()
    assert whole.startswith("<!doctype html>")
    assert area("risk") in whole
    numbers = json.loads(seen.take("#take-json"))
    assert numbers["schema"] == "rocspace.summary/1"
    assert words.share(numbers["scores"][0]["auc"]["value"]) in whole
    with zipfile.ZipFile(io.BytesIO(seen.take("[data-take=tables]"))) as archive:
        assert {"tables.md", "areas.csv", "areas.tex"} <= set(archive.namelist())
    page.click("#lines summary")
    shell = page.inner_text("#shell")
    assert "rocspace report cases.csv --label ill --positive yes --score risk" in shell
    assert "tabulate_file(file, **columns)" in page.inner_text("#python")


def test_the_lines_of_earlier_choices_are_not_shown(seen: Seen) -> None:
    page = seen.page
    page.wait_for_selector("#shell")
    waiting: list[Any] = []

    def hold(route: Any) -> None:  # a method of a list cannot be given
        waiting.append(route)

    page.route("**/api/reports", hold)
    page.click("#score-0")
    assert not page.is_visible("#lines")
    page.wait_for_selector("#progress:not([hidden])")
    assert not page.is_visible("#lines")
    page.click("#cancel")
    seen.wait_for("The report is of the choices before")
    assert page.is_visible("#lines")
    page.unroute("**/api/reports")
    page.click("#score-0")
    seen.wait_for(f"risk: {area('risk')}")
    page.wait_for_selector("#lines")


def test_the_report_is_printed_by_itself(seen: Seen) -> None:
    html = seen.report().locator("html[data-drawn=yes]")
    html.evaluate("node => { window.print = () => { node.dataset.printed = document.title; }; }")
    seen.page.click("#print")
    seen.report().locator("html[data-printed*='ROC report']").wait_for(state="attached")
    assert seen.complaints == []


def test_the_address_brings_the_choices_back_and_no_data(seen: Seen) -> None:
    page = seen.page
    page.click("#more summary")
    page.select_option("#level", "0.9")
    seen.wait_for("90\u202f% interval")
    address = page.url
    assert "level=0.9" in address
    assert area("risk") not in address
    page.reload()
    seen.wait_for("90\u202f% interval")
    assert page.url == address
    assert page.input_value("#level") == "0.9"


def test_a_second_file_is_compared(seen: Seen) -> None:
    page = seen.page
    page.click("#compare summary")
    other = ROWS.replace("no,0.2", "no,0.9")
    seen.give(other, "elsewhere.csv", to="#second")
    page.wait_for_selector("#compared table")
    said = page.inner_text("#compared")
    assert "cases.csv minus elsewhere.csv" in said
    assert area("risk") in said
    assert area("risk", other) in said
    assert "compare_aucs(tables)" in page.text_content("#compared")
    assert page.locator("#files option").count() == 2
    page.check("#score-1")
    seen.wait_for("Area under the curve of age")
    assert page.inner_text("#compared") == "", "what was compared is of the choices before"


def test_nothing_keeps_people_out(browser: Any, seen: Seen, address: str) -> None:
    dark = Seen(browser, address, color_scheme="dark")
    for found in (seen, dark):
        results = axe_core.Axe().run(found.page, options={"iframes": False})
        assert results.violations_count == 0, results.generate_report()
    dark.context.close()
    phone = Seen(browser, address, viewport={"width": 390, "height": 844}, color_scheme="dark")
    phone.give("ill,s\nno,0.1\nyes,\nno,0.3\nperhaps,0.5\nyes,0.4\nno,0.2\nno,0.1\nno,0\nyes,1\n")
    assert "has 3 values" in phone.problem()
    results = axe_core.Axe().run(phone.page)
    assert results.violations_count == 0, results.generate_report()
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
    phone.context.close()


def test_first_mistakes_are_mended_by_one_click_each(browser: Any, address: str) -> None:
    visitor = Seen(browser, address)
    rows = ["grade,s", *(f"{'abc'[i % 3]},{(i * 5 % 11) / 10 if i else ''}" for i in range(60))]
    visitor.give("\n".join(rows) + "\n", "grades.csv")
    assert "“a” (20), “b” (20), “c” (20)" in visitor.problem()
    visitor.page.get_by_role("button", name="“c” is positive").click()
    visitor.page.locator("#problems", has_text="1 row has no value").wait_for()
    visitor.page.get_by_role("button", name="Leave out rows with missing values").click()
    visitor.wait_for("Area under the curve of s")
    assert visitor.page.locator("#problems .problem").count() == 0
    assert "missing=omit" in visitor.page.url
    assert visitor.complaints == []
    visitor.context.close()


def test_hostile_and_large_files_are_told_and_forgotten(browser: Any, address: str) -> None:
    visitor = Seen(browser, address)
    page = visitor.page
    visitor.give("PK\x03\x04 a workbook", "cases.xlsx")
    assert "cases.xlsx is a zip archive or an Excel workbook" in visitor.problem()
    visitor.give("x" * 60_000, "large.csv")
    page.locator("#problems", has_text="large.csv has 60 kB; this page takes").wait_for()
    name = "<img src=x onerror=alert(1)>.csv"
    visitor.give(ROWS.replace("risk", "<b>risk<b>"), name)
    visitor.wait_for("<b>risk<b>")
    assert page.locator("#work b, #work img").count() == 0
    page.click("#forget")
    visitor.wait_for("Your files are deleted.")
    assert page.is_visible("#drop")
    assert visitor.complaints == []
    visitor.context.close()


def test_a_file_can_be_dropped_and_an_example_opened(browser: Any, address: str) -> None:
    visitor = Seen(browser, address)
    page = visitor.page
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "dropped.csv"));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        }""",
        ROWS,
    )
    page.locator("#file-about", has_text="dropped.csv").wait_for()
    visitor.wait_for(f"risk: {area('risk')}")
    page.click("#another")
    page.click("[data-example=hanley_mcneil]")
    data = datasets.load("hanley_mcneil")
    table = rs.tabulate(data.y_true, data.y_score)
    ends = rs.delong(table).interval()
    value, between = words.estimate(rs.auc(table), ends.low, ends.high)
    visitor.wait_for(f"{value} (95\u202f% interval {between})")
    assert "example=hanley_mcneil" in page.url
    stranger = Seen(browser, page.url)
    stranger.wait_for(f"{value} (95\u202f% interval {between})")
    assert stranger.page.locator("#files option").count() == 1
    stranger.context.close()
    visitor.context.close()


def test_several_classes_are_guessed_explained_and_shown(browser: Any, address: str) -> None:
    visitor = Seen(browser, address)
    page = visitor.page
    visitor.give(KINDS, "kinds.csv")
    visitor.wait_for("Mean area of all pairs of the 3 classes by p: ")
    assert page.input_value("#label") == "kind"
    assert "columns named after its values" in page.inner_text("#label-why")
    assert page.is_checked("#positive-all")
    assert "all 3 classes" in page.inner_text("#positive")
    assert page.inner_text("#ticked") == "2 of 2 ticked"
    assert "p_cat, p_cow, p_dog" in page.inner_text("#scores")
    report = visitor.report()
    report.locator("h1", has_text="kinds.csv").wait_for()
    report.locator("h2", has_text="Decisions").first.wait_for(state="attached")
    results = axe_core.Axe().run(page, options={"iframes": False})
    assert results.violations_count == 0, results.generate_report()
    page.uncheck("#score-1")
    page.locator("#status", has_text="by p: ").filter(has_not_text="by q: ").wait_for()
    link = page.url
    assert "positive" not in link
    page.check("input[name=positive][value=cow]")
    visitor.wait_for("Area under the curve of p_cow: ")
    assert page.inner_text("#scores-legend").strip() == "Scores"
    page.check("#positive-all")
    visitor.wait_for("by q: ")
    assert json.loads(visitor.take("#take-json"))["schema"] == "rocspace.class_summary/1"
    page.goto(link)
    page.locator("#status", has_text="by p: ").filter(has_not_text="by q: ").wait_for()
    assert visitor.complaints == []
    visitor.context.close()


def difference(samples: dict[str, Any], measure: str) -> tuple[str, str]:
    """The difference of two files as the page shows it."""
    found = compare_classifiers(samples, measure=measure).pairs[0].difference  # type: ignore[arg-type]
    return words.estimate(found.value, *found.interval())


def test_two_files_of_several_classes_are_compared(
    browser: Any, address: str, tmp_path: Path
) -> None:
    lines = KINDS.splitlines()
    other = "\n".join([lines[0], *lines[1:46], *lines[20:50]]) + "\n"
    visitor = Seen(browser, address)
    page = visitor.page
    visitor.give(KINDS, "kinds.csv")
    visitor.wait_for("by p: ")
    page.click("#compare summary")
    visitor.give(other, "elsewhere.csv", to="#second")
    page.wait_for_selector("#compared table")
    assert page.locator("#first-score option").all_inner_texts() == ["p", "q"]
    page.select_option("#first-score", "q")
    assert page.input_value("#other-score") == "q"
    assert "all classes" in page.inner_text("#other-about")
    page.click("#compare-now")
    samples = {}
    for name, text in (("kinds.csv", KINDS), ("elsewhere.csv", other)):
        (tmp_path / name).write_text(text)
        columns = ["q_cat", "q_cow", "q_dog"]
        samples[name] = multiclass_file(tmp_path / name, label="kind", score=columns)
    for said in difference(samples, "hand-till"):
        page.locator("#compared table", has_text=said).wait_for()
    assert "mean area of all pairs" in page.inner_text("#compared")
    two = "\n".join(line for line in other.splitlines() if not line.startswith("dog")) + "\n"
    visitor.give(two, "two.csv", to="#second")
    page.locator("#other-about", has_text="no column of scores for each value").wait_for()
    page.locator("#compared .problem", has_text="two.csv: ").first.wait_for()
    results = axe_core.Axe().run(page, options={"iframes": False})
    assert results.violations_count == 0, results.generate_report()
    assert visitor.complaints == []
    visitor.context.close()


def test_classes_in_an_order_are_shown_and_compared(
    browser: Any, address: str, tmp_path: Path
) -> None:
    (tmp_path / "grades.csv").write_text(GRADES)
    how: dict[str, Any] = {"label": "grade", "order": ["none", "mild", "bad"]}

    def volume(name: str, **more: Any) -> str:
        data = ordered_file(tmp_path / "grades.csv", **how, score=[name], **more)
        found = vus_estimate(data)
        return words.estimate(found.value, *found.interval())[0]

    visitor = Seen(browser, address, viewport={"width": 390, "height": 844})
    page = visitor.page
    visitor.give(GRADES, "grades.csv")
    assert "Or the values have an order" in visitor.problem()
    page.get_by_role("button", name="The values have an order").click()
    visitor.wait_for("Volume under the ROC surface (bad < mild < none) by size")
    assert page.locator("ol.order span").all_inner_texts() == ["bad", "mild", "none"]
    page.get_by_role("button", name="Move none up").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Move none up"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # it is the first one: nothing more to do
    page.get_by_role("button", name="Move mild up").click()
    visitor.wait_for(f"(none < mild < bad) by size: {volume('size')}")
    page.select_option("#direction-1", "lower")
    visitor.wait_for(f"by age: {volume('age', higher_is_positive=False)}")
    visitor.report().locator("h1", has_text="grades.csv").wait_for()
    assert page.is_disabled("#by")
    numbers = json.loads(visitor.take("#take-json"))
    assert numbers["schema"] == "rocspace.ordered_summary/1"
    with zipfile.ZipFile(io.BytesIO(visitor.take("[data-take=tables]"))) as archive:
        assert volume("size") in archive.read("areas.csv").decode()
    page.click("#lines summary")
    assert "--order none,mild,bad" in page.inner_text("#shell")
    results = axe_core.Axe().run(page, options={"iframes": False})
    assert results.violations_count == 0, results.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    link = page.url
    lines = GRADES.splitlines()
    other = "\n".join([lines[0], *lines[10:60]]) + "\n"
    page.click("#compare summary")
    visitor.give(other, "elsewhere.csv", to="#second")
    page.wait_for_selector("#compared table")
    assert "in the order none < mild < bad" in page.inner_text("#other-about")
    (tmp_path / "elsewhere.csv").write_text(other)
    samples = {
        name: ordered_file(tmp_path / name, **how, score=["size"])
        for name in ("grades.csv", "elsewhere.csv")
    }
    for said in difference(samples, "vus"):
        assert said in page.inner_text("#compared")
    page.goto(link)
    visitor.wait_for("(none < mild < bad) by size")
    page.check("input[name=positive][value=bad]")
    visitor.wait_for("Area under the curve of size")
    assert "order" not in page.url
    assert visitor.complaints == []
    visitor.context.close()
