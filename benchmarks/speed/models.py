"""Smooth fits: each model at 20,000 cases, and the sizes that the fourteenth issue asks for.

``python -m benchmarks.speed models`` writes benchmarks/results/models.{md,csv} and puts the times
and measured coverages into the table of docs/smooth_curves.md; ``--quick`` takes fewer cases and
leaves the page alone. Times are processor time of this process, one thread, the best of some
rounds, so that they hold on a machine that others use, too. Where Rscript and its packages pROC
and ROCit are there, they fit the same scores; ``--peers`` does that alone.
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import subprocess
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage import ledger
from benchmarks.coverage import models as measured
from benchmarks.coverage.readings import ELSEWHERE
from benchmarks.speed import machine
from benchmarks.speed.common import (
    RESULTS,
    ROOT,
    Target,
    duration,
    power,
    results_folder,
    table,
    target_table,
    write_csv,
    write_text,
)
from rocspace.counts import ScoreTable, tabulate, tabulate_classes
from rocspace.models import MODELS, fit_kernel, fit_rating, fit_roc
from rocspace.results import Fit

BESIDE = "## Other programs\n\n"
PAGE = ROOT / "docs" / "smooth_curves.md"
CASES, RANKED_CASES, ESTIMATED_CASES = 20_000, 120, 400
TABULATE, BINORMAL = "tabulate", "binormal fit of the table"
LABROC, KERNEL, RATING = "labroc", "kernel: fit, area, 101 rates", "rating, 2,000 replicates"
RATED = ([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])  # Hanley and McNeil (1982)
PEERS = RESULTS / "models_peers.csv"
AT = np.arange(1, 20) / 20  # false positive rates at which curves are compared
POINTS = 512  # of a curve of pROC, which ours is read at, too
SOURCE = """
x <- read.csv(commandArgs(TRUE)[1])
timed <- function(f) { f(); min(sapply(1:3, function(i) sum(system.time(f())[1:2]))) }
out <- list()
of <- function(name, made, area, rates) {
  out[[name]] <<- sprintf('{"seconds": %.6g, "area": %.15g, "tpr": [%s]}', timed(made),
    area(made()), paste(sprintf("%.15g", rates(made())), collapse = ", "))
}
at <- 1 - (1:19) / 20
if (requireNamespace("pROC", quietly = TRUE)) {
  r <- pROC::roc(x$y, x$s, quiet = TRUE, direction = "<")
  area <- function(s) as.numeric(pROC::auc(s))
  rates <- function(s) pROC::coords(s, at, input = "specificity", ret = "sensitivity",
    transpose = FALSE)$sensitivity
  how <- list("binormal" = list(method = "binormal"),
    "fitdistr, normal" = list(method = "fitdistr", density = "normal"),
    "density" = list(method = "density"), "density, SJ" = list(method = "density", bw = "SJ"))
  if (requireNamespace("logcondens", quietly = TRUE))
    how[["logcondens"]] <- list(method = "logcondens")
  for (name in names(how)) {
    made <- function() do.call(pROC::smooth, c(list(r), how[[name]]))
    of(paste("pROC smooth,", name), made, area, rates)
  }
}
if (requireNamespace("ROCit", quietly = TRUE)) {
  for (how in c("binormal", "nonparametric")) {
    made <- function() ROCit::rocit(x$s, x$y, method = how)
    of(paste("ROCit rocit,", how), made, function(s) s$AUC,
      function(s) approx(s$FPR, s$TPR, 1 - at, ties = max)$y)
  }
}
cat(paste0("{", paste(sprintf('"%s": %s', names(out), unlist(out)), collapse = ", "), "}"))
"""
EXPLAINED = {
    "pROC smooth, binormal": "the same line through the points on probit axes; pROC's curve is a "
    "polygon of 512 points",
    "pROC smooth, fitdistr, normal": "the same means and standard deviations; pROC's curve begins "
    "at the largest score and ends at the smallest, so that its area lacks what is beyond",
    "pROC smooth, density": "the same kernels and bandwidth, that of all cases together; pROC's "
    "densities are of 512 points by FFT, without the tails beyond",
    "pROC smooth, density, SJ": "the same, with the bandwidth of Sheather and Jones, for which "
    "pROC bins the scores",
    "pROC smooth, logcondens": "the same densities; pROC's curve is a polygon of 512 points",
    "ROCit rocit, binormal": "the same means and standard deviations",
    "ROCit rocit, nonparametric": "the same kernels and bandwidths, one for each class",
}

Row = dict[str, Any]
Cases = tuple[NDArray[np.bool_], NDArray[np.float64]]


def draw(n: int, seed: int = 0) -> Cases:
    """Half positives, Normal scores of area .85."""
    rng = np.random.default_rng([n, seed])
    label = np.arange(n) % 2 == 1
    return label, rng.standard_normal(n) + 1.4657 * label


def suited(model: str, score: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the same order on a scale that a model takes."""
    if model == "beta-scores":
        return np.asarray(1 / (1 + np.exp(-score)))
    positive = (*measured.POSITIVE, "uniform")
    return np.asarray(np.exp(score)) if model in positive else score


