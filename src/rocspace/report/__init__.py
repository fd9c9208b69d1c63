"""Make a summary of tables, and from the summary a page or tables for a paper.

Start with `summarise`, which computes every number once, as plain JSON types, and `write_html`,
which makes of it one page that needs no network. `areas_table`, `comparison_table`, `stard_table`
and others make tables for papers, which `to_latex`, `to_markdown` and `to_html` write.

The page, the command line's ``--json`` and anything else print that one summary; no template and
no chart computes a number of its own.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
