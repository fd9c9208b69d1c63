"""What axe-core finds in a page, at the widths of a phone, a tablet and a desk, light and dark.

PYTHONPATH=tests python -m accessible docs/_build/html/index.html
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pages import CHROMIUM, UNFOLD, wait_for_charts

WIDTHS = (390, 1024, 1440)
SCHEMES = ("light", "dark")

_RUN = """async (how) => {
  const found = await axe.run(document, {resultTypes: ["violations"], preload: false, ...how});
  return found.violations.flatMap(({id, nodes}) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.html.slice(0, 120)}`));
}"""
# A chart is one picture with a description, hidden inside; its thousands of marks only take time.
_EMPTY = "document.querySelectorAll('[data-chart] svg').forEach((svg) => svg.replaceChildren())"
# A page hears of its new width in the next frame, and says then what can be scrolled.
_NEXT_FRAME = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
_SCROLLS = "scrollable-region-focusable"
_CONTRAST = "color-contrast"  # takes most of the time, and no colour depends on the width


def violations(
    page: Any, *, widths: tuple[int, ...] = WIDTHS, contrast: bool = True, same: int | None = None
) -> Iterator[str]:
    """Yield each violation with what was shown: contrast in each scheme, the rest at each width.

    What is folded is opened where contrast is asked for. A width beyond `same` shows the same
    elements, so there only those that scroll are looked at.
    """
    import axe_playwright_python.base

    page.evaluate(axe_playwright_python.base.AXE_SCRIPT)
    if contrast:
        page.evaluate(UNFOLD)
        wait_for_charts(page)
    for scheme in SCHEMES if contrast else SCHEMES[:1]:
        page.emulate_media(color_scheme=scheme)
        for width in widths if scheme == SCHEMES[0] else widths[:1]:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(_NEXT_FRAME)
            how: dict[str, Any] = {
                "rules": {_CONTRAST: {"enabled": contrast and width == widths[0]}}
            }
            if scheme != SCHEMES[0]:
                how = {"runOnly": [_CONTRAST]}
            elif same is not None and width > same:
                how = {"runOnly": [_SCROLLS]}
            for found in page.evaluate(_RUN, how):
                yield f"{width} px, {scheme}: {found}"
            page.evaluate(_EMPTY)


def main(paths: list[str]) -> int:
    """Check pages of the documentation; 1 if one has a violation."""
    if CHROMIUM is None:
        print("accessible: no Chromium, nothing was checked")
        return 0
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        found = []
        for path in paths:
            page.goto(Path(path).resolve().as_uri())
            found += [f"{path}: {each}" for each in violations(page)]
        browser.close()
    print("\n".join(found) or f"accessible: no violation in {json.dumps(paths)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
