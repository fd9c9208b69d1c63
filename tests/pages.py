"""A report in Chromium, as the tests drive it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next((p for name in ("chromium", "chromium-browser") if (p := shutil.which(name))), None)

UNFOLD = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"


def wait_for_charts(page: Any) -> None:
    """Wait until each chart that is not folded away is drawn, and described."""
    page.wait_for_function(
        """() => [...document.querySelectorAll("[data-chart]")].every((figure) =>
          figure.closest("details:not([open])") || figure.querySelector("svg[aria-hidden]"))""",
        timeout=120_000,
    )


class Opened:
    """A page opened from its file with the network off, and everything it complained about."""

    def __init__(self, browser: Any, path: Path, at: str = "", **context: Any) -> None:
        options = {"offline": True, "viewport": {"width": 1200, "height": 900}}
        self.context = browser.new_context(**options | context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(120_000)  # a guard: nothing rests on it
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._request)
        self.page.goto(path.as_uri() + at)
        self.page.wait_for_selector("html[data-drawn=yes]", timeout=120_000)

    def _request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.complaints.append(f"asked for {request.url}")

    def text(self, selector: str) -> str:
        return " ".join(self.page.inner_text(selector).split())

    def settle(self) -> None:
        """Wait until what was chosen is drawn."""
        self.page.evaluate("() => new Promise(r => requestAnimationFrame(() => setTimeout(r, 60)))")

    def unfold(self, selector: str) -> None:
        """Open what is folded around an element."""
        opening = "node => { const fold = node.closest('details'); if (fold) fold.open = true; }"
        self.page.eval_on_selector(selector, opening)
        self.wait_for_charts()

    @contextmanager
    def unfolded(self) -> Iterator[None]:
        """Open whatever is folded, and fold it again."""
        states = "nodes => nodes.map((node) => node.open)"
        before = self.page.eval_on_selector_all("details", states)
        self.page.evaluate(UNFOLD)
        self.wait_for_charts()
        yield
        back = "(nodes, open) => nodes.forEach((node, i) => { node.open = open[i]; })"
        self.page.eval_on_selector_all("details", back, before)

    def wait_for_charts(self) -> None:
        wait_for_charts(self.page)
        self.settle()

    def slide(self, name: str, value: float) -> None:
        """Move a slider."""
        self.page.eval_on_selector(
            f"#{name}",
            "(node, value) => { node.value = value; node.dispatchEvent(new Event('input')); }",
            str(value),
        )
        self.settle()

    def type(self, name: str, text: str) -> None:
        """Type a number beside a slider."""
        self.page.fill(f"#{name}-typed", text)
        self.page.press(f"#{name}-typed", "Enter")
        self.settle()

    def best(self) -> dict[str, str]:
        return dict(self.page.eval_on_selector("#best", "node => ({...node.dataset})"))
