"""rocspace power: how many cases a study needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base.checks import check_inside, check_positive
from rocspace._base.text import in_ascii, level_text
from rocspace.cli.console import PAGE, number, printable, share, table_text
from rocspace.cli.expected_curves import CURVES, ExpectedCurves
from rocspace.cli.options import CHOICE, PRINTING, Choice, Flag, Printing, Whole, check_least
from rocspace.cli.reading import read_cases
from rocspace.cli.verbs.fit import worded
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.io.kept import FoundCases
from rocspace.models.paired import fit_paired
from rocspace.models.registry import fit_roc, model_of
from rocspace.planning.designs import N_SIM, Design, Plan, Precision
from rocspace.planning.plans import (
    Null,
    Spread,
    Variance,
    detectable_area,
    plan_area,
    plan_difference,
    plan_from_fit,
    plan_from_fits,
    plan_from_pilot,
)
from rocspace.report.plain import plain, plain_fields
from rocspace.results.fit import Fit
from rocspace.results.test import Alternative

_FITTED = Group("What is expected, with a FILE", sort_key=-5)
_EXPECTED = Group("What is expected, without a FILE", sort_key=-4)
_TEST = Group("A test: the cases for a power, or the power of cases", sort_key=-3)
_INTERVAL = Group("Or an interval: the cases for a width", sort_key=-2)
_COMING = Group("Class mix of the study", sort_key=-1)
_HOW = Group("How it is computed", sort_key=-0.5)
_FINEST = 1e-9  # no study is planned by less
_LEAST = 1e-12  # differences below are those of rounding


_Expected = Annotated[float | None, Parameter(group=_EXPECTED)]
_Tested = Annotated[float | None, Parameter(group=_TEST)]
_Precise = Annotated[float | None, Parameter(group=_INTERVAL)]
_Coming = Annotated[float | None, Parameter(group=_COMING)]


_Formula = Literal["empirical", "exact", "obuchowski", "hanley-mcneil"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Study:
    """What a study is expected to find, and what is wanted of it.

    Attributes
    ----------
    model
        Expect the smooth curves of this model, such as labroc or binormal, fitted to the pilot
        study, instead of its cases. It may have one score or two.
    area
        Expected area under the curve.
    null_area
        The area that one area is tested against; by default 0.5. Also for a --model of one score.
    other_area
        Expected area of a second score: plan a comparison of two.
    correlation
        Correlation of the two estimated areas, where both scores are of the same cases; by
        default 0, as in two groups of cases.
    power
        Probability of finding the difference; by default 0.8. With --n-pos, the significance is
        wanted; without --area, too, the smallest area that is found with this power.
    n_pos
        Number of positives, of which the power is wanted instead.
    significance
        Probability of finding a difference where there is none; by default 0.05.
    one_sided
        Test on the expected side only.
    width
        Half of the interval's width: 0.05 for an area +- 0.05.
    level
        Its confidence level; by default 0.95.
    ratio
        Negatives for each positive; by default 1, or that of the pilot study.
    prevalence
        Share of positives among the cases that come: also say how many must be seen.
    n_sim
        How many samples are drawn to find how often the test rejects.
    seed
        Seed of these samples.
    formula
        Use a formula instead: fast, but a few percentage points off if cases are few or areas near
        1.
    variance
        The variance of the formula; by default "empirical". "obuchowski" is that of pROC. With a
        FILE it takes a binormal --model.
    null_variance
        The variance of a formula where there is no difference of two areas; by default that of the
        expected difference. "first" is that of two scores like the first, as in pROC.
    """

    model: Annotated[str | None, Parameter(group=_FITTED)] = None
    area: _Expected = None
    null_area: _Expected = None
    other_area: _Expected = None
    correlation: _Expected = None
    power: _Tested = None
    n_pos: _Tested = None
    significance: _Tested = None
    one_sided: Annotated[Flag, Parameter(group=_TEST)] = False
    width: _Precise = None
    level: _Precise = None
    ratio: _Coming = None
    prevalence: _Coming = None
    n_sim: Annotated[Whole, Parameter(group=_HOW)] = N_SIM
    seed: Annotated[Whole, Parameter(group=_HOW)] = 0
    formula: Annotated[Flag, Parameter(group=_HOW)] = False
    variance: Annotated[_Formula | None, Parameter(group=_HOW)] = None
    null_variance: Annotated[Null | None, Parameter(group=_HOW)] = None

    @property
    def null(self) -> float:
        """The area that one area is tested against."""
        return 0.5 if self.null_area is None else self.null_area

    @property
    def wanted(self) -> str:
        """The option whose number is planned for, without its dashes."""
        if self.width is not None:
            return "width"
        if self.n_pos is None:
            return "power"
        if self.power is None:
            return "positives"
        return "significance"


@dataclass(frozen=True, kw_only=True)
class _Planned:
    """A plan, what it is about in words, whether of one area, and what its fits are flagged for.

    `detected` says that the area was not given, but is the smallest that the cases find.
    """

    plan: Plan
    about: str
    alone: bool
    remarks: tuple[str, ...] = ()
    detected: bool = False


_STUDY = Study()
_Pilot = Annotated[list[str] | None, Parameter(show_default=False)]


def power(
    file: _Pilot = None,
    /,
    *,
    study: Study = _STUDY,
    curves: ExpectedCurves = CURVES,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print how many cases a study needs, or how much power the cases at hand have.

    Plan from the areas that are expected, or from a pilot study: a FILE with two scores of the
    same cases, whose columns are chosen as for the other commands. With --model studies are drawn
    from the smooth curves that are fitted to it, and one score is enough.

    Parameters
    ----------
    file
        The pilot study.

    Examples
    --------
    rocspace power --area 0.8                       # cases for a power of 0.8
    rocspace power --area 0.8 --formula             # the same, by a formula
    rocspace power --area 0.8 --n-pos 40            # power of 40 + 40 cases
    rocspace power --n-pos 40 --power 0.8           # smallest area that is found
    rocspace power --area 0.8 --width 0.05          # cases for area +- 0.05
    rocspace power --area 0.85 --other-area 0.8 --correlation 0.5 --ratio 3
    rocspace power pilot.csv --label y --score new --score old --power 0.9
    rocspace power pilot.csv --label y --score new --model labroc --null-area 0.7
    """
    said = _said(study, choice)
    if curves.named:
        _check_curves(file, said, curves)
    _check(file, study, said, planned=bool(curves.named))
    printing.check(file or [])
    if curves.named:
        found = _of_curves(study, curves)
    else:
        found = _expected(file, study, choice, printing)
    described = _described(found, study)
    printing.answer(described, lambda: _design_text(described))


