"""rocspace fit: smooth curves of each score, and which of them to take."""

from __future__ import annotations

from collections.abc import Iterator
from re import sub
from textwrap import fill
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from rocspace._base.text import in_ascii
from rocspace.cli.console import estimate_of, interval_title, number, printable, share, table_text
from rocspace.cli.figures import literal, save_panels
from rocspace.cli.options import CHOICE, PRINTING, Choice, Printing, Several, Whole
from rocspace.cli.reading import read
from rocspace.models.choosing import compare_models
from rocspace.models.registry import model_of
from rocspace.report.plain import plain_models

_WIDTH = 80


def fit(
    file: str,
    /,
    *,
    model: Several = None,
    folds: Whole = 5,
    seed: Annotated[Whole, Parameter(show_default=False)] = 0,
    figure: str | None = None,
    level: float = 0.95,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print smooth curves fitted to each score, and which of them to take.

    For each model its area, AIC where it has a likelihood, the distance to the empirical curve, and
    the mean log score of left-out positives: higher is better, 0 is chance.

    Parameters
    ----------
    file
        The file to read.
    model
        Model to fit, such as beta or box-cox; can be repeated; "all" fits every model. By
        default binormal, labroc (rating for 20 distinct scores or fewer), proper and kernel.
    folds
        Parts for the log score; 0 leaves it out, which is faster.
    seed
        Seed of the division into parts.
    figure
        Also draw the fits over the empirical curve, to a .png, .svg or .pdf file.
    level
        Confidence level.

    Examples
    --------
    rocspace fit two_class_example --model labroc
    rocspace fit scores.csv --label y --model all --figure fits.svg
    """
    printing.check(file, figure, level=level)
    names = _names(model)
    found = read(file, choice, printing)
    fitted = {
        name: compare_models(table, models=names, folds=folds, rng=seed)
        for name, table in found.tables.items()
    }
    described: dict[str, Any] = {
        "schema": "rocspace.fit/1",
        "source": found.source,
        "level": level,
        "scores": [{"name": name, **plain_models(fitted[name], level)} for name in fitted],
    }

    def draw(ax: Any, name: str, _: Any) -> None:
        from rocspace.plot import plot_fits

        plot_fits(found.tables[name], fitted[name], ax=ax, level=level)
        ax.set_title(literal(name))

    printing.answer(
        described, lambda: "\n".join(_text(each, level) for each in described["scores"])
    )
    save_panels(figure, found.tables, draw, printing)


def _names(model: list[str] | None) -> list[str] | Literal["all"] | None:
    if model is None:
        return None
    if model == ["all"]:
        return "all"
    if "all" in model:
        msg = "--model all fits every model. Leave out the others."
        raise ValueError(msg)
    return [model_of(name).name for name in model]


def _text(score: dict[str, Any], level: float) -> str:
    models = [each for each in score["models"] if each["auc"]]
    header = (score["name"], "AUC", interval_title(level), "AIC", "distance", "log score")
    blocks = [table_text(header, [_row(each) for each in models])] if models else []
    if len(models) == 1:
        rows = [
            (each["symbol"], number(each["value"]), share(each["se"]))
            for each in models[0]["parameters"]
        ]
        blocks.append(table_text((models[0]["model"], "value", "se"), rows))
    said = [
        fill(in_ascii(printable(line)), _WIDTH, subsequent_indent="  ") for line in _said(score)
    ]
    return "\n".join([*blocks, "\n".join(said) + "\n"] if said else blocks)


def _row(each: dict[str, Any]) -> tuple[str, ...]:
    area = each["auc"]
    fitted = number(each["aic"]), share(each["distance"]), share(each["log_score"])
    return (each["model"], *estimate_of(area), *fitted)


def _said(score: dict[str, Any]) -> Iterator[str]:
    """Yield what stands below the table: comparable likelihoods, remarks, failures, advice."""
    kinds: dict[str, list[str]] = {}
    for each in score["models"]:
        if each["aic"] is not None and each["likelihood"]:
            kinds.setdefault(each["likelihood"], []).append(each["model"])
    if len(kinds) > 1:
        parts = "; ".join(f"{kind} ({', '.join(names)})" for kind, names in kinds.items())
        yield f"Compare AIC only among likelihoods of the same: {parts}."
    flagged: dict[str, list[tuple[str, str]]] = {}
    for each in score["models"]:
        for flag, remark in zip(each["flags"], each["remarks"], strict=True):
            flagged.setdefault(flag, []).append((each["model"], remark))
    for flag, found in flagged.items():
        names = ", ".join(name for name, _ in found)
        first = f"{found[0][0]}: " if len(found) > 1 else ""
        yield worded(f"{names}, {flag}. {first}{found[0][1]}")
    for each in score["models"]:
        if each["failure"]:
            yield worded(f"{each['model']}, not fitted: {each['failure']}")
    if len(score["models"]) > 1:
        yield score["advice"]


def worded(remark: str) -> str:
    """Return a remark of the library in the words of the shell."""
    said = sub(r'model="([\w-]+)"', r"--model \1", remark)
    return said.replace("auc_estimate(table)", "rocspace auc")
