"""Choice of a smooth curve: all models side by side, and a recommendation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Ints, Vector
from rocspace._base.cards import Card
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.frozen import Result
from rocspace._base.text import brief, either, general, pvalue
from rocspace.counts.table import ScoreTable, of_table, recounted
from rocspace.curves.distance import curve_distance
from rocspace.models.fitting import split_counts
from rocspace.models.goodness import simulated_goodness
from rocspace.models.registry import MODELS, fit_roc, model_of
from rocspace.resampling.replicates import Rng
from rocspace.results.fit import Fit

_RATINGS = 20  # up to this many distinct scores are treated as ratings
_CELLS = 201  # numbers of negatives above a positive that are told apart
_RATES = np.concatenate([[0.0], np.geomspace(1e-8, 1e-4, 40), np.linspace(0.01, 1, 400) ** 2])
_PLACES = np.append(0.0, (_RATES[1:] + _RATES[:-1]) / 2)  # of the positives up to each rate
_SMOOTH = ("kernel", "likelihood-ratio", "local", "log-concave")  # no few parameters shape these
_UNSOUND = {"degenerate", "unconverged", "separated", "boundary", "tied"}


class ModelComparison(Result):
    """Several models fitted to the same table.

    Attributes
    ----------
    models : tuple of str
        Their names, in the order asked for.
    fits : mapping of str to Fit
        The models that could be fitted.
    failures : mapping of str to str
        The reason why each of the others could not be fitted.
    distance : ndarray of float64, shape (models,)
        L2 distance to the empirical curve; nan without a fit.
    log_score : ndarray of float64, shape (models,)
        Mean logarithm of the density that the curve gives to left-out positives: higher is better,
        0 is that of the diagonal, -inf means that one of them was impossible under the curve. nan
        where a part of the data could not be fitted, for weighted tables, and for too few cases.
    chosen : str or None
        The model that `advice` names.
    advice : str
        One sentence that recommends a model and gives the reason.

    See Also
    --------
    compare_models
    """

    models: tuple[str, ...]
    fits: Mapping[str, Fit] = field(repr=False)
    failures: Mapping[str, str] = field(repr=False)
    distance: Vector = field(repr=False)
    log_score: Vector = field(repr=False)
    chosen: str | None
    advice: str = field(repr=False)

    def _columns(self) -> dict[str, Any]:
        fits = [self.fits.get(name) for name in self.models]
        areas = [None if fit is None else fit.auc_estimate() for fit in fits]
        flags = [", ".join(fit.flags) if fit else "" for fit in fits]
        return {
            "model": list(self.models),
            "parameters": ["" if fit is None else _spelled(fit) for fit in fits],
            "auc": [float("nan") if area is None else area.value for area in areas],
            "auc_se": [float("nan") if area is None else area.se for area in areas],
            "likelihood": [MODELS[name].likelihood or "" for name in self.models],
            "aic": [float("nan") if fit is None or fit.aic is None else fit.aic for fit in fits],
            "distance": self.distance,
            "log_score": self.log_score,
            "goodness": [_pvalue(fit) for fit in fits],
            "flags": flags,
            "failure": [self.failures.get(name, "") for name in self.models],
        }

    def _card(self) -> Card:
        columns = self._columns()
        tested = bool(np.isfinite(columns["goodness"]).any())
        columns["remarks"] = [
            why or flags for why, flags in zip(columns["failure"], columns["flags"], strict=True)
        ]
        shown: dict[str, tuple[str, Callable[[Any], str]]] = {
            "model": ("Model", str),
            "auc": ("Area", either),
            "auc_se": ("se", either),
            "aic": ("AIC", general),
            "distance": ("Distance", _rounded),
            "log_score": ("Log score", _rounded),
            **({"goodness": ("p of fit", pvalue)} if tested else {}),
            "remarks": ("Remarks", str),
        }
        texts = ([spell(each) for each in columns[name]] for name, (_, spell) in shown.items())
        header, rows = [title for title, _ in shown.values()], list(zip(*texts, strict=True))
        return Card(rows={"Advice": self.advice}, header=header, table=rows)


def _rounded(value: float) -> str:
    return either(round(value, 3))


def _pvalue(fit: Fit | None) -> float:
    return float("nan") if fit is None or fit.goodness is None else fit.goodness.pvalue


def _spelled(fit: Fit) -> str:
    return ", ".join(f"{name}={brief(value)}" for name, value in fit.parameters.items())


def usual_models(table: ScoreTable) -> tuple[str, ...]:
    """Return four models that suit most tables, by rating if the scores look like ratings."""
    ranked = "rating" if len(table) <= _RATINGS else "labroc"
    return ("binormal", ranked, "proper", "kernel")


@of_table
def compare_models(
    table: ScoreTable,
    *,
    models: Sequence[str] | Literal["all"] | None = None,
    n_folds: int = 5,
    n_sim: int = 0,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    rng: Rng = 0,
    progress: bool | None = None,
) -> ModelComparison:
    """Fit several smooth curves to the same table, and say which to take.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    models : sequence of str or "all", optional
        Names in `MODELS`. By default four that suit most tables: "binormal", "labroc" ("rating"
        for 20 distinct scores or fewer), "proper" and "kernel".
    n_folds : int, default 5
        Number of parts into which each class is divided for the log score; 0 omits the score.
    n_sim : int, default 0
        Number of samples of each fit for its test, `goodness_of_fit`; 0 omits the test. The fits of
        "rating" keep their chi-square test.
    options : mapping, optional
        Options of models by their names, ``{"kernel": {"bandwidth": "silverman"}}``; by default
        each model has its own.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of the division and of the samples.
    progress : bool, optional
        Whether to show progress of the tests on standard error; by default in a terminal only.

    Returns
    -------
    ModelComparison
        A model that cannot be fitted to this table is listed with the reason.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there is no such model, or none of `options` among `models`, `n_folds` is negative or 1,
        or `n_sim` is negative.

    Notes
    -----
    The cost is that of ``n_folds + 1 + n_sim`` fits of each model. AIC compares only models whose
    likelihood is that of the same data, as the column ``likelihood`` says: the scores themselves,
    ratings, or runs of one class.

    The log score compares all models. The curve is the distribution function of the placement of a
    positive, which is the share of negatives above it. For each positive of a left-out part, count
    how many of the n negatives of that part are above it. The score is the logarithm of the
    probability of that count under the fitted curve (an integral of binomial probabilities over the
    curve), times n + 1. Counts beyond 200 are grouped. With negatives that the curve was fitted to,
    the score would reward curves that follow these negatives rather than their distribution.

    Of the fits with standard errors and no serious flag, `chosen` is the simplest whose log score
    is within one paired standard error of the best: few parameters are simpler than densities
    ("kernel", "likelihood-ratio", "local", "log-concave"), fewer than more, ranks than scores;
    among equals the best is chosen. Without log scores, the model nearest to the empirical curve
    is.

    References
    ----------
    Pepe (2003), no numbered equation, for placements. The log score of placements is ours.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("two_class_example")
    >>> found = compare_models(
    ...     tabulate(data.y_true, data.y_score), models=("binormal", "labroc", "pareto")
    ... )
    >>> print(found.log_score.round(2), found.chosen)
    [1.94 1.95 0.57] labroc
    """
    if isinstance(models, str) and models == "all":
        models = tuple(MODELS)
    if isinstance(models, str):
        msg = f"models is the text {models!r}, but must be a list of names: models=[{models!r}]."
        raise ValueError(msg)
    asked = usual_models(table) if models is None else models
    names = tuple(dict.fromkeys(model_of(name).name for name in asked))
    if n_folds < 0 or n_folds == 1:
        why = f" is {n_folds}, but must be 2 or more, or 0 for no log score."
        raise ArgumentError(Argument("n_folds"), why)
    fitted = _fitters(names, options or {})
    fits, failures = {}, {}
    for name, fit_one in fitted.items():
        try:
            fits[name] = fit_one(table)
        except ValueError as error:
            failures[name] = str(error)
    distance = {name: curve_distance(fit, table, metric="l2") for name, fit in fits.items()}
    scores = _log_scores(table, {name: fitted[name] for name in fits}, n_folds, rng)
    chosen, advice = _advice(fits, scores, distance)
    if n_sim:
        fits = _tested(fits, fitted, table, n_sim=n_sim, rng=rng, progress=progress)
    return ModelComparison(
        models=names,
        fits=fits,
        failures=failures,
        distance=np.array([distance.get(name, np.nan) for name in names]),
        log_score=np.array([scores[name].mean() if name in scores else np.nan for name in names]),
        chosen=chosen,
        advice=advice,
    )


def _fitters(
    names: Sequence[str], options: Mapping[str, Mapping[str, Any]]
) -> dict[str, Callable[[ScoreTable], Fit]]:
    """Return what fits each model, with its options."""
    own = {model_of(name).name: given for name, given in options.items()}
    if others := own.keys() - set(names):
        msg = f"options are for {min(others)!r}, which is not fitted. Name it among the models."
        raise ValueError(msg)
    return {name: partial(fit_roc, model=name, **own.get(name, {})) for name in names}


def _tested(
    fits: Mapping[str, Fit],
    fitted: Mapping[str, Callable[[ScoreTable], Fit]],
    table: ScoreTable,
    *,
    n_sim: int,
    rng: Rng,
    progress: bool | None,
) -> dict[str, Fit]:
    """Return fits with a test each, their own or by samples."""
    found = dict(fits)
    for name, fit in fits.items():
        if fit.goodness is None:
            how: Any = {"n_sim": n_sim, "rng": rng, "progress": progress}
            test = simulated_goodness(fit, table, fitted[name], **how)
            found[name] = replace(fit, goodness=test)
    return found


# --- left-out cases -----------------------------------------------------------------------------


def _log_scores(
    table: ScoreTable,
    fitters: Mapping[str, Callable[[ScoreTable], Fit]],
    n_folds: int,
    rng: Rng,
) -> dict[str, Vector]:
    """Return the log score of each positive, in the order of the parts, by model."""
    if table.is_weighted or not n_folds or min(table.n_pos, table.n_neg) < 2:
        return {}
    found: dict[str, list[Vector]] = {name: [] for name in fitters}
    for fitted, chances in _parts(table, n_folds, rng):
        for name in tuple(found):
            try:
                found[name].append(_placed(fitters[name](fitted), chances))
            except ValueError:
                del found[name]
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _parts(table: ScoreTable, n_folds: int, rng: Rng) -> Iterator[tuple[ScoreTable, Vector]]:
    """Yield the table without each part, and what `_chances` says of the part's positives."""
    for left, out in split_counts(table, min(n_folds, int(table.n_pos), int(table.n_neg)), rng):
        yield recounted(table, table.pos - left, table.neg - out), _chances(left, out)