def _described(found: _Planned, study: Study) -> dict[str, Any]:
    """Plan, and describe what was found."""
    plan, about = found.plan.with_samples(study.n_sim, rng=study.seed), found.about
    difference: float | None = plan.difference
    if study.width is not None:
        difference = None if found.alone else difference
    elif found.alone:
        about += f" against {study.null:g}"
    _check_varying(plan, about)
    keys: tuple[str, ...]
    made: Design | Precision
    if study.width is None:
        keys, made = (
            ("power", "significance", "alternative"),
            _tested(plan, about, study, detected=found.detected),
        )
    else:
        level = 0.95 if study.level is None else study.level
        keys, made = ("half_width", "level"), plan.for_width(study.width, level=level)
    described: dict[str, Any] = {
        "schema": "rocspace.design/1",
        "about": about,
        "model": None if study.model is None else model_of(study.model).name,
        "remarks": list(found.remarks),
        "difference": plain(difference),
        "method": made.method,
        "n_sim": study.n_sim if made.method == "simulated" else None,
        "seed": study.seed if made.method == "simulated" else None,
        "wanted": study.wanted,
        **plain_fields(made, "n_pos", "n_neg"),
        "seen": None if study.prevalence is None else plain(made.screened(study.prevalence)),
        **plain_fields(made, *keys),
    }
    if "power" in described:
        described["power_se"] = _power_se(described)
    return described


def _check_varying(plan: Plan, about: str) -> None:
    if plan.variance == plan.small == 0:
        msg = (
            f"The estimates of {about} would not vary at all, so nothing tells how many cases "
            "are needed. Plan with --area and --other-area, and a --correlation below 1."
        )
        raise ValueError(msg)


def _power_se(described: Mapping[str, Any]) -> float | None:
    """Return the Monte Carlo error of a power that is a share of simulated samples."""
    if described["n_sim"] is None or described["wanted"] == "significance":
        return None
    p = float(described["power"])
    return float((p * (1 - p) / described["n_sim"]) ** 0.5)


_GOALS = ("--power", "--n-pos", "--width")
_READING = tuple(f"--{field.name.replace('_', '-')}" for field in fields(Choice))
_AREAS = ("--area", "--other-area", "--correlation")
_EITHER = "Leave out one or the other."


