"""Which interval of the equal error rate holds at corners of the curve?

`eer_interval` of `rocspace.inference` inverts the interval of the true positive rate at a false
positive rate: "profile", the default, or "rank mixture". Both are measured on the same samples
beside percentiles of the bootstrap of the equal error rate. Populations are those of the
ledger, and curves with one corner where both error rates are equal, of continuous scores and of
yes/no tests (`benchmarks.constants.rates_at_rates`). Nothing was chosen on these samples.

    python -m benchmarks.constants.equal_error_rates       # writes benchmarks/results, minutes
    python -m benchmarks.constants.equal_error_rates 20    # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from scipy.optimize import brentq

from benchmarks.constants.rates_at_rates import (
    CORNER_SIZES,
    MORE,
    SIZES,
    Corner,
    Limits,
    Methods,
    Situation,
    groups,
)
from benchmarks.coverage.judge import LEAST
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import MARGINS, Margin
from benchmarks.pages import keep
from rocspace.counts import ScoreTable
from rocspace.curves import eer
from rocspace.inference import eer_interval
from rocspace.inference.on_curve import RateMethod
from rocspace.resampling import bootstrap

N_SIM, N_BOOT = 25, 99
RATES = (0.1, 0.02)


def library(table: ScoreTable, _: float, *, method: RateMethod) -> Limits:
    found = eer_interval(table, level=LEVEL, method=method)
    return found.low, found.high


def resampled(table: ScoreTable, _: float) -> Limits:
    sample = bootstrap(table, eer, n_boot=N_BOOT, rng=0, threads=1, progress=False)
    found = sample.interval(LEVEL, method="percentile")
    return found.low, found.high


METHODS: Methods = {
    "profile": partial(library, method="profile"),
    "rank mixture": partial(library, method="rank mixture"),
    "bootstrap, percentile": resampled,
}


def equal(margin: Margin) -> float:
    """Return the equal error rate of a population."""
    return float(brentq(lambda x: float(margin.tpr_at(x)) - (1 - x), 0, 1, xtol=1e-14))


def situations(n_sim: int) -> Iterator[Situation]:
    for margin, sizes in product(MARGINS, SIZES):
        group = "ledger, few levels" if margin.discrete else "ledger, others"
        yield Situation(group, margin, sizes, equal(margin), equal(margin), n_sim)
    for tied, x, sizes in product((False, True), RATES, CORNER_SIZES):
        group = "corners, yes/no" if tied else "corners, continuous"
        yield Situation(group, Corner(1 - x, x, tied), sizes, x, x, MORE * n_sim)


def page(n_sim: int) -> str:
    head = [
        "# Intervals of the equal error rate",
        "",
        f"`python -m benchmarks.constants.equal_error_rates`, {n_sim} samples of each situation,",
        f"at corners {MORE * n_sim}, seed {SEED}, level .95, {N_BOOT} replicates of bootstraps.",
        "Of each group of situations: the least coverage, in how many it is below",
        f"{LEAST:.1%} by more than chance, the mean coverage, and the mean width relative to that",
        "of profile (ratio of the means). The bootstrap's interval is infinite where all of its",
        "replicates are equal.",
    ]
    return "\n".join([*head, *groups(situations(n_sim), METHODS)]) + "\n"


if __name__ == "__main__":
    keep("equal_error_rates", page, N_SIM)
