"""One self-contained HTML page from a summary: no network, no server, no framework.

The page carries Vega, Vega-Lite and Vega-Embed. Its content security policy forbids every
request and every script but its own, by their hashes; Vega runs with its expression
interpreter (``ast: true``), so not even ``unsafe-eval`` is allowed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shlex
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from rocspace._base import text as words
from rocspace._base.calls import explained
from rocspace._base.optional import require
from rocspace._base.text import number
from rocspace._base.whole import write_whole
from rocspace.report import classes, ordered, sections
from rocspace.report.drawing import said, signed
from rocspace.report.section import Section

_EXTRA = "app"
_STYLES = ("page.css", "explorer.css")
_SCRIPTS = (
    *("numbers", "intervals", "rates", "address", "charts", "tables", "saving", "readout"),
    *("controls", "explorer", "uncertainty", "contents", "page"),
)
_FACTS = {
    "rocspace.summary/1": "facts.html",
    classes.SCHEMA: "class_facts.html",
    ordered.SCHEMA: "class_facts.html",
}
_EDITIONS = {classes.SCHEMA: classes.SECTIONS, ordered.SCHEMA: ordered.SECTIONS}


def _sections(summary: Mapping[str, Any]) -> tuple[Section, ...]:
    """Return the sections of this kind of summary, the overview first."""
    return _EDITIONS.get(summary["schema"], sections.SECTIONS)


@explained
def render_html(summary: Mapping[str, Any], *, title: str | None = None) -> str:
    """Return a summary as one self-contained HTML page.

    Parameters
    ----------
    summary : mapping
        What `summarise` returned, or the same read from JSON.
    title : str, optional
        Heading of the page; by default the name of the file that was read.

    Returns
    -------
    str
        The page, about 1 MB, most of it the library that draws.

    Raises
    ------
    ModuleNotFoundError
        If a package of the extra ``app`` is missing.
    TypeError
        If it is not a summary.
    ValueError
        If the summary has another schema.

    Notes
    -----
    Every text from the data is escaped; the page works when opened from a file, and without
    JavaScript it lacks only its charts.

    References
    ----------
    Those of each number; the page names its methods.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> from rocspace.report import render_html, summarise
    >>> page = render_html(summarise({"score": tabulate([0, 0, 1, 1], [1, 2, 2, 3])}))
    >>> page[:15], "0.875" in page
    ('<!doctype html>', True)
    """
    _need_summary(summary)
    if (schema := summary.get("schema")) not in _FACTS:
        known = ", ".join(map(repr, _FACTS))
        msg = f"The summary has the schema {schema!r}, but this page shows {known}."
        raise ValueError(msg)
    style, library = "".join(map(_template, _STYLES)), _library()
    script = "".join(_template(f"js/{name}.js") for name in _SCRIPTS)
    policy = (
        f"default-src 'none'; script-src {_hash(library)} {_hash(script)}; "
        f"style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    parts = {"policy": policy, "style": style, "script": script, "library": library}
    drawn = json_for_html(_drawn(summary))
    template = _environment().get_template("page.html")
    return str(template.render(page=_page(summary, title), drawn=drawn, **parts))


def _need_summary(given: Any) -> None:
    if not isinstance(given, Mapping):
        msg = (
            "A page is made from a summary of tables. Say "
            'render_html(summarise({"score": table})), or write_html of it.'
        )
        raise TypeError(msg)


@explained
def write_html(
    summary: Mapping[str, Any], path: str | os.PathLike[str], *, title: str | None = None
) -> Path:
    """Write a summary as one self-contained HTML page.

    Parameters
    ----------
    summary, title
        As for `render_html`.
    path : str or path
        The file to write; an existing one is replaced completely or not at all.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    FileNotFoundError
        If its folder does not exist.
    ModuleNotFoundError, ValueError
        As `render_html`.

    References
    ----------
    Those of each number; the page names its methods.

    Examples
    --------
    >>> import tempfile
    >>> from rocspace import tabulate
    >>> from rocspace.report import summarise
    >>> summary = summarise({"score": tabulate([0, 0, 1, 1], [1, 2, 2, 3])})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_html(summary, f"{folder}/report.html").name
    'report.html'
    """
    target = Path(path)
    if not target.parent.is_dir():
        msg = (
            f"There is no folder {str(target.parent)!r} to write {target.name!r} to. Make it first."
        )
        raise FileNotFoundError(msg)
    write_whole(target, [render_html(summary, title=title).encode("utf-8", "xmlcharrefreplace")])
    return target


def json_for_html(value: Any) -> str:
    """Return JSON that may stand inside ``<script>``: ASCII, without ``<``, ``>`` and ``&``.

    Non-ASCII characters, line separators among them, become escapes, so no text can end the
    element, open a comment, or break a line.
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _drawn(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the charts by name, and the explorer's data of each score."""
    level = number(summary["settings"]["level"])
    known: dict[str, Any] = {"charts": {}, "scores": [], "uncertain": [], "level": level}
    for section in _sections(summary):
        known["charts"] |= section.charts(summary)
        known |= section.drawn(summary)
    return known


def _page(summary: Mapping[str, Any], title: str | None) -> dict[str, Any]:
    """Return everything that the page template shows, the view of each section by its name."""
    file = str(summary["source"].get("file", "")).replace("\\", "/").rpartition("/")[2]
    parts = _sections(summary)
    views = {section.name: section.view(summary) for section in parts}
    shown = [section for section in parts if views[section.name] is not None]
    anchors = {section.title: _anchor(section.name, views[section.name]) for section in shown}
    return {
        **views,
        "facts": _FACTS[summary["schema"]],
        "about": views[parts[0].name],
        "title": title or file or "ROC analysis",
        "level": words.level_text(summary["settings"]["level"]),
        "version": summary["rocspace"],
        "schema": summary["schema"],
        "command": _command(summary),
        "templates": [f"{section.name}.html" for section in shown],
        "contents": [{"name": n, "anchor": at} for n, at in anchors.items() if n and at],
    }


def _anchor(name: str, view: Any) -> str | None:
    return view.get("anchor", name) if isinstance(view, Mapping) else name


def _command(summary: Mapping[str, Any]) -> str:
    given = summary["source"].get("command") or summary["methods"][0]["shell"]
    return given if isinstance(given, str) else shlex.join(str(word) for word in given)


# --- the parts of the page ------------------------------------------------------------------


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@cache
def _template(name: str) -> str:
    return (
        resources.files(__package__)
        .joinpath("templates", *name.split("/"))
        .read_text(encoding="utf-8")
    )


def _section_template(name: str) -> str:
    known = (*sections.SECTIONS, *classes.SECTIONS, *ordered.SECTIONS)
    own = {f"{section.name}.html": section.template for section in known}
    return own.get(name) or _template(name)


_JOINTS = re.compile(r"[_/.\\](?=\w)")


@cache
def _library() -> str:
    """Bundle Vega, Vega-Lite and Vega-Embed into one script, once for each process."""
    bundle = str(require("vl_convert", extra=_EXTRA).javascript_bundle())
    return bundle.replace("\r", "").replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _environment() -> Any:
    jinja2 = require("jinja2", extra=_EXTRA)
    found = jinja2.Environment(
        loader=jinja2.FunctionLoader(_section_template),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "share": words.share,
        "percent": words.percent,
        "number": words.count,
        "pvalue": words.pvalue,
        "to": words.interval,
        "level": words.level_text,
        "minus": words.difference_name,
        "name": _name,
        "p_equals": words.p_equals,
        "shown_note": words.shown_note,
        "signed": signed,
        "estimate": said,
        "ratio": lambda rate: words.ratio(rate["value"], rate["low"], rate["high"]),
    }
    return found


def _name(text: Any) -> Any:
    """Return a name that a narrow page breaks at its underscores, before it breaks inside words."""
    markup = require("markupsafe", extra=_EXTRA)
    return markup.Markup(_JOINTS.sub(r"\g<0><wbr>", str(markup.escape(text))))
