"""Compare classifiers or markers by an area or a volume, on the same or on different cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.words import listed_values
from rocspace.compare.areas import (
    AucComparison,
    Pairs,
    check_several,
    compare_aucs,
    comparison_of,
    independent_difference,
)
from rocspace.compare.multiplicity import Adjustment
from rocspace.counts.weights import effective_size
from rocspace.multiclass.cases import (
    MulticlassScores,
    OrderedScores,
    ScoresOfClasses,
    need_classes,
    warn_of_absent,
)
from rocspace.multiclass.manifold import Rule, drawn_sets, hum_estimate, hum_parts, pdi_parts
from rocspace.multiclass.pairs import hand_till_parts, mu_parts
from rocspace.multiclass.placements import Components, covariance_of, difference_of
from rocspace.multiclass.rest import flat_block, one_vs_rest_estimate, rest_parts
from rocspace.multiclass.volumes import checked_order, need_all_classes, vus_parts
from rocspace.resampling.replicates import Rng
from rocspace.results.estimates import AreaEstimate, Difference

Measure: TypeAlias = Literal["hand-till", "mu", "macro", "weighted", "micro", "pdi", "hum", "vus"]

_VOLUMES = ("pdi", "hum")


@explained
def compare_classifiers(
    data: MulticlassScores | OrderedScores | Mapping[str, MulticlassScores | OrderedScores],
    *,
    measure: Measure = "hand-till",
    reference: str | None = None,
    adjust: Adjustment = "holm",
    rule: Rule = "euclid",
    n_sets: int | None = None,
    rng: Rng = None,
) -> AucComparison:
    """Compare classifiers by an area: their covariance matrix, and tests of all pairs.

    Parameters
    ----------
    data : MulticlassScores or OrderedScores, or mapping of str to one of them
        Scores of two classifiers or more of the same cases; or two markers or more of ordered
        classes. Or independent samples by name, of one classifier or marker each, and of the same
        classes.
    measure : str, default "hand-till"
        The area or volume. Of classifiers: "hand-till" or "mu", as `hand_till` and `mu_auc`;
        "macro", "weighted" or "micro", as `one_vs_rest` with that average; "pdi" or "hum". Of
        markers: "vus" or "hand-till".
    reference : str, optional
        Compare every other classifier with this one; by default all pairs are compared.
    adjust : str, default "holm"
        Adjustment of the p values, by a method of `rocspace.compare.adjusted_pvalues`.
    rule, n_sets, rng
        As for `hum`; all classifiers see the same sets.

    Returns
    -------
    AucComparison
        The areas, their covariance matrix, the test of equality, and the differences of pairs.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till_difference`, `hum` or `vus`; also if the measure does not suit the data, or
        samples have more than one classifier or other classes.

    Warns
    -----
    UserWarning
        As `hand_till`.

    Notes
    -----
    O(m k n log n + m^2 n) for m classifiers; "hum" as `hum`, m times. Differences of independent
    samples have the interval and the test of `rocspace.compare.auc_difference` for independent
    samples: the intervals of both areas, combined by adding squared distances. At level .95 their
    interval covered in 95.5 to 99.5 percent of simulated samples (Hand and Till's M and the volume
    for three classes with Normal scores, 8 + 8 + 8 to 60 + 40 + 30 cases; 12 situations of 400
    samples).

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), section 3, for covariances and contrasts; Newcombe
    (1998), method 10, for independent samples; the measures have theirs.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> q = [[.5, .4, .1], [.2, .4, .4], [.2, .5, .3], [.3, .4, .3], [.3, .3, .4], [.4, .1, .5]]
    >>> data = multiclass_scores(y, {"p": p, "q": q})
    >>> [round(each.value, 3) for each in compare_classifiers(data).estimates]
    [0.875, 0.792]
    >>> [round(each.value, 3) for each in compare_classifiers(data, measure="hum").estimates]
    [0.625, 0.5]
    """
    if isinstance(data, Mapping):
        how = partial(_estimate_of, measure=measure, rule=rule, n_sets=n_sets, rng=rng)
        return _of_samples(data, how, reference=reference, adjust=adjust)
    suited = _checked(data, measure)
    check_several("compare_classifiers", suited.names)
    if measure == "micro":
        return compare_aucs(flat_block(suited, None), reference=reference, adjust=adjust)
    method = f"hypervolume, {rule}" if measure == "hum" else measure
    if measure == "hum":
        sets = drawn_sets(suited, n_sets, rng, "compare_classifiers")
        parts = [hum_parts(suited, name, rule, sets) for name in suited.names]
    else:
        parts = [_MEASURES[measure](suited, name) for name in suited.names]
    return comparison_of(
        suited.names,
        [each.estimate(method) for each in parts],
        covariance_of(parts),
        Pairs(lambda i, j: difference_of(parts[i], parts[j], method)),
        reference=reference,
        adjust=adjust,
        distribution=None,
    )


def _checked(data: Any, measure: str) -> Any:
    """Return data that have the measure."""
    if measure == "vus":
        return checked_order('compare_classifiers(measure="vus")', data)
    need_classes("compare_classifiers", data, one_score=measure == "hand-till")
    if measure in _VOLUMES:
        need_all_classes("compare_classifiers", data)
    else:
        warn_of_absent(data)
    return data


_MEASURES: dict[str, Callable[[Any, str | None], Components]] = {
    "hand-till": hand_till_parts,
    "mu": mu_parts,
    "macro": lambda data, name: rest_parts(data, name, "macro"),
    "weighted": lambda data, name: rest_parts(data, name, "weighted"),
    "pdi": pdi_parts,
    "vus": vus_parts,
}


# --- independent samples ------------------------------------------------------------------------


def _of_samples(
    samples: Mapping[str, Any], estimated: Callable[[Any], AreaEstimate], **how: Any
) -> AucComparison:
    """Compare samples of other cases, of one classifier each."""
    check_several("compare_classifiers", tuple(samples))
    for name, each in samples.items():
        need_classes("compare_classifiers", each, one_score=True)
        _check_sample(name, each, next(iter(samples.values())))
    estimates = [estimated(each) for each in samples.values()]
    cases = [effective_size(each.case_weight) for each in samples.values()]

    def difference(i: int, j: int) -> Difference:
        return independent_difference(estimates[i], estimates[j], (cases[i], cases[j]))

    compared = comparison_of(
        tuple(samples),
        estimates,
        np.diag([each.se**2 for each in estimates]),
        Pairs(difference),
        distribution=None,
        **how,
    )
    return replace(compared, paired=False)


def _check_sample(name: str, data: ScoresOfClasses, first: ScoresOfClasses) -> None:
    """Raise unless a sample has one classifier, and the classes of the first one."""
    if len(data.names) > 1:
        msg = (
            f"Sample {name!r} has the classifiers {', '.join(data.names)}; of independent samples "
            "each has one. Build it with the scores of one of them."
        )
        raise ValueError(msg)
    if type(data) is not type(first) or data.classes != first.classes:
        msg = (
            f"Sample {name!r} has {_classes_said(data)}, and the first one has "
            f"{_classes_said(first)}: areas of other classes cannot be compared. Leave out the "
            "classes that are not in both."
        )
        raise ValueError(msg)


def _classes_said(data: ScoresOfClasses) -> str:
    kind = "classes in the order" if isinstance(data, OrderedScores) else "the classes"
    return f"{kind} {listed_values(data.classes)}"


def _estimate_of(
    data: Any, *, measure: Measure, rule: Rule, n_sets: int | None, rng: Rng
) -> AreaEstimate:
    """Return one area of one classifier."""
    suited = _checked(data, measure)
    if measure == "micro":
        found = one_vs_rest_estimate(suited, average="micro")
        assert isinstance(found, AreaEstimate)
        return found
    if measure == "hum":
        return hum_estimate(suited, rule=rule, n_sets=n_sets, rng=rng)
    return _MEASURES[measure](suited, None).estimate(measure)
