"""The seven data sets of Dong, Li and Li, table 4; all from the UCI repository."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class DataSet:
    """Features, labels, and what the paper prints about the set."""

    name: str
    positive: str
    features: NDArray[np.float64]
    label: NDArray[np.bool_]
    printed: tuple[float, float, float, float]


@dataclass(frozen=True)
class Source:
    """Where a set is, which columns are no features, and table 5's row (AUC of the choices)."""

    name: str
    positive: str
    file: str
    label: str
    leave_out: tuple[str, ...]
    rows: int
    printed: tuple[float, float, float, float]  # chosen by AUC, sAUC, lambda-AUC, rho-AUC


SOURCES = (
    Source("Monk2", "1", "monk2_train.csv", "label", (), 169, (0.5635, 0.5637, 0.5674, 0.5674)),
    Source("Sonar", "mine", "sonar.csv", "label", (), 208, (0.8905, 0.8905, 0.8971, 0.8927)),
    Source(
        "Breast-W",
        "malignant",
        "breast_w.csv",
        "label",
        ("id",),
        699,
        (0.9613, 0.9625, 0.9659, 0.9658),
    ),
    Source("Abalone", "18 rings", "abalone9_18.csv", "label", (), 731, (0.8572,) * 4),
    Source(
        "Vehicle", "van", "vehicle.csv", "label", ("class",), 846, (0.8860, 0.9126, 0.9229, 0.9279)
    ),
    Source(
        "Vowel",
        "hed",
        "vowel.csv",
        "label_hed",
        ("label_hid", "class", "train_test", "speaker"),
        990,
        (0.9466, 0.9466, 0.9466, 0.9478),
    ),
    Source(
        "Satimage",
        "damp grey soil",
        "satimage.csv",
        "label",
        ("class",),
        6435,
        (0.9051, 0.9051, 0.8998, 0.9075),
    ),
)


def data_sets(folder: Path) -> Iterator[DataSet]:
    """Read all seven sets; text columns become one column for each value, gaps stay nan."""
    for source in SOURCES:
        with (folder / source.file).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        if len(rows) != source.rows:
            msg = f"{source.file} has {len(rows)} rows, but {source.name} has {source.rows}."
            raise ValueError(msg)
        names = [n for n in rows[0] if n not in (source.label, *source.leave_out)]
        columns = [c for name in names for c in _columns([row[name] for row in rows])]
        yield DataSet(
            name=source.name,
            positive=source.positive,
            features=np.column_stack(columns),
            label=np.array([row[source.label] == "1" for row in rows]),
            printed=source.printed,
        )


def _columns(texts: list[str]) -> list[NDArray[np.float64]]:
    try:
        return [np.array([float(text) if text else np.nan for text in texts])]
    except ValueError:
        return [np.array([text == value for text in texts], float) for value in sorted(set(texts))]
