"""Two binormal curves that a study is expected to find, for rocspace power."""

from __future__ import annotations

from dataclasses import dataclass, fields

from cyclopts import Group, Parameter

from rocspace._base.checks import check_part, check_positive
from rocspace.cli.options import Range
from rocspace.planning.designs import Plan
from rocspace.planning.plans import Null, Spread, plan_paired
from rocspace.simulate.models import paired_binormal

_CURVES = Group("Or two binormal curves of the same cases, without a FILE", sort_key=-3.5)


@Parameter(name="*", group=_CURVES)
@dataclass(frozen=True, kw_only=True)
class ExpectedCurves:
    """Parameters of two binormal curves, and what their scores have in common.

    Attributes
    ----------
    curve
        a and b of the curve of the first score: tpr = Phi(a + b Phi^-1(fpr)).
    other_curve
        a and b of the curve of the second score.
    score_correlations
        Correlations of the two scores among positives and among negatives; by default 0 0.
    fpr
        Compare only the areas over this range of false positive rates, as in --fpr 0 0.1.
    difference
        Expected difference of the areas; by default that of these curves.
    """

    curve: Range = None
    other_curve: Range = None
    score_correlations: Range = None
    fpr: Range = None
    difference: float | None = None

    @property
    def named(self) -> list[str]:
        """The options that were given."""
        given = (each.name for each in fields(self) if getattr(self, each.name) is not None)
        return [f"--{name.replace('_', '-')}" for name in given]

    def check(self) -> None:
        """Raise if a curve is missing, or a number out of range."""
        if self.curve is None or self.other_curve is None:
            msg = (
                f"{self.named[0]} is for two curves. Give --curve A B and --other-curve A B, with "
                "a and b of each."
            )
            raise ValueError(msg)
        for name, (_, b) in (("--curve", self.curve), ("--other-curve", self.other_curve)):
            check_positive(f"b of {name}", b)
        for each in self.score_correlations or ():
            if not -1 < each < 1:
                msg = f"--score-correlations has {each:g}, but must lie between -1 and 1."
                raise ValueError(msg)
        check_part(self.fpr, None)

    def plan(self, ratio: float, variance: Spread, null: Null) -> Plan:
        """Plan a comparison of these curves."""
        from scipy.special import ndtr

        (a1, b1), (a2, b2) = self.curve or (0, 1), self.other_curve or (0, 1)
        pos, neg = self.score_correlations or (0.0, 0.0)
        areas = [float(ndtr(a / (1 + b * b) ** 0.5)) for a, b in ((a1, b1), (a2, b2))]
        cases = paired_binormal(areas, sd_ratio=[1 / b1, 1 / b2], r_pos=pos, r_neg=neg)
        return plan_paired(
            cases,
            fpr=self.fpr,
            difference=self.difference,
            ratio=ratio,
            variance=variance,
            null=null,
        )


CURVES = ExpectedCurves()
