"""rocspace serve: the report as a page to work with."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from cyclopts import Group, Parameter

from rocspace.cli.console import printable, write
from rocspace.cli.options import Flag, Whole, check_least
from rocspace.web.limits import Limits
from rocspace.web.server import serve as _serve

_LIMITS = Group("Limits of each visitor", sort_key=1)


@Parameter(name="*", group=_LIMITS)
@dataclass(frozen=True, kw_only=True)
class Allowed:
    """How much of the computer a visitor may use.

    Attributes
    ----------
    max_mb
        Size of a file in megabytes; larger ones are refused before they are read.
    max_values
        Rows times scores of a report; more are refused before they are worked out.
    max_seconds
        Time of one computation, which is then ended.
    keep_minutes
        Time without use after which a visitor's files are deleted.
    """

    max_mb: Whole = 200
    max_values: Whole = 10_000_000
    max_seconds: Whole = 300
    keep_minutes: Whole = 60

    @property
    def limits(self) -> Limits:
        """The limits, once they are checked."""
        for name in ("max_mb", "max_values", "max_seconds", "keep_minutes"):
            check_least(f"--{name.replace('_', '-')}", getattr(self, name), 1)
        return Limits(
            size=self.max_mb * 1_000_000,
            values=self.max_values,
            seconds=self.max_seconds,
            minutes=self.keep_minutes,
        )


ALLOWED = Allowed()


def serve(
    *,
    host: str = "127.0.0.1",
    port: Whole = 8765,
    token: str | None = None,
    no_browser: Flag = False,
    allowed: Allowed = ALLOWED,
) -> None:
    """Open a page in the browser: drop a file, and see its report.

    The page guesses which columns are the label and the scores, says why, and shows the report of
    rocspace report; every choice can be changed. It compares a score in two files, and gives the
    report, figures, tables, and the lines of Python and of the shell that do the same.

    Files stay on this computer, in a private folder that is deleted when you stop with Ctrl-C. Only
    this computer can open the page, unless --host says otherwise; then visitors need a token.

    Parameters
    ----------
    host
        Address to listen on. Any address but this computer's own lets others in; 0.0.0.0 lets in
        everybody who can reach this computer. The connection is not encrypted.
    port
        Port to listen on; if it is in use, the next one that is free.
    token
        What visitors must know, at least 12 letters. By default one is made up and printed where
        --host lets others in; on this computer only, none is needed.
    no_browser
        Do not open the browser, only print the address.

    Examples
    --------
    rocspace serve
    rocspace serve --port 9000 --no-browser
    rocspace serve --host 0.0.0.0 --max-mb 50
    """
    _serve(
        host=host,
        port=port,
        token=token,
        open_browser=not no_browser,
        limits=allowed.limits,
        tell=_tell,
    )


def _tell(line: str) -> None:
    write(f"{printable(line)}\n")
    sys.stdout.flush()
