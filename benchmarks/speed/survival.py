"""Areas at five times with standard errors, of many cases: `python -m benchmarks.speed.survival`.

Half of the cases are censored. The goal is ten seconds for 10^6 cases. Beside it stands the formula
of the standard error as it is published, written out in NumPy with a row and a column for each case
(10^4 cases take 2 GB). Where R has timeROC, its standard
errors of 10^3 cases are timed, too.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from typing import Any

import numpy as np

from rocspace.designs import auc_over_time, survival_scores

AT = [0.1, 0.3, 0.5, 1.0, 2.0]
R = """
suppressMessages(library(timeROC)); set.seed(1); n <- {n}
x <- rnorm(n); t <- rexp(n) * exp(-x); c <- rexp(n)
s <- system.time(timeROC(T = pmin(t, c), delta = as.integer(t <= c), marker = x, cause = 1,
                         times = c(.1, .3, .5, 1, 2), iid = TRUE))
cat(s[["elapsed"]])
"""


def drawn(n: int) -> tuple[Any, Any, Any]:
    """Return times, whether they end with the event, and scores."""
    rng = np.random.default_rng(1)
    score = rng.normal(size=n)
    event, end = rng.exponential(np.exp(-score)), rng.exponential(size=n)
    return np.minimum(event, end), event <= end, score


def ours(n: int) -> tuple[float, float]:
    """Return wall and processor time, checks of the input among them."""
    times, status, score = drawn(n)
    wall, own = time.perf_counter(), time.process_time()
    auc_over_time(survival_scores(times, status, score), AT)
    return time.perf_counter() - wall, time.process_time() - own


def literal(times: Any, status: Any, score: Any, at: float) -> tuple[float, float]:
    """Return the area and its error by sums over all pairs of cases; no two times are equal."""
    n = times.size
    order = np.argsort(times)
    times, status, score = times[order], status[order], score[order]
    risk = np.arange(n, 0, -1)  # at each time
    left = np.cumprod(np.where(status, 1.0, 1 - 1 / risk))  # Kaplan and Meier, of censoring
    before = np.concatenate([[1.0], left[:-1]])
    case, control = status & (times <= at), times > at
    w1 = case / before
    w0 = control / left[times <= at][-1]
    wins = (score[:, None] > score) + (score[:, None] == score) / 2
    a, b, of_1, of_0 = wins @ w0 / n, w1 @ wins / n, w1.mean(), w0.mean()
    area = w1 @ a / n / of_1 / of_0
    first, second = w1 * (a - area * of_0), w0 * (b - area * of_1)
    later = times[:, None] < times  # [u, i]: case i is later than time u
    h = (later @ (first * (times <= at)) + second.sum()) / n * (times <= at)
    jump = ~status / risk * n / risk  # dL(u) / p(u)
    own = ~status * h * n / risk
    influence = (first + second + own - (h * jump) @ (later | np.eye(n, dtype=bool))) / of_1 / of_0
    return float(area), float(influence.std(ddof=1) / np.sqrt(n))


def by_pairs(n: int) -> tuple[float, float]:
    """Return the processor time of the literal formula, and how far its errors are from ours."""
    times, status, score = drawn(n)
    found = auc_over_time(survival_scores(times, status, score), AT)
    own = time.process_time()
    errors = [literal(times, status, score, at)[1] for at in AT]
    return time.process_time() - own, float(np.abs(found.se / errors - 1).max())


def theirs(n: int) -> float | None:
    """Return the seconds that timeROC takes, or None where it is not installed."""
    rscript = shutil.which("Rscript")
    if rscript is None:
        return None
    done = subprocess.run(
        [rscript, "-e", R.format(n=n)], capture_output=True, text=True, check=False
    )
    return float(done.stdout) if done.returncode == 0 and done.stdout else None


def main() -> None:
    ours(1000)
    for n in (10**3, 10**4, 10**5, 10**6):
        wall, own = ours(n)
        print(f"{n:>9,} cases: {wall:.3f} s, {own:.3f} s of processor time")
    for n in (10**3, 10**4):
        mine, (own, away) = ours(n)[1], by_pairs(n)
        said = f"{own:.3f} s, {own / mine:.0f} times as long; errors differ by {away:.0e}"
        print(f"{n:>9,} cases by all pairs: {said}")
    seconds = theirs(10**3)
    print("timeROC is not installed" if seconds is None else f"timeROC, 1,000 cases: {seconds} s")


if __name__ == "__main__":
    main()
