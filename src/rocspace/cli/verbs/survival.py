"""rocspace survival: areas at given times, of events that come later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base.arrays import Array, Ints
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.text import difference_name
from rocspace._base.words import listed_values, nearest
from rocspace.cli.console import (
    count,
    estimate_of,
    heading,
    interval,
    interval_title,
    pvalue,
    table_text,
)
from rocspace.cli.figures import save_figure
from rocspace.cli.options import (
    PRINTING,
    SCORE_CHOICE,
    Choice,
    Files,
    Printing,
    Range,
    ScoreChoice,
    Whole,
)
from rocspace.cli.reading import (
    FoundFollowed,
    collect_cases,
    located,
    matched_scores,
    read_by,
)
from rocspace.curves.roc import roc_curve
from rocspace.designs.concordance import (
    Concordance,
    concordance_difference,
    concordance_estimate,
)
from rocspace.designs.over_time import OverTime
from rocspace.designs.survival import (
    Controls,
    auc_over_time,
    auc_over_time_difference,
    survival_table,
)
from rocspace.designs.survival_cases import SurvivalScores, survival_scores
from rocspace.designs.timed_rates import TimedRates, net_benefit_over_time, rates_at_time
from rocspace.io.cases import scores_by_default
from rocspace.io.files import read_schema
from rocspace.multiclass.files import as_written
from rocspace.plot.files import literal
from rocspace.report.plain import plain, plain_estimate, plain_test
from rocspace.results.estimates import Difference, Estimate

_HOW = Group("Events and censoring", sort_key=-1)
_MOST = 20  # kinds of status
_RATES = ("tpr", "fpr", "ppv", "npv", "risk", "called")


@Parameter(name="*", group=_HOW)
@dataclass(frozen=True, kw_only=True)
class Following:
    """What is known of the events, and of the end of observation.

    Attributes
    ----------
    cause
        Value of the status that is the event of interest; by default 1.
    censored
        Value of the status of cases whose observation ended without an event; by default 0. All
        other values are competing events.
    strata
        Column of groups between which censoring may differ.
    controls
        Who is negative where other events compete: all without the event of interest by then, or
        those without any event.
    fpr
        Only the areas over this range of false positive rates, as in --fpr 0 0.1.
    reference
        Compare every score with this one only; by default each pair.
    threshold
        Also print the rates and predictive values of this threshold.
    risk
        Also print the net benefit of treating those whose predicted risk is at least this, or whose
        score reaches --threshold: a false positive costs risk / (1 - risk) true positives.
    concordance
        Also print, by Uno's or Harrell's method, how often the case with the larger score of two
        has the event first, before the last of the times.
    seed
        Seed of the limits for all times together.
    """

    cause: str | None = None
    censored: str | None = None
    strata: str | None = None
    controls: Controls = "not-failed"
    fpr: Range = None
    reference: str | None = None
    threshold: float | None = None
    risk: float | None = None
    concordance: Concordance | None = None
    seed: Whole = 0

    @property
    def settings(self) -> dict[str, Any]:
        """The options that say what is estimated, as the JSON has them."""
        return {
            "cause": self.cause or "1",
            "censored": self.censored or "0",
            "strata": self.strata,
            "controls": self.controls,
            "fpr": None if self.fpr is None else list(self.fpr),
            "threshold": self.threshold,
            "risk": self.risk,
            "concordance": self.concordance,
        }


FOLLOWING = Following()


def survival(
    file: Files,
    /,
    *,
    time: str,
    status: str,
    at: str,
    level: float = 0.95,
    following: Following = FOLLOWING,
    figure: str | None = None,
    choice: ScoreChoice = SCORE_CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the areas of scores at given times, for events that come later.

    At each time those who have had the event are positive and those who have not are negative.
    Cases that were censored earlier do not count; the others get weights that make up for them. The
    second interval holds for all times together. Several scores are compared.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    time
        Column of the time to the event, or to the end of observation.
    status
        Column of what ended it: 0 for the end of observation, 1 for the event, other values for
        other events.
    at
        The times, with commas between: --at 365,730.
    level
        Confidence level of each interval.
    figure
        Also draw the curves at these times and the areas over time, to a .png, .svg or .pdf file.

    Examples
    --------
    rocspace survival a.csv --time days --status dead --at 365,1825 --score bili
    rocspace survival a.csv --time t --status s --cause dead --censored no --at 9
    rocspace survival a.csv --time t --status s --at 9 --score p --threshold 0.2
    rocspace survival a.csv --time t --status s --at 9 --concordance uno --risk .1
    """
    printing.check(file, figure, level=level)
    times = _times(at)
    names = {"time": time, "status": status, "strata": following.strata}
    found = _read(file, choice, printing, names, following)
    data, scores = found.data, found.data.names
    how: dict[str, Any] = {"controls": following.controls, "fpr": following.fpr}
    areas = {name: auc_over_time(data, times, name, **how) for name in scores}
    gaps = [auc_over_time_difference(data, times, *pair, **how) for pair in _pairs(data, following)]
    rates = _rates(data, times, following)
    benefits = _benefits(data, times, following)
    described: dict[str, Any] = {
        "schema": "rocspace.survival/1",
        "source": found.source,
        "settings": {
            "level": level,
            "time": time,
            "status": status,
            **following.settings,
            "until": None if following.concordance is None else times[-1],
            "seed": following.seed,
        },
        "cases": len(data),
        "events": int(data.failed.sum()),
        "scores": [
            {
                "name": name,
                "times": _plain_times(area, level, following, rates.get(name), benefits.get(name)),
                "concordance": _concordance(data, name, times[-1], level, following),
            }
            for name, area in areas.items()
        ],
        "differences": [
            {
                "first": gap.names[0],
                "second": gap.names[1],
                "times": _plain_times(gap, level, following),
                "concordance": _concordance_gap(data, gap.names, times[-1], level, following),
            }
            for gap in gaps
        ],
    }
    printing.answer(described, lambda: _text(found, described))
    save_figure(figure, partial(_draw, data, areas, following, level, time), printing)