def best(call: Callable[[], Any], rounds: int = 3, budget: float = 4.0) -> float:
    """Processor seconds of the best of some calls; of one where they take long."""
    found: list[float] = []
    while len(found) < rounds and sum(found) < budget:
        start = time.process_time()
        call()
        took = time.process_time() - start
        found.append(took)
    return min(found)


def each_model(n: int) -> list[Row]:
    """Time a fit of each model, and one standard error of its area for fewer cases."""
    label, score = draw(n)
    few, fewer = draw(RANKED_CASES), draw(ESTIMATED_CASES)
    rows = []
    for name in MODELS:
        cases = few if name == "rank-likelihood" else (label, score)
        taken = tabulate(cases[0], suited(name, cases[1]))
        small = few if name == "rank-likelihood" else fewer
        fit = fit_roc(tabulate(small[0], suited(name, small[1])), model=name)
        error = None if name in measured.WITHOUT_ERRORS else best(fit.auc_estimate)
        seconds = best(lambda taken=taken, name=name: fit_roc(taken, model=name))  # type: ignore[misc]
        rows.append({"what": name, "n": cases[0].size, "seconds": seconds, "error": error})
        print(f"{name:20} {duration(seconds):>8} {duration(error):>8}", flush=True)
    return rows


def large(n: int, runs: int) -> list[Row]:
    """Time what the issue asks for."""
    label, score = draw(n)
    taken, few = tabulate(label, score), tabulate(*draw(int(3.2 * runs)))
    rated, grid = ScoreTable.from_counts(*RATED), np.linspace(0, 1, 101)

    def kernel() -> None:
        fit = fit_kernel(taken)
        assert fit.auc > 0
        fit.tpr_at(grid)

    many = int((np.diff(few.pos > 0) != 0).sum()) + 1
    runs_n = int(few.n_pos + few.n_neg)
    calls: list[tuple[str, int, Callable[[], Any]]] = [
        (TABULATE, n, lambda: tabulate(label, score, threads=1)),
        (BINORMAL, n, lambda: fit_roc(taken)),
        (KERNEL, n, kernel),
        (f"{LABROC}, {many:,} runs", runs_n, lambda: fit_roc(few, model="labroc")),
        (RATING, 109, lambda: fit_rating(rated, covariance="bootstrap", n_boot=2000)),
    ]
    rows: list[Row] = []
    for what, size, call in calls:
        rows.append({"what": what, "n": int(size), "seconds": best(call), "error": None})
        print(f"{what:40} {duration(rows[-1]['seconds'])}", flush=True)
    return rows


