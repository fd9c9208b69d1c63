"""Tests that whole curves are equal, beside those of their areas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cyclopts import Group, Parameter

from rocspace._base.text import difference_name
from rocspace.cli.console import number, pvalue, table_text
from rocspace.cli.options import Flag, Printing, Whole, check_least
from rocspace.compare.venkatraman import Ties, venkatraman_test
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.report.plain import plain_test

_CURVES = Group("Whether whole curves are equal", sort_key=0)


@Parameter(name="*", group=_CURVES)
@dataclass(frozen=True, kw_only=True)
class CurveTests:
    """How whole curves are compared.

    Attributes
    ----------
    curves
        Also test by permutation (Venkatraman) that the curves of each pair are equal: two that
        cross may have the same area.
    n_perm
        Number of permutations.
    ties
        How cases with equal scores are ordered: at random, or as in the file, as pROC does.
    seed
        Seed of the permutations.
    """

    curves: Flag = False
    n_perm: Whole = 2000
    ties: Ties = "random"
    seed: Whole = 0

    def check(self, *, several: bool = False) -> None:
        """Raise, before any work, if there are no permutations, or several comparisons."""
        check_least("--n-perm", self.n_perm, 1)
        check_least("--seed", self.seed, 0)
        if several and self.curves:
            msg = (
                "--curves is for one comparison of curves of two classes, of scores or, with --by, "
                "of one score in groups. Leave it out."
            )
            raise ValueError(msg)

    def tested(
        self,
        data: PairedScores | Mapping[str, ScoreTable] | Mapping[str, PairedScores],
        pairs: Iterable[tuple[str, str]],
        printing: Printing,
    ) -> dict[str, Any]:
        """Return the test of each pair of curves, if it was asked for."""
        if not self.curves:
            return {}
        how: Any = {"n_perm": self.n_perm, "ties": self.ties, "rng": self.seed}
        tests = [
            (pair, venkatraman_test(data, *pair, progress=printing.progress, **how))
            for pair in pairs
        ]
        return {
            "curves": [
                {"first": first, "second": second, **plain_test(test), "n_perm": self.n_perm}
                for (first, second), test in tests
            ]
        }


TESTING = CurveTests()


def curves_text(described: Mapping[str, Any]) -> str:
    """Lay out the tests of whole curves; nothing where there are none."""
    rows = [
        (
            difference_name(each["first"], each["second"]),
            number(each["statistic"]),
            pvalue(each["pvalue"]),
        )
        for each in described.get("curves", ())
    ]
    return f"\n{table_text(('equal curves', 'statistic', 'p'), rows)}" if rows else ""
