"""rocspace verification: areas of all cases, where the truth is known for some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Annotated, Any

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base.arrays import Array, Mask
from rocspace._base.text import difference_name
from rocspace._base.words import listed_values
from rocspace.cli.console import (
    count,
    estimate_of,
    heading,
    interval_title,
    number,
    pvalue,
    table_text,
)
from rocspace.cli.figures import save_panels
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Printing, Several, Whole
from rocspace.cli.reading import FoundVerified, read_by
from rocspace.curves.roc import roc_curve
from rocspace.designs.corrected import CorrectedArea
from rocspace.designs.prediction_powered import powered_auc_difference, powered_auc_estimate
from rocspace.designs.verification import (
    verified_auc_difference,
    verified_auc_estimate,
    verified_band,
    verified_curve,
    verified_rates,
)
from rocspace.designs.verified import verified_scores
from rocspace.designs.weighting import ErrorMethod, VerificationMethod
from rocspace.io.arrow import Codes
from rocspace.io.cases import Reading, scores_by_default, sources_of
from rocspace.io.files import batches_of
from rocspace.io.several import name_of, of_each, shared_kinds
from rocspace.io.sniff import Source
from rocspace.report.plain import plain, plain_estimate, plain_test
from rocspace.results.estimates import Difference

_HOW = Group("Verification", sort_key=-1)


@Parameter(name="*", group=_HOW)
@dataclass(frozen=True, kw_only=True)
class Verifying:
    """How the choice of the verified cases is corrected for.

    Attributes
    ----------
    covariate
        Column that verification or the truth may depend on besides the scores; can be repeated.
    method
        Which models are used: of verification ("ipw"), of the truth ("imputation", "mean-score"),
        or both ("doubly-robust").
    probability
        Column of the probability with which each case was to be verified; by default a model
        estimates it.
    judge
        Column of a judge's labels of all cases, 0 and 1 or probabilities. The cases with a true
        label are then a random part, and the areas prediction-powered.
    threshold
        Also print the rates and predictive values of this threshold.
    errors
        Standard errors from influence values, or from a bootstrap that fits the models anew.
    seed
        Seed of the bootstrap.
    """

    covariate: Several = None
    method: VerificationMethod = "doubly-robust"
    probability: str | None = None
    judge: str | None = None
    threshold: float | None = None
    errors: ErrorMethod = "influence"
    seed: Annotated[Whole, Parameter(show_default=False)] = 0

    @property
    def beside(self) -> list[str]:
        """Columns beside the label and the scores."""
        others = (*(self.covariate or ()), self.probability, self.judge)
        return list(dict.fromkeys(name for name in others if name is not None))


VERIFYING = Verifying()


def verification(
    file: Files,
    /,
    *,
    level: float = 0.95,
    figure: str | None = None,
    verifying: Verifying = VERIFYING,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the areas of all cases, where the truth was looked up for some.

    An empty label means that the truth is not known. Which cases were verified may depend on the
    scores and on the covariates. The area of the verified cases alone is printed beside the
    corrected one. Several scores are compared.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    level
        Confidence level of each interval.
    figure
        Also draw the curves of all cases in their bands, and of the verified cases alone, to a
        .png, .svg or .pdf file.

    Examples
    --------
    rocspace verification a.csv --label biopsy --score test --covariate age
    rocspace verification a.csv --label y --score s --threshold 2.5 --method ipw
    rocspace verification answers.csv --label expert --score p --judge model_label
    """
    printing.check(file, figure, level=level)
    if figure is not None and verifying.judge is not None:
        msg = "--figure and --judge cannot be combined: a judge corrects areas. Leave one out."
        raise ValueError(msg)
    found = read_by(partial(_collect, verifying=verifying), file, _checked(choice), printing)
    data = found.data
    if data.verified.all():
        printing.note(
            "Every case has a label, so nothing is corrected. Leave the label empty where the "
            "truth is not known."
        )
    if verifying.judge is not None:
        areas = {name: powered_auc_estimate(data, verifying.judge, name) for name in data.names}
    else:
        how = _how(found, verifying)
        areas = {name: verified_auc_estimate(data, name, **how) for name in data.names}
    pairs = list(combinations(data.names, 2))
    gaps = {pair: _difference(found, pair, verifying) for pair in pairs}
    described = _described(found, areas, gaps, level, verifying)
    printing.answer(described, lambda: _text(described))
    save_panels(figure, areas, partial(_draw, found, verifying, level), printing)


