"""Decision rules to deploy: thresholds, and Boolean combinations of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import ArrayLike, Mask
from rocspace._base.calls import explained
from rocspace._base.cases import check_labels, check_lengths, complete_scores
from rocspace._base.checks import check_choice
from rocspace._base.frozen import Result
from rocspace._base.kinds import check_fields
from rocspace._base.words import nearest, shown
from rocspace.counts.confusion import ConfusionMatrix, confusion_matrix
from rocspace.counts.paired import PairedScores

Scores: TypeAlias = Mapping[str, ArrayLike] | PairedScores | ArrayLike
"""Scores by name, or a bare vector where one is enough."""


class Constant(Result, kw_only=False):
    """A rule that makes the same decision for every case.

    Attributes
    ----------
    positive : bool
        What it calls every case.

    See Also
    --------
    rule_counts, Mixture

    Examples
    --------
    >>> Constant(False).decide([0.1, 0.9])
    array([False, False])
    """

    positive: bool

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fields(self)

    @property
    def names(self) -> frozenset[str]:
        """Names of the scores that it needs: none."""
        return frozenset()

    def decide(self, scores: Scores) -> Mask:
        """Return its decision for as many cases as there are scores.

        Parameters
        ----------
        scores : array-like, mapping of names to array-likes, or PairedScores
            As for `ThresholdRule.decide`.

        Returns
        -------
        ndarray of bool, shape (n,)
            True where the case is called positive.
        """
        return np.full(_n_cases(scores), self.positive)

    def __str__(self) -> str:
        return "always" if self.positive else "never"


class ThresholdRule(Result, kw_only=False):
    """A rule that calls a case positive when its score reaches a threshold.

    Attributes
    ----------
    name : str
        Name of the score.
    threshold : float
        Its threshold; nan if the values given are decisions already.
    higher_is_positive : bool
        Whether scores at or above it are positive, or at or below.

    See Also
    --------
    rule_counts, path_of

    Examples
    --------
    >>> ThresholdRule("age", 60).decide({"age": [59, 60, 61]})
    array([False,  True,  True])
    """

    name: str
    threshold: float
    higher_is_positive: bool = True

    def __post_init__(self) -> None:
        checks.check_direction(self.higher_is_positive)
        check_fields(self)

    @property
    def names(self) -> frozenset[str]:
        """Names of the scores that it needs."""
        return frozenset((self.name,))

    def decide(self, scores: Scores) -> Mask:
        """Return the decision of each case.

        Parameters
        ----------
        scores : mapping of str to array-like, PairedScores, or array-like
            The scores by name; a bare vector if the rule needs only one.

        Returns
        -------
        ndarray of bool, shape (n,)
            Whether each case is called positive.

        Raises
        ------
        ValueError
            If a score is not given, or has missing values.
        """
        values = column_in(scores, self.name)
        if self.threshold != self.threshold:
            return np.asarray(check_labels(values, None, self.name))
        array = complete_scores(values, self.name)
        over = array >= self.threshold if self.higher_is_positive else array <= self.threshold
        return np.asarray(over, dtype=bool)

    def __str__(self) -> str:
        if self.threshold != self.threshold:
            return self.name
        return f"{self.name} {'>=' if self.higher_is_positive else '<='} {self.threshold}"


class _OfRules(Result):
    """A rule made of others: base class for its text and the names of the scores it needs."""

    if TYPE_CHECKING:

        @property
        def names(self) -> frozenset[str]:
            """Names of the scores that it needs."""

    def _columns(self) -> dict[str, Any]:
        return {"rule": [str(self)], "scores": [", ".join(sorted(self.names))]}


class NotRule(_OfRules, kw_only=False):
    """A rule that decides the opposite of another.

    Attributes
    ----------
    rule : Rule
        The other rule; (f, t) of it becomes (1 - f, 1 - t).

    References
    ----------
    Fawcett (2006), section 3.1.

    Examples
    --------
    >>> NotRule(ThresholdRule("a", 2)).decide([1, 2, 3])
    array([ True, False, False])
    """

    rule: Rule

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def names(self) -> frozenset[str]:
        """Names of the scores that it needs."""
        return self.rule.names

    def decide(self, scores: Scores) -> Mask:
        """Return the decision of each case, as `ThresholdRule.decide`.

        Parameters
        ----------
        scores : array-like, mapping of names to array-likes, or PairedScores
            As for `ThresholdRule.decide`.

        Returns
        -------
        ndarray of bool, shape (n,)
            True where the case is called positive.
        """
        return ~self.rule.decide(scores)

    def __str__(self) -> str:
        return f"not ({self.rule})"


class BooleanRule(_OfRules, kw_only=False):
    """Several rules put together.

    Attributes
    ----------
    operator : {"and", "or", "xor"}
        Whether all must call a case positive, one is enough, or an odd number of them must.
    rules : tuple of Rule
        The rules, at least one.

    References
    ----------
    Fawcett (2004), on combining classifiers, no numbered equation.

    Examples
    --------
    >>> both = BooleanRule("and", (ThresholdRule("a", 2), NotRule(ThresholdRule("b", 5))))
    >>> str(both)
    '(a >= 2) and (not (b >= 5))'
    >>> both.decide({"a": [1, 2, 3], "b": [4, 4, 5]})
    array([False,  True, False])
    """

    operator: Literal["and", "or", "xor"]
    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        check_choice("operator", self.operator, tuple(_UFUNCS))
        check_fields(self)
        object.__setattr__(self, "rules", tuple(self.rules))
        if not self.rules:
            msg = "A Boolean combination needs at least one rule."
            raise ValueError(msg)

    @property
    def names(self) -> frozenset[str]:
        """Names of the scores that it needs."""
        return frozenset().union(*(rule.names for rule in self.rules))

    def decide(self, scores: Scores) -> Mask:
        """Return the decision of each case, as `ThresholdRule.decide`.

        Parameters
        ----------
        scores : array-like, mapping of names to array-likes, or PairedScores
            As for `ThresholdRule.decide`.

        Returns
        -------
        ndarray of bool, shape (n,)
            True where the case is called positive.
        """
        decisions = [rule.decide(scores) for rule in self.rules]
        check_lengths(
            {str(rule): each.size for rule, each in zip(self.rules, decisions, strict=True)}
        )
        return np.asarray(_UFUNCS[self.operator].reduce(decisions))

    def __str__(self) -> str:
        return f" {self.operator} ".join(self._parts())

    def _parts(self) -> list[str]:
        """Return the text of each part, with no brackets around parts of the same operator.

        The operators are associative; a part that stands twice is said once, except with "xor".
        """
        parts: list[str] = []
        for rule in self.rules:
            if isinstance(rule, BooleanRule) and rule.operator == self.operator:
                parts += rule._parts()
            else:
                parts.append(f"({rule})")
        return parts if self.operator == "xor" else list(dict.fromkeys(parts))


_UFUNCS = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}

Rule: TypeAlias = Constant | ThresholdRule | NotRule | BooleanRule
"""Anything that decides from scores."""


def column_in(scores: Scores, name: str) -> Any:
    """Return one of several scores by its name; a bare vector is the score itself."""
    if isinstance(scores, PairedScores):
        if name in scores.names:
            return scores.score[:, scores.names.index(name)]
        names: Sequence[str] = scores.names
    elif isinstance(scores, Mapping) or hasattr(scores, "columns"):
        names = [str(key) for key in getattr(scores, "columns", scores)]
        if name in names:
            return scores[name]
    else:
        return scores
    hint = nearest(name, names)
    msg = f"The rule needs the score {name!r}; there are {', '.join(names) or 'none'}.{hint}"
    raise ValueError(msg)


def _n_cases(scores: Scores) -> int:
    if isinstance(scores, PairedScores):
        return len(scores)
    if isinstance(scores, Mapping):
        scores = next(iter(scores.values()), ())
    if not hasattr(scores, "__len__"):
        msg = f"scores is {shown(scores)}, a single value. Pass the scores of the cases."
        raise TypeError(msg)
    return len(scores)


@explained
def rule_counts(data: PairedScores, rule: Rule) -> ConfusionMatrix:
    """Count the decisions of a rule on cases whose labels are known.

    Parameters
    ----------
    data : PairedScores
        Cases with the scores that the rule needs.
    rule : Rule
        Any rule.

    Returns
    -------
    ConfusionMatrix
        Counts, or sums of weights.

    Raises
    ------
    ValueError
        If a score is not there.

    References
    ----------
    Fawcett (2006), figure 1, for the four outcomes.

    Examples
    --------
    >>> from rocspace import pair_scores
    >>> data = pair_scores([1, 1, 0], {"a": [3, 1, 2]})
    >>> rule_counts(data, ThresholdRule("a", 2))
    ConfusionMatrix(tp=1, fp=1, fn=1, tn=0)
    """
    return confusion_matrix(data.label, rule.decide(data), sample_weight=data.weight)
