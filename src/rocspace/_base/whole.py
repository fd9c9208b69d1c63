"""Write files completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, pieces: Iterable[str | bytes]) -> None:
    """Write a file, or replace one, at once or not at all; a pipe or a device is written to."""
    path = path.resolve()
    if path.exists() and not path.is_file():  # such as /dev/null
        with path.open("wb") as file:
            file.writelines(map(_encoded, pieces))
        return
    unfinished = path.with_name(f".{path.name[:200]}.{os.getpid()}.part")
    try:
        with unfinished.open("xb") as file:
            file.writelines(map(_encoded, pieces))
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def _encoded(piece: str | bytes) -> bytes:
    return piece.encode(errors="backslashreplace") if isinstance(piece, str) else piece
