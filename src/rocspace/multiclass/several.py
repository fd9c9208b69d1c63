"""Compare several classifiers, or markers, of the same cases by any area or volume."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from rocspace._base.calls import explained
from rocspace.compare.areas import AucComparison, check_several, compare_aucs, comparison_of
from rocspace.compare.multiplicity import Adjustment
from rocspace.multiclass.cases import (
    MulticlassScores,
    OrderedScores,
    need_classes,
    warn_of_absent,
)
from rocspace.multiclass.manifold import Rng, Rule, drawn_sets, hum_parts, pdi_parts
from rocspace.multiclass.pairs import hand_till_parts, mu_parts
from rocspace.multiclass.placements import Components, covariance_of, difference_of
from rocspace.multiclass.rest import flat_block, rest_parts
from rocspace.multiclass.volumes import checked_order, need_all_classes, vus_parts

Measure: TypeAlias = Literal["hand-till", "mu", "macro", "weighted", "micro", "pdi", "hum", "vus"]

_VOLUMES = ("pdi", "hum")


@explained
def compare_classifiers(
    data: MulticlassScores | OrderedScores,
    *,
    measure: Measure = "hand-till",
    reference: str | None = None,
    adjust: Adjustment = "holm",
    rule: Rule = "euclid",
    n_sets: int | None = None,
    rng: Rng = None,
) -> AucComparison:
    """Compare classifiers of the same cases: areas, covariance matrix, and tests of all pairs.

    Parameters
    ----------
    data : MulticlassScores or OrderedScores
        Scores of two classifiers or more; or two markers or more of ordered classes.
    measure : str, default "hand-till"
        The area or volume. Of classifiers: "hand-till" or "mu", as `hand_till` and `mu_auc`;
        "macro", "weighted" or "micro", as `one_vs_rest` with that average; "pdi" or "hum". Of
        markers: "vus" or "hand-till".
    reference : str, optional
        Compare every other classifier with this one; by default all pairs are compared.
    adjust : {"holm", "bonferroni", "benjamini-hochberg", "none"}, default "holm"
        Adjustment of the p values, as for `rocspace.compare.adjusted_pvalues`.
    rule, n_sets, rng
        As for `hum`; all classifiers see the same sets.

    Returns
    -------
    AucComparison
        The areas, their covariance matrix, the test of equality, and the differences of pairs.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till_difference`, `hum` or `vus`; also if the measure does not suit the data.

    Warns
    -----
    UserWarning
        As `hand_till`.

    Notes
    -----
    O(m k n log n + m^2 n) for m classifiers; "hum" as `hum`, m times.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), section 3, for covariances and contrasts; the measures
    have theirs.

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
        lambda i, j: difference_of(parts[i], parts[j], method),
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
