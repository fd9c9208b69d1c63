"""Power by simulation: how often a test rejects."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.checks import check_inside, check_rng, check_times
from rocspace._base.progress import Progress
from rocspace.compare.areas import auc_difference
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.inference.area import auc_test
from rocspace.inference.clustered import clustered_test
from rocspace.results.estimates import AreaEstimate, Estimate
from rocspace.results.test import TestResult


class Drawable(Protocol):
    """Anything to draw samples from: the populations of `rocspace.simulate`, or your own."""

    def draw(self, *size: int, rng: np.random.Generator) -> Any:
        """Draw one sample."""


@explained
def simulated_power_estimate(
    population: Drawable,
    *size: int,
    test: Callable[[Any], TestResult] | None = None,
    significance: float = 0.05,
    n_sim: int = 2000,
    rng: np.random.Generator | int | None = None,
    progress: bool | None = None,
) -> Estimate:
    """Measure how often a test rejects, on samples of a population.

    Parameters
    ----------
    population : Population, PairedPopulation or ClusteredPopulation
        What to draw from; anything with ``draw(*size, rng=...)``.
    *size : int
        What its ``draw`` takes: positives and negatives, or the number of clusters.
    test : callable, optional
        Takes one sample, returns a `TestResult`. By default the test that the area is 1/2
        (`rocspace.auc_test`, `rocspace.inference.clustered_test`), or, for two scores, that their
        areas are equal (`rocspace.compare.auc_difference`).
    significance : float, default 0.05
        Reject where the p value is at most this.
    n_sim : int, default 2000
        How many samples to draw.
    rng : numpy.random.Generator or int, optional
        Generator or seed; the same seed gives the same result.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    Estimate
        The share of samples in which the test rejects, with its Monte Carlo error. For a population
        without a difference this is the size of the test.

    Raises
    ------
    ValueError
        If a number is out of range, or there is no default test for such samples.

    Notes
    -----
    A sample without a p value (nan) does not reject; ``method`` says how many there were.

    Measured (benchmarks/coverage/planning.py; 2000 samples, so +- 2): positives that each formula
    asks for, as many negatives, and the percentage of samples that then reject; the
    formulas predict 80 (plans by "simulated" have what they say). Correlations are those of the
    scores, in both classes.

    ===================================== ========== ========== ==========
    What is tested                        empirical  exact      obuchowski
    ===================================== ========== ========== ==========
    area .6 against .5                    130: 81    124: 79    124: 79
    area .7 against .5                    32: 82     30: 76     31: 79
    area .85 against .5                   10: 86     9: 81      9: 81
    areas .85 and .75, two groups         147: 79    143: 79    184: 88
    areas .85 and .75, correlation .6     70: 79     66: 78     107: 93
    areas .95 and .9, correlation .6      113: 81    103: 78    228: 99
    areas .7 and .6, correlation .9       31: 77     25: 65     42: 91
    fpr to .2 of .9 and .8, correl. .5    89: 77     68: 65     147: 93
    ===================================== ========== ========== ==========

    "exact" is for areas of a fitted Normal model, which vary less than empirical ones; the
    tests here use those.

    References
    ----------
    No source: the share of samples that reject.

    Examples
    --------
    >>> from rocspace.planning import plan_area
    >>> from rocspace.simulate import binormal
    >>> found = simulated_power_estimate(binormal(0.7), 41, 41, n_sim=400, rng=1)
    >>> round(found.value, 3), round(found.se, 3)
    (0.907, 0.014)
    >>> round(plan_area(0.7, variance="empirical").for_cases(41).power, 3)
    0.902
    """
    check_inside("significance", significance)
    check_times("n_sim", n_sim)
    generator = check_rng(rng)
    chosen = test or _usual_test
    pvalue = np.empty(n_sim)
    with Progress("simulation", n_sim, show=progress) as shown, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of single samples: few clusters
        for i in range(n_sim):
            pvalue[i] = chosen(population.draw(*size, rng=generator)).pvalue
            shown.add()
    share = float((pvalue <= significance).mean())  # False where nan
    without = int(np.isnan(pvalue).sum())
    return AreaEstimate(
        value=share,
        se=float((share * (1 - share) / n_sim) ** 0.5),
        method="simulation" + (f", {without} of {n_sim} without a p value" if without else ""),
        n_pairs=float(n_sim),
    )


def _usual_test(sample: Any) -> TestResult:
    if isinstance(sample, ScoreTable):
        return auc_test(sample)
    if not isinstance(sample, PairedScores) or len(sample.names) > 2:
        msg = "There is no default test for such samples: give test=..."
        raise ValueError(msg)
    if len(sample.names) == 2:
        return auc_difference(sample, *sample.names).test()
    if sample.cluster is None:
        return auc_test(sample.table(sample.names[0]))
    return clustered_test(sample)
