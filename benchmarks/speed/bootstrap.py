"""Bootstrap intervals and paired tests beside other packages.

Everything runs in one process, in turn, round after round; the best time of each counts: a
bootstrap interval of the area with 2000 replicates, and DeLong's test of two scores of the same
cases. Half of the cases are positive, scores are normal. Each answer is compared with ours.

Peers that sort the cases anew for each replicate take minutes. They run few replicates, and
their time is taken times 2000 over that number, which their cost follows: the column
"replicates" says how many ran. pROC runs in a process of `Rscript`, where that is installed.

    python -m benchmarks.speed bootstrap --quick    # a minute, for a look
    python -m benchmarks.speed bootstrap
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.speed import machine
from benchmarks.speed.common import (
    Race,
    Target,
    duration,
    power,
    results_folder,
    table,
    target_table,
    write_csv,
    write_text,
)
from benchmarks.speed.in_r import R

REPLICATES = 2000
BUDGET = 8.0  # seconds: who has used them sits out the remaining rounds

Row = dict[str, Any]
Call = Callable[[], Any]


@dataclass(frozen=True)
class Runner:
    """One function of one package; `make(label, scores, replicates)` returns the timed call."""

    name: str
    package: str
    make: Callable[[Any, Any, int], Call]
    most: Callable[[int], int] = lambda n: REPLICATES
    note: str = ""
    same_task: bool = True  # whether the target is meant for it


def few(cases: float) -> Callable[[int], int]:
    """As many replicates as resample so many cases, from 3 to all."""
    return lambda n: int(min(REPLICATES, max(3, cases // n)))


# --- intervals of the area ----------------------------------------------------------------------


def _ours(label: Any, scores: Any, n_boot: int) -> Call:
    import rocspace as rs
    from rocspace.resampling import bootstrap

    def call() -> tuple[float, float]:
        made = rs.tabulate(label, scores[0])
        found = bootstrap(made, "auc", n_boot=n_boot, rng=1).interval()
        return found.low, found.high

    return call


def _ours_one_thread(label: Any, scores: Any, n_boot: int) -> Call:
    import rocspace as rs
    from rocspace.resampling import bootstrap

    def call() -> tuple[float, float]:
        made = rs.tabulate(label, scores[0], threads=1)
        found = bootstrap(made, "auc", n_boot=n_boot, rng=1, threads=1).interval()
        return found.low, found.high

    return call


def _confidenceinterval(label: Any, scores: Any, n_boot: int) -> Call:
    from confidenceinterval import roc_auc_score

    y = label.astype(np.int64)

    def call() -> tuple[float, float]:
        found = roc_auc_score(
            y,
            scores[0],
            method="bootstrap_percentile",
            n_resamples=n_boot,
            random_state=np.random.default_rng(1),
        )
        return float(found[1][0]), float(found[1][1])

    return call


def _mlstatkit(label: Any, scores: Any, n_boot: int) -> Call:
    from MLstatkit import Bootstrapping

    y = label.astype(np.int64)

    def call() -> tuple[float, float]:
        with contextlib.redirect_stderr(io.StringIO()):  # its progress bar
            found = Bootstrapping(y, scores[0], metric_str="roc_auc", n_bootstraps=n_boot)
        return float(found[1]), float(found[2])

    return call


def _score_analysis(method: str) -> Callable[[Any, Any, int], Call]:
    def make(label: Any, scores: Any, n_boot: int) -> Call:
        from score_analysis import BootstrapConfig
        from score_analysis import Scores as Analysis

        y = label.astype(np.int64)
        config = BootstrapConfig(
            nb_samples=n_boot,
            bootstrap_method="quantile",
            sampling_method=method,
            stratified_sampling="by_label",
        )

        def call() -> tuple[float, float]:
            made = Analysis.from_labels(y, scores[0], pos_label=1)
            found = np.ravel(made.bootstrap_ci(metric="auc", config=config))
            return float(found[0]), float(found[1])

        return call

    return make


def _pauc(label: Any, scores: Any, n_boot: int) -> Call:
    from pauc import ROC, ci_auc

    y = label.astype(np.int64)

    def call() -> tuple[float, float]:
        found = ci_auc(ROC(y, scores[0]), method="bootstrap", n_boot=n_boot)
        return float(found[0]), float(found[1])

    return call


def _proc(label: Any, scores: Any, n_boot: int) -> Call:
    r = R()
    if "pROC" not in r.versions:
        msg = "not installed"
        raise ImportError(msg)
    r.read([(label, scores)])
    r.ask("replicates", str(n_boot))

    def call() -> tuple[float, float]:
        low, high = r.ask("run", "pROC bootstrap", "1")[1:]
        return float(low), float(high)

    return call


def _rocci(label: Any, scores: Any, n_boot: int) -> Call:
    from rocci import roc_band

    y = label.astype(np.int64)

    def call() -> tuple[float, float]:
        found = roc_band(y, scores[0], n_boot=n_boot, random_state=1).auc_ci
        return float(found[0]), float(found[1])

    return call


OURS = "rocspace"
INTERVALS = (
    Runner(OURS, "rocspace", _ours, note="moderated; tabulates too"),
    Runner("rocspace, 1 thread", "rocspace", _ours_one_thread, note="moderated; tabulates too"),
    Runner("rocci", "rocci", _rocci, note="areas on a grid, moved; its band too", same_task=False),
    Runner("confidenceinterval", "confidenceinterval", _confidenceinterval, few(3e5), "percentile"),
    Runner("MLstatkit", "mlstatkit", _mlstatkit, few(3e5), "percentile, unstratified"),
    Runner(
        "score-analysis", "score-analysis", _score_analysis("replacement"), few(5e5), "percentile"
    ),
    Runner(
        "score-analysis, Poisson",
        "score-analysis",
        _score_analysis("single_pass"),
        few(5e5),
        "percentile; class sizes vary",
    ),
    Runner("pauc", "pauc", _pauc, few(3e5), "percentile"),
    Runner("pROC", "R: pROC", _proc, few(3e5), "percentile"),
)


# --- two scores of the same cases ---------------------------------------------------------------


def _ours_paired(label: Any, scores: Any, n_boot: int) -> Call:
    import rocspace as rs
    from rocspace.compare import auc_difference

    def call() -> float:
        data = rs.pair_scores(label, {"a": scores[0], "b": scores[1]})
        return abs(float(auc_difference(data, "a", "b").test(distribution="normal").statistic))

    return call


def _mlstatkit_paired(label: Any, scores: Any, n_boot: int) -> Call:
    from MLstatkit import Delong_test

    y = label.astype(np.int64)
    return lambda: abs(float(Delong_test(y, scores[0], scores[1])[0]))


def _pauc_paired(label: Any, scores: Any, n_boot: int) -> Call:
    from pauc import ROC, compare

    y = label.astype(np.int64)

    def call() -> float:
        return abs(float(compare(ROC(y, scores[0]), ROC(y, scores[1])).stat))

    return call


PAIRED = (
    Runner(OURS, "rocspace", _ours_paired, note="pairs the scores too"),
    Runner("MLstatkit", "mlstatkit", _mlstatkit_paired),
    Runner("pauc", "pauc", _pauc_paired, note="builds its curves too"),
)


# --- running --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One race."""

    what: str
    n: int
    runners: Sequence[Runner]


