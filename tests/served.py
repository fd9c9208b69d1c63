"""What tests of the web app share: visitors, a file, and what is chosen of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

HOME = "http://localhost:8765"


def _row(i: int) -> str:
    risk = (i * 7 % 20 + 6 * (i % 2 == 0)) / 26
    return f"{('yes', 'no')[i % 2]},{risk:.3f},{40 + i * 13 % 37},{i // 2}\n"


ROWS = "ill,risk,age,patient\n" + "".join(map(_row, range(60)))
CHOICE: dict[str, Any] = {"label": "ill", "positive": "yes", "scores": ["risk", "age"]}
Serve = Callable[..., "Visitor"]


class Visitor:
    """A browser's cookies and requests, without a browser and without a network."""

    def __init__(self, app: Any, runner: asyncio.Runner) -> None:
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
