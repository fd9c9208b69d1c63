"""A budget for 800 letters: the CoIL Challenge 2000, on its real customers.

An insurer may write to 800 of 4000 customers, some 6 % of whom would buy. Two classifiers are
at hand, and no threshold of either selects 800: one selects too few, the next too many. Fawcett
(2006, section 10) takes two points on their convex hull and lets lots decide between them, so
that 800 are selected and as many buyers found as on the line between the two.

The insurer's data (ticdata) are not part of rocspace: ``python coil.py ticdata.csv``, a table
with the columns ``label`` (1 = bought), ``split`` (train or test) and the customers' features.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import numpy as np

import rocspace as rs
from rocspace.combine import Evaluation, Selection, select_rule
from rocspace.combine.mixtures import Mixture

ROOM = 800


def customers(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, numeric features, and who is held out."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    numeric = [n for n in rows[0] if n not in ("label", "split") and is_number(rows[0][n])]
    label = np.array([row["label"] == "1" for row in rows])
    features = np.array([[float(row[n]) for n in numeric] for row in rows])
    return label, features, np.array([row["split"] == "test" for row in rows])


def is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit()


def classifiers() -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import BernoulliNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    logistic = LogisticRegression(C=0.01, max_iter=1000)
    return {"logistic": make_pipeline(StandardScaler(), logistic), "bayes": BernoulliNB()}


def campaign(path: Path) -> tuple[Selection, Evaluation, int, float, Mixture]:
    """Fit on half of the known customers, choose on the other half, and write the letters."""
    label, features, held_out = customers(path)
    fitted = ~held_out & (np.cumsum(~held_out) % 2 == 1)
    chosen_on = ~held_out & ~fitted
    scores = {
        name: model.fit(features[fitted], label[fitted]).predict_proba(features)[:, 1]
        for name, model in classifiers().items()
    }

    def part(rows: np.ndarray) -> rs.PairedScores:
        return rs.pair_scores(label[rows], {name: s[rows] for name, s in scores.items()})

    choice, test = part(chosen_on), part(held_out)
    n = len(test)
    selection = select_rule(choice, selected=ROOM / n)
    result = selection.evaluate(test)
    letters = selection.mixture.decide(test, ids=np.flatnonzero(held_out))
    # The share that is selected was estimated on the choosing customers, and is met by others.
    share = ROOM / n
    spread = float(np.sqrt(n * share * (1 - share) * (1 + n / len(choice))))
    return selection, result, int(letters.sum()), spread, selection.mixture


def main(path: Path) -> None:
    selection, result, sent, spread, mixture = campaign(path)
    point = result.point
    print(f"rules on the hull   {len(selection.path)}")
    print(f"with chance {1 - mixture.share:.4f}  {mixture.low}")
    print(f"with chance {mixture.share:.4f}  {mixture.high}")
    print(f"expected point      fpr {mixture.fpr:.4f}, tpr {mixture.tpr:.4f}")
    print(f"held-out customers  fpr {point.fpr:.4f}, tpr {point.tpr:.4f}")
    print(f"95 % interval       tpr {result.tpr.low:.4f} to {result.tpr.high:.4f}")
    print(f"optimism of tpr     {result.optimism:+.4f}")
    print(f"letters             {sent}, room for {ROOM}, standard deviation {spread:.0f}")
    print(f"buyers found        {point.tp:.1f} of {point.tp + point.fn:.0f}, by chance 47.6")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
