"""What programs share that compare choices of a constant: a table of coverage against width.

Development situations served to choose; validation situations, of other populations or sizes, did
not. Both halves are in the table.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage.judge import LEAST
from benchmarks.coverage.ledger import SEED
from benchmarks.pages import RESULTS


@dataclass(frozen=True)
class Situation:
    """One population at one size: what each choice covers, and its width as a ratio."""

    role: str
    name: str
    cover: NDArray[np.float64]
    ratio: NDArray[np.float64]


def page(command: str, choices: Sequence[str], found: Sequence[Situation]) -> str:
    """Return the table: a row for each choice, both halves, and the worst situation of each."""
    lines = [
        f"# {command}",
        "",
        f"Seed {SEED}. Least coverage, where it is, mean coverage, how many situations are below",
        f"{LEAST:.1%}, and the mean ratio of widths.",
        "",
        "| half | choice | least | worst situation | mean | below | width |",
        "| --- | --- | ---: | --- | ---: | ---: | ---: |",
    ]
    for role in dict.fromkeys(each.role for each in found):
        some = [each for each in found if each.role == role]
        for j, choice in enumerate(choices):
            if np.isnan(some[0].cover[j]):
                continue  # not a choice of this half
            cover = np.array([each.cover[j] for each in some])
            ratios = np.array([each.ratio[j] for each in some])
            ratio = float(ratios[np.isfinite(ratios)].mean())
            worst = some[int(cover.argmin())].name
            low = f"{(cover < LEAST).sum()} of {len(some)}"
            lines.append(
                f"| {role} | {choice} | {100 * cover.min():.1f} | {worst} | "
                f"{100 * cover.mean():.1f} | {low} | {ratio:.2f} |"
            )
    return "\n".join(lines) + "\n"


def main(
    about: str | None,
    name: str,
    choices: Sequence[str],
    situations: Callable[[int], Iterable[Situation]],
    *,
    samples: int,
) -> None:
    """Measure, print as it goes, and write the table unless a number of samples was asked for."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--samples", type=int, help="samples of each situation; prints only")
    parser.add_argument("--write", action="store_true", help="write the table even so")
    options = parser.parse_args()
    many = options.samples or samples
    found = []
    for each in situations(many):
        shown = ", ".join(
            f"{100 * c:.1f} ({r:.2f})" for c, r in zip(each.cover, each.ratio, strict=True)
        )
        print(f"{each.role}, {each.name}: {shown}", flush=True)
        found.append(each)
    command = f"python -m benchmarks.constants.{name}, {many} samples"
    text = page(command, choices, found)
    print(text)
    if options.write or options.samples is None:
        (RESULTS / f"{name}.md").write_text(text, encoding="utf-8")
