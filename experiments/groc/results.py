"""What came out: numbers of the experiment, as tables that are kept beside it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TypeVar

import numpy as np

from experiments.groc.data import DataSet
from rocspace.select import SelectionExperiment


@dataclass(frozen=True)
class Described:
    """One split as the paper describes it, with naive Bayes, and the mean of all splits."""

    data: str
    measure: str
    printed: float
    test_auc: float
    n_better: int
    n_tied: int
    spearman: float
    pvalue: float
    mean_test_auc: float
    mean_spearman: float
    mean_n_better: float


@dataclass(frozen=True)
class Gain:
    """What choosing by a measure gains over choosing by the area."""

    data: str
    learner: str
    models: int
    measure: str
    mean: float
    low: float
    high: float
    corrected_low: float
    corrected_high: float
    wins: int
    losses: int


Row = TypeVar("Row", Described, Gain)


def described(data: DataSet, found: SelectionExperiment) -> list[Described]:
    """Read the first split, as the paper does, and average over all of them."""
    rows = []
    printed = dict(zip(("auc", "sauc", "lambda_auc", "rho_auc"), data.printed, strict=True))
    repeats = found.test.shape[0]
    for j, measure in enumerate(found.measures):
        each = [found.correlation(measure, r) for r in range(repeats)]
        rows.append(
            Described(
                data=data.name,
                measure=measure,
                printed=printed.get(measure, float("nan")),
                test_auc=float(found.chosen_auc[0, j]),
                n_better=int(found.n_better[0, j]),
                n_tied=int(found.n_tied[0, j]),
                spearman=each[0].value,
                pvalue=each[0].pvalue,
                mean_test_auc=float(found.chosen_auc[:, j].mean()),
                mean_spearman=float(np.nanmean([one.value for one in each])),
                mean_n_better=float(found.n_better[:, j].mean()),
            )
        )
    return rows


def gains(data: str, learner: str, found: SelectionExperiment) -> list[Gain]:
    """Compare every measure with the area, split by split."""
    rows = []
    for measure in found.measures[1:]:
        gain = found.gain(measure)
        plain, corrected = gain.interval(corrected=False), gain.interval()
        rows.append(
            Gain(
                data=data,
                learner=learner,
                models=found.test.shape[1],
                measure=measure,
                mean=gain.value,
                low=plain.low,
                high=plain.high,
                corrected_low=corrected.low,
                corrected_high=corrected.high,
                wins=int((gain.differences > 0).sum()),
                losses=int((gain.differences < 0).sum()),
            )
        )
    return rows


def write(rows: Sequence[Row], path: Path) -> None:
    """Write rows as csv."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([field.name for field in fields(rows[0])])
        for row in rows:
            out.writerow([f"{v:.6g}" if isinstance(v, float) else v for v in asdict(row).values()])


def read(path: Path, kind: type[Row]) -> list[Row]:
    """Read rows back."""
    with path.open(encoding="utf-8", newline="") as file:
        return [kind(**_typed(line.items(), kind)) for line in csv.DictReader(file)]


def _typed(pairs: Iterable[tuple[str, str]], kind: type) -> dict[str, object]:
    types = {
        field.name: {"float": float, "int": int, "str": str}[field.type] for field in fields(kind)
    }
    return {name: types[name](text) for name, text in pairs}
