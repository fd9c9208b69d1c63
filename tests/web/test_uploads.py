"""Files on their way in: where they are kept, what is too large, what is no file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from rocspace.web.uploads import UploadError, check_size
from served import ROWS, Serve, Visitor, messages


def kept(client: Visitor) -> list[Path]:
    folder = client.app.state.house.folder
    return sorted(each for each in folder.rglob("*") if each.is_file())


def test_a_file_is_kept_whole_for_this_user_only(client: Visitor) -> None:
    found = client.give(ROWS).json()
    assert (found["name"], found["rows"]) == ("cases.csv", 60)
    (path,) = kept(client)
    assert path.read_text() == ROWS
    assert path.stat().st_mode & 0o077 == 0
    assert all(p.stat().st_mode & 0o077 == 0 for p in path.parents if "visitor" in str(p))


def test_a_large_file_is_written_nowhere_else(
    client: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))

    def refuse(*_: object, **__: object) -> None:
        msg = "a temporary file was made"
        raise AssertionError(msg)

    for name in ("TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile"):
        monkeypatch.setattr(tempfile, name, refuse)
    large = ROWS + "yes,0.5,40,7\n" * 200_000
    assert client.give(large).json()["rows"] == 200_060
    assert list(elsewhere.iterdir()) == []
    assert [each.stat().st_size for each in kept(client)] == [len(large)]


def test_a_file_beyond_the_limit_is_refused_by_its_length(serving: Serve) -> None:
    client = serving(size=1000).another()

    async def never() -> object:
        yield b""
        msg = "the request was read"
        raise AssertionError(msg)

    how = {"Content-Type": "multipart/form-data; boundary=x", "Content-Length": "900000"}
    answer = client.post("/api/files", content=never(), headers=how)
    assert answer.status_code == 413
    assert "larger than 1 kB" in messages(answer)
    assert kept(client) == []


def test_a_file_beyond_the_limit_is_refused_where_its_length_is_not_said(serving: Serve) -> None:
    client = serving(size=1000).another()

    async def parts() -> object:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        for _ in range(50):
            yield b"1,2,3\n" * 100

    how = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = client.post("/api/files", content=parts(), headers=how)
    assert answer.status_code == 413
    assert kept(client) == []


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("text/csv", b"a,b\n1,2\n", 415),
        ("multipart/form-data", b"a,b\n1,2\n", 415),
        ("multipart/form-data; boundary=x", b"no part at all", 400),
        ("multipart/form-data; boundary=x", b"", 400),
        (f"multipart/form-data; boundary={'x' * 300}", b"", 400),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n1,2',
            400,
        ),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
            400,
        ),
        (
            "multipart/form-data; boundary=x",
            b"--x\r\nContent-Disposition: " + b"a" * 20_000 + b"\r\n\r\n1\r\n--x--\r\n",
            400,
        ),
        (
            "multipart/form-data; boundary=x",
            2 * b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n1,2\r\n'
            + b"--x--\r\n",
            400,
        ),
        (
            "multipart/form-data; boundary=x",
            2 * b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n\r\n'
            + b"--x--\r\n",
            400,
        ),
    ],
)
def test_what_is_no_file_is_refused(client: Visitor, kind: str, body: bytes, status: int) -> None:
    answer = client.post("/api/files", content=body, headers={"Content-Type": kind})
    assert answer.status_code == status, answer.text
    assert kept(client) == []
    assert client.get("/api/files").json() == {"files": []}


@pytest.mark.parametrize(
    "name", ["../../etc/passwd.csv", "..\\..\\a.csv", "/etc/a.csv", "a\x1b[31m.csv", "é\u202e.csv"]
)
def test_a_name_leads_nowhere(client: Visitor, name: str) -> None:
    found = client.give(ROWS, name).json()
    assert found["name"].endswith(".csv")
    assert not set(found["name"]) & {"/", "\\", "\x1b", "\u202e"}
    (path,) = kept(client)
    assert path.is_relative_to(client.app.state.house.folder)
    assert path.name.isascii()


def test_no_more_files_than_the_limit(serving: Serve) -> None:
    client = serving(files=2).another()
    first = client.give(ROWS).json()["id"]
    client.give(ROWS)
    full = client.give(ROWS)
    assert full.status_code == 429
    assert "Remove one first" in messages(full)
    assert client.delete(f"/api/files/{first}").status_code == 200
    assert client.give(ROWS).status_code == 200
    assert len(kept(client)) == 2


@pytest.mark.parametrize(
    ("length", "refused"), [("9" * 5000, True), ("²", False), ("-1", False), ("", False)]
)
def test_the_length_that_a_request_says_may_be_anything(length: str, refused: bool) -> None:
    if refused:
        with pytest.raises(UploadError, match="larger than 1 kB"):
            check_size(length, 1000)
    else:
        check_size(length, 1000)


def test_files_on_their_way_count_too(serving: Serve) -> None:
    client = serving(files=1).another()
    (session,) = client.app.state.house.sessions._known.values()
    coming = session.new_file("first.csv")
    full = client.give(ROWS)
    assert (full.status_code, messages(full)) == (
        429,
        "There is 1 file already. Remove one first.",
    )
    session.drop(coming)
    assert client.give(ROWS).status_code == 200