def peers(n: int) -> list[Row]:
    """Time pROC and ROCit, and the same fits of ours, on the same scores; nothing without R."""
    program = shutil.which("Rscript")
    if program is None:
        return []
    label, score = draw(n)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "cases.csv"
        lines = (f"{int(y)},{s!r}" for y, s in zip(label, score.tolist(), strict=True))
        path.write_text("y,s\n" + "\n".join(lines) + "\n")
        done = subprocess.run(
            [program, "-e", SOURCE, str(path)], capture_output=True, text=True, check=False
        )
    found = json.loads(done.stdout) if done.returncode == 0 else {}
    taken, grid = tabulate(label, score), np.linspace(0, 1, POINTS)
    rows = []
    for name, theirs in found.items():
        fit = same(name, taken, score)
        made = fit()
        apart = np.abs(made.tpr_at(AT) - np.array(theirs["tpr"])).max()
        rows.append(
            {
                "what": name,
                "n": n,
                "theirs": theirs["seconds"],
                "ours": best(lambda fit=fit: fit().tpr_at(grid)),  # type: ignore[misc]
                "area_theirs": theirs["area"],
                "area_ours": made.auc,
                "apart": float(apart),
            }
        )
    return rows


def same(name: str, taken: ScoreTable, score: NDArray[np.float64]) -> Callable[[], Fit]:
    """Return the fit by the method that another program calls so; bandwidths are found before."""
    if name == "pROC smooth, binormal":
        return partial(fit_roc, taken, model="probit-line")
    if name in ("pROC smooth, fitdistr, normal", "ROCit rocit, binormal"):
        return partial(fit_roc, taken)
    if name == "pROC smooth, logcondens":
        return partial(fit_roc, taken, model="log-concave")
    if name == "ROCit rocit, nonparametric":
        return partial(fit_kernel, taken, bandwidth="silverman")
    everyone = tabulate_classes(score, score)  # one bandwidth, that of all cases
    rule: Any = "sheather-jones" if name.endswith("SJ") else "silverman"
    return partial(
        fit_kernel, taken, bandwidth=fit_kernel(everyone, bandwidth=rule).parameters["h1"]
    )


def race(rows: Sequence[Row]) -> str:
    """Return what the page says of other programs."""
    if not rows:
        return "R was not there: neither pROC nor ROCit was measured."
    lines = [
        [
            row["what"],
            duration(float(row["theirs"])),
            duration(float(row["ours"])),
            f"{float(row['theirs']) / float(row['ours']):.3g}",
            f"{float(row['area_theirs']):.6f}",
            f"{float(row['area_ours']):.6f}",
            f"{float(row['apart']):.1e}",
        ]
        for row in rows
    ]
    titles = ["", "time", "here", "ratio", "area", "here", "apart"]
    why = "\n".join(f"- {row['what']}: {EXPLAINED[row['what']]}." for row in rows)
    absent = [one for one in ("pROC", "ROCit") if not any(one in row["what"] for row in rows)]
    gone = f" {absent[0]} was not installed." if absent else ""
    return (
        f"{power(int(rows[0]['n']))} cases, half of them positives; a fit and {POINTS} points of "
        "its curve, from counted scores here, from the `roc` object there; processor time of one "
        f'run.{gone} "apart" is the largest difference of the tpr at fpr .05 to .95.\n\n'
        f"{table(titles, lines)}\n\n{why}"
    )


def targets(rows: Iterable[Row]) -> list[Target]:
    """What the fourteenth issue asks for."""
    seconds = {row["what"].split(",")[0]: float(row["seconds"]) for row in rows}
    bounds = (
        (LABROC, 1.0),
        (KERNEL.split(",", maxsplit=1)[0], 1.0),
        (RATING.split(",", maxsplit=1)[0], 2.0),
    )
    ratio = Target(f"{BINORMAL} / {TABULATE}", seconds[BINORMAL] / seconds[TABULATE], 1)
    return [ratio, *(Target(f"{name}, seconds", seconds[name], most) for name, most in bounds)]


# --- the table of models in the docs ------------------------------------------------------------


