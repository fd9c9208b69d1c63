"""Areas by the method that was asked for: in groups, in clusters, over a range, on a scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from rocspace._base.text import brief, in_ascii, joint_test
from rocspace._base.words import counted
from rocspace.cli.console import (
    cell,
    count,
    estimate_of,
    heading,
    interval,
    interval_title,
    printable,
    pvalue,
    table_text,
)
from rocspace.cli.estimating import Estimating
from rocspace.cli.options import Choice, Files, Printing
from rocspace.cli.reading import label_is, read, read_by, read_cases
from rocspace.cli.tables import in_papers, methods_text
from rocspace.compare.areas import compare_aucs
from rocspace.counts.paired import PairedScores, take_cases
from rocspace.counts.table import ScoreTable
from rocspace.curves import summaries
from rocspace.inference.area import auc_estimate, auc_test, partial_auc_estimate
from rocspace.inference.clustered import clustered_auc_estimate, clustered_test
from rocspace.io.cases import FileCases, Reading
from rocspace.io.kept import FoundCases
from rocspace.io.tables import FileTables
from rocspace.plot.files import literal
from rocspace.report.areas import facts_of
from rocspace.report.plain import plain, plain_estimate, plain_fields, plain_test
from rocspace.results.estimates import Estimate
from rocspace.results.limits import floor_note, touching_pvalue
from rocspace.results.test import TestResult
from rocspace.stream.tabulator import Tabulator

_LISTED = 10  # groups in a note
_SHARE, _FLOOR = 8, 1 << 16  # a group may have this part of the rows, or so many


# --- reading ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class FoundGroups:
    """The cases of a file by group; of clusters the cases themselves, else tables.

    Attributes
    ----------
    tables
        The table of each score of each group, by the name of the group.
    source
        What was read.
    cases
        The cases of each group, with their clusters.
    """

    tables: dict[str, dict[str, ScoreTable]]
    source: dict[str, Any]
    cases: Mapping[str, PairedScores] | None = None


def read_groups(file: Files, choice: Choice, printing: Printing, how: Estimating) -> FoundGroups:
    """Read the tables, those of each group with --by, and the cases with --cluster."""
    if how.cluster is not None:
        beside = (how.cluster, *([] if how.by is None else [how.by]))
        return _clustered(read_cases(file, choice, printing, beside=beside), how)
    if how.by is None:
        found = read(file, choice, printing)
        return FoundGroups(tables={"": found.tables}, source=found.source)
    counting = _Groups(how.by)
    found = read_by(counting, file, choice, printing)
    return FoundGroups(tables=counting.tables, source=found.source)


def _clustered(found: FoundCases, how: Estimating) -> FoundGroups:
    data = found.in_clusters(str(how.cluster))
    groups = {"": data} if how.by is None else split(data, found.beside[how.by])
    tables = {name: {s: each.table(s) for s in each.names} for name, each in groups.items()}
    return FoundGroups(tables=tables, source=found.source, cases=groups)


def split(data: PairedScores, group: Any) -> dict[str, PairedScores]:
    """Return the cases of each group, by its name."""
    names, number = np.unique(group, return_inverse=True)
    return {
        group_name(name): take_cases(data, np.flatnonzero(number == i))
        for i, name in enumerate(names.tolist())
    }


def group_name(value: Any) -> str:
    """Return the name of a group as the file has it: 3, not 3.0, and true, not True."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Groups:
    """Counts each group of cases in tables of its own, in one pass."""

    def __init__(self, by: str) -> None:
        self.by = by
        self.tables: dict[str, dict[str, ScoreTable]] = {}

    def __call__(
        self,
        path: Files,
        *,
        reading: Reading,
        higher_is_positive: Mapping[str, bool],
        weight: str | None = None,
        **columns: Any,
    ) -> FileTables:
        cases = FileCases(path, reading=reading, weight=weight, by=self.by, **columns)
        room = max(2 * reading.max_rows // (len(cases.scores) * _SHARE), _FLOOR)
        takers = {
            name: _ByGroup(
                partial(
                    Tabulator,
                    max_rows=min(reading.max_rows, room),
                    higher_is_positive=higher_is_positive.get(name, True),
                )
            )
            for name in cases.scores
        }
        cases.read(takers, reading.progress)
        cases.count.check_some()
        binned = set()
        for group, i in sorted(cases.count.groups.items(), key=_in_order):
            found = {name: taker.found[i] for name, taker in takers.items() if i in taker.found}
            self.tables[group] = {name: each.table() for name, each in found.items()}
            binned |= {name for name, each in found.items() if not each.is_exact}
        counting = {name: "binned" if name in binned else "exact" for name in cases.scores}
        return FileTables(tables={}, source=cases.described(counting))


def _in_order(item: tuple[str, int]) -> tuple[int, float, str]:
    """Sort numbers by size before texts by their letters."""
    try:
        return 0, float(item[0]), ""
    except ValueError:
        return 1, 0.0, item[0]


class _ByGroup:
    """Takes the cases of one score, and counts each group apart."""

    def __init__(self, new: Any) -> None:
        self.new, self.found = new, dict[int, Tabulator]()

    def update(self, *columns: Any) -> None:
        """Take a batch, whose last column is the number of the group."""
        *columns_, group = columns
        for i in np.unique(group).tolist():
            own = group == i
            if i not in self.found:
                self.found[i] = self.new()
            self.found[i].update(*(column[own] for column in columns_))


# --- estimating -------------------------------------------------------------------------------


def plain_estimates(found: FoundGroups, how: Estimating, level: float) -> dict[str, Any]:
    """Describe the area of each score of each group: the shape ``rocspace.estimates/1``."""
    return {
        "schema": "rocspace.estimates/1",
        "source": found.source,
        "settings": {
            "level": level,
            **{each.name: plain_setting(getattr(how, each.name)) for each in fields(how)},
        },
        "scores": [
            _one(found, group, name, how, level)
            for group, tables in found.tables.items()
            for name in tables
        ],
        "equality": list(_equality(found, how)),
    }


def plain_setting(value: Any) -> Any:
    """Return an option as JSON has it."""
    return list(value) if isinstance(value, tuple) else value


def _one(
    found: FoundGroups, group: str, name: str, how: Estimating, level: float
) -> dict[str, Any]:
    table = found.tables[group][name]
    about = {"group": group if how.by is not None else None, "name": name, **facts_of(table)}
    numbers = dict.fromkeys(("auc", "standardised", "gini", "ks"))
    if not (table.n_pos and table.n_neg):
        return about | numbers
    estimate = _estimate(found, group, name, how)
    area = plain_estimate(estimate, level)
    area["interval"] = plain_fields(
        estimate.interval(level, scale=how.scale), "low", "high", "level", "method"
    )
    bounds = None
    if how.part is None:
        bounds = plain_fields(summaries.auc_bounds(table), "low", "high")
        numbers |= {"gini": plain(summaries.gini(table)), "ks": plain(summaries.ks(table))}
    else:
        part = dict([how.part])
        share: Any = summaries.partial_auc(table, **part, standardised=True)
        numbers["standardised"] = plain(share)
    test = _test(found, group, name, how, estimate)
    area |= {**plain_fields(estimate, "df"), "bounds": bounds}
    area["test"] = None if test is None else plain_test(test)
    return about | numbers | {"auc": area}


def _estimate(found: FoundGroups, group: str, name: str, how: Estimating) -> Estimate:
    ranges: dict[str, Any] = dict([how.part]) if how.part else {}
    if found.cases is not None:
        method: Any = how.variance or "jackknife"
        return clustered_auc_estimate(found.cases[group], name, **ranges, method=method)
    table = found.tables[group][name]
    if ranges:
        return partial_auc_estimate(table, **ranges)
    kind: Any = how.variance or "delong"
    return auc_estimate(table, method=kind)


def draw_groups(found: FoundGroups, how: Estimating, level: float, canvas: Any) -> None:
    """Draw the areas of all groups that have one, by score, as a forest plot."""
    from rocspace.plot import plot_forest

    names = dict.fromkeys(name for tables in found.tables.values() for name in tables)
    areas = {
        literal(group if len(names) == 1 else f"{name}, {group}"): _estimate(
            found, group, name, how
        )
        for name in names
        for group, tables in found.tables.items()
        if name in tables and tables[name].n_pos and tables[name].n_neg
    }
    ax = plot_forest(areas, ax=canvas.subplots(), level=level)
    ax.set_xlabel(ax.get_xlabel().replace("Estimate", "Area" if how.part else "AUC"))


def _test(
    found: FoundGroups, group: str, name: str, how: Estimating, estimate: Estimate
) -> TestResult | None:
    if how.part is not None:
        return None
    table = found.tables[group][name]
    if found.cases is not None and how.scale is None:
        method: Any = how.variance or "jackknife"
        null = 0.5 if how.null_area is None else how.null_area
        return clustered_test(found.cases[group], name, null_area=null, method=method)
    if how.null_area is None:
        return None if table.is_weighted or found.cases is not None else auc_test(table)
    gap = estimate.value - how.null_area
    wald = how.scale == "identity" and estimate.se > 0
    p = touching_pvalue(estimate, how.null_area, "two-sided", scale=how.scale)
    return TestResult(
        statistic=gap / estimate.se if wald else float("nan"),
        pvalue=p,
        alternative="two-sided",
        method=f"by the interval: {estimate.interval(scale=how.scale).method}",
        difference=gap,
        note=floor_note(p),
    )


def _equality(found: FoundGroups, how: Estimating) -> Iterator[dict[str, Any]]:
    """Test, for each score, whether its areas are equal in all groups of independent cases."""
    if how.by is None or found.cases is not None:
        return
    names = dict.fromkeys(name for tables in found.tables.values() for name in tables)
    ranges: dict[str, Any] = dict([how.part]) if how.part else {}
    for name in names:
        own = {
            group: tables[name]
            for group, tables in found.tables.items()
            if name in tables and tables[name].n_pos and tables[name].n_neg
        }
        if len(own) > 1:
            test = compare_aucs(own, **ranges).overall
            yield {"name": name, "groups": len(own), **plain_test(test)}


# --- printing ---------------------------------------------------------------------------------


def estimates_rows(described: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """Return the head and the rows of the table of areas."""
    scores, settings = described["scores"], described["settings"]
    by, part = settings["by"], settings["fpr"] or settings["tpr"]
    alike = _alike(scores)
    binned = "binned" in described["source"]["counting"].values()
    header = [*([] if by is None else [printable(by)]), "score"]
    header += [] if alike else ["cases", "positive"]
    header += ["area" if part else "AUC", interval_title(settings["level"])]
    header += ["certain bounds"] if binned and not part else []
    header += ["standardised"] if part else [*([] if by else ["Gini", "KS"]), "p"]
    rows = []
    for score in scores:
        row: list[Any] = [*([] if by is None else [score["group"]]), score["name"]]
        row += [] if alike else [count(score["n"]), count(score["n_pos"])]
        area = score["auc"]
        if area is None:
            rows.append([*row, "-", *[""] * (len(header) - len(row) - 1)])
            continue
        row += estimate_of(area)
        if binned and not part:
            row.append(interval(area["bounds"]["low"], area["bounds"]["high"]))
        if part:
            row.append(score["standardised"])
        else:
            test = area["test"]
            row += [] if by else [score["gini"], score["ks"]]
            row.append(pvalue(test and test["pvalue"]))
        rows.append(row)
    return header, rows


def print_estimates(described: dict[str, Any], to: str, printing: Printing) -> None:
    """Print areas as text, as JSON or as a table for papers."""
    printing.answer(
        described,
        lambda: (
            estimates_text(described)
            if to == "text"
            else in_papers(records(described), to, caption=title(described))
        ),
    )


def estimates_text(described: Mapping[str, Any]) -> str:
    """Lay out the areas, with a line on how they were estimated, and the tests of equality."""
    header, rows = estimates_rows(described)
    by = described["settings"]["by"]
    left = (0,) if by is None else (0, 1)
    text = f"{heading(title(described))}\n\n{table_text(header, rows, left=left, names=len(left))}"
    weighted = "p" in header and described["source"]["weight"] is not None
    text += methods_text([score["auc"] for score in described["scores"]], weighted=weighted)
    tests = described["equality"]
    if tests:
        text += "\n" + "".join(
            heading(f"All areas of {each['name']} equal: {in_ascii(joint_test(each.__getitem__))}")
            + "\n"
            for each in tests
        )
    return text


def _alike(scores: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether the numbers of cases are printed alike; sums of weights differ by rounding."""
    return len({(count(score["n"]), count(score["n_pos"])) for score in scores}) == 1


def title(described: Mapping[str, Any]) -> str:
    """Say which file, how many cases, and how the areas were estimated."""
    source, settings, scores = (described[key] for key in ("source", "settings", "scores"))
    about = [source["file"]]
    if _alike(scores):
        several = len({score.get("group") for score in scores}) > 1
        each = "in each group " if several else ""
        weighed = " by weight" if source["weight"] is not None else ""
        n, n_pos = count(scores[0]["n"]), count(scores[0]["n_pos"])
        about += [f"{each}{n} cases{weighed}", f"{n_pos} positive"]
    about.append(label_is(source))
    if settings["cluster"]:
        about.append(f"clusters by {settings['cluster']}")
    for axis in ("fpr", "tpr"):
        if settings[axis]:
            about.append("{} {} to {}".format(axis, *map(brief, settings[axis])))
    if settings["variance"]:
        about.append(f"variance {settings['variance']}")
    if settings["scale"]:
        about.append(f"scale {settings['scale']}")
    if settings["null_area"] is not None:
        about.append(f"p against {brief(settings['null_area'])}")
    return printable(", ".join(about))


def note_groups(described: Mapping[str, Any], printing: Printing) -> None:
    """Say which groups lack a class, and so have no area."""
    lacking = [score["group"] for score in described["scores"] if score["auc"] is None]
    note_lacking(list(dict.fromkeys(lacking)), printing, "without an area")


def note_lacking(groups: Sequence[str], printing: Printing, so: str) -> None:
    """Say which groups lack a class, and what that does to them."""
    if groups:
        listed = ", ".join(groups[:_LISTED]) + (", ..." if len(groups) > _LISTED else "")
        printing.note(f"{counted(len(groups), 'group')} {so}, for lack of a class: {listed}")


def records(described: Mapping[str, Any]) -> Sequence[dict[str, str]]:
    """Return the rows as records of a table for papers."""
    header, rows = estimates_rows(described)
    return [dict(zip(header, map(cell, row), strict=True)) for row in rows]
