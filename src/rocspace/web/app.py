"""The application, for a server of one's own."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rocspace._base.optional import require
from rocspace.web.guard import LOOPBACK
from rocspace.web.limits import Limits

_LIMITS = Limits()


def web_app(
    *,
    limits: Limits = _LIMITS,
    hosts: Sequence[str] = LOOPBACK,
    token: str | None = None,
    folder: str | Path | None = None,
) -> Any:
    """Return the web application, for an ASGI server of one's own.

    Parameters
    ----------
    limits : Limits
        How much of the computer a visitor may use.
    hosts : sequence of str
        Names under which the server is known; requests under others are refused. By default those
        of this computer.
    token : str, optional
        What visitors must know, where the server is not for this computer only. It is then also
        known by its address in numbers.
    folder : str or path, optional
        Where files of visitors are kept, which only this user should be able to open; by default a
        new private folder. It is emptied when the application ends.

    Returns
    -------
    fastapi.FastAPI
        The application.

    Raises
    ------
    ModuleNotFoundError
        If a package of the extra ``web`` or ``app`` is missing.

    Notes
    -----
    It needs a single process: the files of a visitor are known to the process that took them.

    References
    ----------
    No source: shows what other functions compute.

    Examples
    --------
    >>> web_app().title
    'rocspace'
    """
    require_packages()
    from rocspace.web.routes import build

    place = None if folder is None else Path(folder)
    return build(limits=limits, hosts=tuple(hosts), token=token, folder=place)


def require_packages() -> None:
    """Raise what says how to install it, if a package is missing."""
    for package in ("fastapi", "python_multipart", "uvicorn"):
        require(package, extra="web")
    for package in ("jinja2", "pyarrow", "vl_convert"):
        require(package, extra="app")


def temporary(folder: Path) -> None:
    """Keep temporary files of this process in a folder."""
    tempfile.tempdir = str(folder)
