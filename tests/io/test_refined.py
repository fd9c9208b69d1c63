"""Areas of files that are read in several passes."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocspace as rs
from rocspace._base import progress as _progress
from rocspace.io import Reading, refine_file

RNG = np.random.default_rng(5)
N = 60_000
LABEL = RNG.random(N) < 0.2
NEW = RNG.normal(size=N) + LABEL
OLD = (RNG.normal(size=N) + LABEL).astype(np.float32)
FEW = RNG.integers(0, 50, N)
AREAS = {name: rs.auc_score(LABEL, s) for name, s in (("new", NEW), ("old", OLD), ("few", FEW))}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("files") / "s.parquet"
    pq.write_table(pa.table({"y": LABEL, "new": NEW, "old": OLD, "few": FEW}), path)
    return path


pytestmark = pytest.mark.usefixtures("none_is_kept")


@pytest.mark.usefixtures("little_memory")
def test_exact_areas_of_several_scores_in_shared_passes(file: Path) -> None:
    seen: list[int] = []
    found = refine_file(file, label="y", reading=Reading(progress=seen.append))
    assert {name: area.value for name, area in found.areas.items()} == AREAS
    assert all(area.exact for area in found.areas.values())
    assert found.source["counting"] == dict.fromkeys(AREAS, "exact")
    passes = {name: area.passes for name, area in found.areas.items()}
    assert passes["few"] == 1
    assert min(passes["new"], passes["old"]) > 1
    assert seen == [N] * max(passes.values())
    assert found.areas["new"].n_pos == LABEL.sum()


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4])
def test_bounds_are_as_narrow_as_asked(file: Path, tolerance: float) -> None:
    found = refine_file(file, label="y", tolerance=tolerance, score=["old", "new"])
    for name, area in found.areas.items():
        assert area.low <= AREAS[name] <= area.high
        assert area.high - area.low <= tolerance
        assert not area.exact


@pytest.mark.usefixtures("little_memory")
def test_lower_scores_and_missing_ones(tmp_path: Path) -> None:
    holed = np.where(np.arange(N) % 7 == 0, np.nan, NEW)
    pq.write_table(pa.table({"y": LABEL.astype(int), "s": holed}), tmp_path / "s.parquet")
    kept = ~np.isnan(holed)
    found = refine_file(tmp_path / "s.parquet", label="y", higher_is_positive=False, missing="omit")
    area = found.areas["s"]
    exact = rs.auc_score(LABEL[kept], NEW[kept], higher_is_positive=False)
    assert (area.value, area.n_cases) == (exact, kept.sum())
    assert found.source["dropped"] == {"s": N - kept.sum()}


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("little_memory")
def test_progress_names_the_pass(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(_progress, "_INTERVAL", 0.0)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with _progress.Counter("rows read") as progress:
        refine_file(file, label="y", score="new", reading=Reading(progress=progress))
    assert "60,000 rows read, pass 2 of" in screen.getvalue()
