"""Which error of a calibration slope holds with few positives, where the truth follows no line?

With few positives the sandwich's squared residuals are those of the positives about their own mean,
and its degrees of freedom are theirs, however many negatives there are: neither leverage (HC2, HC3)
nor Bell and McCaffrey's degrees of freedom know of it, as both look at all cases. On the same
samples this program measures, of the slope and of the intercept, what the default of
`calibration_estimates` covers ("within classes, Welch": the largest of the errors of the model, of
HC2 and of the variance within each class, with the smaller of Welch's and Bell and McCaffrey's
degrees of freedom), and the same of other errors. All but the last divide Firth's deviance by the
ratio of their variance to the model's; the last inverts the robust score test (Boos 1992), with a t
quantile for as many values as the smaller class has. Samples that a threshold separates are drawn
anew. Situations: those of the ledger's part with at most 600 cases.

    python -m benchmarks.constants.calibration_errors       # writes benchmarks/results
    python -m benchmarks.constants.calibration_errors 50    # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, stdtrit

from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.off_line import SITUATIONS, Odds
from benchmarks.pages import keep, told
from rocspace.calibrate import weak
from rocspace.counts import ScoreTable

N_SIM, INVERTED, MOST = 300, 30, 600  # samples, those of the score's limits, cases
TAIL = (1 - LEVEL) / 2
FARTHEST, HALVINGS = 25, 12  # of the search for a limit: steps of 1.4, then of 1/2
FORMER = "HC2, Bell and McCaffrey"
TAKEN = "within classes, Welch"  # the default
SCORE = "robust score"
PARAMETERS = ("slope", "intercept")
Floats = NDArray[np.float64]
Errors = dict[str, tuple[float, float]]


def quantile(df: float) -> float:
    return -float(stdtrit(df, TAIL))


def errors(table: ScoreTable, profile: Any) -> tuple[float, Errors]:
    """Return the variance by the model, and each choice's with its degrees of freedom."""
    p, effect, rows, model = weak._effects(profile)
    left = np.maximum(1 - (rows**2).sum(axis=0), 1e-12)

    def sums(power: int, by: int) -> float:
        each = table.pos * (1 - p) ** power + table.neg * p**power
        return float(each @ (effect**power / left**by))

    hc2, hc3 = sums(2, 1), sums(2, 2)
    leverage = weak._freedom(profile.size, rows, 1 - left)
    by_class, welch = weak._by_class(table, effect, p)
    taken = max(hc2, by_class), min(leverage, welch)
    found = {
        "model": (model, np.inf),
        FORMER: larger(model, hc2, leverage),
        "HC3, Bell and McCaffrey": larger(model, hc3, leverage),
        "HC2, Fay and Graubard": larger(model, hc2, max(hc2**2 / sums(4, 2), 1.0)),
        TAKEN: larger(model, *taken),
    }
    wide = taken[0] * quantile(taken[1]) ** 2 > model * quantile(np.inf) ** 2
    return model, found | {"the same, the wider interval": taken if wide else (model, np.inf)}


def larger(model: float, variance: float, df: float) -> tuple[float, float]:
    """Return the larger error of model and sandwich."""
    return (variance, df) if variance > model else (model, np.inf)


# --- the robust score -----------------------------------------------------------------------------


def score(table: ScoreTable, profile: Any, theta: float) -> float:
    """Return the squared sum of the residuals of theta over that of their squares."""
    p = expit(profile.fitted(theta))
    own, other = profile.design
    along = profile.size * p * (1 - p) * other
    own = own - other * float(along @ own / (along @ other))
    squares = float(table.pos @ (own * (1 - p)) ** 2 + table.neg @ (own * p) ** 2)
    pull = float(own @ (table.pos - profile.size * p))
    return pull**2 / squares if squares > 0 else 0.0


def critical(table: ScoreTable) -> float:
    """Return the square that Student's t of n values is compared with, n those of a class."""
    n = max(int(min(table.pos.sum(), table.neg.sum())), 2)
    square = quantile(n - 1) ** 2
    return n * square / (n - 1 + square)


