"""What is kept of each visitor, who can see it, and when it is gone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rocspace.web import Limits
from rocspace.web import sessions as _sessions
from rocspace.web.sessions import FullError, Sessions, private_folder, shown_name
from served import ROWS, Serve, Visitor, messages


def test_one_visitor_cannot_see_what_another_gave(client: Visitor) -> None:
    file = client.give(ROWS).json()["id"]
    made = client.report(file).json()["id"]
    other = client.another()
    assert other.get("/api/files").json() == {"files": []}
    assert other.report(file).status_code == 404
    assert other.delete(f"/api/files/{file}").status_code == 404
    for path in (f"/reports/{made}", f"/reports/{made}/html", f"/reports/{made}/pdf"):
        assert other.get(path).status_code == 404
    assert client.get(f"/reports/{made}").status_code == 200


def test_without_the_page_there_is_no_session(serving: Serve) -> None:
    stranger = serving()
    for answer in (stranger.get("/api/files"), stranger.give(ROWS), stranger.report("x")):
        assert answer.status_code == 404
        assert "Reload the page" in messages(answer)


def test_ids_cannot_be_guessed(client: Visitor) -> None:
    found = [client.give(ROWS).json()["id"] for _ in range(3)]
    assert len(set(found)) == 3
    assert all(len(each) >= 16 for each in found)


def test_files_are_deleted_after_a_time_without_use(tmp_path: Path) -> None:
    now = [0.0]
    known = Sessions(tmp_path, Limits(minutes=10), clock=lambda: now[0])
    key, session = known.begin()
    upload = session.new_file("a.csv")
    upload.path.write_text(ROWS)
    session.keep(upload)
    now[0] = 599.0
    assert known.find(key) is session
    now[0] = 1198.0  # from the last use
    known.sweep()
    assert upload.path.exists()
    now[0] = 1200.0
    known.sweep()
    assert list(tmp_path.iterdir()) == []
    assert known.find(key) is None


def test_a_visitor_too_many_is_told_so_or_takes_the_place_of_an_idle_one(tmp_path: Path) -> None:
    known = Sessions(tmp_path, Limits(sessions=2))
    (idle, _), (_, busy) = known.begin(), known.begin()
    for session in (busy,):
        session.keep(session.new_file("a.csv"))
    key, session = known.begin()
    assert known.find(idle) is None
    session.keep(session.new_file("b.csv"))
    with pytest.raises(FullError, match="Too many people"):
        known.begin()
    assert known.find(key) is session


def test_only_the_last_reports_are_kept(client: Visitor) -> None:
    file = client.give(ROWS).json()["id"]
    made = [client.report(file, scores=["risk"], level=at).json()["id"] for at in (0.8, 0.9)]
    assert client.get(f"/reports/{made[0]}/json").json()["settings"]["level"] == 0.8
    made += [client.report(file, scores=["risk"]).json()["id"] for _ in range(2)]
    assert client.get(f"/reports/{made[0]}").status_code == 404
    assert client.get(f"/reports/{made[3]}").status_code == 200
    folder = client.app.state.house.folder
    assert len(list(folder.rglob("report.html"))) == 3


def test_deleting_leaves_nothing(client: Visitor) -> None:
    for _ in range(2):
        client.report(client.give(ROWS).json()["id"], scores=["risk"])
    assert client.delete("/api/files").status_code == 200
    folder = client.app.state.house.folder
    assert [each for each in folder.rglob("*") if each.is_file()] == []
    assert client.get("/api/files").json() == {"files": []}


def test_an_example_is_not_deleted_with_its_session(client: Visitor) -> None:
    found = client.post("/api/examples/hanley_mcneil").json()
    client.delete(f"/api/files/{found['id']}")
    assert client.post("/api/examples/hanley_mcneil").status_code == 200
    assert client.post("/api/examples/nothing").status_code == 404


def test_the_folder_is_gone_at_the_end(serving: Serve, tmp_path: Path) -> None:
    client = serving()
    app = client.app
    visitor = client.another()
    visitor.give(ROWS)
    context = app.router.lifespan_context(app)
    visitor.runner.run(context.__aenter__())
    visitor.runner.run(context.__aexit__(None, None, None))
    assert not (tmp_path / "private").exists()


def test_the_private_folder_is_private_and_what_a_killed_server_left_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_sessions.tempfile, "tempdir", str(tmp_path))
    dead, living = (
        tmp_path / "rocspace-web-4194305-abc",
        tmp_path / f"rocspace-web-{os.getppid()}-x",
    )
    others = tmp_path / "rocspace-webcam"
    for folder in (dead, living, others):
        folder.mkdir()
    (dead / "a.csv").write_text(ROWS)
    made = private_folder()
    assert made.stat().st_mode & 0o777 == 0o700
    assert sorted(tmp_path.iterdir()) == sorted([living, others, made])


def test_names_are_shown_without_their_folders() -> None:
    assert shown_name("C:\\Users\\me\\my cases.csv") == "my cases.csv"
    assert shown_name("\x00\n") == "file"
    assert len(shown_name("x" * 999)) == 120
