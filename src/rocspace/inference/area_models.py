"""Variance of the AUC or partial AUC under the Hanley-McNeil model, given only the area.

The model behind both is Hanley and McNeil's: scores of two exponential distributions, whose
curve is ``tpr = fpr ** shape``.
"""

from __future__ import annotations

from rocspace.results.discordance import part_variances

_EDGE = 1e-12


def pair_variance(both: float, by_pos: float, by_neg: float, n_pos: float, n_neg: float) -> float:
    """Variance of a mean over pairs, from the (co)variances of pairs that share cases.

    The variance of one pair, the covariance of two pairs that share the positive, and that of two
    pairs that share the negative.
    """
    return (both + (n_neg - 1) * by_pos + (n_pos - 1) * by_neg) / (n_pos * n_neg)


def hanley_mcneil_pairs(area: float) -> tuple[float, float, float]:
    """Return what `pair_variance` needs under the model of Hanley and McNeil (1982)."""
    return area * (1 - area), 2 * area**2 / (1 + area) - area**2, area / (2 - area) - area**2


def area_model_variance(area: float, n_pos: float, n_neg: float) -> float:
    """Hanley and McNeil's variance, symmetric in the class sizes as in Newcombe (2006)."""
    others = max((n_pos + n_neg) / 2 - 1, 0.0)
    shape = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) * (1 + others * shape) / (n_pos * n_neg)


def fewest_cases(area: float, se: float) -> float:
    """Return with how many cases of the smaller class an area can have this standard error.

    The fewest under Hanley and McNeil's model, in which a placement of a positive has the variance
    ``A (1 - A) (1 - A) / (2 - A)``, and one of a negative ``A (1 - A) A / (1 + A)``: the other
    class is without limit, and either class may be the smaller one.
    """
    share = min((1 - area) / (2 - area), area / (1 + area))
    return area * (1 - area) * share / se**2


def part_model_variance(part: float, low: float, high: float, n_pos: float, n_neg: float) -> float:
    """Return the larger of two variances, for the area between two false positive rates.

    A partial area alone does not determine how many positives reach the range, nor how many
    negatives of the range these beat. In the first model all positives reach it: the partial area
    compares all positives with the negatives of the range. In the second as many reach it as under
    Hanley and McNeil's model with the same partial area. Over the whole area both are
    `area_model_variance`.
    """
    width = high - low
    mean = min(part / width, 1.0)
    all_reach = width**2 * area_model_variance(mean, n_pos, width * n_neg)
    if not _EDGE < mean < 1 - _EDGE:  # no interval uses a standard error there
        return all_reach
    return max(all_reach, _some_reach(mean, low, high, n_pos, n_neg))


def _some_reach(mean: float, low: float, high: float, n_pos: float, n_neg: float) -> float:
    """Variance if positives lie beyond, inside and below the range as under the model."""
    width = high - low
    of_pos, of_neg, in_range = part_variances(mean, low, high)
    of_pair = width * (mean - in_range) - width**2 * of_pos
    alone = width**2 * of_pos / n_pos + of_neg / n_neg
    return float(alone + max(of_pair, 0.0) / (n_pos * n_neg))
