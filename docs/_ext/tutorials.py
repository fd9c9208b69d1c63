"""The pictures of the guide and the tutorials, and the live report beside the pages.

Each function of `DRAWINGS` in docs/_figures/tutorials.py and docs/_figures/guide.py returns a
figure; pages show it as ``/generated/<script>/<name>.png``.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from sphinx.application import Sphinx

FIGURES = Path(__file__).parents[1] / "_figures"
ROOT = FIGURES.parents[1]
SCRIPTS = tuple(name for name in ("tutorials", "guide") if (FIGURES / f"{name}.py").exists())
LIVE = "live/report.html"  # in the built pages


def drawings(script: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"figures_{script}", FIGURES / f"{script}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def draw_all(app: Sphinx) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    from rocspace.plot import style

    for script in SCRIPTS:
        folder = Path(app.srcdir) / "generated" / script
        folder.mkdir(parents=True, exist_ok=True)
        for name, draw in drawings(script).DRAWINGS.items():
            with style("double", figure_figsize=(7, 3.4)):
                figure = draw()
                figure.savefig(folder / f"{name}.png", dpi=160)
            plt.close(figure)


def write_report(app: Sphinx, error: Exception | None) -> None:
    """Write the report of `make demo` beside the pages, where they link to it."""
    if error is not None or app.builder.format != "html":
        return
    target = Path(app.outdir) / LIVE
    if target.exists() and target.stat().st_mtime > newest(ROOT / "src"):
        return
    target.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "rocspace", "report", "adult_scores", "--quiet"]
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    subprocess.run(
        [*command, "--output", str(target)],
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": path},
    )


def newest(folder: Path) -> float:
    """When a source was last changed."""
    return max(
        path.stat().st_mtime for path in folder.rglob("*.*") if "__pycache__" not in path.parts
    )


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", draw_all)
    app.connect("build-finished", write_report)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
