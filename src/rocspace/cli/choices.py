"""What `rocspace choose` prints of more than two classes: weights, costs, a confusion matrix."""

from __future__ import annotations

import csv
import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rocspace.cli.classes import about_classes
from rocspace.cli.console import (
    count,
    heading,
    interval_title,
    number,
    printable,
    ratio,
    table_text,
)
from rocspace.cli.tables import snapped
from rocspace.multiclass.cases import MulticlassScores
from rocspace.multiclass.costs import CostMatrix, cost_matrix
from rocspace.multiclass.decisions import ClassDecisions, decide_classes
from rocspace.multiclass.files import FileClasses
from rocspace.multiclass.optimism import ClassWeightsBootstrap, class_weights_bootstrap
from rocspace.report.plain import plain, plain_interval

_WIDE = 80
_OFF = 0.05  # rounded probabilities do not sum to 1 exactly
_TRUE = ("true", "actual", "truth", "label")


# --- the file of costs ------------------------------------------------------------------------


def read_costs(path: str) -> dict[str, dict[str, float]]:
    """Read a csv or json file of costs: ``costs[called][true]``."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        msg = f"There is no file {path!r} for --cost-matrix."
        raise FileNotFoundError(msg) from None
    except (UnicodeDecodeError, IsADirectoryError):
        msg = f"--cost-matrix {path!r} is not a text file. Give csv or json."
        raise ValueError(msg) from None
    return _of_json(text, path) if text.lstrip()[:1] in ("{", "[") else _of_csv(text, path)


def _of_json(text: str, path: str) -> dict[str, dict[str, float]]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        msg = f"--cost-matrix {path!r} is not json: {error}."
        raise ValueError(msg) from None
    rows = found.items() if isinstance(found, dict) else ()
    if not rows or not all(isinstance(row, dict) for _, row in rows):
        msg = (
            f"--cost-matrix {path!r} has no names of classes. Write "
            '{"called": {"true class": cost, ...}, ...}.'
        )
        raise ValueError(msg)
    return {
        called: {true: _cost(cost, called, true, path) for true, cost in row.items()}
        for called, row in rows
    }


def _of_csv(text: str, path: str) -> dict[str, dict[str, float]]:
    first = text.partition("\n")[0]
    separator = max(",;\t|", key=first.count)
    lines = [
        [cell.strip() for cell in line]
        for line in csv.reader(text.splitlines(), delimiter=separator)
        if any(cell.strip() for cell in line)
    ]
    corner, *names = lines[0] if lines else [""]
    rows = {row[0]: row[1:] for row in lines[1:]}
    wrong = next((name for name, row in rows.items() if len(row) != len(names)), None)
    if not names or not rows or wrong is not None or len(rows) < len(lines) - 1:
        what = (
            f"row {wrong!r} has {len(rows[wrong])} costs for {len(names)} columns"
            if wrong is not None
            else "it needs a line of names, and a row for each class, once"
        )
        msg = (
            f"--cost-matrix {path!r}: {what}. The first line names the true classes, the first "
            "column the calls (with 'true' in its corner the other way round)."
        )
        raise ValueError(msg)
    found: dict[str, dict[str, float]] = {}
    for row, cells in rows.items():
        for name, cell in zip(names, cells, strict=True):
            called, true = (name, row) if corner.lower() in _TRUE else (row, name)
            if cell:
                found.setdefault(called, {})[true] = _cost(cell, called, true, path)
    return found


def _cost(cell: Any, called: str, true: str, path: str) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        msg = (
            f"--cost-matrix {path!r}: calling a case of {true!r} {called!r} costs {cell!r}, which "
            "is not a number."
        )
        raise ValueError(msg) from None


def named_costs(costs: Mapping[str, Mapping[str, float]], data: MulticlassScores, path: str) -> Any:
    """Return the costs in the order of the classes; say which file is wrong."""
    try:
        return cost_matrix(costs, data.classes)
    except ValueError as error:
        msg = f"--cost-matrix {path!r}: {error}"
        raise ValueError(msg) from None


# --- the choice -------------------------------------------------------------------------------


def plain_class_choice(
    found: FileClasses, costs: CostMatrix, *, level: float, n_boot: int, seed: int
) -> dict[str, Any]:
    """Choose weights for each classifier: the shape ``rocspace.class_choice/1``."""
    data = found.data
    each = [_classifier(data, name, costs, level, n_boot, seed) for name in data.names]
    best = min(each, key=lambda one: one["corrected_cost"] or one["cost_per_case"]["value"])
    cells = [
        {"called": str(i), "true": str(j), "cost": plain(costs.cost[a, b])}
        for a, i in enumerate(data.classes)
        for b, j in enumerate(data.classes)
    ]
    return {
        "schema": "rocspace.class_choice/1",
        "source": found.source,
        "settings": {"level": level, "n_boot": n_boot, "seed": seed},
        "costs": cells,
        "best": best["name"],
        "classifiers": each,
    }


def _classifier(
    data: MulticlassScores, name: str, costs: CostMatrix, level: float, n_boot: int, seed: int
) -> dict[str, Any]:
    resampled = class_weights_bootstrap(data, name, costs=costs, n_boot=n_boot, rng=seed)
    chosen = resampled.decisions
    equal = decide_classes(data, name, costs=costs)
    score = np.asarray(data.score[:, data.classifier(name)], dtype=np.float64)
    sums = np.abs(score.sum(axis=1) - 1) <= _OFF
    expected = decide_classes(data, name, costs=costs, rule="expected cost") if sums.all() else None
    trivial = (costs.cost * chosen.shares).sum(axis=1)
    at = int(trivial.argmin())
    tuned = None
    if sums.all():
        tuned = class_weights_bootstrap(
            data, name, costs=costs, rule="expected cost", n_boot=n_boot, rng=seed
        )
    return {
        "name": name,
        "method": chosen.method,
        **_weighted(resampled, level),
        "equal_weights_cost": plain(equal.cost),
        "expected_cost_rule_cost": None if expected is None else plain(expected.cost),
        "expected_cost_choice": None if tuned is None else _weighted(tuned, level),
        "trivial": {"label": str(data.classes[at]), "cost": plain(trivial[at])},
        "confusion": list(_cells(chosen)),
    }


def _weighted(found: ClassWeightsBootstrap, level: float) -> dict[str, Any]:
    """Return chosen weights, what they cost, and what they would cost elsewhere."""
    chosen = found.decisions
    ends = chosen.cost_estimate().interval(level)
    return {
        "weights": [
            {"label": str(label), "weight": plain(weight)}
            for label, weight in zip(chosen.classes, chosen.class_weight, strict=True)
        ],
        "cost_per_case": {"value": plain(chosen.cost), **plain_interval(ends)},
        "corrected_cost": plain(found.corrected),
    }


def _cells(chosen: ClassDecisions) -> Iterator[dict[str, Any]]:
    for label, row, rate in zip(chosen.classes, chosen.counts, chosen.rates.rate[0], strict=True):
        for other, n, part in zip(chosen.classes, row.tolist(), rate.tolist(), strict=True):
            yield {"true": str(label), "called": str(other), "cases": n, "rate": plain(part)}


def class_choice_text(found: FileClasses, described: Mapping[str, Any]) -> str:
    """Lay out the weights, the confusion matrix at them, and what the choices cost."""
    best = next(each for each in described["classifiers"] if each["name"] == described["best"])
    several = len(described["classifiers"]) > 1
    rule = "the largest product of score and weight decides"
    parts = [
        heading(about_classes(found)),
        f"{printable(best['name'])}: {rule}" if several else rule[0].upper() + rule[1:],
        _confusion(best),
        _costs(described),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + f"\n\n{_note(best)}"


def _confusion(best: Mapping[str, Any]) -> str:
    """Lay out weights and counts, a row for each class; long names as numbers where too wide."""
    labels = [each["label"] for each in best["weights"]]
    k = len(labels)
    cells = np.array([each["cases"] for each in best["confusion"]]).reshape(k, k)
    names, heads = labels, [f"as {label}" for label in labels]
    if 30 + max(map(len, labels)) + sum(max(len(h), 6) + 2 for h in heads) > _WIDE:
        names = [f"{i} {label}"[:20] for i, label in enumerate(labels, 1)]
        heads = [f"as {i}" for i in range(1, k + 1)]
    rows = [
        (name, number(each["weight"]), *(count(snapped(n)) for n in row), count(snapped(row.sum())))
        for name, each, row in zip(names, best["weights"], cells, strict=True)
    ]
    called = [count(snapped(n)) for n in cells.sum(axis=0)]
    rows.append(("all", "", *called, count(snapped(cells.sum()))))
    return table_text(("cases of, called", "weight", *heads, "all"), rows)


def _costs(described: Mapping[str, Any]) -> str:
    """Lay out what each classifier's choice costs a case, and what it would cost without."""
    header = ("cost per case", "value", interval_title(described["settings"]["level"]))
    rows: list[Sequence[str]] = []
    for each in described["classifiers"]:
        who = f"{each['name']}, " if len(described["classifiers"]) > 1 else ""
        rows += _chosen_rows(each, who, "these weights")
        rows.append((f"{who}equal weights", number(each["equal_weights_cost"]), ""))
        if each["expected_cost_rule_cost"] is not None:
            rows.append((f"{who}least expected cost", number(each["expected_cost_rule_cost"]), ""))
        if each["expected_cost_choice"] is not None:
            rows += _chosen_rows(each["expected_cost_choice"], who, "the same, weights chosen")
    trivial = described["classifiers"][0]["trivial"]
    rows.append((f"always {trivial['label']}", number(trivial["cost"]), ""))
    return table_text(header, rows)