def data(n: int, sample: int = 0) -> tuple[Any, Any]:
    """Labels, and two scores that share half of their noise."""
    rng = np.random.default_rng((n, sample))
    label = rng.random(n) < 0.5
    label[:2] = True, False
    shared = rng.standard_normal(n)
    return label, [shared + rng.standard_normal(n) + shift * label for shift in (1.0, 0.9)]


def prepared(runner: Runner, label: Any, scores: Any, n_boot: int) -> Call:
    """The timed call; what fails while preparing fails when called, and is reported there."""
    try:
        return runner.make(label, scores, n_boot)
    except Exception as error:  # a peer may raise anything
        failed = error

        def call() -> Any:
            raise failed

        return call


def run(case: Case, rounds: int) -> list[Row]:
    """Race the runners of a case."""
    label, scores = data(case.n)
    counts = {r.name: r.most(case.n) for r in case.runners}
    calls = {r.name: prepared(r, label, scores, counts[r.name]) for r in case.runners}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        laps = Race(rounds, BUDGET).run(calls)
    ours = laps[OURS].answer
    rows = []
    for r in case.runners:
        lap, ran = laps[r.name], counts[r.name]
        took = lap.seconds * REPLICATES / ran
        found = math.isfinite(took)
        gap = ""
        if lap.answer is not None and ours is not None:
            gap = f"{float(np.abs(np.subtract(lap.answer, ours)).max()):.2g}"
        rows.append(
            {
                "case": case.what,
                "n": case.n,
                "entrant": r.name,
                "package": r.package,
                "version": version(r.package),
                "replicates": ran,
                "seconds": f"{took:.4g}" if found else "",
                "times_ours": f"{took / laps[OURS].seconds:.4g}" if found else "",
                "difference": gap,
                "note": r.note,
                "error": lap.error,
            }
        )
        print(line(rows[-1]), flush=True)
    return rows


