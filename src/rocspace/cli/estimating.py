"""Options that say how areas are estimated, and of which cases."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from cyclopts import Group, Parameter

from rocspace._base.checks import check_fraction
from rocspace.cli.options import Range

HOW = Group("How the area is estimated", sort_key=-1)
Variance = Literal["delong", "hanley-mcneil", "bamber", "unbiased", "jackknife", "obuchowski"]
AreaScale = Literal["unseen", "moderated", "probit", "logit", "identity", "t", "hoeffding"]
_OF_CLUSTERS = ("jackknife", "obuchowski")


@Parameter(name="*", group=HOW)
@dataclass(frozen=True, kw_only=True)
class Estimating:
    """How areas are estimated, and of which cases.

    Attributes
    ----------
    by
        Column of groups of cases: each has its own table, area and interval.
    cluster
        Column that identifies clusters of cases, such as a patient.
    fpr
        Only the area over this range of false positive rates, as in --fpr 0 0.1.
    tpr
        Only the area over this range of true positive rates, as in --tpr 0.8 1.
    variance
        How the standard error is computed; by default "delong", with --cluster "jackknife".
    scale
        Scale of the interval; by default that with the best measured coverage. "unseen" counts half
        a case more in each class, "moderated" is Wilson's with a t quantile, "identity" value +- z
        se, as pROC prints it; "hoeffding" uses no standard error.
    null_area
        Area under the null hypothesis of the test, whose p value then belongs to the interval; by
        default the Mann-Whitney test of 1/2.
    """

    by: str | None = None
    cluster: str | None = None
    fpr: Range = None
    tpr: Range = None
    variance: Variance | None = None
    scale: AreaScale | None = None
    null_area: float | None = None

    @property
    def said(self) -> list[str]:
        """The options that were given."""
        given = [each.name for each in fields(self) if getattr(self, each.name) is not None]
        return [f"--{name.replace('_', '-')}" for name in given]

    def check(self, *, weighted: bool) -> None:
        """Raise, before any work, if these options do not go together."""
        if self.fpr is not None and self.tpr is not None:
            msg = "--fpr and --tpr are two ranges. Leave out one of them."
            raise ValueError(msg)
        of_clusters = self.variance in _OF_CLUSTERS
        if of_clusters and self.cluster is None:
            msg = f"--variance {self.variance} is for clusters. Name their column with --cluster."
            raise ValueError(msg)
        if self.variance not in (None, "delong") and not of_clusters:
            for option, given in (
                ("--cluster", self.cluster is not None),
                ("--fpr or --tpr", self.part is not None),
                ("--weight", weighted),
            ):
                if given:
                    msg = f"--variance {self.variance} goes without {option}. Leave out one."
                    raise ValueError(msg)
        if self.cluster is not None and self.variance == "delong":
            msg = '--variance delong ignores clusters. Leave it out, or say "obuchowski".'
            raise ValueError(msg)
        if self.null_area is not None:
            check_fraction("--null-area", self.null_area)
            if self.part is not None:
                msg = f"--null-area is for whole areas. Leave out it or --{self.part[0]}."
                raise ValueError(msg)

    @property
    def part(self) -> tuple[str, tuple[float, float]] | None:
        """The axis and the range, if not the whole area was asked for."""
        for axis, found in (("fpr", self.fpr), ("tpr", self.tpr)):
            if found is not None:
                return axis, found
        return None


ESTIMATING = Estimating()
