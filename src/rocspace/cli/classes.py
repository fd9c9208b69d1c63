"""What the command line prints of more than two classes: areas, classes and pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocspace._base.checks import counted
from rocspace.cli.console import count, estimate_of, interval, interval_title, printable, table_text
from rocspace.cli.figures import literal
from rocspace.cli.reading import FoundClasses
from rocspace.multiclass.cases import MulticlassScores
from rocspace.report.classes.numbers import plain_classifier, plain_labels
from rocspace.report.plain import plain

TITLES = {
    "hand-till": "Hand and Till, all pairs of classes",
    "mu": "mu, all pairs by the larger column",
    "macro": "against the rest, mean of the classes",
    "weighted": "against the rest, by the shares of the classes",
    "micro": "all pairs of a case and a class",
}
_MOST = 15  # pairs that are printed


def plain_classes(found: FoundClasses, level: float) -> dict[str, Any]:
    """Return the areas of each classifier: the shape ``rocspace.classes/1``."""
    data = found.data
    return {
        "schema": "rocspace.classes/1",
        "source": found.source,
        "level": plain(level),
        "classes": plain_labels(data),
        "classifiers": [plain_classifier(data, name, level) for name in data.names],
    }


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


def about_classes(found: FoundClasses) -> str:
    """Return the heading of what is printed: the file, how many cases, of how many classes."""
    data, source = found.data, found.source
    return printable(
        f"{source['file']}, {count(len(data))} cases of {len(data.classes)} classes, "
        f"by {source['label']}"
    )


def classes_text(found: FoundClasses, described: dict[str, Any]) -> str:
    """Lay out the areas of each classifier, of each class and of the hardest pairs."""
    parts = [about_classes(found)]
    for each in described["classifiers"]:
        if len(described["classifiers"]) > 1:
            parts.append(f"{printable(each['name'])}:")
        parts += _tables(each, described)
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _tables(each: dict[str, Any], described: dict[str, Any]) -> Iterator[str]:
    percent = interval_title(described["level"])
    areas = [(TITLES[key], *estimate_of(area)) for key, area in each["areas"].items()]
    yield table_text(("area", "value", percent), areas)
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