def _described(
    found: FoundVerified,
    areas: Mapping[str, CorrectedArea],
    gaps: Mapping[tuple[str, str], Difference],
    level: float,
    verifying: Verifying,
) -> dict[str, Any]:
    """Return what is printed, as JSON has it."""
    data = found.data
    return {
        "schema": "rocspace.verification/1",
        "source": found.source,
        "settings": {
            "level": level,
            "method": "prediction-powered" if verifying.judge else verifying.method,
            "covariates": list(verifying.covariate or ()),
            "probability": verifying.probability,
            "judge": verifying.judge,
            "threshold": verifying.threshold,
            "errors": verifying.errors,
            "seed": verifying.seed,
        },
        "cases": len(data),
        "verified": int(data.verified.sum()),
        "n_pos": data.n_pos,
        "n_neg": data.n_neg,
        "scores": [
            {
                "name": name,
                "auc": plain_estimate(area, level),
                "verified_alone": plain_estimate(area.uncorrected, level),
                "judge_weight": None if area.weight is None else plain(area.weight),
                "labels_saved": None if area.saved is None else plain(area.saved),
                "rates": _rates(found, name, level, verifying),
            }
            for name, area in areas.items()
        ],
        "differences": [
            {
                "first": one,
                "second": two,
                **plain_estimate(gap, level),
                "test": plain_test(gap.test()),
            }
            for (one, two), gap in gaps.items()
        ],
    }


def _draw(
    found: FoundVerified, verifying: Verifying, level: float, ax: Any, name: str, _: object
) -> None:
    """Draw one corrected curve in its band, and that of the verified cases."""
    from rocspace.plot import plot_corrected

    data, how = found.data, _how(found, verifying)
    how.pop("errors")
    band = verified_band(data, name, level=level, **how)
    how.pop("rng")
    alone = roc_curve(data.complete_cases(name))
    plot_corrected(verified_curve(data, name, **how), uncorrected=alone, band=band, ax=ax)


def _checked(choice: Choice) -> Choice:
    """Refuse weights; cases without a label are not missing values here."""
    if choice.weight is not None:
        msg = "--weight is not for cases of which a part was verified. Leave it out."
        raise ValueError(msg)
    return choice


def _how(found: FoundVerified, verifying: Verifying) -> dict[str, Any]:
    return {
        "method": verifying.method,
        "verification": found.probability,
        "errors": verifying.errors,
        "rng": verifying.seed,
    }


def _difference(found: FoundVerified, pair: tuple[str, str], verifying: Verifying) -> Difference:
    if verifying.judge is not None:
        return powered_auc_difference(found.data, verifying.judge, *pair)
    return verified_auc_difference(found.data, *pair, **_how(found, verifying))


def _rates(
    found: FoundVerified, name: str, level: float, verifying: Verifying
) -> dict[str, Any] | None:
    """Return the rates at the threshold that was asked for."""
    if verifying.threshold is None:
        return None
    if verifying.judge is not None:
        msg = "--threshold and --judge cannot be combined. Leave one of them out."
        raise ValueError(msg)
    rates = verified_rates(found.data, verifying.threshold, name, **_how(found, verifying))
    return {rate: plain_estimate(each, level) for rate, each in rates.estimates.items()}


# --- reading ----------------------------------------------------------------------------------


def _collect(
    path: list[str],
    *,
    verifying: Verifying,
    label: str,
    score: Sequence[str] | None,
    pos_label: str | None,
    higher_is_positive: Mapping[str, bool],
    missing: str,
    reading: Reading,
) -> FoundVerified:
    """Read labels, of which some are missing, scores and covariates."""
    sources = sources_of(path, reading)
    beside, kinds = verifying.beside, shared_kinds(sources)
    names = list(score or scores_by_default(kinds, (label, *beside)))
    _check_scores(names, label, kinds)
    wanted = list(dict.fromkeys([label, *names, *beside]))
    columns, absent = _columns(sources, wanted, reading)
    kept, dropped = _complete(absent, label, missing)
    truth, counts = _truth(label, columns[label][kept], absent[label][kept], pos_label)
    data = verified_scores(
        truth,
        {name: columns[name][kept] for name in names},
        covariates={n: columns[n][kept] for n in beside if n != verifying.probability} or None,
        higher_is_positive=dict(higher_is_positive),
    )
    source = {
        "file": name_of(sources),
        "format": sources[0].format,
        "rows": kept.size,
        "label": label,
        "positive": None,
        "labels": counts,
        "weight": None,
        "scores_chosen": "by name" if score else "every numeric column",
        "dropped": dropped,
        "counting": dict.fromkeys(names, "exact"),
    }
    chance = None if verifying.probability is None else columns[verifying.probability][kept]
    return FoundVerified(data=data, source=source, probability=chance)


