"""Serve the report as a page of this computer: drop a file, choose columns, look, download.

Start with `serve`, which ``rocspace serve`` calls; `web_app` gives the same application to those
who run a server of their own, and `Limits` says how much of the computer a visitor may use.

It computes nothing: a worker reads the file as the command line does, and shows what
`rocspace.report` makes of it. Files stay in a private folder that is emptied at the end; the
address of the page carries choices, never data.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
