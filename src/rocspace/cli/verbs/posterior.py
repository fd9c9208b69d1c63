"""rocspace posterior: how probable it is that an area is large, or that one score is better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Literal

from cyclopts import Group, Parameter

from rocspace._base.text import difference_name
from rocspace.cli.console import estimate_of, heading, interval_title, share, table_text
from rocspace.cli.figures import save_panels
from rocspace.cli.options import (
    CHOICE,
    PRINTING,
    Choice,
    Files,
    Printing,
    Range,
    Whole,
    check_least,
)
from rocspace.cli.reading import about_cases, read_cases
from rocspace.counts.paired import PairedScores
from rocspace.designs.bayes.binormal import binormal_posterior
from rocspace.designs.bayes.bootstrapped import posterior as posterior_of
from rocspace.designs.bayes.bootstrapped import posterior_difference
from rocspace.designs.bayes.posteriors import Posterior
from rocspace.io.kept import FoundCases
from rocspace.report.plain import plain, plain_fields, plain_interval
from rocspace.resampling.statistics import Statistic, partial_area

_HOW = Group("What is known", sort_key=-1)
_FEWEST = 100  # draws by which a probability is told


@Parameter(name="*", group=_HOW)
@dataclass(frozen=True, kw_only=True)
class Knowing:
    """What posterior distributions are of, and how they are drawn.

    Attributes
    ----------
    model
        "bootstrap" assumes nothing about the scores, and gives weight only to those that occurred;
        "normal" assumes that they are Normal in both classes, and has only areas, no differences.
    fpr
        The area over this range of false positive rates, as in --fpr 0 0.1.
    above
        Print how probable it is that an area is above this number; by default the area of chance.
    region
        Differences of areas between these two make no difference in practice, as in --region -0.02
        0.02.
    reference
        Compare every score with this one only; by default each pair.
    n_boot
        Draws from each posterior.
    seed
        Seed of the draws.
    """

    model: Literal["bootstrap", "normal"] = "bootstrap"
    fpr: Range = None
    above: float | None = None
    region: Range = None
    reference: str | None = None
    n_boot: Whole = 4000
    seed: Whole = 0

    @property
    def limit(self) -> float:
        """The number that an area may be above of."""
        if self.above is not None:
            return self.above
        return 0.5 if self.fpr is None else (self.fpr[1] ** 2 - self.fpr[0] ** 2) / 2

    @property
    def statistic(self) -> Statistic | str:
        """What is read from each draw."""
        return "auc" if self.fpr is None else partial_area(fpr=self.fpr)

    def check(self) -> None:
        """Raise, before any work, if options do not go together."""
        check_least("--n-boot", self.n_boot, _FEWEST)
        check_least("--seed", self.seed, 0)
        if self.region is not None and not self.region[0] < self.region[1]:
            low, high = self.region
            msg = f"--region is {low:g} {high:g}, but its first end must be the smaller one."
            raise ValueError(msg)
        if self.model == "normal" and self.reference is not None:
            msg = "--reference is for differences; --model normal has none. Leave one out."
            raise ValueError(msg)

    def pairs(self, data: PairedScores) -> list[tuple[str, str]]:
        """Return which scores are compared."""
        if self.reference is not None:
            data.column_of(self.reference)
            return [(name, self.reference) for name in data.names if name != self.reference]
        pairs = [] if self.model == "normal" else list(combinations(data.names, 2))
        if self.region is not None and not pairs:
            msg = "--region is for a difference. Name two scores, and leave out --model normal."
            raise ValueError(msg)
        return pairs

    def area(self, data: PairedScores, name: str, printing: Printing) -> Posterior:
        """Return what is known of the area of a score."""
        if self.model == "normal":
            found = binormal_posterior(data.table(name), n_sim=self.n_boot, rng=self.seed)
            return found.auc if self.fpr is None else found.partial_auc(fpr=self.fpr)
        how: dict[str, Any] = {"n_boot": self.n_boot, "rng": self.seed}
        return posterior_of(data, self.statistic, name, progress=printing.progress, **how)

    def gap(self, data: PairedScores, pair: tuple[str, str], printing: Printing) -> Posterior:
        """Return what is known of a difference."""
        return posterior_difference(
            data,
            *pair,
            statistic=self.statistic,
            n_boot=self.n_boot,
            rng=self.seed,
            progress=printing.progress,
        )


_KNOWING = Knowing()


def posterior(
    file: Files,
    /,
    *,
    level: float = 0.95,
    figure: str | None = None,
    knowing: Knowing = _KNOWING,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print how probable it is that one score is better, or that an area is large.

    Posterior distributions by the Bayesian bootstrap: each draw gives every case a random weight.
    Scores of the same cases are compared; with --region, the table also says how probable it is
    that they are as good as equal.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    level
        Posterior probability of each interval.
    figure
        Also draw the posteriors of the differences, or of the areas, to a .png, .svg or .pdf file.

    Examples
    --------
    rocspace posterior a.csv --label y --score new --score old --region -0.02 0.02
    rocspace posterior a.csv --label y --score s --above 0.8
    rocspace posterior a.csv --label y --score s --model normal --fpr 0 0.1
    """
    printing.check(file, figure, level=level)
    knowing.check()
    found = read_cases(file, choice, printing)
    data = found.data
    pairs = knowing.pairs(data)
    areas = {name: knowing.area(data, name, printing) for name in data.names}
    gaps = {pair: knowing.gap(data, pair, printing) for pair in pairs}
    described = _described(found, areas, gaps, knowing, level)
    printing.answer(described, lambda: _text(found, described))

    def draw(ax: Any, _: str, each: Posterior) -> None:
        from rocspace.plot import plot_posterior

        region = knowing.region if gaps else None
        plot_posterior(each, ax=ax, level=level, region=region).set_xlabel(_axis(knowing, gaps))

    drawn = {difference_name(*pair): gap for pair, gap in gaps.items()} or areas
    save_panels(figure, drawn, draw, printing)


