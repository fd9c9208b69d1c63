"""rocspace fit: smooth curves of each score, and which of them to take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from re import sub
from textwrap import fill
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from rocspace._base.text import in_ascii
from rocspace.cli.console import (
    PAGE,
    estimate_of,
    interval_title,
    number,
    printable,
    pvalue,
    share,
    table_text,
)
from rocspace.cli.figures import save_panels
from rocspace.cli.fitted import READING, Reading, reading_text
from rocspace.cli.options import (
    CHOICE,
    PRINTING,
    Choice,
    Files,
    Printing,
    Several,
    To,
    Whole,
    check_apart,
    check_least,
)
from rocspace.cli.reading import read
from rocspace.cli.tables import in_papers
from rocspace.models.choosing import ModelComparison, compare_models
from rocspace.models.registry import MODELS, model_of
from rocspace.plot.files import literal
from rocspace.report.plain import plain_models


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Judging:
    """How fits are judged.

    Attributes
    ----------
    n_folds
        Parts for the log score; 0 leaves it out, which is faster.
    n_sim
        Number of samples simulated from each fit, such as 200, to test whether the model fits; 0
        for no test except that of ratings. Proper and kernel curves take seconds.
    seed
        Seed of the division into parts, and of the samples.
    """

    n_folds: Whole = 5
    n_sim: Whole = 0
    seed: Annotated[Whole, Parameter(show_default=False)] = 0


JUDGING = Judging()


def fit(
    file: Files,
    /,
    *,
    model: Several = None,
    judging: Judging = JUDGING,
    reading: Reading = READING,
    figure: str | None = None,
    to: To = "text",
    level: float = 0.95,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print smooth curves fitted to each score, and which of them to take.

    For each model it prints the area, the AIC where the model has a likelihood, the distance to the
    empirical curve, and the mean log score of left-out positives: higher is better, 0 is chance.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    model
        Model to fit, such as beta or box-cox; can be repeated; "all" fits every model. By
        default binormal, labroc (rating for 20 distinct scores or fewer), proper and kernel.
    figure
        Also draw the fits over the empirical curve, to a .png, .svg or .pdf file.
    to
        What to print: text, or a table for papers of the parameters with their standard errors and
        intervals, in Markdown, LaTeX or HTML.
    level
        Confidence level.

    Examples
    --------
    rocspace fit two_class_example --model labroc
    rocspace fit scores.csv --label y --n-sim 200 --to latex
    rocspace fit scores.csv --model kernel --option bandwidth=silverman --cut
    rocspace fit scores.csv --label y --model all --figure fits.svg
    """
    printing.check(file, figure, level=level)
    check_least("--n-sim", judging.n_sim, 0)
    reading.check()
    names = _names(model)
    options = reading.options(model)
    found = read(file, choice, printing)
    fitted = {
        name: compare_models(
            table,
            models=names,
            n_folds=judging.n_folds,
            n_sim=judging.n_sim,
            options=options,
            rng=judging.seed,
            progress=printing.progress,
        )
        for name, table in found.tables.items()
    }
    described: dict[str, Any] = {
        "schema": "rocspace.fit/1",
        "source": found.source,
        "level": level,
        "scores": [{"name": name, **plain_models(fitted[name], level)} for name in fitted],
    }
    for score in described["scores"]:
        for each in score["models"]:
            each["read"] = reading.of(fitted[score["name"]].fits.get(each["model"]))

    def draw(ax: Any, name: str, _: Any) -> None:
        from rocspace.plot import plot_fits

        plot_fits(found.tables[name], fitted[name], ax=ax, level=level)
        ax.set_title(literal(name))

    def text() -> str:
        if to == "text":
            return "\n".join(_text(each, level, reading) for each in described["scores"])
        return "\n".join(_paper(name, each, to, level) for name, each in fitted.items())

    printing.answer(described, text)
    save_panels(figure, found.tables, draw, printing)


