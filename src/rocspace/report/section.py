"""What a section of the report is made of, and what it is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.report.explained import Entry, Shell

if TYPE_CHECKING:
    from rocspace.multiclass.cases import MulticlassScores, OrderedScores
    from rocspace.multiclass.costs import ClassCostsLike
    from rocspace.results.curve import Curve

Summary: TypeAlias = Mapping[str, Any]
Score: TypeAlias = Mapping[str, Any]
View: TypeAlias = dict[str, Any]
Warned: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class More:
    """What `summarise` is to compute beyond the tables.

    Attributes
    ----------
    fold : array-like, shape (n,), optional
        The fold that each case of ``data`` was tested in: numbers or names.
    group : array-like, shape (n,), optional
        The subgroup that each case of ``data`` belongs to, at most 100 in all.
    n_boot : int, optional
        Bootstrap replicates of the difference of two curves; by default 200 to 1000, fewer
        for more cases.
    n_sim : int, default 0
        Samples of each smooth curve for its test of fit, `rocspace.models.goodness_of_fit`; 0 for
        no test but that of ratings.
    rng : int
        Seed of everything that is drawn at random.
    progress : bool, optional
        Whether to show progress; by default in a terminal.
    most : int, default 20
        Scores that are described in full, the best by area, and compared. All others are
        ``further``: their areas alone. Where there are some, the slowest results (those of this
        class) are given for the best three only.
    costs : CostMatrix, array-like of shape (k, k), or mapping, optional
        Of several classes: what each call of each class costs, as for
        `rocspace.multiclass.cost_matrix`. The report then has the decisions that cost least.
    explored : str, optional
        Of several classes: the classifier whose curves stand first; by default the one with the
        largest area of Hand and Till. The others follow while there are few curves.

    See Also
    --------
    summarise
    """

    fold: ArrayLike | None = None
    group: ArrayLike | None = None
    n_boot: int | None = None
    n_sim: int = 0
    rng: int = 0
    progress: bool | None = None
    most: int = 20
    costs: ClassCostsLike | None = None
    explored: str | None = None

    @property
    def seed(self) -> int | None:
        """The seed that reproduces the numbers; None for a generator, whose state has changed."""
        return int(self.rng) if isinstance(self.rng, int | np.integer) else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Work:
    """What the numbers of a summary are computed from.

    Attributes
    ----------
    tables : mapping of str to ScoreTable
        The table of each score.
    data : PairedScores or None
        The same scores, case by case.
    more : More or None
        Options of the slower computations; None if only the tables are used.
    level : float
        Level of all confidence intervals.
    fpr, tpr : list of float
        The rates asked for.
    references : mapping of str to Curve
        Curves that were given, by name.
    classes : MulticlassScores, optional
        Scores of several classes; the tables are then those of each class against the rest.
    ordered : OrderedScores, optional
        Markers of classes that have an order; there are no tables then.
    """

    tables: Mapping[str, ScoreTable]
    data: PairedScores | None
    more: More | None
    level: float
    fpr: list[float]
    tpr: list[float]
    references: Mapping[str, Curve]
    classes: MulticlassScores | None = None
    ordered: OrderedScores | None = None

    @property
    def scores_of_classes(self) -> MulticlassScores:
        """The scores of several classes, which the sections about them are made from."""
        assert self.classes is not None
        return self.classes

    @property
    def scores_in_order(self) -> OrderedScores:
        """The markers of ordered classes, which the sections about them are made from."""
        assert self.ordered is not None
        return self.ordered


def _nothing(*_: Any) -> Any:
    return {}


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """One section of the report: its numbers, what it shows of them, and how they were made.

    Attributes
    ----------
    name : str
        Its name in the page; ``name.html`` is its template, which finds its view as ``page.name``.
    view : callable
        From a summary to what the template shows; None where the page lacks the section.
    title : str
        In the contents of the page, which lead to the view's ``anchor``, or to `name`; "" for
        none.
    of_score : callable
        From a score as described so far, its table and the `Work` to more keys of the score.
    of_all : callable
        From the summary so far and the `Work` to more keys of the summary.
    warnings : callable
        From the summary and the `Work` to what a reader should be warned of.
    charts : callable
        From a summary to chart specifications by name.
    drawn : callable
        From a summary to the data of the page's script.
    methods : callable
        From a summary and a `Shell` to how each number was made.
    template : str
        The template itself, where it is not a file of the package.
    """

    name: str
    view: Callable[[Summary], Any]
    title: str = ""
    of_score: Callable[[Score, ScoreTable, Work], Mapping[str, Any]] = _nothing
    of_all: Callable[[Summary, Work], Mapping[str, Any]] = _nothing
    warnings: Callable[[Summary, Work], Iterable[Warned]] = _nothing
    charts: Callable[[Summary], Mapping[str, Any]] = _nothing
    drawn: Callable[[Summary], Mapping[str, Any]] = _nothing
    methods: Callable[[Summary, Shell], Iterable[Entry]] = _nothing
    template: str = ""
