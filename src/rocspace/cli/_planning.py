"""The command that plans a study: power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from cyclopts import Group, Parameter

from rocspace._checks import check_fraction
from rocspace.cli._commands import _examples
from rocspace.cli._console import as_json, check_output, number, share, table_text, write
from rocspace.cli._options import Choice, Flag, Printing
from rocspace.cli._same_cases import read_cases
from rocspace.cli._sureness import app
from rocspace.design import Design, Plan, plan_area, plan_difference, plan_from_pilot
from rocspace.report._plain import plain
from rocspace.results import Alternative

__all__ = ["app"]

_CHOICE = Choice()
_PRINTING = Printing()
_EXPECTED = Group("What is expected", sort_key=0)
_WANTED = Group("What is wanted", sort_key=1)


@Parameter(name="*", group=_EXPECTED)
@dataclass(frozen=True, kw_only=True)
class Expected:
    """What a study is expected to find.

    Attributes
    ----------
    area
        Expected area under the curve.
    null_area
        The area that it is tested against.
    other_area
        Expected area of a second score: plan a comparison of two.
    correlation
        Of the two estimated areas, if both scores are of the same cases; 0 for two groups.
    ratio
        Negatives for each positive; by default 1, or that of the pilot study.
    """

    area: float | None = None
    null_area: float = 0.5
    other_area: float | None = None
    correlation: float = 0.0
    ratio: float | None = None


@Parameter(name="*", group=_WANTED)
@dataclass(frozen=True, kw_only=True)
class Goal:
    """What is wanted of a study.

    Attributes
    ----------
    power
        Wanted chance to find the difference; by default 0.8.
    positives
        Instead: the power of so many positives.
    width
        Instead: the cases for an interval of this half width.
    significance
        Chance to find a difference where there is none.
    one_sided
        Test on the expected side only.
    prevalence
        Share of positives among the cases that come: also say how many must be seen.
    """

    power: float | None = None
    positives: float | None = None
    width: float | None = None
    significance: float = 0.05
    one_sided: Flag = False
    prevalence: float | None = None


_EXPECT = Expected()
_GOAL = Goal()
_Pilot = Annotated[str | None, Parameter(show_default=False)]


@app.command(
    help_epilogue=_examples(
        "rocspace power --area 0.8                       # cases for a power of 0.8",
        "rocspace power --area 0.8 --positives 40        # power of 40 + 40 cases",
        "rocspace power --area 0.85 --other-area 0.8 --correlation 0.5 --ratio 3",
        "rocspace power pilot.csv --label y --score new --score old --power 0.9",
    )
)
def power(
    file: _Pilot = None,
    /,
    *,
    expected: Expected = _EXPECT,
    goal: Goal = _GOAL,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print how many cases a study needs, or the power that it has.

    Plan from the areas that are expected, or from a pilot study: a FILE with two scores of the
    same cases.

    Parameters
    ----------
    file
        The pilot study.
    """
    said = [name for name in ("power", "positives", "width") if getattr(goal, name) is not None]
    if len(said) > 1:
        msg = f"Give one of --power, --positives and --width, not --{' and --'.join(said)}."
        raise ValueError(msg)
    if goal.prevalence is not None:
        check_fraction("--prevalence", goal.prevalence)
    check_output(printing.output, file or "")
    plan, about = _plan(file, expected, choice, printing)
    described = {
        "schema": "rocspace.design/1",
        "about": about,
        "difference": plain(plan.difference),
        "method": plan.method,
        **_plain_design(plan, goal),
    }
    if printing.json:
        write(as_json(described), printing.output)
    else:
        write(_design_text(described), printing.output)


def _plan(
    file: str | None, expected: Expected, choice: Choice, printing: Printing
) -> tuple[Plan, str]:
    if file is None:
        if expected.area is None:
            msg = "What is expected? Give --area, or the FILE of a pilot study with two scores."
            raise ValueError(msg)
        kappa = 1.0 if expected.ratio is None else expected.ratio
        if expected.other_area is None:
            plan = plan_area(expected.area, null_area=expected.null_area, kappa=kappa)
            return plan, f"area {expected.area:g} against {expected.null_area:g}"
        plan = plan_difference(
            expected.area, expected.other_area, correlation=expected.correlation, kappa=kappa
        )
        groups = "two groups" if expected.correlation == 0 else "the same cases"
        return plan, f"areas {expected.area:g} and {expected.other_area:g} of {groups}"
    found = read_cases(file, choice, quiet=printing.quiet)
    if len(found.data.names) != 2:
        listed = ", ".join(found.data.names)
        msg = f"A pilot study has two scores, but here are {listed}. Name two with --score."
        raise ValueError(msg)
    first, second = found.data.names
    plan = plan_from_pilot(found.data, first, second, kappa=expected.ratio)
    return plan, f"{first} and {second} of the same cases, as in {found.source['file']}"


def _plain_design(plan: Plan, goal: Goal) -> dict[str, Any]:
    side: Alternative = "two-sided"
    if goal.one_sided:
        side = "greater" if plan.difference > 0 else "less"
    if goal.width is not None:
        made = plan.for_width(goal.width, level=1 - goal.significance)
        sizes = {"n_pos": plain(made.n_pos), "n_neg": plain(made.n_neg)}
        return {"wanted": "width", "half_width": goal.width, **sizes}
    how = {"significance": goal.significance, "alternative": side}
    design: Design
    if goal.positives is not None:
        design = plan.for_cases(goal.positives, **how)  # type: ignore[arg-type]
    else:
        wanted = 0.8 if goal.power is None else goal.power
        design = plan.for_power(wanted, **how)  # type: ignore[arg-type]
    seen = None if goal.prevalence is None else plain(design.screened(goal.prevalence))
    return {
        "wanted": "positives" if goal.positives is not None else "power",
        "n_pos": plain(design.n_pos),
        "n_neg": plain(design.n_neg),
        "power": plain(design.power),
        "seen": seen,
        **how,
    }


def _design_text(described: dict[str, Any]) -> str:
    def cases(value: Any) -> str:
        return value if isinstance(value, str) else f"{int(np.ceil(value - 1e-9)):,}"

    rows = [("negatives", cases(described["n_neg"]))]
    if described["wanted"] == "width":
        rows.append(("half width of the interval", number(described["half_width"])))
    else:
        rows += [
            ("power", share(described["power"])),
            ("significance", f"{described['significance']:g}, {described['alternative']}"),
        ]
        if described["seen"] is not None:
            rows.append(("cases to be seen", cases(described["seen"])))
    about = f"{described['about']}: difference {number(described['difference'])}"
    return f"{about}\n\n{table_text(('positives', cases(described['n_pos'])), rows)}"
