"""One trial of a selection experiment: split, train many models, measure and test them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from rocspace._base.arrays import Ints, Mask, Vector
from rocspace._base.checks import check_sizes
from rocspace._base.frozen import Result
from rocspace.averaging.fitting import fresh_copy
from rocspace.averaging.folds import rows_of, scores_of
from rocspace.counts.table import ScoreTable, tabulate
from rocspace.curves.summaries import auc

TableMeasure: TypeAlias = Callable[[ScoreTable], float]

SHARES = (0.6, 0.2, 0.2)  # training, validation, test


class Bootstrapped(Result, kw_only=False):
    """One classifier, to be trained on bootstrap samples of the training data.

    Attributes
    ----------
    classifier : scikit-learn classifier
        A fresh copy of it is trained on each sample.
    n_models : int
        How many samples.

    See Also
    --------
    selection_experiment
    """

    classifier: Any
    n_models: int = 100

    def __post_init__(self) -> None:
        check_sizes(n_models=self.n_models)


@dataclass(frozen=True, slots=True)
class Trial:
    """One split: train, measure on validation data, and the areas on test data."""

    features: Any
    label: Mask
    models: Sequence[Any] | Bootstrapped
    measures: Mapping[str, TableMeasure]

    def run(self, rng: np.random.Generator) -> tuple[Vector, Vector]:
        """Return the values of the measures, and the areas on the test part, of every model."""
        train, validation, test = self._split(rng)
        value, area = [], []
        for model in self._trained(train, rng):
            table = self._table(model, validation)
            value.append([measure(table) for measure in self.measures.values()])
            area.append(auc(self._table(model, test)))
        return np.array(value).T, np.array(area)

    def _split(self, rng: np.random.Generator) -> tuple[Ints, ...]:
        """Split each class in the same shares, at random."""
        parts: list[list[Ints]] = [[], [], []]
        for members in (np.flatnonzero(self.label), np.flatnonzero(~self.label)):
            order = rng.permutation(members)
            ends = np.round(np.cumsum(SHARES)[:2] * members.size).astype(np.int64)
            for part, some in zip(parts, np.split(order, ends), strict=True):
                part.append(some)
        return tuple(np.concatenate(part) for part in parts)

    def _trained(self, train: Ints, rng: np.random.Generator) -> Any:
        models, drawn = self.models, isinstance(self.models, Bootstrapped)
        if isinstance(models, Bootstrapped):
            models = [models.classifier] * models.n_models
        for model in models:
            rows = self._bootstrap(train, rng) if drawn else train
            yield fresh_copy(model, rng).fit(rows_of(self.features, rows), self.label[rows])

    def _bootstrap(self, train: Ints, rng: np.random.Generator) -> Ints:
        while True:
            rows = rng.choice(train, train.size)
            if 0 < np.count_nonzero(self.label[rows]) < rows.size:
                return rows

    def _table(self, model: Any, rows: Ints) -> ScoreTable:
        score = scores_of(model, rows_of(self.features, rows), True, "auto")
        return tabulate(self.label[rows], score)