# Options, where they are out of place, and what to do. Each option is used, or refused here.
_CLASHES: tuple[tuple[Sequence[str], str, str], ...] = (
    (_READING, "without a FILE", "it says how to read one. Name that of a pilot study."),
    (_AREAS, "with a FILE", f"the pilot study tells what is expected. {_EITHER}"),
    (
        ("--null-area",),
        "with a FILE and without --model",
        "two scores are compared with each other. With --model, one is compared with an area.",
    ),
    (("--model",), "without a FILE", "it is fitted to a pilot study. Name its FILE."),
    (("--weight",), "with a FILE", "a plan counts cases, and each counts once. Leave it out."),
    (("--null-area",), "with --other-area", f"the areas are tested with each other. {_EITHER}"),
    (("--correlation",), "without --other-area", "it is that of two areas. Give both, or none."),
    (
        ("--null-area", "--significance", "--one-sided"),
        "with --width",
        f"an interval is not a test, and has a --level. {_EITHER}",
    ),
    (("--n-sim", "--seed"), "with --formula", f"a formula draws no samples. {_EITHER}"),
    (
        ("--variance",),
        "with a FILE and without --model",
        f"the pilot study has a variance. {_EITHER}",
    ),
    (("--null-variance",), "without two scores", "one area has its own. Leave it out."),
    (("--null-variance",), "without a formula", "samples are drawn instead. Give --formula, too."),
    (("--null-variance",), "with --model", f"its curves tell the variance. {_EITHER}"),
    (("--level",), "without --width", "a test has a --significance. Give that, or a --width."),
)


def _said(*parts: Any) -> dict[str, Any]:
    """List the options that were given, by their names on the command line."""
    return {
        f"--{field.name.replace('_', '-')}": getattr(part, field.name)
        for part in parts
        for field in fields(part)
        if getattr(part, field.name) != field.default
    }


def _check_curves(file: list[str] | None, said: dict[str, Any], curves: ExpectedCurves) -> None:
    """Refuse other things that are expected, beside curves."""
    others = [name for name in (*_AREAS, "--null-area", "--model") if name in said]
    if file is not None or others:
        other = "a FILE" if file is not None else others[0]
        msg = f"{curves.named[0]} does not go with {other}: {_EITHER.lower()}"
        raise ValueError(msg)
    curves.check()


def _check(
    file: list[str] | None, study: Study, said: dict[str, Any], *, planned: bool = False
) -> None:
    """Refuse options that do not go together, and numbers out of range."""
    goals = [name for name in _GOALS if name in said]
    if len(goals) > 1 and goals != ["--power", "--n-pos"]:
        msg = f"Give one of --power, --n-pos and --width, not {' and '.join(goals)}."
        raise ValueError(msg)
    if len(goals) > 1 and "--significance" in said and (planned or file or study.area is not None):
        msg = (
            "--significance is what --power and --n-pos find together. Leave out one of the three."
        )
        raise ValueError(msg)
    if file is not None and _is_fraction(file[0]) and not Path(file[0]).exists():
        msg = f"There is no file {file[0]!r}. If it is the expected area, say --area {file[0]}."
        raise FileNotFoundError(msg)
    found_area = study.wanted == "significance"
    if file is None and study.area is None and not (planned or found_area):
        msg = "What is expected? Give --area, or the FILE of a pilot study with two scores."
        raise ValueError(msg)
    _check_clashes(file, study, said, planned=planned)
    _check_numbers(study, said)


def _check_clashes(
    file: list[str] | None, study: Study, said: dict[str, Any], *, planned: bool
) -> None:
    """Refuse options that say nothing of what is planned."""
    places = {
        f"{'with' if there else 'without'} {what}"
        for what, there in (
            ("a FILE", file is not None),
            ("a FILE and without --model", file is not None and study.model is None),
            ("--other-area", file is None and study.other_area is not None),
            ("two scores", file is not None or study.other_area is not None or planned),
            ("a formula", study.formula or study.variance is not None),
            ("--model", study.model is not None),
            ("--width", "--width" in said),
            ("--formula", study.formula or study.variance is not None),
        )
    }
    for options, place, why in _CLASHES:
        wrong = [name for name in options if name in said]
        if wrong and place in places:
            msg = f"{wrong[0]} does not go {place}: {why}"
            raise ValueError(msg)


