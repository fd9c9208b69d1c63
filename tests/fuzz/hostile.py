"""What hostile visits of the web app share: files, names, addresses, forms, and what must hold.

`fuzz.uploads` does the work in this process, `fuzz.visits` in workers that have limits.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

NAMES = (
    *("cases.csv", "a.parquet", "a.xlsx", "a.csv.gz", "a.tsv", "a.arrow", "a.npz", "a", "", "-"),
    *("../../etc/passwd", "..\\..\\a.csv", "/etc/shadow.csv", "C:\\a\\b.csv", ".", "..", "-rf.csv"),
    *("a\0b.csv", "a" * 10_000, "\x1b[31m.csv", "é\u202e.csv", "\ud7ff\uffff.csv", "a\r\nb.csv"),
    *("*.csv", "part-{1..3}.csv", "http://a.example/a.csv", "file:///etc/passwd", "a.csv/", "a\tb"),
    *("<script>.csv", '"; a=".csv', "a;b.csv", "con.csv", "day=1/a.csv", "%00.csv", "$HOME.csv"),
    *("a.csv.gz.parquet",),
)
ADDRESSES = (
    *("/", "//", "/enter", "/page/main.js", "/page/..%2froutes.py", "/page/..%2fapp.py"),
    *("/page/%00", "/api", "/api/files", "/api/files/none", "/api/examples/none", "/static/x"),
    *("/api/examples/..%2f..", "/api/examples/%ff", "/api/reports", "/api/comparisons", "/docs"),
    *("/reports/x", "/reports/x/html", "/reports/x/pdf", "/reports/%2e%2e/html", "/openapi.json"),
    *("/reports/../api/files", "/reports/%F0%9F/html", "/%2e%2e/", "/%ff%fe", "/" + "a" * 9000),
)
_INNER = re.compile(  # what only a traceback, a path, or another library's message has
    r'Traceback|File "|line \d+, in |site-packages|\.py\b|(?<![\w.])/\w+/|visitor-|f_\w'
    r"|0x[0-9a-f]{6}|Error\b|Exception|[eE]rrno|codec can|fault of rocspace|pyarrow|object at"
    r"|\bNone\b|\bnan\b"
)


def pick(rng: np.random.Generator, among: Any) -> Any:
    return among[int(rng.integers(len(among)))]


# --- files and forms ------------------------------------------------------------------------


def written(table: Any, kind: str, **how: Any) -> bytes:
    """Return an Arrow table as a file of one of three formats."""
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    sink = io.BytesIO()
    if kind == "parquet":
        pa.parquet.write_table(table, sink, **how)
    elif kind == "arrow":
        pa.feather.write_feather(table, sink, **how)
    else:
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    return sink.getvalue()


def workbook(rows: Sequence[Sequence[str]]) -> bytes:
    """Return what an Excel workbook is inside: a zip archive of XML."""
    sink = io.BytesIO()
    cells = "".join(
        f"<row>{''.join(f'<c t=“str”><v>{value}</v></c>' for value in row)}</row>" for row in rows
    )
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/worksheets/sheet1.xml", f"<sheetData>{cells}</sheetData>")
    return sink.getvalue()


def form(content: bytes, says: str, mark: str = "edge") -> tuple[bytes, bytes, bytes]:
    """Return the head of a form with one file, the file, and the tail."""
    head = f"--{mark}\r\n{says}\r\n\r\n".encode("utf-8", "replace")
    return head, content, f"\r\n--{mark}--\r\n".encode("utf-8", "replace")


def disposition(name: str) -> str:
    """Return the line of a form that names a file."""
    return f'Content-Disposition: form-data; name="file"; filename="{name}"'


# --- what must hold -------------------------------------------------------------------------


def check(answer: Any, folder: Path) -> dict[str, Any]:
    """Check an answer, whatever was asked; return what it says in JSON, or nothing."""
    status, text = answer.status_code, answer.content.decode(errors="replace")
    assert status == 200 or 400 <= status < 500, (status, text[:800])
    for word in ("Traceback", "site-packages", '.py\\"', "fault of rocspace", str(folder)):
        assert word not in text, text[:800]
    assert "location" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    if "json" not in answer.headers.get("content-type", "") or answer.request.method == "HEAD":
        return {}
    found: dict[str, Any] = answer.json()
    assert status == 200 or found["problems"], text[:800]
    for each in found.get("problems", []):
        assert each["field"] != "fault", text[:800]
        assert sentence(each["message"]), each["message"]
    return found


def check_empty(folder: Path) -> None:
    """Check that nothing of a visit is left but the empty rooms of visitors."""
    left = [each for each in folder.rglob("*") if each.is_file() or each.parent != folder]
    assert not left, left


def sentence(said: str) -> bool:
    """Say whether a message is for people: whole, of bounded length, in our words."""
    ends = said[-1:] in (".", "?", ")", "”") or bool(re.search(r": \S[^\n]*$", said))
    return ends and "\n" not in plain(said) and len(said) < 2000 and not _INNER.search(plain(said))


def plain(said: str) -> str:
    """Leave out what a message quotes: it is the visitor's own."""
    return re.sub(r"“[^”]*”|'[^']*'|\"[^\"]*\"", "“”", said)
