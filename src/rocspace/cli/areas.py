"""The table of areas that auc and report print."""

from __future__ import annotations

from typing import Any

from rocspace.cli.console import (
    count,
    estimate,
    interval,
    interval_title,
    note,
    printable,
    pvalue,
    share,
    table_text,
    write,
)
from rocspace.cli.options import Printing
from rocspace.cli.reading import label_text


def note_direction(name: str, *, lower: bool, quiet: bool) -> None:
    """Say that an area is below one half, and how to turn the score round."""
    option = f"--lower-is-positive {name}"
    which, how = ("higher", f"leave out {option}") if lower else ("lower", f"add {option}")
    told = f"{name}: the area is below 1/2. If {which} values are more positive, {how}"
    note(told, quiet=quiet)


def print_areas(summary: dict[str, Any], printing: Printing, output: str | None) -> None:
    """Print the areas of a summary, and what it warns of."""
    scores, source = summary["scores"], summary["source"]
    alike = len({(count(score["n"]), count(score["n_pos"])) for score in scores}) == 1
    binned = "binned" in source["counting"].values()
    header = ["score", *([] if alike else ["cases", "positive"]), "AUC"]
    header += [interval_title(summary["settings"]["level"])]
    header += [*(["certain bounds"] if binned else []), "Gini", "KS", "p"]
    rows = []
    for score in scores:
        area = score["auc"]
        row = [score["name"], *([] if alike else [count(score["n"]), count(score["n_pos"])])]
        row += estimate(area["value"], area["interval"]["low"], area["interval"]["high"])
        if binned:
            row.append(interval(area["bounds"]["low"], area["bounds"]["high"]))
        row += [share(score["gini"]), share(score["ks"])]
        rows.append((*row, pvalue(area["test"] and area["test"]["pvalue"])))
    about = [printable(source["file"])]
    if alike:
        first = scores[0]
        about.append(f"{count(first['n'])} cases{' by weight' if first['weighted'] else ''}")
        about.append(f"{count(first['n_pos'])} positive ({100 * first['prevalence']:.3g} %)")
    about.append(printable(f"{source['label']} = {label_text(source['positive'])}"))
    if lower := [score["name"] for score in scores if score["direction"] == "lower"]:
        which = "" if len(lower) == len(scores) else f" of {', '.join(lower)}"
        about.append(printable(f"lower{which} is positive"))
    write(f"{', '.join(about)}\n\n{table_text(header, rows)}", output)
    lower_of = {score["name"]: score["direction"] == "lower" for score in scores}
    for warning in summary["warnings"]:
        if warning["code"] == "below_chance":
            name = warning["score"]
            note_direction(name, lower=lower_of[name], quiet=printing.quiet)
        elif warning["code"] not in ("dropped_rows", "looks_like_id"):  # that has been said
            where = "" if warning["score"] is None else f"{warning['score']}: "
            note(f"{where}{warning['message']}", quiet=printing.quiet)
