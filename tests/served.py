"""What tests of the web app share: visitors, a file, and what is chosen of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from typing import Any

HOME = "http://localhost:8765"


def _row(i: int) -> str:
    risk = (i * 7 % 20 + 6 * (i % 2 == 0)) / 26
    return f"{('yes', 'no')[i % 2]},{risk:.3f},{40 + i * 13 % 37},{i // 2}\n"


ROWS = "ill,risk,age,patient\n" + "".join(map(_row, range(60)))


def _kind(i: int) -> str:
    kind, strong = i % 3, i % 7 > 1
    scores = [((i * 5 + 4 * j) % 11 + 9 * (j == kind) * strong) / 20 for j in range(3)]
    other = [((i * 3 + 5 * j) % 13 + 6 * (j == kind)) / 20 for j in range(3)]
    return f"{('cat', 'cow', 'dog')[kind]},{','.join(map(str, scores + other))},{i // 2}\n"


KINDS = "kind,p_cat,p_cow,p_dog,q_cat,q_cow,q_dog,farm\n" + "".join(map(_kind, range(90)))


def _grade(i: int) -> str:
    grade = i % 3
    size, age = 5 * grade + i * 7 % 13, 60 - 4 * grade + i * 5 % 17
    return f"{('none', 'mild', 'bad')[grade]},{size},{age},{i // 2}\n"


GRADES = "grade,size,age,patient\n" + "".join(map(_grade, range(90)))
CHOICE: dict[str, Any] = {"label": "ill", "positive": "yes", "scores": ["risk", "age"]}
Serve = Callable[..., "Visitor"]


class Loop:
    """An event loop in a thread of its own, since Playwright keeps one running in this thread."""

    def __enter__(self) -> Loop:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def begin(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.begin(work).result(timeout=120)


async def do_here(do: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Do in this process what a worker would do."""
    from rocspace.web.work import answer

    return await asyncio.to_thread(answer, {"do": do, "arguments": dict(arguments)})


async def nothing() -> None: ...


class Visitor:
    """A browser's cookies and requests, without a browser and without a network."""

    def __init__(self, app: Any, runner: Loop) -> None:
        import httpx

        self.app, self.runner = app, runner
        self._client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HOME)

    def another(self) -> Visitor:
        """Return another visitor of the same application, who has opened the page."""
        found = Visitor(self.app, self.runner)
        assert found.get("/").status_code == 200
        return found

    def ask(self, method: str, path: str, **how: Any) -> Any:
        return self.runner.run(self._client.request(method, path, **how))

    def get(self, path: str, **how: Any) -> Any:
        return self.ask("GET", path, **how)

    def post(self, path: str, **how: Any) -> Any:
        return self.ask("POST", path, **how)

    def delete(self, path: str, **how: Any) -> Any:
        return self.ask("DELETE", path, **how)

    def give(self, content: bytes | str, name: str = "cases.csv") -> Any:
        """Send a file as the page does."""
        return self.post("/api/files", files={"file": (name, content)})

    def report(self, file: str, **choice: Any) -> Any:
        """Ask for a report as the page does."""
        return self.post("/api/reports", json={"file": file, "choice": {**CHOICE, **choice}})


def messages(response: Any) -> str:
    """Return the sentences of an answer."""
    return " ".join(each["message"] for each in response.json()["problems"])


def done(do: str, **arguments: Any) -> dict[str, Any]:
    """Do at once what a worker would do."""
    from rocspace.web.work import answer

    return answer({"do": do, "arguments": arguments})


def run_lines(code: str) -> None:
    """Run lines of Python that the page shows."""
    exec(compile(code, "lines", "exec"), {})


OF_CLASSES: dict[str, Any] = {
    "label": "kind",
    "positive": None,
    "scores": [f"{each}_{kind}" for each in "pq" for kind in ("cat", "cow", "dog")],
    "level": 0.9,
}


ORDERED: dict[str, Any] = {
    "label": "grade",
    "positive": None,
    "order": ["none", "mild", "bad"],
    "level": 0.9,
    "scores": ["size", "age"],
    "lower": ["age"],
}