def _times(at: str) -> list[float]:
    """Return the times, which are given with commas between."""
    try:
        return [float(each) for each in at.split(",")]
    except ValueError:
        msg = f"--at is {at!r}, but must be times with commas between, as in --at 365,730."
        raise ValueError(msg) from None


def _pairs(data: SurvivalScores, following: Following) -> list[tuple[str, str]]:
    """Return which scores are compared."""
    if following.reference is None:
        return list(combinations(data.names, 2))
    reference = data.name_of(following.reference)
    return [(name, reference) for name in data.names if name != reference]


def _rates(
    data: SurvivalScores, times: Sequence[float], following: Following
) -> dict[str, list[TimedRates]]:
    if following.threshold is None:
        return {}
    return {
        name: [
            rates_at_time(data, t, following.threshold, name, controls=following.controls)
            for t in times
        ]
        for name in data.names
    }


def _benefits(
    data: SurvivalScores, times: Sequence[float], following: Following
) -> dict[str, OverTime]:
    if following.risk is None:
        return {}
    if following.controls != "not-failed":
        msg = (
            "--risk counts those with another event as not having this one, but --controls "
            "event-free leaves them out. Leave out one of the two."
        )
        raise ValueError(msg)
    risk, cut = following.risk, following.threshold
    return {
        name: net_benefit_over_time(data, times, risk, name, threshold=cut) for name in data.names
    }


def _concordance(
    data: SurvivalScores, name: str, until: float, level: float, following: Following
) -> dict[str, Any] | None:
    if following.concordance is None:
        return None
    _need_one_event(data, following)
    found = concordance_estimate(data, name, method=following.concordance, until=until)
    return plain_estimate(found, level)


def _concordance_gap(
    data: SurvivalScores, names: tuple[str, ...], until: float, level: float, following: Following
) -> dict[str, Any] | None:
    if following.concordance is None:
        return None
    found = concordance_difference(data, *names, method=following.concordance, until=until)
    return {"estimate": plain_estimate(found, level), "test": plain_test(found.test())}


def _need_one_event(data: SurvivalScores, following: Following) -> None:
    """Refuse a concordance of competing events, in the words of this verb."""
    if not (data.failed | (data.status == 0)).all():
        msg = (
            f"--concordance {following.concordance} is for one kind of event, and here others "
            "compete with it. Leave it out, or count the others as censored in the file."
        )
        raise ValueError(msg)


# --- reading ----------------------------------------------------------------------------------


def _read(
    file: Files,
    choice: Choice,
    printing: Printing,
    columns: Mapping[str, str | None],
    following: Following,
) -> FoundFollowed:
    """Read times, what ended them, and scores."""
    for option, value in (("--label", choice.label), ("--positive", choice.positive)):
        if value is not None:
            cure = "--status and --cause say who has had the event"
            msg = f"{option} is for cases whose label is known; {cure}. Leave it out."
            raise ValueError(msg)
    path, _ = located(file, choice)
    kinds = read_schema(path, format=choice.format, separator=choice.separator)
    used = [name for name in columns.values() if name is not None]
    names = matched_scores(choice, str(columns["status"]), kinds)
    if names is None:
        names = scores_by_default(kinds, (*used, choice.weight))
    cause = following.cause or "1"
    choice = replace(choice, label=columns["status"], positive=cause, score=names)
    how = partial(_collect, columns=columns, following=following)
    return read_by(how, file, choice, printing)


