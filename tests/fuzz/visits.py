"""Hostile visits of the web app as it is served: with workers of its own, and held to their limits.

`fuzz.uploads` does the work in this process, and asks for many reports; here files go to workers.
Files are damaged, misnamed, blown up; forms are torn; questions are of the wrong kind. Nothing but
2xx and 4xx may come back, no place of this computer, and no words of another library's. Afterwards
a good file still has its right area, and nothing of the visit is left.
"""

from __future__ import annotations

import atexit
import bz2
import csv
import gzip
import io
import json
import shutil
import string
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

import rocspace as rs
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
from fuzz.states import JUNK, flipped, some_counter
from rocspace.web import Limits, web_app
from served import CHOICE, ROWS, Loop, Visitor

LIMITS = Limits(
    size=300_000, values=20_000, seconds=20.0, files=3, sessions=400, workers=1, memory=1 << 30
)


class House:
    """The application with its workers, and one visitor."""

    def __init__(self) -> None:
        self.place = Path(tempfile.mkdtemp(prefix="rocspace-fuzz-"))
        self.folder = self.place / "private"
        self.folder.mkdir(mode=0o700)
        self.loop = Loop().__enter__()
        self.app = web_app(limits=LIMITS, folder=self.folder)
        self.living = self.app.router.lifespan_context(self.app)
        self.loop.run(self.living.__aenter__())
        self.visitor = Visitor(self.app, self.loop).another()

    def close(self) -> None:
        """End the application; what it leaves behind is a failure."""
        self.loop.run(self.living.__aexit__(None, None, None))
        self.loop.__exit__()
        left = list(self.place.iterdir())
        shutil.rmtree(self.place, ignore_errors=True)
        assert not left, left


@cache
def house() -> House:
    found = House()
    atexit.register(end)
    return found


def end() -> None:
    """End the application, if there is one."""
    if house.cache_info().currsize:
        found = house()
        house.cache_clear()
        found.close()


def one_round(rng: np.random.Generator, reports: float = 0.1) -> int:
    """Visit once; return how many requests were answered.

    A report takes fifty times as long as the other questions: `reports` is the share of files of
    which one is asked for.
    """
    visitor, n = house().visitor, 0
    for _ in range(4):
        answer = _give(rng, visitor)
        n += 1
        if answered(answer):
            n += _use(rng, visitor, answer.json(), report=rng.random() < reports)
        n += _ask(rng, visitor)
    assert answered(visitor.delete("/api/files"))
    check_empty(house().folder)
    return n + 1 + still_right(visitor)


def still_right(visitor: Visitor) -> int:
    """Ask for the area of a good file, which is never changed by what came before."""
    given = visitor.give(ROWS)
    assert given.status_code == 200, given.text
    looked = given.json()
    assert (looked["guess"]["label"], looked["guess"]["positive"]) == ("ill", "yes"), looked
    rows = list(csv.DictReader(io.StringIO(ROWS)))
    table = rs.tabulate([row["ill"] == "yes" for row in rows], [float(row["risk"]) for row in rows])
    sides = [{"file": looked["id"], "choice": {**CHOICE, "scores": ["risk"]}}] * 2
    compared = visitor.post("/api/comparisons", json={"sides": sides})
    assert compared.status_code == 200, compared.text
    found = [each["auc"]["value"] for each in compared.json()["comparison"]["scores"]]
    assert found == [rs.auc(table)] * 2
    assert visitor.delete("/api/files").status_code == 200
    return 3


def answered(answer: Any) -> bool:
    """Check an answer, and say whether what was asked was done."""
    check(answer, house().folder)
    return bool(answer.status_code == 200)


# --- files ----------------------------------------------------------------------------------------


@cache
def good_files() -> dict[str, bytes]:
    """The same cases in each format that is read, and in some that are not."""
    rows = list(csv.reader(io.StringIO(ROWS)))
    columns = dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True))
    types = {"ill": str, "risk": float, "age": int, "patient": int}
    table = pa.table({name: [types[name](v) for v in each] for name, each in columns.items()})
    made: dict[str, bytes] = {"a.csv": ROWS.encode(), "a.tsv": ROWS.replace(",", "\t").encode()}
    made["a.csv.gz"] = gzip.compress(ROWS.encode(), mtime=0)
    made["a.csv.bz2"] = bz2.compress(ROWS.encode())
    made["a.ndjson"] = b"".join(json.dumps(row).encode() + b"\n" for row in table.to_pylist())
    for codec in ("none", "snappy", "zstd"):
        made[f"a.{codec}.parquet"] = written(table, "parquet", compression=codec, row_group_size=25)
    for codec in ("uncompressed", "zstd"):
        made[f"a.{codec}.arrow"] = written(table, "arrow", compression=codec)
    made["a.arrows"] = written(table, "arrows")
    made["a.xlsx"] = workbook(rows)
    made["a.npz"] = some_counter(np.random.default_rng(1)).to_bytes()
    return made