def version(package: str) -> str:
    """Version of an installed package, of Python or ("R: ...") of R, or ""."""
    if not package.startswith("R: "):
        return machine.version(package)
    r = R()
    r.close()
    return r.versions.get(package.removeprefix("R: "), "")


def line(row: Row) -> str:
    """One row, for the terminal."""
    took = duration(float(row["seconds"])) if row["seconds"] else row["error"][:90]
    return (
        f"{row['case']:20} {power(row['n']):>6} {row['entrant']:24} {took:>9} "
        f"{row['times_ours']:>8} x ours, {row['replicates']} replicates, off {row['difference']}"
    )


# --- writing ----------------------------------------------------------------------------------


def ratio(rows: Sequence[Row], case: Case) -> float | None:
    """How many times longer the fastest peer takes that does the same."""
    peers = {r.name for r in case.runners if r.package != "rocspace" and r.same_task}
    ratios = [
        float(row["times_ours"])
        for row in rows_of(rows, case)
        if row["entrant"] in peers and row["times_ours"]
    ]
    return min(ratios, default=None)


def rows_of(rows: Sequence[Row], case: Case) -> list[Row]:
    """The rows of one race."""
    return [row for row in rows if row["case"] == case.what and row["n"] == case.n]


def case_table(rows: Sequence[Row]) -> str:
    """Entrants down."""
    head = ["", "version", "time", "times ours", "replicates run", "difference", "note"]
    body = [
        [
            row["entrant"],
            row["version"] or "not installed",
            duration(float(row["seconds"])) if row["seconds"] else "—",
            row["times_ours"] or "—",
            str(row["replicates"]),
            row["difference"] or "—",
            row["note"] if not row["error"] else row["error"][:80],
        ]
        for row in rows
    ]
    return table(head, body)


def report(rows: Sequence[Row], cases: Sequence[Case]) -> str:
    """All tables as one page."""
    targets = []
    for case in cases:
        title = f"{case.what}, n = {power(case.n)}: fastest peer / rocspace"
        targets.append(Target(title, ratio(rows, case), 10, True))
    parts = [
        HEAD,
        machine.markdown(10**6),
        f"## Targets\n\n{target_table(targets)}",
    ]
    for case in cases:
        title = f"## {case.what}, n = {power(case.n)}"
        parts.append(f"{title}\n\n{case_table(rows_of(rows, case))}")
    return "\n\n".join(parts)


HEAD = """\
# Bootstrap intervals and paired tests: times

Written by `python -m benchmarks.speed bootstrap`. Who ran fewer than 2000 replicates is shown
with its time times 2000 over that number. Differences of the intervals' ends hold the Monte Carlo
error of both, and, where few replicates ran, little else; those of the tests are of the statistic
z.

rocci is shown but is not who the target of intervals is about: it resamples the heights of the
curve on a grid, for its band, and moves the quantiles of the areas below those polygons to the
empirical area. All others, and rocspace, resample the area itself.
"""
INTERVAL, TEST = "interval of the area", "paired DeLong test"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small samples, about a minute")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each race")
    options = parser.parse_args(arguments)
    sizes = (10**3, 10**4, 10**6)
    if options.quick:
        sizes, options.rounds = (10**2, 10**3, 10**4), 2
    cases = [*(Case(INTERVAL, n, INTERVALS) for n in sizes), Case(TEST, sizes[-1], PAIRED)]
    warm_up = data(10**4)
    _ours(*warm_up, REPLICATES)()  # loads or compiles the loops, once in a life
    rows = [row for case in cases for row in run(case, options.rounds)]
    folder = results_folder(options.quick)
    write_csv(folder / "bootstrap.csv", rows)
    write_text(folder / "bootstrap.md", report(rows, cases))


if __name__ == "__main__":
    main()
