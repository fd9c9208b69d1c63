"""Areas at five times with standard errors, of many cases: `python -m benchmarks.speed.survival`.

Half of the cases are censored. The goal is ten seconds for 10^6 cases. Where R has timeROC, its
standard errors of 10^3 cases are timed beside; their time grows with the square of the cases.
"""

from __future__ import annotations

import shutil
import subprocess
import time

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


def ours(n: int) -> tuple[float, float]:
    """Return wall and processor time, checks of the input among them."""
    rng = np.random.default_rng(1)
    score = rng.normal(size=n)
    event, end = rng.exponential(np.exp(-score)), rng.exponential(size=n)
    times, status = np.minimum(event, end), event <= end
    wall, own = time.perf_counter(), time.process_time()
    auc_over_time(survival_scores(times, status, score), AT)
    return time.perf_counter() - wall, time.process_time() - own


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
    seconds = theirs(10**3)
    print("timeROC is not installed" if seconds is None else f"timeROC, 1,000 cases: {seconds} s")


if __name__ == "__main__":
    main()
