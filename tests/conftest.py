"""Hypothesis profiles, and where the reference answers are."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: the first call of a numba kernel compiles it.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data and other programs' answers, where there is one."""
    beside = Path(__file__).parents[2] / "shared"
    folder = Path(os.environ.get("ROCSPACE_SHARED", beside))
    if not folder.is_dir():
        pytest.skip(f"no reference folder at {folder}; set ROCSPACE_SHARED")
    return folder