def _paper(name: str, found: ModelComparison, to: str, level: float) -> str:
    """Return the table of a score for papers."""
    from rocspace.report.paper.areas import fits_table

    made = fits_table(found, level=level)
    return in_papers(replace(made, caption=f"{made.caption}, {name}"), to)


def _names(model: list[str] | None) -> list[str] | Literal["all"] | None:
    if model is None:
        return None
    if model == ["all"]:
        return "all"
    if "all" in model:
        msg = "--model all fits every model. Leave out the others."
        raise ValueError(msg)
    check_apart("--model", model, MODELS)
    return [model_of(name).name for name in model]


def _text(score: dict[str, Any], level: float, reading: Reading) -> str:
    models = [each for each in score["models"] if each["auc"]]
    header = [score["name"], "AUC", interval_title(level), "AIC", "distance", "log score"]
    rows = [_row(each) for each in models]
    if any(each["goodness"] for each in models):
        header[-1:] = ["score", "fit p"]  # no wider than a terminal
        rows = [(*row, _p_of(each)) for row, each in zip(rows, models, strict=True)]
    blocks = [table_text(header, rows)] if models else []
    if len(models) == 1:
        shown = [
            (each["symbol"], number(each["value"]), share(each["se"]))
            for each in models[0]["parameters"]
        ]
        blocks.append(table_text((models[0]["model"], "value", "se"), shown))
    if reading.wanted:
        blocks.append(reading_text(score["name"], models, reading.fpr))
    said = [fill(in_ascii(printable(line)), PAGE, subsequent_indent="  ") for line in _said(score)]
    return "\n".join([*blocks, "\n".join(said) + "\n"] if said else blocks)


def _row(each: dict[str, Any]) -> tuple[str, ...]:
    area = each["auc"]
    fitted = number(each["aic"]), share(each["distance"]), share(each["log_score"])
    return (each["model"], *estimate_of(area), *fitted)


def _p_of(each: dict[str, Any]) -> str:
    return pvalue(each["goodness"]["pvalue"] if each["goodness"] else None)


def _said(score: dict[str, Any]) -> Iterator[str]:
    """Yield what stands below the table: comparable likelihoods, remarks, failures, advice."""
    kinds: dict[str, list[str]] = {}
    for each in score["models"]:
        if each["aic"] is not None and each["likelihood"]:
            kinds.setdefault(each["likelihood"], []).append(each["model"])
    if len(kinds) > 1:
        parts = "; ".join(f"{kind} ({', '.join(names)})" for kind, names in kinds.items())
        yield f"Compare AIC only among likelihoods of the same data: {parts}."
    flagged: dict[str, list[tuple[str, str]]] = {}
    for each in score["models"]:
        for flag, remark in zip(each["flags"], each["remarks"], strict=True):
            flagged.setdefault(flag, []).append((each["model"], remark))
    for flag, found in flagged.items():
        names = ", ".join(name for name, _ in found)
        first = f". Of {found[0][0]}: " if len(found) > 1 else ": "
        yield worded(f"{flag.capitalize()} ({names}){first}{found[0][1]}")
    tests = {each["model"]: (each["goodness"] or {}).get("note") for each in score["models"]}
    for note in dict.fromkeys(filter(None, tests.values())):
        tested = ", ".join(model for model, said in tests.items() if said == note)
        yield f"Fit p, {tested}: {note}."
    for each in score["models"]:
        if each["failure"]:
            yield worded(f"{each['model']}, not fitted: {each['failure']}")
    if len(score["models"]) > 1:
        yield score["advice"]


def worded(remark: str) -> str:
    """Return a remark of the library in the words of the shell."""
    said = sub(r'model="([\w-]+)"', r"--model \1", remark)
    for call, verb in (
        ("auc_estimate(table)", "rocspace auc"),
        ("roc_curve(table)", "rocspace curve"),
    ):
        said = said.replace(call, verb)
    return said
