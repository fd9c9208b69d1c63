"""Words that do not belong in the repository."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from repository import ROOT, SOURCES, TESTS

# Written so that this file does not match itself.
PRIVATE = re.compile(
    r"(?<![\w.])/(?:wor[k]|roo[t]|home/\w+|Users/\w+)/|/tmp/bas[h]_jobs"
    r"|\b(?:pyp[i]\.org|pythonhoste[d]\.org|npmj[s]\.(?:com|org)|anacond[a]\.org|crate[s]\.io)"
    r"|METHOD[S](?:\.md|,? M-\d)|\(issue[s]? \d"  # the specification, and what asked for a change
)


def tracked_files() -> list[Path]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return [*SOURCES, *TESTS]
    names = subprocess.run(
        [git, "ls-files", "-z"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    return [ROOT / name for name in names.split("\0") if (ROOT / name).is_file()]


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("open('/" + "root/data.csv')", True),
        ("https://pypi" + ".org/project/rocspace", True),
        ("see docs/" + "work/notes.md", False),
        ("printed (METHODS " + "M-02)", True),
        ("is simulated (issue " + "13, 8)", True),
    ],
)
def test_the_check_for_private_places_sees_them(text: str, private: bool) -> None:
    assert bool(PRIVATE.search(text)) is private


def test_no_machine_paths_or_registries_in_tracked_files() -> None:
    found = []
    for path in tracked_files():
        lines = path.read_text(encoding="utf-8", errors="ignore").splitlines()
        found += [f"{path.name}:{i}" for i, line in enumerate(lines, 1) if PRIVATE.search(line)]
    assert found == []