def _chances(pos: Ints, neg: Ints) -> Vector:
    """Return the likelihood, relative to chance, of the rank of each positive among negatives.

    One row for each positive, one column for each rate at which `_RATES` place it: the
    probability that of n negatives so many are above it, over 1 / (n + 1).
    """
    from scipy.special import betainc

    n = int(neg.sum())
    row = np.repeat(np.arange(pos.size), pos)
    above = (np.cumsum(neg) - neg)[row]
    count = np.unique(np.round(n * np.sin(np.linspace(0, np.pi / 2, _CELLS)) ** 2))
    count = np.append(count if n >= _CELLS else np.arange(n + 1.0), n + 1.0)
    inner = count[1:-1, np.newaxis]  # a binomial number is at least that
    tail = np.ones((count.size, _PLACES.size))
    tail[1:-1], tail[-1] = betainc(inner, n - inner + 1, _PLACES), 0.0
    low = np.searchsorted(count, above, side="right") - 1
    high = np.searchsorted(count, above + neg[row], side="right")
    width = (count[high] - count[low]) / (n + 1)
    return np.asarray((tail[low] - tail[high]) / width[:, np.newaxis])


def _placed(fit: Fit, chances: Vector) -> Vector:
    """Return the logarithm of the likelihood of each rank under a curve."""
    tpr = np.asarray(fit.tpr_at(_RATES))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(chances @ np.diff(tpr, prepend=0.0)))