def score_width(table: ScoreTable, profile: Any, step: float) -> float:
    """Return the distance of the limits; infinite where no value far away is rejected."""
    most, ends = critical(table), []
    for side in (-step, step):
        inner, outer = profile.value, profile.value + side
        for _ in range(FARTHEST):
            if score(table, profile, outer) > most:
                break
            inner, outer = outer, outer + 1.4 * (outer - inner)
        else:
            return float("inf")
        for _ in range(HALVINGS):
            middle = (inner + outer) / 2
            rejects = score(table, profile, middle) > most
            inner, outer = (inner, middle) if rejects else (middle, outer)
        ends.append(outer)
    return float(abs(ends[1] - ends[0]))


# --- situations ---------------------------------------------------------------------------------


def read(odds: Odds, rng: np.random.Generator, *, invert: bool) -> dict[str, tuple[Floats, Floats]]:
    """Return, of slope and intercept, which choices cover, and how wide each is."""
    while weak._border(table := odds.draw(rng)) is not None:
        continue  # a slope that is infinite has no error
    found = {}
    first = weak._profiles(table, table.score.astype(np.float64), None)[:2]
    for name, profile in zip(PARAMETERS, first, strict=True):
        truth, unit = odds.nearest[name], float(np.abs(profile.along).max())
        model, choices = errors(table, profile)
        cover, width = [], []
        for variance, df in choices.values():
            scaled = weak._scaled(profile, model / variance)
            cover.append(scaled.deviance(truth, firth=True) <= quantile(df) ** 2)
            width.append(2 * quantile(df) * variance**0.5 / unit)
        cover.append(score(table, profile, truth) <= critical(table))
        step = 0.7 * width[0]
        width.append(score_width(table, profile, step) if invert else np.nan)
        found[name] = np.array(cover, dtype=float), np.array(width)
    return found


def situation(odds: Odds, n_sim: int) -> Iterator[tuple[str, Floats, Floats]]:
    """Yield, of slope and intercept, coverage, and median width as a ratio to the former's."""
    rng = np.random.default_rng([SEED, *odds.sizes])
    found = [read(odds, rng, invert=i < INVERTED) for i in range(n_sim)]
    for name in PARAMETERS:
        cover, width = (np.array([each[name][k] for each in found]) for k in (0, 1))
        middle = np.median(width, axis=0)
        middle[-1] = np.median(width[:INVERTED, -1])
        yield name, cover.mean(axis=0), middle / middle[CHOICES.index(FORMER)]


CHOICES = (
    "model",
    FORMER,
    "HC3, Bell and McCaffrey",
    "HC2, Fay and Graubard",
    TAKEN,
    "the same, the wider interval",
    SCORE,
)


def rows(n_sim: int) -> Iterator[str]:
    """Yield a row for each parameter of each situation: coverage, and width in brackets."""
    for role, odds in SITUATIONS:
        if odds.n > MOST:
            continue
        for name, cover, ratio in situation(odds, n_sim):
            shown = (f"{100 * c:.1f} ({told_ratio(r)})" for c, r in zip(cover, ratio, strict=True))
            where = f"{odds.scores}, {odds.shape.replace('|', chr(92) + '|')}"
            sizes = " + ".join(map(str, odds.sizes))
            yield f"| {role} | {where} | {sizes} | {name} | {' | '.join(shown)} |"


def told_ratio(ratio: float) -> str:
    return "endless" if np.isinf(ratio) else f"{ratio:.2f}"


def page(n_sim: int) -> str:
    head = "| half | truth | cases | of | " + " | ".join(CHOICES) + " |"
    lines = [
        "# Errors of calibration slopes and intercepts with few cases off the line",
        "",
        f"`python -m benchmarks.constants.calibration_errors`, seed {SEED}, {n_sim} samples:",
        f"percent covered at level {LEVEL:g}, and the median width as a ratio to that of",
        f'"{FORMER}", the former default; of "{SCORE}" in {INVERTED} samples. "endless": in more',
        "than half of them a limit is farther than any value tried.",
        "",
        head,
        "| --- | --- | --- | --- |" + " ---: |" * len(CHOICES),
    ]
    return told(lines, rows(n_sim))


if __name__ == "__main__":
    keep("calibration_errors", page, N_SIM)