def _described(
    found: FoundCases,
    areas: Mapping[str, Posterior],
    gaps: Mapping[tuple[str, str], Posterior],
    knowing: Knowing,
    level: float,
) -> dict[str, Any]:
    """Describe what is known of the areas and of their differences."""
    scores = [
        {"name": name, **_plain(area, level), "above": plain(area.probability(knowing.limit))}
        for name, area in areas.items()
    ]
    differences = [
        {
            "first": first,
            "second": second,
            **_plain(gap, level),
            "better": plain(gap.probability()),
            "region": _plain_region(gap, knowing, level),
        }
        for (first, second), gap in gaps.items()
    ]
    return {
        "schema": "rocspace.posterior/1",
        "source": found.source,
        "settings": {
            "level": level,
            "model": knowing.model,
            "fpr": None if knowing.fpr is None else list(knowing.fpr),
            "above": knowing.limit,
            "region": None if knowing.region is None else list(knowing.region),
            "reference": knowing.reference,
            "n_boot": knowing.n_boot,
            "seed": knowing.seed,
        },
        "cases": len(found.data),
        "positives": int(found.data.label.sum()),
        "scores": scores,
        "differences": differences,
    }


def _axis(knowing: Knowing, gaps: Mapping[Any, Posterior]) -> str:
    part = "" if knowing.fpr is None else f", fpr {knowing.fpr[0]:g} to {knowing.fpr[1]:g}"
    return f"{'Difference of areas' if gaps else 'Area'}{part}"


def _plain(found: Posterior, level: float) -> dict[str, Any]:
    about = plain_fields(found, "value", "mean", "sd", "method")
    return {**about, "interval": plain_interval(found.interval(level))}


def _plain_region(gap: Posterior, knowing: Knowing, level: float) -> dict[str, Any] | None:
    if knowing.region is None:
        return None
    near = gap.region(*knowing.region, level=level)
    return {
        **plain_fields(near, "below", "inside", "above", "decision"),
        "interval": plain_interval(near.interval),
    }


def _text(found: FoundCases, described: dict[str, Any]) -> str:
    settings = described["settings"]
    percent = interval_title(settings["level"], "credible")
    title = "AUC" if settings["fpr"] is None else "area"
    limit = f"above {settings['above']:g}"
    chance = partial(_chance, settings["n_boot"])
    rows = [(each["name"], *_mean_of(each), chance(each["above"])) for each in described["scores"]]
    parts = [heading(about_cases(found)), table_text(("score", title, percent, limit), rows)]
    gaps = [
        (difference_name(gap["first"], gap["second"]), *_mean_of(gap), chance(gap["better"]))
        for gap in described["differences"]
    ]
    if gaps:
        parts.append(table_text(("difference", "", percent, "first is better"), gaps))
    if settings["region"] is not None:
        ends = " to ".join(f"{end:g}" for end in settings["region"])
        near = [
            (
                difference_name(gap["first"], gap["second"]),
                *(chance(gap["region"][part]) for part in ("below", "inside", "above")),
                gap["region"]["decision"],
            )
            for gap in described["differences"]
        ]
        head = (f"region {ends}", "below", "inside", "above", "decision")
        parts.append(table_text(head, near, left=(0, 4)))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _chance(draws: int, value: float) -> str:
    """Show a share of so many draws, which cannot tell 0 and 1 from what is near them."""
    least = max(0.001, 1 / draws)
    if value < least:
        return f"<{least:g}"
    return f">{1 - least:g}" if value > 1 - least else share(value)


def _mean_of(described: Mapping[str, Any]) -> tuple[str, str]:
    return estimate_of({"value": described["mean"], "interval": described["interval"]})
