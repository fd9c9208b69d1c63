"""rocspace combine: Boolean combinations of scores."""

from __future__ import annotations

from typing import Any

from rocspace.cli.console import as_json, check_output, share, table_text, write
from rocspace.cli.options import CHOICE, PRINTING, Choice, Printing, Whole
from rocspace.cli.reading import FoundCases, read_cases, shown
from rocspace.cli.rules import plain_rule, short_rule
from rocspace.combine.boolean import BooleanSearch, boolean_search

EXAMPLES = (
    "rocspace combine adult_scores --score logreg --score hgb",
    "rocspace combine tests.csv --label ill --score a --score b --rounds 0 --json",
)


def combine(
    file: str,
    /,
    *,
    rounds: Whole = 3,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the best Boolean combinations of two or more scores.

    Every pair of thresholds is tried with "and", "or", "xor" and their negations; what is on
    the convex hull is combined again. The area that they gain is that on these cases: choose
    on some, and try the choice on others.

    Parameters
    ----------
    file
        The file to read.
    rounds
        How often what was found is combined again.
    """
    check_output(printing.output, file)
    if rounds < 0:
        msg = f"--rounds is {rounds}, but must be zero or more."
        raise ValueError(msg)
    found = read_cases(file, choice, quiet=printing.quiet)
    search = boolean_search(found.data, max_rounds=rounds, progress=shown(printing.quiet))
    write(
        as_json(_plain_search(found, search)) if printing.json else _search_text(found, search),
        printing.output,
    )


def _plain_search(found: FoundCases, search: BooleanSearch) -> dict[str, Any]:
    path = search.path
    tables = {name: found.data.table(name) for name in found.data.names}
    return {
        "schema": "rocspace.combine/1",
        "source": found.source,
        "areas": list(search.areas),
        "tried": search.n_tried,
        "thinned": search.thinned,
        "rules": [
            {"fpr": float(f), "tpr": float(t), "rule": plain_rule(rule, tables), "text": str(rule)}
            for f, t, rule in zip(path.fpr, path.tpr, path.rules, strict=True)
        ],
    }


def _search_text(found: FoundCases, search: BooleanSearch) -> str:
    path = search.path
    tables = {name: found.data.table(name) for name in found.data.names}
    rows = [
        (str(short_rule(rule, tables)), share(float(f)), share(float(t)))
        for f, t, rule in zip(path.fpr, path.tpr, path.rules, strict=True)
    ]
    steps = ["the scores alone", "all pairs of thresholds"]
    steps += [f"round {i + 1}" for i in range(len(search.areas) - 2)]
    areas = [(step, share(area)) for step, area in zip(steps, search.areas, strict=True)]
    thinned = "Not all pairs of thresholds were tried: there are too many.\n"
    return (
        f"{table_text(('rule', 'fpr', 'tpr'), rows)}\n{table_text(('hull of', 'area'), areas)}\n"
        f"{search.n_tried:,} combinations tried, on the cases that they are judged by.\n"
        f"{thinned if search.thinned else ''}"
    )
