"""The notebooks of the documentation: each is executed, and shows what is stored in it."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from repository import DOCS, ROOT

NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_notebook", ROOT / "tools/run_notebook.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RUN = tool()


def notebook(*sources: str) -> dict[str, Any]:
    cells = [
        {"cell_type": "code", "execution_count": None, "outputs": [], "source": [source]}
        for source in sources
    ]
    return {"cells": cells}


def test_there_is_one() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_stored(path: Path) -> None:
    """Renew it with ``python tools/run_notebook.py NOTEBOOK --write``, and read what changed."""
    assert RUN.changed(path) == []


def test_a_change_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps(notebook("x = 3", "print(x); x + 1", "x;")))
    assert RUN.changed(path) == [2]
    RUN.write(path)
    assert RUN.changed(path) == []
    _, second, third = json.loads(path.read_text())["cells"]
    assert [each["output_type"] for each in second["outputs"]] == ["stream", "execute_result"]
    assert second["outputs"][1]["data"]["text/plain"] == ["4"]
    assert third["outputs"] == []
    path.write_text(path.read_text().replace('"4"', '"5"'))
    assert RUN.changed(path) == [2]


def test_an_error_in_a_cell_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        RUN.executed(notebook("1 / 0"))