def _collect(
    path: list[str],
    *,
    columns: Mapping[str, str | None],
    following: Following,
    label: str,
    higher_is_positive: Mapping[str, bool],
    **how: Any,
) -> FoundFollowed:
    beside = [name for name in columns.values() if name is not None]
    try:
        read = collect_cases(
            path, beside=beside, label=label, higher_is_positive=higher_is_positive, **how
        )
    except ArgumentError as error:  # of a value that does not occur
        raise ArgumentError(*map(_of_cause, error.args)) from error
    data, time, strata = read.data, str(columns["time"]), columns["strata"]
    found = survival_scores(
        _numbers(time, read.beside[time]),
        _status(label, read.beside[label], following),
        {name: data.score[:, j] for j, name in enumerate(data.names)},
        cause=1,
        strata=None if strata is None else read.beside[strata],
        sample_weight=data.weight,
        higher_is_positive={name: data.rises(name) for name in data.names},
    )
    return FoundFollowed(found, {**read.source, "positive": None})


def _of_cause(part: Any) -> Any:
    """Call the value that is the event what this verb calls it."""
    asked = isinstance(part, Argument) and part.name == "pos_label"
    return Argument("cause", part.value) if asked else part


def _numbers(column: str, values: Array) -> Array:
    if values.dtype.kind not in "biuf":
        msg = (
            f"Column {column!r} of --time has {listed_values(values[:3].tolist())}. Times are "
            "numbers, such as days from the score to the event or to the end of observation."
        )
        raise ValueError(msg)
    return values


def _written(value: Any) -> str:
    """Return a value of the status as one writes it: 1 for 1.0 and for true."""
    try:
        return as_written(float(value))
    except (TypeError, ValueError):
        return str(value)


def _status(column: str, values: Array, following: Following) -> Ints:
    """Return 0 for cases that were censored, 1 for the event of interest, 2 and more for others."""
    kinds, place = np.unique(values, return_inverse=True)
    texts = [_written(kind) for kind in kinds.tolist()]
    if texts == ["1", "2"] and following.cause is None and following.censored is None:
        msg = (
            f"Column {column!r} has 1 and 2. If 1 means censored and 2 the event, say --censored 1 "
            "--cause 2. If nobody is censored and 2 is another event, say --cause 1."
        )
        raise ValueError(msg)
    cause, censored = _written(following.cause or "1"), _written(following.censored or "0")
    if following.censored is not None and censored not in texts:
        msg = (
            f"--censored {following.censored!r} does not occur: column {column!r} has "
            f"{listed_values(texts)}.{nearest(censored, texts)}"
        )
        raise ValueError(msg)
    if cause == censored:
        msg = f"--cause and --censored are both {cause!r}. Name two values of {column!r}."
        raise ValueError(msg)
    if len(texts) > _MOST:
        msg = (
            f"Column {column!r} of --status has {len(texts)} different values. It holds what ended "
            "each observation, such as 0 and 1. Is it another column?"
        )
        raise ValueError(msg)
    known = {censored: 0, cause: 1}
    others = [text for text in texts if text not in known]
    known |= {text: 2 + i for i, text in enumerate(others)}
    return np.array([known[text] for text in texts], dtype=np.int64)[place]


# --- what is printed --------------------------------------------------------------------------


def _plain_times(
    found: OverTime,
    level: float,
    following: Following,
    rates: Sequence[TimedRates] | None = None,
    benefits: OverTime | None = None,
) -> list[dict[str, Any]]:
    """Return the estimates of each time, with their limits for all times together."""
    band = found.band(level, rng=following.seed)
    rows = []
    for j, estimate in enumerate(found.estimates):
        row: dict[str, Any] = {
            "time": plain(found.at[j]),
            "with_event": int(found.cases[j]),
            "without": int(found.controls[j]),
            "unknown": int(found.n - found.cases[j] - found.controls[j]),
            "estimate": plain_estimate(estimate, level),
            "together": {"low": plain(band.low[j]), "high": plain(band.high[j])},
        }
        if isinstance(estimate, Difference):
            row["test"] = plain_test(estimate.test())
        else:
            row["rates"] = None if rates is None else _plain_rates(rates[j], level)
            known = None if benefits is None else benefits.estimates[j]
            row["net_benefit"] = None if known is None else plain_estimate(known, level)
        rows.append(row)
    return rows


