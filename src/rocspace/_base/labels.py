"""Words by which a column says that it is the label, and labels which class is positive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

USUAL_NAMES = ("label", "y", "y_true", "target", "class", "outcome")
"""What a column of labels is usually called, in small letters."""

_POSITIVE = (
    *("yes", "y", "positive", "pos", "p", "+", "ill", "sick", "diseased", "disease", "case"),
    *("cases", "malignant", "present", "abnormal", "event", "dead", "died", "death", "fraud"),
    *("true", "spam", "ja", "oui", "si", "sí", "krank", "positiv"),
)
_NEGATIVE = (
    *("no", "n", "negative", "neg", "-", "healthy", "well", "control", "controls", "normal"),
    *("benign", "absent", "none", "alive", "false", "ham", "nein", "non", "gesund", "negativ"),
)


def positive_by_word(values: Sequence[Any]) -> Any | None:
    """Return the one of two labels whose word means that the condition is there, or None.

    A guess: to be proposed, never to be taken.
    """
    words = [str(value).lower() for value in values]
    positive = [value for value, word in zip(values, words, strict=True) if word in _POSITIVE]
    negative = [word for word in words if word in _NEGATIVE]
    if len(values) == 2 and len(positive) == 1 and len(negative) <= 1:
        return positive[0]
    return None
