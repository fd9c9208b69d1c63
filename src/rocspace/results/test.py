"""The outcome of a test, and the distribution that its p value is read from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from rocspace._base.cards import Card
from rocspace._base.frozen import Result
from rocspace._base.text import AT_MOST, general, pvalue

Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
Distribution: TypeAlias = Literal["t", "welch", "normal"]

TOO_SMALL = "p is too small for a float"
UNKNOWN_SE = "the standard error is unknown: too few cases, clusters or replicates"


class TestResult(Result):
    """Outcome of a test.

    Attributes
    ----------
    statistic : float
        The test statistic.
    pvalue : float
        Probability, under the null hypothesis, of a statistic at least as extreme; in [0, 1].
    alternative : {"two-sided", "less", "greater"}
        Alternative hypothesis: the direction that counts as extreme.
    method : str
        Name of the test.
    difference : float
        Estimate minus its value under the null hypothesis.
    df : float
        Degrees of freedom of the distribution that the p value is read from; infinite for a
        Normal one, nan where there are none.
    df_denominator : float
        For method "F" the second degrees of freedom of the F distribution of ``statistic / df``;
        else nan.
    note : str
        A remark on an unusual outcome, such as a variance of zero, or the Monte Carlo error of a
        simulated p value; else empty. "p is at most this": it is read from an interval, which is
        not inverted further than to 1e-12 on a side, and the true one may be far smaller.

    See Also
    --------
    rocspace.inference.auc_test, rocspace.compare.superiority_test, Difference.test
    """

    statistic: float
    pvalue: float
    alternative: Alternative
    method: str
    difference: float
    df: float = float("nan")
    df_denominator: float = float("nan")
    note: str = ""

    _meant: ClassVar[Mapping[str, str]] = {
        "p": "pvalue",
        "p_value": "pvalue",
        "pval": "pvalue",
        "z": "statistic",
        "t": "statistic",
        "stat": "statistic",
        "reject": "test.pvalue < 0.05",
        "significant": "test.pvalue < 0.05",
        "interval": "difference.interval(), of what was tested",
    }

    def _about(self) -> str:
        """Return the numbers, and the name of the test in full."""
        shown = f"statistic={self.statistic}, pvalue={self.pvalue}, method={self.method!r}"
        if self.alternative != "two-sided":
            shown += f", alternative={self.alternative!r}"
        return f"{shown}, note={AT_MOST!r}" if AT_MOST in self.note else shown

    def __float__(self) -> float:
        """Return the p value."""
        return float(self.pvalue)

    def __str__(self) -> str:
        """Return the p value and the name of the test."""
        return f"p {pvalue(self.pvalue)} ({self.method}, {self.alternative})"

    def _card(self) -> Card:
        known = [general(df) for df in (self.df, self.df_denominator) if df == df]
        rows = {
            "p": pvalue(self.pvalue),
            "Statistic": general(self.statistic),
            **({"Degrees of freedom": " and ".join(known)} if known else {}),
            "Alternative": self.alternative,
            "Method": self.method,
        }
        return Card(rows=rows | ({"Note": self.note} if self.note else {}))


TestResult.__test__ = False  # type: ignore[attr-defined]  # pytest: not a test class


def student_tail(statistic: float, df: float, alternative: str) -> float:
    """Tail probability of a statistic under Student's t; Normal where df is inf."""
    from scipy.special import ndtr, stdtr

    if statistic != statistic:
        return float("nan")
    side = {"less": statistic, "greater": -statistic}.get(alternative, -abs(statistic))
    if statistic in (0.0, float("inf"), float("-inf")):
        below = 0.5 * (1 + np.sign(side))
    else:
        below = float(stdtr(max(df, 1.0), side) if df < 1e9 else ndtr(side))
    return float(below if alternative in ("less", "greater") else min(1.0, 2 * below))