def coverages(rows: Iterable[ledger.Row]) -> dict[str, tuple[str, str]]:
    """Return of each model the percent of areas covered under its assumption, and the worst off it.

    With 50 + 50 cases.
    """
    size = f"{measured.SMALL[0]} + {measured.SMALL[1]}"
    by_model: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.section in (measured.AREA, ELSEWHERE) and row.size == size:
            by_model.setdefault(row.interval, {})[row.situation] = 100 * row.coverage
    found = {}
    for model, shares in by_model.items():
        inside = shares.pop(measured.own(model))
        worst = min(shares, key=lambda name: shares[name]) if shares else ""
        off = f"{shares[worst]:.0f} % ({worst.partition(',')[0].split()[-1]})" if worst else ""
        found[model] = f"{inside:.0f} %", off
    return found


def with_numbers(
    text: str, seconds: Mapping[str, tuple[int, float]], covered: Mapping[str, tuple[str, str]]
) -> str:
    """Return the page with the last three columns of its table of models filled."""
    lines = []
    for old in text.splitlines(keepends=True):
        line, name = old, old.split('"')[1] if old.startswith('| `"') else ""
        if name in seconds:
            n, took = seconds[name]
            told = duration(float(f"{took:.2g}")) + (f" ({n} cases)" if n < CASES else "")
            kept = line.rstrip().removesuffix("|").split(" | ")[:5]
            line = " | ".join([*kept, *covered.get(name, ("", "")), told]) + " |\n"
        lines.append(line)
    return "".join(lines)


def page(text: str, results: Path = RESULTS / "models.csv") -> str:
    """Return the page as the committed results have it."""
    with results.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["what"] in MODELS]
    seconds = {row["what"]: (int(row["n"]), float(row["seconds"])) for row in rows}
    return with_numbers(text, seconds, coverages(ledger.read()))


def report(fits: Sequence[Row], sizes: Sequence[Row], others: Sequence[Row], n_sort: int) -> str:
    def body(rows: Sequence[Row]) -> list[list[str]]:
        return [
            [row["what"], power(row["n"]), duration(row["seconds"]), duration(row["error"])]
            for row in rows
        ]

    columns = ["", "cases", "a fit", f"a standard error, {ESTIMATED_CASES} cases"]
    head = (
        "# Smooth fits\n\nWritten by `python -m benchmarks.speed models`. Times are processor time "
        "of one process with one thread, the best of up to three calls: the machine was shared "
        "with others, which elapsed time would have included."
    )
    scores = (
        "## Each model\n\nNormal scores, half of them of positives, area .85; their exponential or "
        "logistic function where a model needs that. The standard error is of the area."
    )
    return "\n\n".join(
        [
            head,
            machine.markdown(n_sort),
            f"## Targets\n\n{target_table(targets(sizes))}",
            f"## Large samples\n\n{table(columns[:3], [line[:3] for line in body(sizes)])}",
            f"{BESIDE}{race(others)}",
            scores,
            table(columns, body(fits)),
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer cases, the page left alone")
    parser.add_argument("--peers", action="store_true", help="only beside R, the rest left alone")
    given = parser.parse_args(arguments)
    quick = given.quick
    if given.peers:
        rows, path = peers(CASES), RESULTS / "models.md"
        write_csv(PEERS, rows)
        before, _, after = path.read_text(encoding="utf-8").partition(BESIDE)
        rest = after[after.index("\n\n## ") :]
        path.write_text(f"{before}{BESIDE}{race(rows)}{rest}", encoding="utf-8")
        return
    n, n_sort = (2000, 10**5) if quick else (CASES, 10**6)
    machine.describe(n_sort)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fits = each_model(n)
        sizes = large(10**5, 10**4) if quick else large(10**6, 10**5)
    others = peers(n)
    folder = results_folder(quick)
    write_csv(folder / "models.csv", [*fits, *sizes])
    write_csv(folder / PEERS.name, others)
    write_text(folder / "models.md", report(fits, sizes, others, n_sort))
    if not quick:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
