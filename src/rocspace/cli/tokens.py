"""What stands in a command line after it was read for what cannot pass as it was written."""

from __future__ import annotations

STDIN = "<stdin>"  # what "-" becomes before options are parsed: it would pass for one
UNNAMED = "<the only score>"  # the value of --lower-is-positive where no name follows