def _check_numbers(study: Study, said: dict[str, Any]) -> None:
    """Refuse numbers out of range."""
    for name in ("--area", "--null-area", "--other-area", "--significance", "--level"):
        check_inside(name, said.get(name, 0.5))
    check_inside("--prevalence", said.get("--prevalence", 0.5))
    for name in ("--width", "--prevalence"):
        if 0 < said.get(name, 1) < _FINEST:
            msg = f"{name} is {said[name]:g}, too little to plan a study by. Give 1e-9 or more."
            raise ValueError(msg)
    for name in ("--n-pos", "--width", "--ratio"):
        check_positive(name, said.get(name, 1))
    check_least("--n-sim", study.n_sim, 1)
    check_least("--seed", study.seed, 0)
    if not float(said.get("--n-pos", 1)).is_integer():
        msg = f"--n-pos is {said['--n-pos']:g}, but cases come whole: give a whole number."
        raise ValueError(msg)


def _is_fraction(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def _expected(file: list[str] | None, study: Study, choice: Choice, printing: Printing) -> _Planned:
    area, other = study.area, study.other_area
    if file is None:
        variance = study.variance or ("empirical" if study.formula else "simulated")
        ratio = 1.0 if study.ratio is None else study.ratio
        if area is None:
            area = _detected(study, variance, ratio)
            plan = plan_area(area, null_area=study.null, ratio=ratio, variance=variance)
            return _Planned(plan=plan, about=f"area {number(area)}", alone=True, detected=True)
        if other is None:
            plan = plan_area(area, null_area=study.null, ratio=ratio, variance=variance)
            return _Planned(plan=plan, about=f"area {area:g}", alone=True)
        correlation = study.correlation or 0.0
        null = study.null_variance or "alternative"
        plan = plan_difference(
            area, other, correlation=correlation, ratio=ratio, variance=variance, null=null
        )
        groups = "two groups" if correlation == 0 else "the same cases"
        about = f"areas {area:g} and {other:g} of {groups}"
        return _Planned(plan=plan, about=about, alone=False)
    if study.model is not None:
        model_of(study.model)  # refuse a wrong name before the file is read
    found = read_cases(file or [], choice, printing)
    names = found.data.names
    if study.model is not None and len(names) <= 2:
        return _fitted(found, study)
    if len(names) != 2:
        listed = ", ".join(names)
        one = "" if len(names) > 1 or study.model else ", or plan for one with --model labroc"
        msg = f"A pilot study has two scores, but here are {listed}. Name two with --score{one}."
        raise ValueError(msg)
    first, second = names
    of_pilot: Literal["delong", "simulated"] = "delong" if study.formula else "simulated"
    null = study.null_variance or "alternative"
    plan = plan_from_pilot(
        found.data, first, second, ratio=study.ratio, variance=of_pilot, null=null
    )
    about = f"{first} and {second} of the same cases, as in {found.source['file']}"
    return _Planned(plan=plan, about=about, alone=False)


def _of_curves(study: Study, curves: ExpectedCurves) -> _Planned:
    """Plan from two binormal curves."""
    variance = _spread(study, "--curve")
    ratio = 1.0 if study.ratio is None else study.ratio
    plan = curves.plan(ratio, variance, study.null_variance or "alternative")
    return _Planned(plan=plan, about="two binormal curves of the same cases", alone=False)


def _spread(study: Study, beside: str) -> Spread:
    """Return the variance of curves."""
    if study.variance == "hanley-mcneil":
        msg = f"--variance hanley-mcneil is for --area. Take another, or leave out {beside}."
        raise ValueError(msg)
    return study.variance or ("empirical" if study.formula else "simulated")


def _detected(study: Study, variance: Variance, ratio: float) -> float:
    """Return the smallest area that so many cases find."""
    return detectable_area(
        study.n_pos or 1.0,
        power=study.power or 0.8,
        null_area=study.null,
        ratio=ratio,
        significance=study.significance or 0.05,
        alternative="greater" if study.one_sided else "two-sided",
        variance=variance,
    )


def _fitted(found: FoundCases, study: Study) -> _Planned:
    """Plan from the curves that are fitted to one score of a pilot study, or to two."""
    data, names, file = found.data, found.data.names, found.source["file"]
    model = model_of(study.model).name
    fits = [_fit(name, table, model) for name, table in found.tables.items()]
    flags = [(name, fit.flags) for name, fit in zip(names, fits, strict=True)]
    for name, found_flags in flags:
        if "degenerate" in found_flags:
            msg = (
                f"{model} does not tell what is expected of {name}: "
                f"{worded(found_flags['degenerate'])} Or plan with --area."
            )
            raise ValueError(msg)
    remarks = tuple(
        in_ascii(worded(f"{name}, {flag}. {text}"))
        for name, each in flags
        for flag, text in each.items()
    )
    n_pos = int(np.count_nonzero(data.label))
    ratio = (len(data) - n_pos) / n_pos if study.ratio is None else study.ratio
    variance = _spread(study, "--model")
    if len(fits) == 1:
        plan = plan_from_fit(fits[0], null_area=study.null, ratio=ratio, variance=variance)
        area = number(study.null + plan.difference)  # of ratings it is that of their polygon
        about = f"{names[0]}, area {area} by {model} in {file}"
        return _Planned(plan=plan, about=about, alone=True, remarks=remarks)
    if study.null_area is not None:
        msg = (
            f"--null-area is for one score, but here are {' and '.join(names)}, which are compared "
            "with each other. Leave it out, or name one with --score."
        )
        raise ValueError(msg)
    how: dict[str, Any] = {"ratio": ratio, "variance": variance}
    plan = plan_from_fits(*fits, correlations=_correlations(data), **how)
    about = f"{names[0]} and {names[1]} of the same cases by {model} in {file}"
    return _Planned(plan=plan, about=about, alone=False, remarks=remarks)


def _correlations(data: PairedScores) -> tuple[float, float]:
    """Return how the two scores of a pilot study are correlated among positives and negatives."""
    pair = fit_paired(data)
    if not np.isfinite(pair.correlations).all():
        msg = (
            f"The correlations of {' and '.join(data.names)} cannot be estimated: "
            f"{worded(pair.flags['degenerate'])} Or leave out --model, to draw from the cases."
        )
        raise ValueError(msg)
    return pair.correlations


def _fit(name: str, table: ScoreTable, model: str) -> Fit:
    try:
        return fit_roc(table, model=model)
    except ValueError as error:
        msg = worded(f"{name}, not fitted by {model}: {error}")
        raise ValueError(msg) from None


def _tested(plan: Plan, about: str, study: Study, *, detected: bool = False) -> Design:
    if abs(plan.difference) < _LEAST:
        msg = (
            f"No difference is expected ({about}), and no number of cases can show a difference "
            "that is not there. Expect another area, or ask for an interval with --width."
        )
        raise ValueError(msg)
    side: Alternative = "two-sided"
    if study.one_sided:
        side = "greater" if plan.difference > 0 else "less"
    significance = 0.05 if study.significance is None else study.significance
    if study.n_pos is not None and study.power is not None and not detected:
        return plan.for_significance(study.n_pos, study.power, alternative=side)
    if study.n_pos is not None:
        return plan.for_cases(study.n_pos, significance=significance, alternative=side)
    wanted = 0.8 if study.power is None else study.power
    return plan.for_power(wanted, significance=significance, alternative=side)


def _power_text(described: Mapping[str, Any]) -> str:
    """Write a power, with its Monte Carlo error if it has one."""
    power, se = share(described["power"]), described["power_se"]
    return power if se is None else f"{power} (se {share(se)})"


def _design_text(described: dict[str, Any]) -> str:
    def cases(value: float) -> str:
        """Round up what is needed; the negatives beside given positives are as they are."""
        if described["wanted"] in ("positives", "significance") and not value.is_integer():
            return f"{value:,.2f}"
        return f"{max(int(np.ceil(value - 1e-9)), 1):,}"

    rows = [("positives", cases(described["n_pos"])), ("negatives", cases(described["n_neg"]))]
    if described["wanted"] == "width":
        rows += [
            ("half width of the interval", number(described["half_width"])),
            ("level", in_ascii(level_text(described["level"]))),
        ]
    else:
        rows += [
            ("power", _power_text(described)),
            ("significance", f"{described['significance']:.6g}, {described['alternative']}"),
        ]
    if described["n_sim"] is not None:
        rows.append(("simulated", f"{described['n_sim']:,} samples"))
    if described["seen"] is not None:
        rows.append(("cases to be seen", cases(described["seen"])))
    gap = described["difference"]
    about = described["about"] + ("" if gap is None else f": difference {number(gap)}")
    said = [fill(printable(each), PAGE) for each in (about, *described["remarks"])]
    blocks = [said[0] + "\n", table_text(("plan", "value"), rows), *said[1:]]
    return "\n".join(blocks)