@cache
def bombs() -> dict[str, bytes]:
    """Small files of which a reader makes hundreds of megabytes."""
    sink = io.BytesIO()
    table = pa.table({"y": pa.repeat(1, 2_000_000), "s": pa.repeat(0.5, 2_000_000)})
    with pa.parquet.ParquetWriter(sink, table.schema) as writer:
        for _ in range(5):
            writer.write_table(table)
    lines = b"y,s\n" + b"1,2\n0,1\n" * 5_000_000
    found = {
        "zeros.csv": gzip.compress(bytes(100_000_000), mtime=0),
        "line.csv": gzip.compress(b"a," * 50_000_000, mtime=0),
        "rows.csv": gzip.compress(lines, mtime=0),
        "text.ndjson": gzip.compress(b'{"a": "' + b"a" * 100_000_000 + b'"}', mtime=0),
        "rows.parquet": sink.getvalue(),
        "sheet.xlsx": workbook([["1"] * 1000] * 1000),
    }
    found["twice.csv"] = gzip.compress(found["zeros.csv"], mtime=0)
    assert max(map(len, found.values())) < LIMITS.size
    return found


def some_file(rng: np.random.Generator) -> tuple[str, bytes]:
    """Return the name and the bytes of a file, seldom a good one."""
    files = good_files()
    name = list(files)[int(rng.integers(len(files)))]
    how = int(rng.integers(8))
    if how == 0:
        return name, rng.bytes(int(rng.choice([0, 1, 3, 40, 5000])))
    if how == 1:
        return name, _odd_text(rng)
    if how == 2:
        return name, _odd_table(rng)
    if how == 3:
        return "a.csv", ROWS.encode("ascii").decode().encode(
            str(rng.choice(["utf-16", "utf-32", "utf-8-sig", "cp037", "utf-7", "utf-16-le"]))
        )
    data = files[name]
    for _ in range(int(rng.choice([0, 1, 1, 2, 4]))):
        data = flipped(data, rng) if data else data
    if how == 4 and name.endswith("arrow"):  # with the head of another format
        data = list(files.values())[int(rng.integers(len(files)))][:64] + data[64:]
    return name, data


def _odd_text(rng: np.random.Generator) -> bytes:
    """Return lines that a csv or ndjson reader does not expect."""
    pick = rng.choice
    lines = [
        ",".join(str(pick(_CELLS)) for _ in range(int(rng.integers(1, 6))))
        for _ in range(int(rng.integers(1, 30)))
    ]
    lone = '{"ill": "\\ud800", "risk": 1}\n{"ill": "b", "risk": 2}\n'
    texts = [
        "\n".join(lines),
        "y,s\n" + "\n".join(f"{int(rng.integers(2))},{pick(_CELLS)}" for _ in range(40)),
        f"y,{'n' * 3000}\n0,1\n1,2\n",
        ",".join(f"c{i}" for i in range(3000)) + "\n" + ",".join("1" * 3000),
        '"' * int(rng.integers(1, 2000)),
        ROWS.replace("\n", str(pick(["\r", "\r\n", "\x85", "\0", "\n\n"]))),
        ROWS.replace(",", str(pick([";", "|", "\t", " ", "\x1f"]))),
        ROWS.replace("risk", str(pick(["", "ill", "=cmd()", "<script>", "a\u202eb", "\x00", "é"]))),
        "[" * 5000,
        '{"a":' * 3000 + "1" + "}" * 3000,
        '{"a": 1, "a": 2}\n{"b": [1, {"c": null}]}\n',
        lone,
        json.dumps([{"y": 0, "s": 1}, {"y": 1, "s": 2}]),
        "y\ts\n" + "1\t2\n" * 20_000,
    ]
    return str(texts[int(rng.integers(len(texts)))]).encode(errors="surrogatepass")


