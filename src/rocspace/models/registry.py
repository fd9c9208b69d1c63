"""The list of all models, and the function that fits any of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from inspect import signature
from typing import Any, Literal, TypeAlias

from rocspace._base.words import nearest, shown
from rocspace.counts.table import ScoreTable, of_table
from rocspace.results.fit import Fit

Likelihood: TypeAlias = Literal["scores", "ratings", "runs", "ranks"]


@dataclass(frozen=True)
class Model:
    """One way to fit a smooth curve to a table.

    Attributes
    ----------
    name : str
        What `fit_roc` calls it.
    home : str
        ``module:function`` inside `rocspace.models`; imported when first asked for.
    assumes : str
        What the model assumes, in a few words.
    likelihood : {"scores", "ratings", "runs", "ranks"} or None
        The data whose probability the likelihood is. AIC compares only models of the same kind.
    rank_based : bool
        Whether an increasing function of the scores leaves the fit as it is.
    weighted : bool
        Whether it takes weighted tables.
    fixed : tuple of tuple
        Options that the name implies.

    See Also
    --------
    fit_roc, compare_models

    Examples
    --------
    >>> from rocspace.models import MODELS
    >>> MODELS["binormal"].assumes, MODELS["binormal"].rank_based
    ('scores Normal in both classes', False)
    """

    name: str
    home: str
    assumes: str
    likelihood: Likelihood | None = None
    rank_based: bool = True
    weighted: bool = True
    fixed: tuple[tuple[str, Any], ...] = ()

    @cached_property
    def function(self) -> Callable[..., Fit]:
        """The function that fits it."""
        module, name = self.home.split(":")
        found: Callable[..., Fit] = getattr(import_module(f"rocspace.models.{module}"), name)
        return found

    @property
    def options(self) -> tuple[str, ...]:
        """Names of its options."""
        taken = ("table", *(name for name, _ in self.fixed))
        return tuple(name for name in signature(self.function).parameters if name not in taken)


_FAMILIES = {
    "exponential": "exponential",
    "weibull": "Weibull, of one shape,",
    "gamma": "gamma",
    "lognormal": "lognormal",
    "logistic": "logistic, of one scale,",
    "beta-scores": "beta distributed",
    "pareto": "Pareto, of one minimum,",
    "uniform": "uniform, from 0 on,",
}

MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        Model(
            "binormal",
            "binormal:fit_binormal",
            "scores Normal in both classes",
            likelihood="scores",
            rank_based=False,
        ),
        Model(
            "rating",
            "rating:fit_rating",
            "an increasing function makes both classes Normal; each distinct score is a rating",
            likelihood="ratings",
        ),
        Model(
            "labroc",
            "rating:fit_labroc",
            "an increasing function makes both classes Normal",
            likelihood="runs",
        ),
        Model(
            "proper",
            "proper:fit_proper",
            "cases ranked by the likelihood ratio of two Normal distributions",
            likelihood="runs",
        ),
        Model(
            "probit-line",
            "binormal:fit_probit_line",
            "an increasing function makes both classes Normal",
        ),
        Model(
            "box-cox",
            "powers:fit_box_cox",
            "one power, or the logarithm, of positive scores is Normal in both classes",
            likelihood="scores",
            rank_based=False,
        ),
        Model(
            "yeo-johnson",
            "powers:fit_yeo_johnson",
            "one power of scores of any sign is Normal in both classes",
            likelihood="scores",
            rank_based=False,
        ),
        Model(
            "density-ratio",
            "density_ratio:fit_density_ratio",
            "the log likelihood ratio is linear in the score",
            rank_based=False,
        ),
        Model(
            "beta",
            "beta:fit_beta",
            "the curve is the distribution function of a beta distribution",
        ),
        Model(
            "kernel",
            "kernel:fit_kernel",
            "nothing but smooth distributions of scores",
            rank_based=False,
        ),
        Model(
            "likelihood-ratio",
            "likelihood_ratio:fit_likelihood_ratio",
            "smooth distributions of scores, by whose likelihood ratio cases are ranked",
            rank_based=False,
        ),
        Model(
            "local",
            "local:fit_local",
            "nothing but smooth distributions of scores",
            rank_based=False,
        ),
        Model(
            "log-concave",
            "log_concave:fit_log_concave",
            "densities whose logarithms are concave in both classes",
            rank_based=False,
        ),
        Model(
            "profile-likelihood",
            "profile:fit_profile_likelihood",
            "an increasing function makes both classes Normal",
            weighted=False,
        ),
        Model(
            "rank-likelihood",
            "ranks:fit_rank_likelihood",
            "an increasing function makes both classes Normal",
            likelihood="ranks",
            weighted=False,
        ),
        *(
            Model(
                name,
                f"placements:fit_{name.replace('-', '_')}",
                "an increasing function makes both classes Normal",
            )
            for name in ("gls", "minimum-distance", "pseudo-likelihood", "roc-glm")
        ),
        *(
            Model(
                name,
                "families:fit_family",
                f"{assumes} scores in both classes",
                likelihood="scores",
                rank_based=False,
                fixed=(("family", name),),
            )
            for name, assumes in _FAMILIES.items()
        ),
    )
}
"""Every model of one score by name."""


@of_table
def fit_roc(table: ScoreTable, *, model: str = "binormal", **options: Any) -> Fit:
    """Fit a smooth ROC curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    model : str, default "binormal"
        A name in `MODELS`; each has its own function, which states its assumptions and its options:
        ``fit_binormal`` for "binormal".
    **options
        Options of that function.

    Returns
    -------
    Fit
        A curve with parameters and their covariance; its ``flags`` say what is wrong with it.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there is no such model, or it cannot be fitted to this table.
    TypeError
        If the model has no such option.

    Notes
    -----
    O(k) for most models, with k distinct scores. A smooth curve is worth its assumptions if the
    empirical curve has few steps and a quantity other than the area is needed between them; the
    empirical area needs no model.

    References
    ----------
    Those of each model.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit_roc(tabulate(data.y_true, data.y_score))
    Fit(binormal, a=0.628162, b=0.817592)
    """
    found = model_of(model)
    unknown = [name for name in options if name not in found.options]
    if unknown:
        has = ", ".join(found.options) or "none"
        msg = f'model="{found.name}" has no option {unknown[0]!r}. It has {has}.'
        raise TypeError(msg + nearest(unknown[0], found.options))
    return found.function(table, **dict(found.fixed), **options)


def model_of(name: object) -> Model:
    """Return a model by its name; the error names the nearest one."""
    found = MODELS.get(name) if isinstance(name, str) else None
    if found is None:
        hint = nearest(str(name), MODELS) or f" Choose from {', '.join(MODELS)}."
        msg = f"There is no model {shown(name)}.{hint}"
        raise ValueError(msg)
    return found
