"""Comparing fitted curves of two scores, by the bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rocspace._base.calls import explained
from rocspace.compare.resampled import bootstrap_difference
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.inference.components import two_scores
from rocspace.models.registry import fit_roc, model_of
from rocspace.resampling.replicates import Rng
from rocspace.resampling.runs import BootstrapScheme
from rocspace.results.estimates import Difference
from rocspace.results.fit import Fit

_MOST_FAILED = 0.5  # share of replicates without a fit, beyond which nothing is known


@explained
def fit_difference(
    data: PairedScores | Mapping[str, ScoreTable],
    first: str | None = None,
    second: str | None = None,
    reading: Callable[[Fit], float] | None = None,
    *,
    model: str = "binormal",
    bounds: tuple[float, float] = (0.0, 1.0),
    n_boot: int = 1000,
    scheme: BootstrapScheme | None = None,
    rng: Rng = None,
    progress: bool | None = None,
    **options: Any,
) -> Difference:
    """Difference of a reading of the fitted curves of two scores, with its bootstrap error.

    Parameters
    ----------
    data : PairedScores or mapping of str to ScoreTable
        Several scores of the same cases, which are resampled together; or tables of independent
        samples by name.
    first, second : str, optional
        Names of the two to compare; not needed where there are only two.
    reading : callable, optional
        Takes a fit, returns a number: ``lambda fit: fit.tpr_at(0.1)``, or ``lambda fit:
        fit.partial_auc(fpr=(0, 0.2))``. By default the area.
    model : str, default "binormal"
        The model that is fitted to both scores, a name in `rocspace.models.MODELS`.
    bounds : tuple of float, default (0, 1)
        The values that the reading can take.
    n_boot, scheme, rng, progress
        As for `rocspace.bootstrap`.
    **options
        Options of the model, as for `rocspace.models.fit_roc`.

    Returns
    -------
    Difference
        First minus second, with ``test()`` and ``interval(level)``, both of Student's t. The
        standard error is nan where the model cannot be fitted to half of the replicates.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there is no such model, it cannot be fitted to a score, or as `rocspace.bootstrap`.
    TypeError
        If the model has no such option.

    Notes
    -----
    Two fits for each replicate; those without a fit are left out. `rocspace.models.fit_paired`
    needs no replicates, but has one model, "labroc". The comparison is valid if the model holds for
    both scores; `rocspace.compare.auc_difference` needs no model.

    References
    ----------
    Efron and Tibshirani (1993), Algorithm 6.1.

    Examples
    --------
    >>> from rocspace import datasets, pair_scores
    >>> data = datasets.load("fawcett20")
    >>> other = [score + (i % 5) / 8 for i, score in enumerate(data.y_score)]
    >>> scores = pair_scores(data.y_true, {"a": data.y_score, "b": other})
    >>> gain = fit_difference(scores, reading=lambda fit: fit.tpr_at(0.2), n_boot=200, rng=1)
    >>> print(f"{gain.value:.2f} +- {gain.se:.2f}")
    0.19 +- 0.16
    """
    name = model_of(model).name
    names = two_scores("fit_difference", data, first, second, apart=True)
    fits = [
        fit_roc(
            data[each] if isinstance(data, Mapping) else data.table(each), model=name, **options
        )
        for each in names  # a failure here says why, before any replicate
    ]
    read = _Reading(name, options, reading or _area)
    found = bootstrap_difference(
        data, *names, read, n_boot=n_boot, scheme=scheme, rng=rng, progress=progress
    )
    width = bounds[1] - bounds[0]
    known = len(read.failed) <= _MOST_FAILED * n_boot
    method = f"{fits[0].method}, bootstrap"
    return replace(
        found,
        se=found.se if known else float("nan"),
        method=method,
        range=(-width, width),
        first=replace(found.first, range=bounds, method=method),
        second=replace(found.second, range=bounds, method=method),
    )


def _area(fit: Fit) -> float:
    return fit.auc


@dataclass(frozen=True, eq=False)
class _Reading:
    """A reading of the fit to a table; nan, and listed as failed, where there is no fit."""

    model: str
    options: Mapping[str, Any]
    reading: Callable[[Fit], float]
    failed: list[str] = field(default_factory=list)

    def __call__(self, table: ScoreTable) -> float:
        try:
            return float(self.reading(fit_roc(table, model=self.model, **self.options)))
        except ValueError as error:
            self.failed.append(str(error))
            return float("nan")