_CELLS = (
    *("", "0", "1", "yes", "no", "0.5", "-0", "1e309", "1e-320", "nan", "inf", "-inf", "NULL"),
    *("1,5", '"', '"a', "'", "=1+1", "<b>", "\x1b[2J", "\ufeff", "é", "9" * 400, "0x1F", "1_000"),
    *("2026-01-01", "true", "#N/A", " 1 ", "−3", "١"),
)


def _odd_table(rng: np.random.Generator) -> bytes:
    """Return a parquet or arrow file of types that are no scores."""
    n = int(rng.choice([0, 1, 2, 40]))
    kinds = [
        pa.array([[1]] * n), pa.array([{"a": 1}] * n), pa.array([None] * n), pa.nulls(n, pa.int8()),
        pa.array([b"\xff"] * n), pa.array(["\x00"] * n), pa.array([2**63 - 1] * n),
        pa.array([float("nan")] * n), pa.array([1e308, -1e308] * n)[:n],
        pa.array([0] * n, pa.date32()), pa.array([0] * n, pa.duration("ns")),
        pa.array(["a", "b"] * n)[:n].dictionary_encode(), pa.array([True, False] * n)[:n],
        pa.array([1, 2] * n, pa.decimal256(60, 3))[:n], pa.array([0.5, 1] * n, pa.float16())[:n],
        pa.array(rng.random(n)), pa.array(rng.integers(0, 2, n)), pa.array(rng.integers(0, 9, n)),
        pa.array(rng.integers(0, 9, n).astype(np.uint64) + np.uint64(2**63)),
    ]  # fmt: skip
    names = ["y", "s", "", "y", "p_a", "p_b", "ill", "a\nb", "s" * 1500, "../x", "\x00", "patient"]
    taken = [int(i) for i in rng.integers(0, len(kinds), int(rng.integers(0, 6)))]
    table = pa.table(
        [kinds[i] for i in taken], names=[names[int(rng.integers(len(names)))] for _ in taken]
    )
    return written(table, "parquet" if rng.random() < 0.5 else "arrow")


# --- requests -------------------------------------------------------------------------------------


def _give(rng: np.random.Generator, visitor: Visitor) -> Any:
    """Send a file as the page does, or a form that is torn."""
    name, data = some_file(rng)
    if rng.random() < 0.3:
        ending = "." + name.partition(".")[2]
        name = str(pick(rng, NAMES)) + ending * int(rng.integers(2))
    if rng.random() < 0.6:
        return visitor.give(data, name)
    return visitor.post("/api/files", **_torn(rng, name, data))


def _torn(rng: np.random.Generator, name: str, data: bytes) -> dict[str, Any]:
    """Return the body and headers of a form with one or two faults."""
    marks = ["x", "x" * 70, "x" * 300, "--", " ", "é", "a b", '"', "x\0", ""]
    mark = marks[int(rng.integers(len(marks)))]
    wrong = rng.integers(10, size=2)
    quoted = name.replace('"', "%22")
    says = disposition(quoted)
    if 0 in wrong:
        says = says.replace("filename=", str(rng.choice(["", "filename*=utf-8''", "FILENAME="])))
    if 1 in wrong:
        says += "\r\nX: " + "a" * int(rng.choice([10, 5000, 20_000]))
    if 2 in wrong:
        says = "\r\n".join([says] + ["A: b"] * int(rng.choice([3, 30, 300])))
    head, data, tail = form(data, says, mark)
    body = head + data + tail
    if 3 in wrong:
        body = body[: int(rng.integers(len(body)))]
    if 4 in wrong:
        body = flipped(body, rng)
    if 5 in wrong:
        body = head + data + b"\r\n" + head + data + tail
    if 6 in wrong:
        body = rng.bytes(200) + body
    kind: str | bytes = f"multipart/form-data; boundary={mark}"
    if 7 in wrong:
        kinds = ["", "multipart/form-data", "text/csv", "multipart/mixed; boundary=x", ";;;=", "é"]
        kind = str(rng.choice(kinds))
    headers = {"Content-Type": kind.encode("latin-1", "replace")}
    if 8 in wrong:
        lengths = ["0", "9" * 30, "9" * 5000, "-1", "²", "1e9", ""]
        headers["Content-Length"] = str(rng.choice(lengths)).encode("latin-1")
    return {"content": body, "headers": headers}


