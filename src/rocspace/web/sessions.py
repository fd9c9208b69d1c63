"""What the server keeps for each visitor, in a private folder that is emptied."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rocspace.web.limits import Limits

_PREFIX = "rocspace-web-"
_REPORTS = 3  # reports of a visitor that are kept


class FullError(Exception):
    """There is no room for another visitor or file; the message is for the page."""


@dataclass(slots=True, eq=False)
class Upload:
    """A file of a visitor, or a bundled data set.

    Attributes
    ----------
    id, name : str
        What the page calls it, and its name.
    path : Path
        Where it is.
    example : str or None
        The name of the bundled data set.
    looked : dict
        What is known of its columns.
    """

    id: str
    name: str
    path: Path
    example: str | None = None
    looked: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Made:
    """A report that was made.

    Attributes
    ----------
    id : str
        What the page calls it.
    upload : Upload
        Of which file.
    choice : mapping
        Of which columns.
    folder : Path
        Where its page, numbers and figures are.
    """

    id: str
    upload: Upload
    choice: Mapping[str, Any]
    folder: Path


class Session:
    """One visitor: files, reports, and when the last request came."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder = folder
        self.uploads: dict[str, Upload] = {}
        self.reports: dict[str, Made] = {}
        self.places: set[str] = set()  # of files, those on their way too
        self.seen = time.monotonic()
        self._limits = limits

    def new_file(self, name: str) -> Upload:
        """Return a place for another file, which does not exist yet."""
        if len(self.places) >= self._limits.files:
            n = len(self.places)
            msg = f"There {'is 1 file' if n == 1 else f'are {n} files'} already. Remove one first."
            raise FullError(msg)
        key = secrets.token_urlsafe(12)
        shown = shown_name(name)
        place = self.folder / f"file-{key}"
        place.mkdir(mode=0o700)
        self.places.add(key)
        return Upload(id=key, name=shown, path=place / safe_name(shown))

    def keep(self, upload: Upload) -> None:
        """Keep a file that is complete."""
        self.uploads[upload.id] = upload

    def drop(self, upload: Upload) -> None:
        """Delete a file and its reports."""
        self.uploads.pop(upload.id, None)
        self.places.discard(upload.id)
        if upload.path.is_relative_to(self.folder):
            shutil.rmtree(upload.path.parent, ignore_errors=True)
        for made in [each for each in self.reports.values() if each.upload is upload]:
            self.forget(made)

    def new_report(self, upload: Upload, choice: Mapping[str, Any]) -> Made:
        """Return a place for another report."""
        key = secrets.token_urlsafe(12)
        folder = self.folder / f"report-{key}"
        folder.mkdir(mode=0o700)
        return Made(id=key, upload=upload, choice=choice, folder=folder)

    def keep_report(self, made: Made) -> None:
        """Keep a report, and forget the oldest beyond a few."""
        self.reports[made.id] = made
        for old in list(self.reports.values())[:-_REPORTS]:
            self.forget(old)

    def forget(self, made: Made) -> None:
        """Delete a report."""
        self.reports.pop(made.id, None)
        shutil.rmtree(made.folder, ignore_errors=True)

    def close(self) -> None:
        """Delete everything of this visitor."""
        self.uploads.clear()
        self.places.clear()
        self.reports.clear()
        shutil.rmtree(self.folder, ignore_errors=True)


class Sessions:
    """All visitors, by names that cannot be guessed."""

    def __init__(
        self, folder: Path, limits: Limits, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.folder = folder
        self._limits = limits
        self._clock = clock
        self._known: dict[str, Session] = {}

    def find(self, key: str | None) -> Session | None:
        """Return a session that has not expired."""
        self.sweep()
        found = self._known.get(key or "")
        if found is not None:
            found.seen = self._clock()
        return found

    def begin(self) -> tuple[str, Session]:
        """Begin a session."""
        self.sweep()
        if len(self._known) >= self._limits.sessions:
            idle = [key for key, each in self._known.items() if not each.places]
            if not idle:
                msg = "Too many people use this page now. Try again in a few minutes."
                raise FullError(msg)
            self._end(idle[0])
        key = secrets.token_urlsafe(32)
        folder = Path(tempfile.mkdtemp(prefix="visitor-", dir=self.folder))
        found = Session(folder, self._limits)
        found.seen = self._clock()
        self._known[key] = found
        return key, found

    def sweep(self) -> None:
        """Delete what belongs to visitors that have not been seen for long."""
        oldest = self._clock() - 60 * self._limits.minutes
        for key in [key for key, each in self._known.items() if each.seen < oldest]:
            self._end(key)

    def _end(self, key: str) -> None:
        self._known.pop(key).close()

    def close(self) -> None:
        """Delete everything of everybody."""
        for key in list(self._known):
            self._end(key)


def private_folder() -> Path:
    """Make a folder that only this user can open; delete those that a killed server left."""
    parent = Path(tempfile.gettempdir())
    for left in parent.glob(f"{_PREFIX}*"):
        number = left.name.removeprefix(_PREFIX).partition("-")[0]
        if number.isdigit() and not _runs(int(number)) and _is_mine(left):
            shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=parent))


def _runs(process: int) -> bool:
    if os.name != "posix":
        return True  # asking would end it there
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _is_mine(folder: Path) -> bool:
    with suppress(OSError):
        found = folder.lstat()
        return folder.is_dir() and not folder.is_symlink() and found.st_uid == os.getuid()
    return False


def shown_name(name: str) -> str:
    """Return the last part of a file's name as text that can be shown."""
    last = re.split(r"[\\/]", name)[-1].strip()
    return "".join(c for c in last if c.isprintable())[:120] or "file"


def safe_name(name: str) -> str:
    """Return a name for the disk: letters that every system takes, and the endings."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", name).lstrip(".-")
    return f"f_{plain[-80:]}"
