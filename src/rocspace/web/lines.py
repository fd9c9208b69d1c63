"""The lines of Python and of the shell that do what the page did."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from rocspace.web.choices import Choice


def report_lines(name: str, choice: Choice, *, example: bool, paired: bool) -> dict[str, str]:
    """Return the lines that make the same report."""
    options = _options(choice)
    level = _level_in_python(choice)
    by = [] if choice.by is None else ["--by", choice.by]
    shell = [shlex.join(["rocspace", "report", name, *options, *by, *_level(choice)])]
    python = [
        *_opening("pair_file, tabulate_file" if paired else "tabulate_file", example=example),
        "from rocspace.report import More, summarise, write_html",
        "",
        *_file(name, example=example),
        *_columns(choice),
        *(_whole(level, paired=paired) if choice.by is None else _in_groups(choice.by, level)),
        'write_html(summary, "report.html")',
    ]
    if choice.by is not None:
        python.insert(0, "from dataclasses import replace")
    if choice.cluster is not None:
        shell.append(_clusters_in_shell(name, choice, options))
        python += ["", *_clusters(choice)]
    return {"shell": "\n".join(shell), "python": "\n".join(python)}


def class_lines(name: str, choice: Choice, *, example: bool, several: bool) -> dict[str, str]:
    """Return the lines that make the same report of several classes, by several classifiers."""
    level = _level_in_python(choice)
    reading = _reading(choice)
    shell = [_in_shell("report", name, choice)]
    python = [
        *_opening(reading, example=example, room="multiclass"),
        "from rocspace.report import summarise, write_html",
        "",
        *_file(name, example=example),
        *_columns(choice),
        f"data = {reading}(file, **columns)",
        f"source = {_source(name, choice)!r}",
        f"summary = summarise(data, source=source{level})",
        'write_html(summary, "report.html")',
    ]
    if choice.cluster is not None:
        if several:
            shell.append(_in_shell("compare", name, choice, "--cluster", choice.cluster))
        alone = "vus_estimate" if choice.order else "hand_till_estimate"
        function = "compare_classifiers" if several else alone
        measure = ', measure="vus"' if several and choice.order else ""
        python += [
            "",
            f"from rocspace.multiclass import {function}",
            "",
            f"cases = {reading}(file, cluster={choice.cluster!r}, **columns)",
            f"print({function}(cases{measure}))",
        ]
    return {"shell": "\n".join(shell), "python": "\n".join(python)}


def _source(name: str, choice: Choice) -> dict[str, Any]:
    turned = [each for each in choice.scores if each in choice.lower]
    more = {"lower_is_positive": turned} if turned else {}
    return {"file": name, "label": choice.label, **more}


def _in_shell(verb: str, name: str, choice: Choice, *more: str) -> str:
    if any("," in label for label in choice.order):
        return "# The shell takes labels without commas only: see the lines of Python."
    return shlex.join(["rocspace", verb, name, *_options(choice), *more, *_level(choice)])


def _reading(choice: Choice) -> str:
    return "ordered_file" if choice.order else "multiclass_file"


def _whole(level: str, *, paired: bool) -> list[str]:
    data = "data=pair_file(file, **columns), " if paired else ""
    return [
        "found = tabulate_file(file, **columns)",
        f"summary = summarise(found.tables, {data}more=More(), source=found.source{level})",
    ]


def _in_groups(by: str, level: str) -> list[str]:
    return [
        f"cases = pair_file(file, cluster={by!r}, **columns)  # numbers the groups in their order",
        "tables = {name: cases.table(name) for name in cases.names}",
        "more = More(group=cases.cluster)",
        f"summary = summarise(tables, data=replace(cases, cluster=None), more=more{level})",
    ]


def _clusters_in_shell(name: str, choice: Choice, options: list[str]) -> str:
    verb = "compare" if len(choice.scores) > 1 else "auc"
    words = ["rocspace", verb, name, *options, "--cluster", str(choice.cluster), *_level(choice)]
    return shlex.join(words)


def _clusters(choice: Choice) -> list[str]:
    several = len(choice.scores) > 1
    source, function = ("compare", "compare_aucs") if several else _ALONE
    return [
        "from rocspace.io import pair_file",
        f"from rocspace.{source} import {function}",
        "",
        f"cases = pair_file(file, cluster={choice.cluster!r}, **columns)",
        f"print({function}(cases))",
    ]


_ALONE = ("inference", "clustered_auc_estimate")


def comparison_lines(sides: Mapping[str, tuple[str, Choice, bool]], level: float) -> dict[str, str]:
    """Return the lines that compare the area of a score in two files."""
    shell = [
        shlex.join(["rocspace", "auc", name, *_options(choice), *_level(choice)])
        for name, choice, _ in sides.values()
    ]
    examples = any(example for *_, example in sides.values())
    python = [
        *_opening("tabulate_file", example=examples),
        "from rocspace.compare import compare_aucs",
        "",
        "tables = {}",
    ]
    for side, (name, choice, example) in sides.items():
        python += [*_file(name, example=example), *_columns(choice)]
        python.append(
            f"tables[{side!r}] = tabulate_file(file, **columns).tables[{choice.scores[0]!r}]"
        )
    python.append("found = compare_aucs(tables)")
    at = "" if level == 0.95 else f"{level:g}"
    python.append(f"print(found.pairs[0].difference.interval({at}), found.pairs[0].test.pvalue)")
    return {"shell": "\n".join(shell), "python": "\n".join(python)}


def class_comparison_lines(
    sides: Mapping[str, tuple[str, Choice, bool]], level: float
) -> dict[str, str]:
    """Return the lines that compare a classifier of several classes in two files."""
    first = next(choice for _, choice, _ in sides.values())
    shell = [_in_shell("auc", name, choice) for name, choice, _ in sides.values()]
    if any(choice.cluster is not None for _, choice, _ in sides.values()):
        shell = ["# Rows that belong together, in two files: see the lines of Python."]
    python = [
        *_opening(
            f"compare_classifiers, {_reading(first)}",
            example=any(example for *_, example in sides.values()),
            room="multiclass",
        ),
        "",
        "samples = {}",
    ]
    for side, (name, choice, example) in sides.items():
        cluster = "" if choice.cluster is None else f"cluster={choice.cluster!r}, "
        python += [*_file(name, example=example), *_columns(choice)]
        python.append(f"samples[{side!r}] = {_reading(choice)}(file, {cluster}**columns)")
    measure = ', measure="vus"' if first.order else ""
    at = "" if level == 0.95 else f"{level:g}"
    python.append(f"found = compare_classifiers(samples{measure})")
    python.append(f"print(found.pairs[0].difference.interval({at}), found.pairs[0].test.pvalue)")
    return {"shell": "\n".join(shell), "python": "\n".join(python)}


def _opening(reading: str, *, example: bool, room: str = "io") -> list[str]:
    datasets = ["from rocspace import datasets"] if example else []
    return [*datasets, f"from rocspace.{room} import {reading}"]


def _file(name: str, *, example: bool) -> list[str]:
    return [f"file = datasets.path({name!r})" if example else f"file = {name!r}"]


def _columns(choice: Choice) -> list[str]:
    said: dict[str, Any] = {"label": choice.label, "score": list(choice.scores)}
    if choice.positive is not None:
        said["pos_label"] = choice.positive
    if choice.order:
        said["order"] = list(choice.order)
    if choice.weight is not None:
        said["weight"] = choice.weight
    if choice.higher:
        said["higher_is_positive"] = choice.higher
    if choice.missing != "raise":
        said["missing"] = choice.missing
    inside = "".join(f"    {key!r}: {value!r},\n" for key, value in said.items())
    return [f"columns = {{\n{inside}}}"]


def _options(choice: Choice) -> list[str]:
    words = ["--label", str(choice.label)]
    words += [] if choice.positive is None else ["--positive", choice.positive]
    words += ["--order", ",".join(choice.order)] if choice.order else []
    for name in choice.scores:
        words += ["--score", name]
    words += [] if choice.weight is None else ["--weight", choice.weight]
    for name in choice.higher:
        words += ["--lower-is-positive", name]
    return words if choice.missing == "raise" else [*words, "--missing", choice.missing]


def _level(choice: Choice) -> list[str]:
    return [] if choice.level == 0.95 else ["--level", f"{choice.level:g}"]


def _level_in_python(choice: Choice) -> str:
    return "" if choice.level == 0.95 else f", level={choice.level:g}"
