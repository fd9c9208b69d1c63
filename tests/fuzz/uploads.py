"""Hostile visitors of the web app: whatever they send is answered by a sentence, and leaks nothing.

The work is done in this process; `fuzz.visits` has workers. Files, requests and choices are damaged
at random. An answer is never the server's fault, holds no traceback and no path, and no address
holds anything of a file.
"""

from __future__ import annotations

import atexit
import gzip
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.hostile import (
    ADDRESSES,
    NAMES,
    check,
    check_empty,
    disposition,
    form,
    pick,
    workbook,
    written,
)
from fuzz.states import changed_fields, flipped, junk, some_counter
from served import CHOICE, GRADES, KINDS, OF_CLASSES, ORDERED, ROWS, Loop, Visitor, do_here, nothing

SECRET = "qzsecretqz"  # a value of some files, which no address may hold
TEXTS = [ROWS, KINDS, GRADES, f"y,s,{SECRET}\n1,.4,{SECRET}\n0,.2,b\n1,.3,c\n"]
PIECES = [
    *(b"", b",", b"\n", b"\r", b'"', b"'", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"nan", b"inf"),
    *(b"-1e999", b"9" * 400, b"1_000", b"1,5", b"=1+1", b"\xf0\x9f\x98\x80", b"\x85", b";" * 40),
    *("\u202e".encode(), b"yes", b"0x1p3", b"1e-400", b"NA", b"a" * 5000, b"\xc3", b" ", b"\t"),
]


# --- files --------------------------------------------------------------------------------


def some_table(rng: np.random.Generator) -> bytes:
    import pyarrow as pa

    columns = {"ill": ["yes", "no"] * 30, "risk": [i / 60 for i in range(60)], "age": range(60)}
    table = pa.table({name: list(column) for name, column in columns.items()})
    return written(table, pick(rng, ["parquet", "arrow"]))


