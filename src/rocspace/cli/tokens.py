"""Placeholders for arguments that cannot be passed on as they were written."""

from __future__ import annotations

STDIN = "<stdin>"  # what "-" becomes before options are parsed: it would be taken for one
UNNAMED = "<the only score>"  # the value of --lower-is-positive where no name follows
