"""What the command line prints of more than two classes: areas, classes and pairs."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from typing import Any

from rocspace._base.words import counted
from rocspace.cli.console import (
    count,
    estimate_of,
    heading,
    interval,
    interval_title,
    printable,
    table_text,
)
from rocspace.multiclass.cases import MulticlassScores
from rocspace.multiclass.files import FileClasses, FileOrdered
from rocspace.multiclass.pairs import Direction
from rocspace.plot.files import literal
from rocspace.report.classes.numbers import plain_classifier, plain_labels, volumes_of
from rocspace.report.ordered.numbers import plain_marker
from rocspace.report.plain import plain, plain_estimate

TITLES = {
    "hand-till": "Hand and Till, all pairs of classes",
    "mu": "mu, all pairs by the larger column",
    "macro": "against the rest, mean of the classes",
    "weighted": "against the rest, by the shares of the classes",
    "micro": "all pairs of a case and a class",
    "pdi": "polytomous discrimination index",
    "hum": "hypervolume under the manifold",
    "vus": "volume under the ROC surface",
}
_MOST = 15  # pairs that are printed


def plain_classes(found: FileClasses, level: float) -> dict[str, Any]:
    """Return the areas of each classifier: the shape ``rocspace.classes/1``."""
    data = found.data
    return {
        "schema": "rocspace.classes/1",
        "source": found.source,
        "level": plain(level),
        "classes": plain_labels(data),
        "classifiers": [
            plain_classifier(data, name, level) | _plain_volumes(data, name, level)
            for name in data.names
        ],
    }


def _plain_volumes(data: MulticlassScores, name: str, level: float) -> dict[str, Any]:
    volumes, sets = volumes_of(data, name)
    found = {
        key: None if each is None else plain_estimate(each, level) for key, each in volumes.items()
    }
    return {"volumes": found, "n_sets": sets}


def draw_classes(data: MulticlassScores, level: float, canvas: Any) -> None:
    """Draw curves against the rest and areas of pairs; of several classifiers only the latter."""
    from rocspace.plot import plot_one_vs_rest, plot_pairwise

    if len(data.names) == 1:
        left, right = canvas.subplots(1, 2)
        plot_one_vs_rest(data, ax=left, level=level)
        plot_pairwise(data, ax=right, level=level)
        return
    axes = canvas.subplots(1, len(data.names))
    for ax, name in zip(axes, data.names, strict=True):
        plot_pairwise(data, name, ax=ax, level=level)
        ax.set_title(literal(name))


def about_classes(found: FileClasses | FileOrdered) -> str:
    """Return the heading of what is printed: the file, how many cases, of how many classes."""
    data, source = found.data, found.source
    return printable(
        f"{source['file']}, {count(len(data))} cases of {len(data.classes)} classes, "
        f"by {source['label']}"
    )


def classes_text(found: FileClasses, described: dict[str, Any]) -> str:
    """Lay out the areas of each classifier, of each class and of the hardest pairs."""
    parts = [heading(about_classes(found))]
    for each in described["classifiers"]:
        if len(described["classifiers"]) > 1:
            parts.append(f"{printable(each['name'])}:")
        parts += _tables(each, described)
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _tables(each: dict[str, Any], described: dict[str, Any]) -> Iterator[str]:
    percent = interval_title(described["level"])
    areas = [(TITLES[key], *estimate_of(area)) for key, area in each["areas"].items()]
    yield table_text(("area", "value", percent), areas)
    k, sets = len(described["classes"]), each.get("n_sets")
    titles = TITLES if sets is None else TITLES | {"hum": f"hypervolume, {count(sets)} sets drawn"}
    chance = {"pdi": f"1/{k}", "hum": f"1/{count(factorial(k))}"}
    volumes = [
        (titles[key], *estimate_of(volume), chance[key])
        for key, volume in each.get("volumes", {}).items()
        if volume is not None
    ]
    if volumes:
        yield table_text(("one case of each class", "value", percent, "by chance"), volumes)
    cases = {one["label"]: one["cases"] for one in described["classes"]}
    rest = [
        (
            one["label"],
            count(cases[one["label"]]),
            *estimate_of(one),
            interval(**one["any_mixture"]),
        )
        for one in each["against_the_rest"]
    ]
    yield table_text(("against the rest", "cases", "area", percent, "any mixture"), rest)
    ranked = sorted(each["pairs"], key=lambda pair: pair["value"])
    rows = [
        (f"{pair['first']} and {pair['second']}", *estimate_of(pair)) for pair in ranked[:_MOST]
    ]
    yield table_text(("hardest pairs" if ranked[_MOST:] else "pair", "area", percent), rows)
    if ranked[_MOST:]:
        yield f"and {counted(len(ranked) - _MOST, 'pair')} more, all with --json"


# --- ordered classes --------------------------------------------------------------------------


def plain_ordered(
    found: FileOrdered, level: float, direction: Direction = "order"
) -> dict[str, Any]:
    """Return the volume and the areas of pairs of each marker: the shape ``rocspace.ordered/1``."""
    data = found.data
    of_kind = float if data.weight is not None else int
    sizes = zip(data.classes, data.sizes.tolist(), strict=True)
    return {
        "schema": "rocspace.ordered/1",
        "source": found.source,
        "level": plain(level),
        "direction": direction,
        "order": [{"label": str(each), "cases": of_kind(size)} for each, size in sizes],
        "scores": [plain_marker(data, name, level, direction) for name in data.names],
    }


def ordered_text(found: FileOrdered, described: dict[str, Any]) -> str:
    """Lay out the volume of each marker, and the mean area of its pairs of classes."""
    percent = interval_title(described["level"])
    order = " < ".join(f"{each['label']} ({count(each['cases'])})" for each in described["order"])
    rows = [
        (each["name"], *estimate_of(each["vus"]), *estimate_of(each["hand_till"]))
        for each in described["scores"]
    ]
    said = f"By chance the volume is 1/{count(factorial(len(described['order'])))}."
    if described["direction"] == "pairwise":
        said += " The mean of pairs takes the\nbetter direction of each: by chance it is above 1/2."
    header = ("score", "VUS", percent, "mean of pairs", percent)
    above = f"{heading(about_classes(found))}\n{heading(order)}"
    return f"{above}\n\n{table_text(header, rows)}\n{said}\n"
