"""Which interval of a mean loss holds where a good score hardly ever makes a mistake?

The default interval of a mean loss, of a difference of two, and of Cllr allows for half a case that
was not seen (of a difference of log losses for a whole one), at the contraharmonic mean of what the
cases would have cost with the other outcome (of a difference of Brier scores at the most extreme),
and is never inside that of Student (`rocspace.costs.proper_scores`). On the same samples this
program measures what it covers, how wide it is beside Student's where that covers 93.5 percent, and
the same of other choices of the case and of the methods that textbooks have for means of skewed
values.
Development: Normal scores. Validation: other shapes.

    python -m benchmarks.constants.unseen_loss          # writes benchmarks/results
    python -m benchmarks.constants.unseen_loss 50       # so many samples, printed only
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, fdtri, log_expit, stdtrit

from benchmarks.coverage.calibration import POPULATIONS, Calibrated
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.losses import Models
from benchmarks.pages import keep
from rocspace.costs import brier_estimate, cllr_estimate, log_loss_estimate, loss_difference
from rocspace.counts import pair_scores
from rocspace.results.unseen import ManyMeans, unseen_distances

N_SIM, CHECKED, RESAMPLED, N_BOOT = 500, 2, 100, 199
HOLDS, FAR = 0.935, 30
AREAS = (0.7, 0.97)
SIZES = ((5, 5), (20, 20), (5, 45), (20, 200), (100, 100))
TAIL = (1 - LEVEL) / 2
Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]
At = Literal["by size", "mean", "extreme"]


class Losses(NamedTuple):
    """Losses (samples, cases) of one class or of all cases, and what other outcomes would cost."""

    loss: Floats
    weight: Floats
    other: Floats
    other_weight: Floats

    def mean(self) -> Floats:
        return np.average(self.loss, axis=1, weights=self.weight)

    def moment(self, k: int) -> Floats:
        return np.average((self.loss - self.mean()[:, None]) ** k, axis=1, weights=self.weight)

    def n(self) -> Floats:
        return np.asarray(self.weight.sum(axis=1))

    def ends(self, at: At) -> Ends:
        """Where an unseen case may be: at a mean of `other`, or at its extremes."""
        seen = self.weight > 0
        low = np.where(seen, self.loss, np.inf).min(axis=1)
        high = np.where(seen, self.loss, -np.inf).max(axis=1)
        if at == "by size":
            of_low, of_high = -self.by_size(-self.other, -low), self.by_size(self.other, high)
        elif at == "extreme":
            known = self.other_weight > 0
            of_low = np.where(known, self.other, np.inf).min(axis=1)
            of_high = np.where(known, self.other, -np.inf).max(axis=1)
        else:
            of_low = of_high = np.average(self.other, axis=1, weights=self.other_weight)
        return np.minimum(low, of_low), np.maximum(high, of_high)

    def by_size(self, other: Floats, none: Floats) -> Floats:
        """Contraharmonic mean of what is above 0, or `none` where nothing is."""
        above = self.other_weight * np.maximum(other, 0.0)
        whole = above.sum(axis=1)
        return np.where(whole > 0, (above * other).sum(axis=1) / np.maximum(whole, 1e-300), none)


Sample = tuple[Losses, ...]
"""One class of losses, or two whose means are added."""


# --- methods ------------------------------------------------------------------------------------


def student(sample: Sample) -> tuple[Floats, Floats, Floats, Floats]:
    """Return value, standard error, quantile of Student's t and skewness of the estimate."""
    value: Floats = np.asarray(sum(one.mean() for one in sample))
    own = [one.moment(2) / (one.n() - 1) for one in sample]
    variance: Floats = np.maximum(sum(own), 1e-300)
    few = sum(v**2 / (one.n() - 1) for v, one in zip(own, sample, strict=True))
    cubes: Floats = np.asarray(sum(one.moment(3) / one.n() ** 2 for one in sample))
    df = variance**2 / np.maximum(few, 1e-300)
    q: Floats = np.asarray(-stdtrit(df, TAIL))
    return value, np.sqrt(variance), q, cubes / variance**1.5


def t(sample: Sample) -> Ends:
    value, se, q, _ = student(sample)
    return value - q * se, value + q * se


def johnson(sample: Sample) -> Ends:
    """Johnson (1978): the centre is moved by a sixth of the skewness."""
    value, se, q, skewness = student(sample)
    return value + (skewness / 6 - q) * se, value + (skewness / 6 + q) * se


def skewed(sample: Sample) -> Ends:
    """Hall (1992): the transformation that removes the skewness."""
    value, se, q, skewness = student(sample)
    a = np.where(np.abs(skewness) < 1e-9, 1e-9, skewness)
    low, high = (3 / a * (np.cbrt(1 + a * (p - a / 6)) - 1) for p in (q, -q))
    return value - low * se, value - high * se


