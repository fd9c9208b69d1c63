"""Nested cross-validation of several models: areas, their errors, and those of differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace.averaging.folds import folds_apart, mean_of_repeats, rows_of, scores_of
from rocspace.averaging.nested import nested_estimate, nested_variance
from rocspace.counts.paired import pair_scores
from rocspace.counts.table import tabulate
from rocspace.curves.summaries import auc
from rocspace.estimators.crossed import fit_rows
from rocspace.estimators.needed import Parallel, clone, delayed
from rocspace.estimators.scorers import Scorer
from rocspace.inference.clustered import components_of
from rocspace.results.estimates import AreaEstimate, Difference

Split = tuple[Ints, Ints]


class NestedAreas(NamedTuple):
    """Areas of models that were fitted without one fold, and without two."""

    areas: Vector  # shape (j, m): on each fold, by the models of the other folds
    gaps: Vector  # shape (j, m): mean area of models that also lack another fold, minus that
    naive: Vector  # shape (m, m): DeLong's covariance of the mean areas, folds independent
    n_folds: int
    estimates: list[AreaEstimate]

    def variance(self, contrast: Vector) -> float:
        """Return the squared standard error of a sum of mean areas with these factors."""
        square = float(np.mean((self.gaps @ contrast) ** 2))
        return nested_variance(square, float(contrast @ self.naive @ contrast), self.n_folds)

    def covariance(self) -> Vector:
        """Return the covariance matrix whose differences have their own variances."""
        m = len(self.estimates)
        unit = np.eye(m)
        single = np.array([one.se**2 for one in self.estimates])
        of_pairs = np.array([[self.variance(a - b) for b in unit] for a in unit])
        found = (single[:, None] + single - of_pairs) / 2
        values, vectors = np.linalg.eigh(found)
        return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)

    def difference(self, i: int, k: int) -> Difference:
        """Return the mean difference of two areas over the folds, with its error."""
        contrast = np.eye(len(self.estimates))[i] - np.eye(len(self.estimates))[k]
        one, two = self.estimates[i], self.estimates[k]
        spread = float(np.sqrt(self.naive[i, i] * self.naive[k, k]))
        return Difference(
            value=one.value - two.value,
            se=self.variance(contrast) ** 0.5,
            method="nested cross-validation",
            n_pairs=min(one.n_pairs, two.n_pairs),
            range=(-1.0, 1.0),
            df=min(one.df, two.df),
            first=one,
            second=two,
            correlation=float(self.naive[i, k]) / spread if spread > 0 else float("nan"),
            usual="t",
        )


def nested_areas(
    models: Sequence[Any],
    X: Any,
    y: Array,
    weight: Vector | None,
    splits: Sequence[Split],
    way: Scorer,
    *,
    n_jobs: int | None,
) -> NestedAreas:
    """Fit each model without each fold and without each two folds of a partition."""
    if way.measure != "auc":
        msg = (
            f'method="nested" is for measure="auc", and not for {way.measure!r}: it needs the '
            "variance of a score within a fold. For other measures leave the method out."
        )
        raise ValueError(msg)
    partitions = _partitions(splits, y.size)
    work = [
        (model, split) for model in models for folds in partitions for split in _left_out(folds)
    ]
    found = iter(
        Parallel(n_jobs=n_jobs)(
            delayed(_scores)(clone(model), X, y, weight, split, way) for model, split in work
        )
    )
    scored = [[[next(found) for _ in _left_out(folds)] for folds in partitions] for _ in models]
    label = np.asarray(y == (np.unique(y)[-1] if way.pos_label is None else way.pos_label))
    areas, gaps, naive, apart = [], [], [], []
    for p, folds in enumerate(partitions):
        parts = [_partition(one[p], folds, label, weight) for one in scored]
        areas.append(np.array([part[0] for part in parts]).T)
        gaps.append(np.array([part[1] for part in parts]).T)
        apart.append([part[2] for part in parts])
        naive.append(_within([one[p] for one in scored], folds, label, weight))
    between = np.concatenate(gaps)
    together = [mean_of_repeats(each) for each in zip(*apart, strict=True)]
    return NestedAreas(
        areas=np.concatenate(areas),
        gaps=between,
        naive=np.mean(naive, axis=0),
        n_folds=len(partitions[0]),
        estimates=[
            nested_estimate(one, float(np.mean(column**2)), len(partitions[0]))
            for one, column in zip(together, between.T, strict=True)
        ],
    )


def _partitions(splits: Sequence[Split], n: int) -> list[list[Split]]:
    """Group splits into partitions, whose folds test each case once."""
    found: list[list[Split]] = [[]]
    seen = np.zeros(n, dtype=np.int64)
    for split in splits:
        if (seen == 1).all():
            found.append([])
            seen[:] = 0
        np.add.at(seen, split[1], 1)
        found[-1].append(split)
        if (seen > 1).any():
            break
    sizes = {len(folds) for folds in found}
    if not (seen == 1).all() or len(sizes) > 1 or min(sizes) < 3:
        msg = (
            'method="nested" leaves out two folds of a partition at a time: cv must be three or '
            "more folds that test each case once, such as StratifiedKFold(5), or repeats of them."
        )
        raise ValueError(msg)
    return found


def _left_out(folds: Sequence[Split]) -> list[tuple[Ints, tuple[Ints, ...]]]:
    """Return training cases and the folds that they lack: first one fold, then two."""
    one = [(train, (test,)) for train, test in folds]
    two = [
        (np.intersect1d(folds[k][0], folds[j][0]), (folds[k][1], folds[j][1]))
        for k in range(len(folds))
        for j in range(k)
    ]
    return [*one, *two]


def _scores(
    model: Any,
    X: Any,
    y: Array,
    weight: Vector | None,
    split: tuple[Ints, tuple[Ints, ...]],
    way: Scorer,
) -> list[Array]:
    """Fit a model to the training cases, and score the cases of each fold that they lack."""
    train, tests = split
    fit_rows(model, X, y, weight, train)
    positive = model.classes_[-1] if way.pos_label is None else way.pos_label
    return [scores_of(model, rows_of(X, test), positive, way.response_method) for test in tests]


def _partition(
    scores: Sequence[list[Array]], folds: Sequence[Split], label: Array, weight: Vector | None
) -> tuple[Vector, Vector, AreaEstimate]:
    """Return a model's area on each fold, the gaps to models of fewer cases, and the estimate."""
    tests = [test for _, test in folds]
    own = [None if weight is None else weight[test] for test in tests]

    def counted(k: int, score: Array) -> Any:
        return tabulate(label[tests[k]], score, sample_weight=own[k])

    outer = [counted(k, scores[k][0]) for k in range(len(folds))]
    inner = np.full((len(folds), len(folds)), np.nan)  # [k, j]: on fold j, without k and j
    pairs = [(k, j) for k in range(len(folds)) for j in range(k)]
    for (k, j), (at_k, at_j) in zip(pairs, scores[len(folds) :], strict=True):
        inner[j, k], inner[k, j] = auc(counted(k, at_k)), auc(counted(j, at_j))
    areas = np.array([auc(table) for table in outer])
    return areas, np.nanmean(inner, axis=1) - areas, folds_apart(outer)


def _within(
    scores: Sequence[Sequence[list[Array]]],
    folds: Sequence[Split],
    label: Array,
    weight: Vector | None,
) -> Vector:
    """Return DeLong's covariance of the mean areas: models are fixed, folds independent."""
    names = [str(i) for i in range(len(scores))]
    found = []
    for k, (_, test) in enumerate(folds):
        columns = dict(zip(names, (one[k][0] for one in scores), strict=True))
        data = pair_scores(
            label[test], columns, sample_weight=None if weight is None else weight[test]
        )
        at = components_of(
            data, columns=tuple(range(len(names))), part=None, weight_type="importance"
        )
        if not np.isfinite(at.covariance).all():
            msg = f"Fold {k} has one case of a class: take fewer folds, with two cases or more."
            raise ValueError(msg)
        found.append(at.covariance)
    return np.asarray(np.sum(found, axis=0) / len(folds) ** 2)
