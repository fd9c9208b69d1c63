"""Rates, bands and differences where the truth is known for some, wrong for some, or a judge's.

Scores are those of the widened ledger, here of true classes. Of labels a share is wrong, which is
known or estimated from labels that were checked; or a part of the cases is verified, more often
where the first score and a sign are high; or a judge labelled all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from benchmarks.coverage.cells import Cell, Read, held, interval_of, part, rejected, sizes_of
from benchmarks.coverage.ledger import SAMPLES_OF_BANDS, SEED, Section
from benchmarks.coverage.margins import BY_NAME, PAIRS, Margin, Pair
from benchmarks.coverage.wide import DEFAULT, section
from rocspace.bands import Band
from rocspace.counts import ScoreTable, tabulate_classes
from rocspace.designs import (
    LabelNoise,
    VerifiedScores,
    audited_noise,
    denoised_band,
    denoised_rates,
    label_noise,
    powered_auc_difference,
    verified_auc_difference,
    verified_band,
    verified_scores,
)

RATES, NOISY_BAND = "wide: denoised_rates", "wide: denoised_band"
VERIFIED, VERIFIED_TEST = (
    "wide: verified_auc_difference",
    "wide: size of the test of verified_auc_difference",
)
VERIFIED_BAND = "wide: verified_band"
POWERED, POWERED_TEST = (
    "wide: powered_auc_difference",
    "wide: size of the test of powered_auc_difference",
)
OF_CLASSES = ("tpr", "fpr")
MANY = 100_000  # cases by which a share of verified ones is set

AT = (0.1, 0.3, 0.6)  # false positive rates where bands are read
PLACES = tuple(f"at fpr {x:g}" for x in AT)
N_BOOT, GRID = 100, 11
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def scores_of(margin: Margin, ill: Mask, rng: np.random.Generator) -> Floats:
    """Draw one score of each case, by its true class."""
    drawn = margin.neg(rng, (ill.size,))
    drawn[ill] = margin.pos(rng, (int(ill.sum()),))
    return drawn


def read_band(section_: str, made: Any, margin: Margin) -> Iterator[Read]:
    """Read a pointwise band at some false positive rates."""
    try:
        band: Band = made()
    except ValueError:
        return
    for x, place in zip(AT, PLACES, strict=True):
        yield from held(section_, place, partial(band.at_fpr, x), float(margin.tpr_at(x)))


# --- wrong labels ---------------------------------------------------------------------------------

RATE_NAMES = (
    "Normal, area 0.75",
    "Normal, area 0.98",
    "hooked, sd 3, area 0.8",
    "exponential, area 0.9",
    "three levels",
    "yes/no, .95 and .1",
    "heavy tails, t2, shift 3",
    "zero-inflated, 0.8 and 0.05",
    "yes/no, .8 and .02",
)
WRONG = ((0.0, 0.1), (0.2, 0.05), (0.1, 0.3))  # shares among labelled positives and negatives
RATE_SIZES = ((20, 20), (15, 200), (100, 30))
AUDITED = 60  # labels of each class, or all


def labelled(
    margin: Margin, sizes: tuple[int, int], wrong: tuple[float, float], rng: np.random.Generator
) -> tuple[ScoreTable, list[Mask]]:
    """Draw cases by their labels, of which these shares are wrong, and which labels are."""
    flaws = [rng.random(n) < share for n, share in zip(sizes, wrong, strict=True)]
    pos, neg = scores_of(margin, ~flaws[0], rng), scores_of(margin, flaws[1], rng)
    return tabulate_classes(pos, neg), flaws


def threshold_of(margin: Margin) -> tuple[float, dict[str, float]]:
    """Return a threshold, and the true rates there."""
    at = float(margin.neg_of.ppf(0.85))
    if margin.discrete:
        at = max(at, 1.0)
    before = at - (0.5 if margin.discrete else 1e-9 * (1 + abs(at)))
    rates = [1 - float(each.cdf(before)) for each in (margin.pos_of, margin.neg_of)]
    return at, dict(zip(OF_CLASSES, rates, strict=True))


def rate_cells() -> Iterator[Cell]:
    """Every other cell has labels that were checked."""
    for i, each in enumerate(product(RATE_NAMES, WRONG, RATE_SIZES)):
        yield rate_cell(*each, audited=bool(i % 2))


def rate_cell(
    name: str, wrong: tuple[float, float], sizes: tuple[int, int], *, audited: bool
) -> Cell:
    margin = BY_NAME[name]
    at, truth = threshold_of(margin)

    def read(drawn: Any, rng: np.random.Generator) -> Iterator[Read]:
        table, flaws = drawn
        try:
            noise = checked(flaws, rng) if audited else label_noise(pos=wrong[0], neg=wrong[1])
            rates = denoised_rates(table, at, noise).estimates
        except ValueError:
            return
        for which in OF_CLASSES:
            yield from held(RATES, which, partial(interval_of, rates[which]), truth[which])

    said = f"{margin.name}, {wrong[0]:.0%} and {wrong[1]:.0%} wrong{', audited' * audited}"
    draw = partial(labelled, margin, sizes, wrong)
    return Cell(said, sizes_of(*sizes), lambda rng: draw(rng=rng), read, margin.role)


def checked(flaws: list[Mask], rng: np.random.Generator) -> LabelNoise:
    """Estimate the shares of wrong labels from some that are checked."""
    found = {}
    for side, flaw in zip(("pos", "neg"), flaws, strict=True):
        seen = rng.permutation(flaw)[:AUDITED]
        found[side] = int(seen.sum()), seen.size
    return audited_noise(**found)


# --- verification ---------------------------------------------------------------------------------

PAIR_NAMES = (
    "Normal, areas 0.8 and 0.8, r 0.5",
    "Normal, areas 0.9 and 0.8, r 0.5",
    "unequal spread, areas 0.8, sd 1 and 3, r 0.5",
    "exponential, areas 0.9 and 0.85, r 0.95",
    "three levels, r 0.5",
    "Normal, areas 0.5 and 0.5, r 0.5",
    "exponential, areas 0.8, r 0.7",
    "Normal, areas 0.88 and 0.88, r 0.97",
    "four and five levels, r 0.6",
)
BY_PAIR = {pair.name: pair for pair in PAIRS}
STUDIES = ((200, 0.4, 0.5), (400, 0.15, 0.4), (300, 0.7, 0.25))  # cases, positives, verified

BAND_CASES = (
    ("Normal, area 0.75", (50, 50)),
    ("exponential, area 0.9", (30, 200)),
    ("four levels", (50, 50)),
)


def noisy_band_cells() -> Iterator[Cell]:
    for i, (name, sizes) in enumerate(BAND_CASES):
        yield noisy_band_cell(BY_NAME[name], sizes, WRONG[i % len(WRONG)])


def noisy_band_cell(margin: Margin, sizes: tuple[int, int], wrong: tuple[float, float]) -> Cell:
    shares: dict[str, Any] = {side: (x, x) for side, x in zip(("pos", "neg"), wrong, strict=True)}

    def read(drawn: Any, rng: np.random.Generator) -> Iterator[Read]:
        make = partial(denoised_band, drawn[0], **shares, n_boot=N_BOOT, grid=GRID, rng=rng)
        yield from read_band(NOISY_BAND, make, margin)

    said = f"{margin.name}, {wrong[0]:.0%} and {wrong[1]:.0%} wrong"
    draw = partial(labelled, margin, sizes, wrong)
    return Cell(said, sizes_of(*sizes), lambda rng: draw(rng=rng), read, margin.role)


BAND_STUDIES = (
    ("exponential, area 0.9", (150, 0.3, 0.4)),
    ("four levels", (200, 0.4, 0.5)),
)
STEEP_BAND_STUDIES = (
    ("Normal, area 0.75", (300, 0.3, 0.2)),
    ("exponential, area 0.9", (500, 0.2, 0.2)),
)


def cases(
    pair: Pair, n: int, share: float, rng: np.random.Generator
) -> tuple[Mask, Floats, Floats]:
    """Draw true classes, both scores and a sign; each class has two cases or more."""
    ill = np.zeros(n, dtype=bool)
    while not 1 < ill.sum() < n - 1:
        ill = rng.random(n) < share
    data = pair.draw(int(ill.sum()), int((~ill).sum()), rng)
    score = np.empty((n, 2))
    score[ill], score[~ill] = data.score[data.label], data.score[~data.label]
    return ill, score, rng.normal(size=n) + 0.7 * ill


@cache
def plan_of(
    pair: Pair, share: float, verified: float, slope: float, least: float
) -> tuple[float, float, float]:
    """Return the place and the scale of the first score, and what verifies a share of cases."""
    _, score, sign = cases(pair, MANY, share, np.random.default_rng([SEED, 11]))
    low, middle, high = np.quantile(score[:, 0], [0.25, 0.5, 0.75])
    spread = float(high - low) or 1.0
    odds = slope * (score[:, 0] - middle) / spread + 0.5 * sign

    def beyond(a: float) -> float:
        return float(np.maximum(expit(a + odds), least).mean()) - verified

    return float(middle), spread, float(brentq(beyond, -20, 20))


def verify(
    pair: Pair,
    study: tuple[int, float, float],
    columns: int,
    rng: np.random.Generator,
    slope: float = 1.0,
    least: float = 0.0,
) -> VerifiedScores:
    """Draw a study in which two cases of each class are verified, or more.

    The log odds of verification rise with the score by `slope`; no probability is below `least`.
    """
    n, share, verified = study
    middle, spread, shift = plan_of(pair, share, verified, slope, least)
    while True:
        ill, score, sign = cases(pair, n, share, rng)
        odds = shift + slope * (score[:, 0] - middle) / spread + 0.5 * sign
        seen = rng.random(n) < np.maximum(expit(odds), least)
        if min((seen & ill).sum(), (seen & ~ill).sum()) > 1:
            named = {pair_name: score[:, j] for j, pair_name in enumerate("ab"[:columns])}
            truth = np.where(seen, ill, np.nan)
            return verified_scores(truth, named, covariates={"sign": sign})


def read_gap(names: tuple[str, str], pair: Pair, make: Any) -> Iterator[Read]:
    """Read the interval of a difference, and its test where the areas are equal."""
    try:
        gap = make()
    except ValueError:
        return
    yield from held(names[0], DEFAULT, partial(interval_of, gap), pair.truth)
    if abs(pair.truth) < 1e-9:
        yield from rejected(names[1], DEFAULT, lambda: float(gap.test().pvalue))


def verified_cells() -> Iterator[Cell]:
    for name, study in list(product(PAIR_NAMES, STUDIES))[::4]:
        yield verified_cell(BY_PAIR[name], study)


def verified_cell(pair: Pair, study: tuple[int, float, float]) -> Cell:
    def read(data: VerifiedScores, _: object) -> Iterator[Read]:
        make = partial(verified_auc_difference, data, "a", "b")
        yield from read_gap((VERIFIED, VERIFIED_TEST), pair, make)

    draw = partial(verify, pair, study, 2)
    return Cell(
        said_of(pair.name, study), f"{study[0]}", lambda rng: draw(rng=rng), read, pair.role
    )


def said_of(name: str, study: tuple[int, float, float]) -> str:
    return f"{name}, {study[1]:.0%} positive, {study[2]:.0%} verified"


def verified_band_cells() -> Iterator[Cell]:
    for name, study in BAND_STUDIES:
        yield verified_band_cell(BY_NAME[name], study)
    for name, study in STEEP_BAND_STUDIES:
        yield verified_band_cell(BY_NAME[name], study, slope=4.0, least=0.02)


def verified_band_cell(
    margin: Margin, study: tuple[int, float, float], slope: float = 1.0, least: float = 0.0
) -> Cell:
    pair = Pair(margin, margin, 0.0)

    def read(data: VerifiedScores, rng: np.random.Generator) -> Iterator[Read]:
        make = partial(verified_band, data, n_boot=N_BOOT, grid=GRID, rng=rng)
        yield from read_band(VERIFIED_BAND, make, margin)

    draw = partial(verify, pair, study, 1, slope=slope, least=least)
    said = said_of(margin.name, study) + (f" steeply, at least {least:.0%}" if least else "")
    return Cell(said, f"{study[0]}", lambda rng: draw(rng=rng), read, margin.role)


# --- a judge --------------------------------------------------------------------------------------

JUDGED = 600  # cases that the judge alone labelled
JUDGES = ((60, 0.4, 0.9), (100, 0.2, 0.7), (150, 0.6, 0.5))  # true labels, positives, right


def powered_cells() -> Iterator[Cell]:
    for name, study in list(product(PAIR_NAMES, JUDGES))[::2]:
        yield powered_cell(BY_PAIR[name], study)


def powered_cell(pair: Pair, study: tuple[int, float, float]) -> Cell:
    n, share, right = study

    def draw(rng: np.random.Generator) -> VerifiedScores:
        while True:
            ill, score, _ = cases(pair, n + JUDGED, share, rng)
            judge = ill ^ (rng.random(ill.size) >= right)
            if 1 < ill[:n].sum() < n - 1 and 0 < judge[:n].sum() < n:
                break
        truth = np.where(np.arange(ill.size) < n, ill, np.nan)
        named = {"a": score[:, 0], "b": score[:, 1]}
        return verified_scores(truth, named, covariates={"judge": judge})

    def read(data: VerifiedScores, _: object) -> Iterator[Read]:
        make = partial(powered_auc_difference, data, "judge", "a", "b")
        yield from read_gap((POWERED, POWERED_TEST), pair, make)

    said = f"{pair.name}, {share:.0%} positive, judge right in {right:.0%}"
    return Cell(said, f"{n} of {n + JUDGED}", draw, read, pair.role)


# --- the parts ------------------------------------------------------------------------------------


def several(name: str, places: tuple[str, ...]) -> Section:
    return Section(name, name[0].upper() + name[1:], defaults=places, wide=True, targets=True)


def gaps(*names: str) -> tuple[Section, Section]:
    """Return the sections of an interval and of its test."""
    return section(names[0]), section(names[1], "size")


PARTS = (
    part("rates of wrong labels", rate_cells, (several(RATES, OF_CLASSES),)),
    part(
        "bands of wrong labels",
        noisy_band_cells,
        (several(NOISY_BAND, PLACES),),
        SAMPLES_OF_BANDS,
    ),
    part("verified differences", verified_cells, gaps(VERIFIED, VERIFIED_TEST)),
    part(
        "verified bands",
        verified_band_cells,
        (several(VERIFIED_BAND, PLACES),),
        SAMPLES_OF_BANDS,
    ),
    part("judged differences", powered_cells, gaps(POWERED, POWERED_TEST)),
)