def _plain_rates(rates: TimedRates, level: float) -> dict[str, Any]:
    found: dict[str, Estimate | None] = {name: getattr(rates, name) for name in _RATES}
    return {
        name: None if each is None else plain_estimate(each, level) for name, each in found.items()
    }


def _text(found: FoundFollowed, described: dict[str, Any]) -> str:
    settings = described["settings"]
    title = "AUC" if settings["fpr"] is None else "area"
    percent = interval_title(settings["level"])
    head = ("time", title, percent, "together", "with", "without")
    about = (
        f"{found.source['file']}, {count(described['cases'])} cases, "
        f"{count(described['events'])} with {settings['status']} = {settings['cause']}"
    )
    parts = [heading(about)]
    for score in described["scores"]:
        rows = [
            (*_row(each), count(each["with_event"]), count(each["without"]))
            for each in score["times"]
        ]
        parts.append(f"{score['name']}\n{table_text(head, rows)}")
        if score["times"][0]["rates"] is not None:
            parts.append(_rates_text(score, settings["threshold"]))
        if settings["risk"] is not None:
            parts.append(_benefits_text(score, settings, percent))
    of_gaps = ("time", "", percent, "together", "p")
    for gap in described["differences"]:
        tests = [(*_row(each), pvalue(each["test"]["pvalue"])) for each in gap["times"]]
        title = difference_name(gap["first"], gap["second"])
        parts.append(f"{title}\n{table_text(of_gaps, tests)}")
    if settings["concordance"] is not None:
        parts.append(_concordance_text(described, percent))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _row(each: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{each['time']:g}",
        *estimate_of(each["estimate"]),
        interval(each["together"]["low"], each["together"]["high"]),
    )


def _rates_text(score: dict[str, Any], threshold: float) -> str:
    """Return the rates of a threshold at each time."""
    rows = [
        (f"{each['time']:g}", name, *(("", "") if rate is None else estimate_of(rate)))
        for each in score["times"]
        for name, rate in each["rates"].items()
    ]
    title = f"{score['name']}, called from {threshold:g} on"
    return f"{title}\n{table_text(('time', 'rate', '', 'interval'), rows, left=(1,))}"


def _benefits_text(score: dict[str, Any], settings: dict[str, Any], percent: str) -> str:
    """Return the net benefit at each time."""
    rows = [(f"{each['time']:g}", *estimate_of(each["net_benefit"])) for each in score["times"]]
    title = f"{score['name']}, at a risk of {settings['risk']:g}"
    return f"{title}\n{table_text(('time', 'net benefit', percent), rows)}"


def _concordance_text(described: dict[str, Any], percent: str) -> str:
    """Return the concordance of each score, and their differences."""
    rows = [(each["name"], *estimate_of(each["concordance"]), "") for each in described["scores"]]
    for gap in described["differences"]:
        found = gap["concordance"]
        told = *estimate_of(found["estimate"]), pvalue(found["test"]["pvalue"])
        rows.append((difference_name(gap["first"], gap["second"]), *told))
    settings = described["settings"]
    title = f"Concordance by {settings['concordance'].title()}, events before {settings['until']:g}"
    return f"{title}\n{table_text(('score', '', percent, 'p'), rows)}"


def _draw(
    data: SurvivalScores,
    areas: Mapping[str, OverTime],
    following: Following,
    level: float,
    time: str,
    canvas: Any,
) -> None:
    from rocspace.plot import plot_over_time, plot_roc

    left, right = canvas.subplots(1, 2)
    for name, area in areas.items():
        for at in area.at.tolist():
            table = survival_table(data, at, name, controls=following.controls)
            said = f"{literal(name)}, at {at:g}" if len(areas) > 1 else f"at {at:g}"
            plot_roc(roc_curve(table), ax=left, label=said)
        label = literal(name) if len(areas) > 1 else "_"  # one alone is named by the axis
        plot_over_time(area, ax=right, level=level, label=label, rng=following.seed)
        right.set_xlabel(literal(time))
        if len(areas) == 1:
            right.set_ylabel(f"{area.quantity} of {literal(name)}")
        if len(area) == 1:
            right.set_xticks(area.at)  # ticks beside it would be of times that nobody asked for
