"""Options of models, and what is read from their curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base.checks import check_fraction
from rocspace.cli.console import number, share, table_text
from rocspace.cli.options import Flag, Numbers, Range, Several
from rocspace.io.text import is_float
from rocspace.models.optimal import optimal_cut
from rocspace.models.registry import model_of
from rocspace.report.plain import plain
from rocspace.results.fit import Fit

_READ = Group("What is read from each curve", sort_key=-1)


@Parameter(name="*", group=_READ)
@dataclass(frozen=True, kw_only=True)
class Reading:
    """What is read from fitted curves.

    Attributes
    ----------
    option
        An option of the one --model that is named, as in Python: bandwidth=silverman for kernel,
        ddof=1 for binormal, bounds=0,1 for two numbers; can be repeated.
    on_curve_fpr
        Print the true positive rate where the fitted curve has this false positive rate; can be
        repeated.
    fpr
        Print the area over this range of false positive rates, as in --fpr 0 0.1.
    cut
        Print the threshold of the largest tpr - fpr of the fitted curve.
    """

    option: Several = None
    on_curve_fpr: Numbers = None
    fpr: Range = None
    cut: Flag = False

    @property
    def wanted(self) -> bool:
        """Whether anything is read."""
        return bool(self.on_curve_fpr) or self.fpr is not None or self.cut

    def check(self) -> None:
        """Raise if a rate is none."""
        check_fraction("--on-curve-fpr", self.on_curve_fpr or [])

    def options(self, models: list[str] | None) -> dict[str, dict[str, Any]] | None:
        """Return the options by the name of their model."""
        if not self.option:
            return None
        if models is None or len(models) != 1 or models == ["all"]:
            msg = "--option belongs to one model. Name it, as in --model kernel."
            raise ValueError(msg)
        model = model_of(models[0])
        found = {}
        for each in self.option:
            name, sign, value = (part.strip() for part in each.partition("="))
            if not sign or not value:
                msg = f"--option {each!r} is not a name and a value. Write --option bandwidth=0.2."
                raise ValueError(msg)
            if name.replace("-", "_") not in model.options:
                known = ", ".join(model.options) or "none"
                msg = f"--option {name}: {model.name} has no such option. It has {known}."
                raise ValueError(msg)
            found[name.replace("-", "_")] = _value(value)
        return {model.name: found}

    def of(self, fit: Fit | None) -> dict[str, Any] | None:
        """Read what was asked for."""
        if fit is None or not self.wanted:
            return None
        return {
            "rates": [
                {"fpr": x, "tpr": plain(float(fit.tpr_at(x)))} for x in self.on_curve_fpr or ()
            ],
            "area": None if self.fpr is None else plain(float(fit.partial_auc(fpr=self.fpr))),
            "cut": _cut(fit) if self.cut else None,
        }


READING = Reading()


def _value(text: str) -> Any:
    """Read a number, numbers with commas between, a truth value or a word."""
    parts = text.split(",")
    if len(parts) > 1 and all(is_float(part) for part in parts):
        return tuple(float(part) for part in parts)
    if is_float(text):
        value = float(text)
        return int(value) if value.is_integer() and "." not in text else value
    return {"true": True, "false": False}.get(text.lower(), text)


def _cut(fit: Fit) -> dict[str, Any]:
    """Return the point of slope one; its threshold is null where a model knows only ranks."""
    cut = optimal_cut(fit)
    at = {"threshold": cut.threshold, "fpr": cut.fpr.value, "tpr": cut.tpr.value}
    return {name: plain(value) for name, value in at.items()}


def reading_text(name: str, models: list[Mapping[str, Any]], fpr: Any) -> str:
    """Lay out what was read from the curves of one score."""
    rows = []
    for each in models:
        read = each["read"]
        if read is None:
            continue
        model = each["model"]
        rows += [(model, f"tpr at fpr {x['fpr']:g}", share(x["tpr"])) for x in read["rates"]]
        if read["area"] is not None:
            rows.append((model, f"area, fpr {fpr[0]:g} to {fpr[1]:g}", number(read["area"])))
        if (cut := read["cut"]) is not None:
            known = cut["threshold"] is not None and np.isfinite(cut["threshold"])
            shown = number(cut["threshold"]) if known else "no scale of scores"
            rows.append((model, "threshold of the largest tpr - fpr", shown))
            rows.append((model, "tpr and fpr there", f"{share(cut['tpr'])}, {share(cut['fpr'])}"))
    return table_text((name, "read", "value"), rows, left=(0, 1)) if rows else ""