def unseen(sample: Sample, *, added: float = 0.5, at: At = "by size", alone: bool = False) -> Ends:
    low, high = np.array([one.ends(at) for one in sample]).transpose(1, 0, 2)
    n, spread = np.array([(one.n(), one.moment(2)) for one in sample]).transpose(1, 0, 2)
    means = np.array([one.mean() for one in sample])
    below, above = unseen_distances(means, ManyMeans(n, spread, low, high, added), LEVEL)
    of_t = t(sample)
    ends = means.sum(axis=0) - below, means.sum(axis=0) + above
    return ends if alone else (np.minimum(ends[0], of_t[0]), np.maximum(ends[1], of_t[1]))


def bootstrap_t(sample: Sample) -> Ends:
    """Hall (1988), symmetric: the quantile of the absolute t statistic of replicates."""
    loss = sample[0].loss[:RESAMPLED]
    rng, ends = np.random.default_rng(SEED), []
    for row in loss:
        drawn = row[rng.integers(row.size, size=(N_BOOT, row.size))]
        spread = drawn.std(axis=1, ddof=1)
        root = np.abs(drawn.mean(axis=1) - row.mean()) / np.where(spread > 0, spread, 1e-300)
        half = min(float(np.quantile(root, LEVEL)), 1e9) * row.std(ddof=1)
        ends.append((row.mean() - half, row.mean() + half))
    low, high = np.array(ends).T
    return low, high


def likelihood_covers(sample: Sample, truth: float) -> Floats:
    """Adjusted empirical likelihood (Chen, Variyath and Abraham 2008), with an F quantile."""
    z = sample[0].loss[:RESAMPLED] - truth
    n = z.shape[1]
    z = np.concatenate([z, -max(1.0, np.log(n) / 2) * z.mean(axis=1, keepdims=True)], axis=1)
    low, high = -1 / z.max(axis=1), -1 / z.min(axis=1)
    for _ in range(60):
        middle = (low + high) / 2
        rises = (z / (1 + middle[:, None] * z)).sum(axis=1) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    ratio = 2 * np.log1p(low[:, None] * z).sum(axis=1)
    return np.asarray(ratio <= fdtri(1, n - 1, LEVEL), dtype=np.float64)


BY_SIZE = "half a case, contraharmonic mean of other outcomes"
METHODS: dict[str, Callable[[Sample], Ends]] = {
    BY_SIZE: unseen,
    "alone, not outside Student's": partial(unseen, alone=True),
    "a quarter of a case": partial(unseen, added=0.25),
    "a whole case": partial(unseen, added=1.0),
    "half a case, mean of other outcomes": partial(unseen, at="mean"),
    "half a case, most extreme other outcome": partial(unseen, at="extreme"),
    "skewed (Hall's transformation)": skewed,
    "Johnson's modified t": johnson,
    "bootstrap t, symmetric": bootstrap_t,
    "t": t,
}
LIKELIHOOD = "adjusted empirical likelihood"


# --- samples ------------------------------------------------------------------------------------


def samples(models: Models, n: int, n_sim: int) -> Iterator[tuple[str, Sample, float]]:
    """Draw samples, and return what is estimated: a name, the losses, and the truth."""
    rng = np.random.default_rng(SEED)
    drawn = [models.draw(n, rng) for _ in range(n_sim)]
    drawn = [(label, odds) for label, odds in drawn if 1 < label.sum() < n - 1]
    label = np.array([one for one, _ in drawn])
    sign = np.where(label, 1.0, -1.0)
    _, bold, noisy = np.array([odds for _, odds in drawn]).transpose(1, 0, 2)
    truth, every = models.truths, np.ones_like(sign)

    def log(z: Floats) -> Floats:
        return -log_expit(z)

    def square(z: Floats) -> Floats:
        return expit(-z) ** 2

    for name, loss in (("log", log), ("brier", square)):
        own, other = loss(sign * bold), loss(-sign * bold)
        yield name, (Losses(own, every, other, every),), truth[f"{name}, bold"]
        gap, flipped = own - loss(sign * noisy), other - loss(-sign * noisy)
        yield f"{name} gap", (Losses(gap, every, flipped, every),), truth[f"{name} gap"]
    pos, neg = log(bold) / np.log(4), log(-bold) / np.log(4)
    yes, no = label * 1.0, 1.0 - label
    both = Losses(pos, yes, pos, no), Losses(neg, no, neg, yes)
    yield "cllr", both, truth["cllr, bold"]
    check(label, bold, noisy)


