"""From tables to one summary, and from the summary to one self-contained HTML page.

`summarise` computes every number once, as plain JSON types; the page, the command line's
``--json`` and anything else print that one dict.
"""

from __future__ import annotations

from rocspace.report.html import render_html, write_html
from rocspace.report.summarise import More, summarise

__all__ = ["More", "render_html", "summarise", "write_html"]