def some_file(rng: np.random.Generator) -> bytes:
    """Return a file of one of many kinds, whole."""
    text = pick(rng, TEXTS)
    how = int(rng.integers(10))
    if how < 4:
        return text.replace(",", pick(rng, [",", ",", ",", ";", "\t", "|"])).encode()
    if how == 4:
        return gzip.compress(text.encode(), mtime=0)
    if how == 5:
        return text.encode(pick(rng, ["utf-16", "utf-16-le", "utf-32", "utf-8-sig", "cp1252"]))
    if how == 6:
        return some_counter(rng).to_bytes()
    if how == 7:
        return workbook([[SECRET]] * 50)
    return some_table(rng)


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a file damaged, replaced by noise, or as it was."""
    how = rng.random()
    if how < 0.15:
        return data
    if how < 0.25:
        return rng.bytes(int(rng.integers(0, 400)))
    if how < 0.3:
        return data[:4] + rng.bytes(60) + data[-4:]
    for _ in range(int(rng.choice([1, 1, 3, 10]))):
        at = int(rng.integers(len(data) + 1))
        if data and rng.random() < 0.5:
            data = flipped(data, rng)
        else:
            data = data[:at] + pick(rng, PIECES) + data[at + int(rng.integers(0, 8)) :]
    return data


# --- requests -----------------------------------------------------------------------------


def some_form(content: bytes, name: str, rng: np.random.Generator) -> tuple[bytes, str]:
    """Return the body of a form with one file, and its type; both may be damaged."""
    body = b"".join(form(content, disposition(name)))
    kind = "multipart/form-data; boundary=edge"
    how = rng.random()
    if how < 0.5:
        at = int(rng.integers(min(len(body), 150)))
        body = body[:at] + pick(rng, PIECES) + body[at + int(rng.integers(0, 9)) :]
    elif how < 0.7:
        body = flipped(body, rng)
    elif how < 0.8:
        body = body.replace(b"\r\n--edge--\r\n", b"\r\n") + body
    elif how < 0.9:
        kind = pick(
            rng, ["", "text/csv", "multipart/form-data", f"{kind}\u00e9", kind[:-2], "x;" * 99]
        )
    return body, kind


def some_choice(rng: np.random.Generator) -> Any:
    """Return what the page sends as the choice, damaged."""
    said: Any = json.loads(json.dumps(pick(rng, [CHOICE, CHOICE, OF_CLASSES, ORDERED])))
    for _ in range(int(rng.choice([0, 1, 1, 2, 4]))):
        changed_fields(said, rng)
    if rng.random() < 0.3:
        said[pick(rng, ["by", "cluster", "weight", "missing", "lower", "order", "scores"])] = pick(
            rng, ["patient", "age", "omit", ["age"], ["risk", "age"], SECRET, "", junk(rng)]
        )
    return junk(rng) if rng.random() < 0.05 else said


def some_address(rng: np.random.Generator) -> str:
    """Return an address that the page may ask for, or nearly, with parameters."""
    path = pick(rng, ADDRESSES)
    asked = "&".join(
        f"{pick(rng, ['token', 'file', 'choice', 't', '%00', 'label'])}={rng.bytes(6).hex()}"
        + pick(rng, ["", "%ff", "%00", "<script>", "'", "%0d%0aX-A:1", "x" * 3000])
        for _ in range(int(rng.integers(0, 4)))
    )
    return f"{path}?{asked}" if asked else path


# --- what must hold -----------------------------------------------------------------------


@cache
def visitors() -> tuple[Visitor, Visitor, Path]:
    """Return two visitors of an application that does its work in this process."""
    from rocspace.web import Limits, web_app

    place = tempfile.TemporaryDirectory(prefix="fuzz-web-")
    folder = Path(place.name) / "private"
    folder.mkdir(mode=0o700)
    app = web_app(limits=Limits(size=1_000_000, files=3), folder=folder)
    app.state.house.workers.run, app.state.house.workers.warm = do_here, nothing
    loop = Loop().__enter__()
    atexit.register(place.cleanup)
    first = Visitor(app, loop)
    return first.another(), first.another(), folder


def ask_of(visitor: Visitor, file: str, rng: np.random.Generator, folder: Path) -> None:
    """Ask for a report and a comparison of a file, and take what there is."""
    asked: Any = {"file": file, "choice": some_choice(rng)}
    # Not `json=`, which refuses numbers that are not finite before they are sent.
    found = check(visitor.post("/api/reports", content=json.dumps(asked)), folder)
    if "id" in found:
        kind = pick(rng, ["html", "json", "tables", "svg", "nothing"])
        assert SECRET not in found["id"]
        check(visitor.get(f"/reports/{found['id']}/{kind}"), folder)
    sides: Any = {"sides": [asked, {"file": file, "choice": some_choice(rng)}]}
    if rng.random() < 0.5:
        changed_fields(sides, rng)
    check(visitor.post("/api/comparisons", content=json.dumps(sides)), folder)


def one_round(rng: np.random.Generator) -> int:
    """Send a dozen files, requests and addresses; return how many were answered."""
    visitor, other, folder = visitors()
    n = 0
    for _ in range(4):
        content, name = damaged(some_file(rng), rng), pick(rng, NAMES)
        found = check(visitor.give(content, name), folder)
        n += 1
        if "id" in found:
            assert check(other.delete(f"/api/files/{found['id']}"), folder)["problems"]
            ask_of(visitor, found["id"], rng, folder)
            n += 3
        body, kind = some_form(content, name if name.isprintable() else "a.csv", rng)
        how = {"Content-Type": kind.encode("latin-1", "replace")}
        check(visitor.post("/api/files", content=body, headers=how), folder)
        path = some_address(rng)
        check(visitor.ask(pick(rng, ["GET", "POST", "DELETE", "PUT"]), path, content=body), folder)
        n += 2
        check(visitor.delete("/api/files"), folder)
        check_empty(folder)
    return n