def check(label: NDArray[np.bool_], bold: Floats, noisy: Floats) -> None:
    """Compare a few samples with the library."""
    for y, one, two in zip(label[:CHECKED], bold, noisy, strict=False):
        if np.abs(one).max() > FAR:  # expit rounds to 1, where the library leaves the case out
            continue
        data = pair_scores(y, {"one": expit(one), "two": expit(two)})
        table = data.table("one")
        sign = np.where(y, 1.0, -1.0)[None]
        own, other = -log_expit(sign * one), -log_expit(-sign * one)
        gap = own + log_expit(sign * two), other + log_expit(-sign * two)
        every = np.ones_like(sign)
        pos, neg = -log_expit(one[None]) / np.log(4), -log_expit(-one[None]) / np.log(4)
        yes = y[None] * 1.0
        for estimate, sample in (
            (log_loss_estimate(table), (Losses(own, every, other, every),)),
            (
                brier_estimate(table),
                (Losses((1 - np.exp(-own)) ** 2, every, (1 - np.exp(-other)) ** 2, every),),
            ),
            (loss_difference(data), (Losses(gap[0], every, gap[1], every),)),
            (
                cllr_estimate(table, scores="probability", prior=0.5),
                (Losses(pos, yes, pos, 1 - yes), Losses(neg, 1 - yes, neg, yes)),
            ),
        ):
            added = 1.0 if estimate.range[0] < 0 else 0.5
            low, high = (float(end[0]) for end in unseen(sample, added=added))
            wanted = max(low, estimate.range[0]), min(high, estimate.range[1])
            np.testing.assert_allclose(tuple(estimate.interval(LEVEL)), wanted, rtol=1e-4)


# --- the page -----------------------------------------------------------------------------------


def measured(n_sim: int) -> dict[tuple[str, str], list[tuple[str, float, float, float]]]:
    """Return situation, coverage, width and width beside Student's, by role, quantity, method."""
    found: dict[tuple[str, str], list[tuple[str, float, float, float]]] = {}
    for (shape, draw, role), area, sizes in product(POPULATIONS, AREAS, SIZES):
        models = Models(Calibrated(draw, area, sizes[0] / sum(sizes)))
        where = f"{role}: {shape}, area {area:g}, {sizes[0]} + {sizes[1]}"
        for quantity, sample, truth in samples(models, sum(sizes), n_sim):
            ends = t(sample)
            usual = np.mean((ends[0] <= truth) & (truth <= ends[1])) >= HOLDS
            for name, method in METHODS.items():
                if method is bootstrap_t and len(sample) > 1:
                    continue
                low, high = method(sample)
                covers = float(np.mean((low <= truth) & (truth <= high)))
                wide = float(np.mean(high - low))
                student_wide = float(np.mean((ends[1] - ends[0])[: low.size]))
                beside = wide / student_wide if usual else np.nan
                found.setdefault((quantity, name), []).append((where, covers, wide, beside))
            if len(sample) == 1:
                covers = float(likelihood_covers(sample, truth).mean())
                found.setdefault((quantity, LIKELIHOOD), []).append((where, covers, np.nan, np.nan))
    return found


QUANTITIES = {
    "log": "log loss",
    "brier": "Brier score",
    "log gap": "difference of log losses",
    "brier gap": "difference of Brier scores",
    "cllr": "Cllr",
}


def page(n_sim: int) -> str:
    found, many = measured(n_sim), len(POPULATIONS) * len(AREAS) * len(SIZES)
    lines = [
        "# Intervals of mean losses",
        "",
        f"`python -m benchmarks.constants.unseen_loss`, {n_sim} samples in each of {many}",
        f"situations ({RESAMPLED} for the bootstrap and the empirical likelihood), level .95.",
        f"Width: relative to Student's, mean over the situations where that covers {HOLDS:.1%}.",
        "Chosen is half a case, at the contraharmonic mean of other outcomes, of differences of",
        "Brier scores at the most extreme, and a whole case of differences of log losses, after",
        "all of these had been seen: validation is not blind here.",
    ]
    for quantity, said in QUANTITIES.items():
        lines += ["", f"## {said[0].upper()}{said[1:]}", ""]
        lines += ["| method | least coverage | where | below 93.5 % | width |"]
        lines += ["| --- | ---: | --- | ---: | ---: |"]
        for name in (*METHODS, LIKELIHOOD):
            rows = found.get((quantity, name), [])
            if not rows:
                continue
            worst = min(rows, key=lambda row: row[1])
            beside = np.array([row[3] for row in rows])
            width = f"{np.nanmean(beside):.3f}" if np.isfinite(beside).any() else ""
            below = sum(row[1] < HOLDS for row in rows)
            lines.append(f"| {name} | {worst[1]:.1%} | {worst[0]} | {below} | {width} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    keep("unseen_loss", page, N_SIM)