def _columns(
    sources: Sequence[Source], wanted: Sequence[str], reading: Reading
) -> tuple[dict[str, Array], dict[str, Mask]]:
    """Read columns, and where each has no value."""
    parts: dict[str, list[Array]] = {name: [] for name in wanted}
    lacks: dict[str, list[Array]] = {name: [] for name in wanted}
    rows = 0
    for _, batch in of_each(sources, lambda source: batches_of(source, wanted, {})):
        rows += len(batch)
        for name in wanted:
            values = batch.columns[name]
            parts[name].append(values.decode() if isinstance(values, Codes) else values)
            lacks[name].append(batch.missing[name])
        if reading.progress is not None:
            reading.progress(rows)
    columns = {name: np.concatenate(each) for name, each in parts.items()}
    return columns, {name: np.concatenate(each) for name, each in lacks.items()}


def _complete(absent: Mapping[str, Mask], label: str, missing: str) -> tuple[Mask, dict[str, int]]:
    """Return which rows have all but perhaps the label, and how many each column leaves out."""
    kept = np.ones(absent[label].size, dtype=bool)
    dropped: dict[str, int] = {}
    for name, lacking in absent.items():
        if name == label:
            continue
        if (n := int((kept & lacking).sum())) and missing == "raise":
            msg = (
                f"Column {name!r} is empty in {count(n)} rows. Only the label may be. Fill it, or "
                "leave these rows out with --missing omit."
            )
            raise ValueError(msg)
        kept &= ~lacking
        dropped |= {name: n} if n else {}
    return kept, dropped


def _check_scores(names: Sequence[str], label: str, kinds: Mapping[str, str]) -> None:
    """Refuse the label, and texts, as scores."""
    for name in names:
        if name == label:
            msg = f"Column {name!r} is the label, so it cannot be a score too. Name another one."
            raise ValueError(msg)
        if kinds.get(name, "number") != "number":
            msg = f"Column {name!r} is {kinds[name]}, so it cannot be a score: scores are numbers."
            raise ValueError(msg)


def _truth(
    name: str, values: Array, absent: Array, positive: str | None
) -> tuple[Array, dict[str, int]]:
    """Return 1, 0, or NaN where the label is empty; and how often each label occurs."""
    texts = np.array([_written(value) for value in values[~absent].tolist()], dtype=object)
    kinds, times = np.unique(texts.astype(str), return_counts=True)
    if positive is None and set(kinds) <= {"0", "1"}:
        positive = "1"
    if positive is None or positive not in kinds:
        said = f"Name the positive one, as in --positive {kinds[-1] if kinds.size else 1}."
        msg = f"Column {name!r} has {listed_values(kinds.tolist())}. {said}"
        raise ValueError(msg)
    truth = np.full(values.size, np.nan)
    truth[~absent] = texts == positive
    return truth, dict(zip(kinds.tolist(), times.tolist(), strict=True))


def _written(value: Any) -> str:
    """Return a label as one writes it: 1 for 1.0 and for true."""
    if isinstance(value, bool):
        return str(int(value))
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value)


# --- what is printed --------------------------------------------------------------------------


def _text(described: Mapping[str, Any]) -> str:
    cases, seen = described["cases"], described["verified"]
    title = interval_title(described["settings"]["level"])
    head = (
        f"{count(cases)} cases, {count(seen)} with a known truth: {count(described['n_pos'])} "
        f"positive, {count(described['n_neg'])} negative"
    )
    saved = described["settings"]["judge"] is not None
    header = ("score", "AUC", title, "known alone", title, *["labels saved"] * saved)
    rows = [
        (
            each["name"],
            *estimate_of(each["auc"]),
            *estimate_of(each["verified_alone"]),
            *[number(each["labels_saved"])] * saved,
        )
        for each in described["scores"]
    ]
    parts = [f"{heading(head)}\n", table_text(header, rows)]
    if described["differences"]:
        rows = [
            (
                difference_name(gap["first"], gap["second"]),
                *estimate_of(gap),
                pvalue(gap["test"]["pvalue"]),
            )
            for gap in described["differences"]
        ]
        parts.append(table_text(("difference", "of the areas", title, "p"), rows))
    for each in described["scores"]:
        if each["rates"] is not None:
            at = number(described["settings"]["threshold"])
            rows = [(rate, *estimate_of(found)) for rate, found in each["rates"].items()]
            parts.append(table_text((f"{each['name']} at {at}", "rate", title), rows))
    return "\n".join(parts)
