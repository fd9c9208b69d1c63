"""Statistics as the command line spells them: auc, tpr@fpr=0.1, ppv@threshold=3."""

from __future__ import annotations

import re
from typing import Any

from rocspace._base.words import nearest
from rocspace.io.text import is_float
from rocspace.resampling.statistics import (
    STATISTICS,
    Statistic,
    fpr_at,
    partial_area,
    rate_at,
    tpr_at,
    two_way_area,
)

RATES = ("tpr", "fpr", "tnr", "fnr", "ppv", "npv")
SPELLED = (
    "auc, youden, average_precision, tpr@fpr=0.1, fpr@tpr=0.9, area@fpr=0,0.1, area@tpr=0.8,1, "
    "corner@fpr=0.3,tpr=0.8, or tpr, fpr, tnr, fnr, ppv or npv at a threshold: ppv@threshold=3"
)


_SENSITIVE = {
    "spec": (
        "A specificity is 1 minus the false positive rate.",
        "fpr@tpr=0.9, at a sensitivity of 0.9",
    ),
    "sens": (
        "A sensitivity is a true positive rate.",
        "tpr@fpr=0.1, at a specificity of 0.9",
    ),
    "recall": (
        "Recall is the true positive rate.",
        "tpr@fpr=0.1, or tpr@threshold=0.5",
    ),
    "precision": (
        "Precision is the positive predictive value.",
        "ppv@threshold=0.5",
    ),
}


def statistic_of(text: str) -> str | Statistic:
    """Return the statistic of this spelling."""
    for word, (rate, instead) in _SENSITIVE.items():
        if re.match(rf"{word}\w*@", text):
            msg = f"There is no statistic {text!r}. {rate} Write: {instead}."
            raise ValueError(msg)
    bare = text.replace(" ", "")
    corner = re.fullmatch(r"corner@fpr=([^,]+),tpr=([^,]+)", bare)
    if corner and all(map(is_float, corner.groups())):
        max_fpr, min_tpr = map(float, corner.groups())
        return two_way_area(max_fpr=max_fpr, min_tpr=min_tpr)
    found = re.fullmatch(r"(\w+)@(\w+)=([^,]+)(?:,([^,]+))?", bare)
    if found is None:
        name = text.strip().replace("-", "_")
        if name in STATISTICS:
            return name
        msg = f"There is no statistic {text!r}.{nearest(text, STATISTICS)} Write one of: {SPELLED}."
        raise ValueError(msg)
    what, at, first, second = found.groups()
    numbers = [each for each in (first, second) if each is not None]
    if not all(map(is_float, numbers)):
        msg = f"The statistic {text!r} has no number after the sign. Write one of: {SPELLED}."
        raise ValueError(msg)
    made = _made(what, at, [float(each) for each in numbers])
    if made is None:
        msg = f"There is no statistic {text!r}. Write one of: {SPELLED}."
        raise ValueError(msg)
    return made


def _made(what: str, at: str, numbers: list[float]) -> Statistic | None:
    one = len(numbers) == 1
    if what == "area" and at in ("fpr", "tpr") and not one:
        part: dict[str, Any] = {at: (numbers[0], numbers[1])}
        return partial_area(**part)
    if (what, at) == ("tpr", "fpr") and one:
        return tpr_at(numbers[0])
    if (what, at) == ("fpr", "tpr") and one:
        return fpr_at(numbers[0])
    if what in RATES and at == "threshold" and one:
        return rate_at(numbers[0], rate=what)  # type: ignore[arg-type]
    return None