# --- advice -------------------------------------------------------------------------------------


def _advice(
    fits: Mapping[str, Fit], scores: Mapping[str, Vector], distance: Mapping[str, float]
) -> tuple[str | None, str]:
    sound = [
        name
        for name, fit in fits.items()
        if not fit.flags.keys() & _UNSOUND and np.isfinite(fit.auc_estimate().se)
    ]
    if not sound:
        return None, (
            "Take the empirical curve: no model has standard errors and no serious flag here."
        )
    scored = [name for name in sound if name in scores and np.isfinite(scores[name]).all()]
    if not scored:
        chosen = min(sound, key=lambda name: distance[name])
        return chosen, f'Take "{chosen}": it is the nearest to the empirical curve.'
    best = max(scored, key=lambda name: float(scores[name].mean()))
    near = [name for name in scored if _within_error(scores[best] - scores[name])]
    chosen = min(near, key=lambda name: (_cost(name, fits[name]), -scores[name].mean()))
    why = "it predicts left-out cases best"
    if chosen != best:
        why = f'it predicts left-out cases as well as "{best}", within the error'
    if len(scored) == 1:
        why = "the others have serious flags or no standard errors"
    hook = ", but mind its hook" if "improper" in fits[chosen].flags else ""
    return chosen, f'Take "{chosen}": {why}{hook}.'


def _cost(name: str, fit: Fit) -> tuple[bool, int, bool]:
    """Return what a fit needs: whole densities, parameters, and the scale of the scores."""
    return name in _SMOOTH, len(fit.parameters), not MODELS[name].rank_based


def _within_error(gap: Vector) -> bool:
    """Return whether the mean of paired differences is within its standard error of 0."""
    return bool(gap.mean() <= gap.std() / np.sqrt(gap.size))
