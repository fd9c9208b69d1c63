"""The cuts that divide a marker best into its classes, and the ROC surface of three classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rocspace.multiclass.cases import OrderedScores
from rocspace.multiclass.surfaces import best_cuts, roc_surface
from rocspace.report import drawing
from rocspace.report.drawing import Spec, layer, score_style
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.ordered.numbers import by_volume, name_of, ordered_shell
from rocspace.report.plain import plain, plain_list
from rocspace.report.section import Section, Summary, View, Work

_GRID = 20  # steps of each rate

# --- numbers ----------------------------------------------------------------------------------


def _of_all(summary: Summary, work: Work) -> View:
    data = work.scores_in_order
    return {"scores": [{**each, **_read(data, each["name"])} for each in summary["scores"]]}


def _read(data: OrderedScores, name: str) -> View:
    found = best_cuts(data, name)
    rates = np.linspace(0, 1, _GRID + 1)
    surface: View | None = None
    if len(data.classes) == 3:
        middle = roc_surface(data, rates[:, None], rates[None, :], name)
        surface = {"rate": plain_list(rates), "middle": [plain_list(row) for row in middle]}
    return {
        "cuts": {
            "cut": plain_list(found.cut),
            "rate": plain_list(found.rate),
            "youden": plain(found.value),
        },
        "surface": surface,
    }


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View:
    labels = [each["label"] for each in summary["classes"]]
    found = by_volume(summary)
    return {
        "labels": labels,
        "several": len(found) > 1,
        "best": found[0]["name"],
        "surface": found[0]["surface"] is not None,
        "rows": [
            {
                "name": each["name"],
                "style": score_style(rank),
                "youden": each["cuts"]["youden"],
                "cells": [
                    {"cut": cut, "rate": rate}
                    for cut, rate in zip(
                        [None, *each["cuts"]["cut"]], each["cuts"]["rate"], strict=True
                    )
                ],
            }
            for rank, each in enumerate(found)
        ],
    }


def _charts(summary: Summary) -> dict[str, Spec]:
    """Draw the surface from above: darker where more of the middle class is called right."""
    best = by_volume(summary)[0]
    surface = best["surface"]
    if surface is None:
        return {}
    labels = [each["label"] for each in summary["classes"]]
    rates = best["cuts"]["rate"]
    cut = [{"first": rates[0], "last": rates[2]}]
    data = {"cells": _cells(surface), "cut": cut}
    return {"surface": drawing.chart(_layers(labels), data, 440, 440)}


def _cells(surface: Mapping[str, Any]) -> list[dict[str, float]]:
    """Return the squares around the points of a grid, with the rate of the middle class."""
    rate, half = surface["rate"], 0.5 / _GRID
    return [
        {
            "first": round(max(one - half, 0), 4),
            "first_to": round(min(one + half, 1), 4),
            "last": round(max(three - half, 0), 4),
            "last_to": round(min(three + half, 1), 4),
            "middle": round(surface["middle"][i][j], 4),
        }
        for i, one in enumerate(rate)
        for j, three in enumerate(rate)
    ]


def _layers(labels: Sequence[str]) -> list[Spec]:
    """Return the squares, shaded, and a cross at the best cuts."""
    x = drawing.unit_axis("first", f"Called right of {labels[0]}")
    y = drawing.unit_axis("last", f"Called right of {labels[2]}")
    shade: Spec = {
        "field": "middle",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "range": [0, 1]},
        "legend": None,
    }
    tips = [
        {"field": field, "type": "quantitative", "title": label, "format": ".2f"}
        for field, label in zip(
            ("first", "last", "middle"), (labels[0], labels[2], labels[1]), strict=True
        )
    ]
    ends = {"x": x, "x2": {"field": "first_to"}, "y": y, "y2": {"field": "last_to"}}
    squares = {**ends, "fillOpacity": shade, "tooltip": tips}
    return [
        layer("cells", "rect", squares, fill=drawing.colour(0), strokeWidth=0),
        layer(
            *("cut", "point", {"x": x, "y": y}),
            shape="cross",
            size=140,
            filled=True,
            color="var(--ink)",
        ),
    ]


# --- how it was made --------------------------------------------------------------------------

_HOW = """
cuts: Best cuts
  The thresholds with the largest sum of the correct rates of the classes. Rates at cuts that were
  chosen on the same cases are optimistic.
  Source: Nakas, Alonzo and Yiannoutsos (2010), Statistics in Medicine 29:2946-2955
  Python: best_cuts(data{name})
  Shell: rocspace report {of_order}{at_level} --json
"""
_SURFACE = """
surface: ROC surface
  The largest correct rate of the middle class for given smallest correct rates of the first and of
  the last class. The volume below the surface, with ties shared, is the VUS.
  Source: Nakas and Yiannoutsos (2004), Statistics in Medicine 23:3437-3449
  Python: roc_surface(data, first, last{named})
  Shell: rocspace report {of_order}{at_level} --json
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    told = _HOW + (_SURFACE.lstrip() if summary["scores"][0]["surface"] else "")
    name = name_of(summary)
    yield from entries(told, shell, name=name, named=name, of_order=ordered_shell(summary))


SECTION = Section("ordered_cuts", _view, "Cuts", of_all=_of_all, charts=_charts, methods=_methods)