def _chosen_rows(each: Mapping[str, Any], who: str, weights: str) -> list[Sequence[str]]:
    """Return what chosen weights cost on these cases, and on those that a bootstrap left out."""
    cost = each["cost_per_case"]
    return [
        (f"{who}{weights}", *ratio(cost["value"], cost["low"], cost["high"])),
        (f"{who}corrected for the choice", _or_dash(each["corrected_cost"]), ""),
    ]


def _or_dash(value: float | None) -> str:
    return "-" if value is None else number(value)


def _note(best: Mapping[str, Any]) -> str:
    found = (
        "No weights cost less on these cases."
        if best["method"] == "exact"
        else "A search from several starts found no weights that cost less on these cases."
    )
    lines = [found, "They were chosen on these cases, so their interval is too low; the corrected"]
    lines.append("cost is that of cases that a bootstrap left out.")
    other = best["expected_cost_choice"]
    costs = [best["corrected_cost"], None if other is None else other["corrected_cost"]]
    if other is not None and None not in costs and costs[1] < costs[0]:
        lines.append("Deciding by the least expected cost, with the scores as probabilities, costs")
        lines.append("less here: it also weighs which error is made. Its weights:")
        weights = (f"{printable(w['label'])} {number(w['weight'])}" for w in other["weights"])
        lines += textwrap.wrap(", ".join(weights), _WIDE)
    return "\n".join(lines) + "\n"
