"""An application whose workers are this process."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from served import CHOICE, ROWS, Loop, Serve, Visitor, do_here, done, nothing

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from rocspace.web import Limits, web_app


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serve]:
    """Start applications; they do themselves what a worker would do."""
    with Loop() as runner:
        living: list[Any] = []

        def start(*, token: str | None = None, **limits: Any) -> Visitor:
            folder = tmp_path / "private"
            folder.mkdir(mode=0o700, exist_ok=True)
            app = web_app(limits=Limits(**limits), token=token, folder=folder)
            app.state.house.workers.run = _do
            app.state.house.workers.warm = nothing
            living.append(app.router.lifespan_context(app))
            runner.run(living[-1].__aenter__())
            return Visitor(app, runner)

        yield start
        for context in living:
            runner.run(context.__aexit__(None, None, None))


async def _do(do: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Do a job here; for a report only look at the file, which takes a thousandth of the time."""
    if do != "report":
        return await do_here(do, arguments)
    found = await do_here("look", {key: arguments[key] for key in ("path", "name")})
    made = Path(arguments["folder"])
    (made / "report.html").write_text("<h1>A report</h1>")
    (made / "summary.json").write_text(json.dumps({"settings": dict(arguments["choice"])}))
    return found


@pytest.fixture
def client(serving: Serve) -> Visitor:
    """A visitor who has opened the page."""
    return serving().another()


def _folder(made: pytest.TempPathFactory) -> Path:
    folder = made.mktemp("web")
    (folder / "cases.csv").write_text(ROWS)
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with cases, to which a module writes its reports."""
    return _folder(tmp_path_factory)


@pytest.fixture(scope="session")
def made_at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one report, to which nothing else is written."""
    return _folder(tmp_path_factory)


@pytest.fixture(scope="session")
def made(made_at: Path) -> dict[str, Any]:
    """The report of two scores, one of them turned round, with clusters."""
    choice = {**CHOICE, "lower": ["age"], "cluster": "patient", "level": 0.9}
    file = str(made_at / "cases.csv")
    return done("report", path=file, name="my cases.csv", choice=choice, folder=str(made_at))
