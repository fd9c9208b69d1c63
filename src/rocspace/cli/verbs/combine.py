"""rocspace combine: Boolean combinations of scores."""

from __future__ import annotations

from typing import Any

from rocspace.cli.console import table_text
from rocspace.cli.options import CHOICE, PRINTING, Choice, Printing, Whole, check_least
from rocspace.cli.reading import read_cases
from rocspace.cli.rules import described_rules
from rocspace.combine.boolean import boolean_search


def combine(
    file: str, /, *, max_rounds: Whole = 3, choice: Choice = CHOICE, printing: Printing = PRINTING
) -> None:
    """Print the best Boolean combinations of two or more scores.

    Every pair of thresholds is combined by "and", "or", "xor" and their negations; combinations on
    the convex hull are combined again. The gain in area is measured on the same cases and is
    optimistic: evaluate the chosen combination on other cases.

    Parameters
    ----------
    file
        The file to read.
    max_rounds
        Number of further rounds in which combinations on the hull are combined again.

    Examples
    --------
    rocspace combine adult_scores --score logreg --score hgb
    rocspace combine tests.csv --label ill --score a --score b --max-rounds 0 --json
    """
    printing.check(file)
    check_least("--max-rounds", max_rounds, 0)
    found = read_cases(file, choice, printing)
    search = boolean_search(found.data, max_rounds=max_rounds, progress=printing.progress)
    described: dict[str, Any] = {
        "schema": "rocspace.combine/1",
        "source": found.source,
        "areas": list(search.areas),
        "tried": search.n_tried,
        "thinned": search.thinned,
        "rules": described_rules(search.path, found.tables),
    }
    printing.answer(described, lambda: _search_text(described))


def _search_text(described: dict[str, Any]) -> str:
    rows = [(each["text"], each["fpr"], each["tpr"]) for each in described["rules"]]
    steps = ["the scores alone", "all pairs of thresholds"]
    steps += [f"round {i + 1}" for i in range(len(described["areas"]) - 2)]
    areas = zip(steps, described["areas"], strict=True)
    thinned = "Not all pairs of thresholds were tried: there are too many.\n"
    return (
        f"{table_text(('rule', 'fpr', 'tpr'), rows)}\n{table_text(('hull of', 'area'), areas)}\n"
        f"{described['tried']:,} combinations tried, on the cases that they are judged by.\n"
        f"{thinned if described['thinned'] else ''}"
    )