def _use(
    rng: np.random.Generator, visitor: Visitor, looked: dict[str, Any], *, report: bool
) -> int:
    """Ask for what can be made of a file, with choices that fit and some that do not."""
    sides = [{"file": looked["id"], "choice": some_choice(rng, looked)} for _ in range(2)]
    answered(visitor.post("/api/comparisons", content=_body({"sides": sides})))
    if not report:
        return 1
    answer = visitor.post("/api/reports", content=_body(sides[0]))
    if not answered(answer):
        return 2
    key = answer.json()["id"]
    kind = str(rng.choice(["", "/html", "/json", "/tables", "/tables", "/svg", "/exe", "/.."]))
    answered(visitor.get(f"/reports/{key}{kind}"))
    return 3


def _body(said: Any) -> bytes:
    return json.dumps(said).encode()


def some_choice(rng: np.random.Generator, looked: dict[str, Any]) -> Any:
    """Return what the page guessed, with a few parts replaced by columns, values or junk."""
    names = [each["name"] for each in looked["columns"]]
    values = [value for each in looked["columns"] for value, _ in each["counts"]][:20]
    pool = [*names, *names, *values, "", "\ud800", None, "no such"]

    def one() -> Any:
        return pool[int(rng.integers(len(pool)))]

    guess = looked["guess"]
    said: dict[str, Any] = {each: guess[each] for each in ("label", "positive", "scores")}
    if said["label"] is None and names:
        said["label"] = names[0]
    if said["positive"] is None and values and rng.random() < 0.7:
        own = [each["counts"] for each in looked["columns"] if each["name"] == said["label"]]
        said["positive"] = own[0][0][0] if own and own[0] else None
    if rng.random() < 0.5:
        said["missing"] = "omit"
    for _ in range(int(rng.choice([0, 0, 1, 2, 4]))):
        part = str(rng.choice([*_PARTS, "other"]))
        if rng.random() < 0.2:
            said[part] = JUNK[int(rng.integers(len(JUNK)))]
        elif part in ("scores", "lower", "order"):
            said[part] = [one() for _ in range(int(rng.integers(0, 5)))]
        elif part == "level":
            said[part] = [0.5, 0.9, 0.999999, 1, 0, "0.9", 1e-9][int(rng.integers(7))]
        else:
            said[part] = one()
    return said


_PARTS = (
    *("label", "positive", "scores", "lower", "order", "weight", "cluster", "by", "level"),
    "missing",
)


def _ask(rng: np.random.Generator, visitor: Visitor) -> int:
    """Ask for something that the page does not ask for."""
    method = str(rng.choice(["GET", "GET", "POST", "POST", "DELETE", "PUT", "HEAD", "BREW"]))
    path = str(pick(rng, ADDRESSES))
    if (method, path) == ("DELETE", "/api/files"):
        method = "PUT"
    if rng.random() < 0.5:
        letters = list(string.printable + "é\x00&=%;")
        path += "?" + "".join(map(str, rng.choice(letters, int(rng.choice([1, 30, 3000])))))
        path = path.replace("#", "").encode("unicode_escape").decode()
    bodies = [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b"x" * 300_000, rng.bytes(50),
        b'{"file": "\\ud800"}', b'{"sides": [1, 2]}', b'{"sides": [{}, {}]}', b"token=%00&x=%ff",
        b'{"file": null, "choice": {}}', b'{"choice": {"level": NaN}}',
        b'{"a": 1' + b"0" * 5000 + b"}",
        _body({"file": JUNK[int(rng.integers(len(JUNK)))], "choice": [1]}),
    ]  # fmt: skip
    header = [
        {}, {}, {"Origin": "http://["}, {"Origin": "http://[::1"}, {"Origin": "\x7f"},
        {"Host": "["}, {"Host": ""}, {"Host": "127.0.0.1:x"}, {"Cookie": "a" * 9000},
        {"Cookie": "rocspace-None=%00; =;;"}, {"Sec-Fetch-Site": "x"}, {"X-A": "a" * 100_000},
        {"Content-Type": "\xff"}, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"},
    ][int(rng.integers(14))]  # fmt: skip
    headers = {name: value.encode("latin-1") for name, value in header.items()}
    content = bodies[int(rng.integers(len(bodies)))]
    if "Cookie" in headers:  # one whom nobody knows yet
        visitor = Visitor(house().app, house().loop)
    answered(visitor.ask(method, path, content=content, headers=headers))
    return 1
