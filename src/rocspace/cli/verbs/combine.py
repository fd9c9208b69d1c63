"""rocspace combine: Boolean combinations of scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.words import counted
from rocspace.cli.console import shares, table_text
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Printing, Whole, check_least
from rocspace.cli.reading import read_cases
from rocspace.cli.rules import described_rules
from rocspace.combine.boolean import boolean_search

_MOST = 20  # rules that are printed


def combine(
    file: Files, /, *, max_rounds: Whole = 3, choice: Choice = CHOICE, printing: Printing = PRINTING
) -> None:
    """Print the best Boolean combinations of two or more scores.

    Every pair of thresholds is combined by "and", "or", "xor" and their negations; combinations on
    the convex hull are combined again. The gain in area is measured on the same cases and is
    optimistic: evaluate the chosen combination on other cases.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    max_rounds
        Number of further rounds in which combinations on the hull are combined again.

    Examples
    --------
    rocspace combine adult_scores --score logreg --score hgb
    rocspace combine tests.csv --label ill --score a --score b --json
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
    rules = described["rules"]
    shown = np.unique(np.linspace(0, len(rules) - 1, min(len(rules), _MOST)).round().astype(int))
    fpr, tpr = shares([each["fpr"] for each in rules]), shares([each["tpr"] for each in rules])
    rows = [(fpr[i], tpr[i], rules[i]["text"]) for i in shown]
    rest = len(rules) - len(shown)
    more = f"and {counted(rest, 'rule')} between them, all with --json\n" if rest else ""
    steps = ["the scores alone", "all pairs of thresholds"]
    steps += [f"round {i + 1}" for i in range(len(described["areas"]) - 2)]
    areas = zip(steps, shares(described["areas"]), strict=True)
    thinned = "Not all pairs of thresholds were tried: there are too many.\n"
    table = table_text(("fpr", "tpr", "rule"), rows, left=(2,), names=0, page=True)
    return (
        f"{table}{more}\n"
        f"{table_text(('hull of', 'area'), areas)}\n"
        f"{described['tried']:,} combinations tried, on the cases that they are judged by.\n"
        f"{thinned if described['thinned'] else ''}"
    )
