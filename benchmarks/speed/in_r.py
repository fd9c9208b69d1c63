"""A process of R that reads samples and runs calls of its packages (`race.R`)."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

Sample = tuple[Any, Sequence[Any]]  # labels, and two scores


class R:
    """One process of Rscript."""

    def __init__(self) -> None:
        self.versions: dict[str, str] = {}
        self._process: subprocess.Popen[str] | None = None
        if shutil.which("Rscript") is not None:
            script = str(Path(__file__).with_name("race.R"))
            self._process = subprocess.Popen(
                ["Rscript", "--vanilla", script],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            known = [word.split() for word in self.ask("versions")]
            self.versions = {words[0]: words[1] for words in known if len(words) == 2}

    def ask(self, *words: str) -> list[str]:
        """Return the answer to a command, as words."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\t".join(words) + "\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline().rstrip("\n").split("\t")
        if said[0] == "error" or (said == [""] and words[0] != "versions"):
            raise RuntimeError(said[-1] or "R ended")
        return said

    def read(self, samples: Sequence[Sample]) -> None:
        """Give R the samples."""
        if not self.versions:
            return
        with tempfile.TemporaryDirectory() as folder:
            folders = [Path(folder, str(i)) for i in range(len(samples))]
            for each, (label, scores) in zip(folders, samples, strict=True):
                each.mkdir()
                label.astype(np.int8).tofile(each / "label.bin")
                for name, score in zip(("first", "second"), scores, strict=True):
                    np.asarray(score, dtype=np.float64).tofile(each / f"{name}.bin")
            self.ask("data", str(samples[0][0].size), *map(str, folders))

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()
