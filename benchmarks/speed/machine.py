"""What the timings ran on: processor, memory, versions, and how fast `np.sort` is here.

Ratios to `np.sort` mean little without its speed. NumPy picks the sort by the processor:
with AVX-512, with AVX2, or without either. On AMD's Zen 4 (family 25) the AVX-512 sort is
several times slower than the AVX2 one, because a store that it leans on (`vcompress` to
memory) is microcode there (numpy/x86-simd-sort#6). So both are measured, the second in a
process with AVX-512 switched off, and ratios can be read against either.
"""

from __future__ import annotations

import functools
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib import import_module, metadata
from pathlib import Path

import numpy as np

AVX512 = ("X86_V4", "AVX512_ICL", "AVX512_SPR", "AVX512_SKX", "AVX512_CNL", "AVX512_CLX")
LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn", "polars")

_SORT = """
import time
import numpy as np
x = np.random.default_rng(0).standard_normal({n})
best = np.inf
for _ in range(5):
    y = x.copy()
    start = time.perf_counter()
    y.sort()
    best = min(best, time.perf_counter() - start)
print(best)
"""


def version(package: str) -> str:
    """Version of an installed package, or "" without it."""
    if package == "rocspace":
        return str(import_module(package).__version__)
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def simd_found() -> list[str]:
    """SIMD extensions beyond the baseline that NumPy found and may dispatch to."""
    return list(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


def sort_seconds(n: int, *, without: tuple[str, ...] = ()) -> float:
    """Seconds of `np.sort` on n normal float64 in a fresh process; nan where it cannot run."""
    environment = dict(os.environ)
    if without:
        environment["NPY_DISABLE_CPU_FEATURES"] = " ".join(without)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _SORT.format(n=n)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return float(done.stdout) if done.returncode == 0 else float("nan")


@functools.cache
def describe(n_sort: int = 10**7) -> dict[str, str]:
    """Every fact about the machine that the timings depend on."""
    found = simd_found()
    facts = {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": _processor(),
        "cores this process may use": str(cores()),
        "load when started (1, 5, 15 minutes)": " ".join(f"{x:.2f}" for x in os.getloadavg()),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        **{name: version(name) or "not installed" for name in LIBRARIES},
        "SIMD that NumPy found": ", ".join(found) or "baseline only",
        "np.sort as dispatched here": _speed(n_sort, sort_seconds(n_sort)),
    }
    present = tuple(name for name in AVX512 if name in found)
    if present:
        facts["np.sort with AVX-512 off (AVX2)"] = _speed(
            n_sort, sort_seconds(n_sort, without=present)
        )
    return facts


def markdown(n_sort: int = 10**7) -> str:
    """The facts as a list."""
    return "\n".join(f"- {what}: {fact}" for what, fact in describe(n_sort).items())


def _speed(n: int, seconds: float) -> str:
    return f"{n:.0e} float64 in {seconds:.3f} s, {seconds / n * 1e9:.1f} ns each".replace("+0", "")


def _processor() -> str:
    fields = _fields(Path("/proc/cpuinfo"))
    name = fields.get("model name") or platform.processor() or "unknown"
    if "cpu family" in fields:
        name += f" (family {fields['cpu family']}, model {fields['model']})"
    cache = fields.get("cache size")
    return f"{name}, cache {cache}" if cache else name


def _memory() -> str:
    total = _fields(Path("/proc/meminfo")).get("MemTotal", "unknown")
    number = total.split()[0]
    return f"{int(number) / 2**20:.0f} GiB" if number.isdigit() else total


def _fields(path: Path) -> dict[str, str]:
    """The `name: value` lines of a file in /proc, the first of each name."""
    fields: dict[str, str] = {}
    if path.exists():
        for line in path.read_text().splitlines():
            name, _, value = line.partition(":")
            fields.setdefault(name.strip(), value.strip())
    return fields


if __name__ == "__main__":
    print(markdown())
