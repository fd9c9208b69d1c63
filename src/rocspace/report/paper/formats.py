"""Tables for papers: results as LaTeX, Markdown and HTML, and what STARD asks for.

`to_latex`, `to_markdown` and `to_html` take a result, or a `PaperTable` that one of the functions
here made of it, and escape every text for their format. Numbers have three decimals, more
near 0 and 1: a share is never printed as 1.000 that is not 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from rocspace._base.calls import explained
from rocspace._base.frozen import kind_of
from rocspace.compare.areas import AucComparison
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.counts.table import ScoreTable
from rocspace.models.choosing import ModelComparison
from rocspace.multiclass.cases import MulticlassScores, OrderedScores
from rocspace.report.markup import html_of, latex_of, markdown_of
from rocspace.report.paper.areas import areas_table, comparison_table, fits_table
from rocspace.report.paper.classes import classes_table, ordered_table
from rocspace.report.paper.flow import Flow, flow_table
from rocspace.report.paper.parts import PaperTable
from rocspace.report.paper.points import points_table, stard_table
from rocspace.report.paper.records import records_table
from rocspace.results.curve import Curve
from rocspace.results.estimates import Estimate
from rocspace.results.fit import Fit
from rocspace.results.point import OperatingPoint

Tabulated: TypeAlias = (
    "PaperTable | Flow | AucComparison | ModelComparison | OperatingPoint | "
    "ConfusionMatrix | MulticlassScores | OrderedScores | "
    "Mapping[str, ScoreTable | Estimate | Curve] | "
    "Mapping[str, OperatingPoint] | Sequence[Mapping[str, Any]]"
)

# What to give in place of an object that has no table.
_SAY = {
    "ScoreTable": '{"score": table}, for its area, or point_at(table, 0.5)',
    "Estimate": '{"score": estimate}',
    "PairedScores": "compare_aucs(data)",
}


def _as_table(result: Any, level: float) -> PaperTable:
    if isinstance(result, PaperTable):
        return result
    if isinstance(result, Flow):
        return flow_table(result)
    if isinstance(result, AucComparison):
        return comparison_table(result, level=level)
    if isinstance(result, OperatingPoint | ConfusionMatrix):
        return stard_table(result, level=level)
    if isinstance(result, MulticlassScores):
        return classes_table(result, level=level)
    if isinstance(result, OrderedScores):
        return ordered_table(result, level=level)
    if isinstance(result, ModelComparison):
        return fits_table(result, level=level)
    if isinstance(result, Mapping) and result:
        first = next(iter(result.values()))
        if all(isinstance(each, Fit) for each in result.values()):
            return fits_table(result, level=level)
        if isinstance(first, ScoreTable | Estimate | Curve):
            return areas_table(result, level=level)
        if isinstance(first, OperatingPoint):
            return points_table(result, level=level)
    if isinstance(result, Sequence) and result and isinstance(result[0], Mapping):
        return records_table(result)
    if say := _SAY.get(kind_of(result)):
        msg = f"There is no table of a single {kind_of(result)}. Give {say}."
        raise TypeError(msg)
    msg = (
        f"There is no table of a single {kind_of(result)}. Give an AucComparison, a "
        "ModelComparison, an OperatingPoint, a ConfusionMatrix, scores of several classes, a "
        'mapping of names to tables, estimates, curves, fits or points, such as {"score": '
        "estimate}, or a list of mappings."
    )
    raise TypeError(msg)


@explained
def to_latex(result: Tabulated, *, level: float = 0.95) -> str:
    r"""Return a result as a LaTeX table, with the rules of the package booktabs.

    Parameters
    ----------
    result : PaperTable, Flow, AucComparison, OperatingPoint or another that is tabulated
        ModelComparison, ConfusionMatrix, MulticlassScores or OrderedScores; a mapping of tables,
        estimates, curves, fits or points by name; or a sequence of records, each a mapping.
    level : float, default 0.95
        Confidence level of the intervals, strictly between 0 and 1.

    Returns
    -------
    str
        A ``table`` environment; special characters of every text are escaped.

    Raises
    ------
    TypeError
        If there is no table of such a result.

    References
    ----------
    No source: a layout.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> print(to_latex({"a_1": tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])}))
    \begin{table}
    \caption{Areas under the ROC curve}
    \begin{tabular}{lrrr}
    \toprule
    Score & AUC & SE & 95 \% CI \\
    \midrule
    a\_1 & 0.875 & 0.177 & 0.252 to 1 \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    return latex_of(_as_table(result, level))


@explained
def to_markdown(result: Tabulated, *, level: float = 0.95) -> str:
    r"""Return a result as a Markdown table, with pipes, one table for each part.

    Parameters
    ----------
    result, level
        As for `to_latex`.

    Returns
    -------
    str
        Signs of Markdown in every text are escaped.

    Raises
    ------
    TypeError
        If there is no table of such a result.

    References
    ----------
    No source: a layout.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> print(to_markdown({"a|b": tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])}))
    **Areas under the ROC curve**
    <BLANKLINE>
    | Score | AUC | SE | 95 % CI |
    | :--- | ---: | ---: | ---: |
    | a\|b | 0.875 | 0.177 | 0.252 to 1 |
    """
    return markdown_of(_as_table(result, level))


@explained
def to_html(result: Tabulated, *, level: float = 0.95) -> str:
    """Return a result as an HTML table without any style.

    Parameters
    ----------
    result, level
        As for `to_latex`.

    Returns
    -------
    str
        A ``table`` element with ``caption`` and header cells; every text is escaped.

    Raises
    ------
    TypeError
        If there is no table of such a result.

    References
    ----------
    No source: a layout.

    Examples
    --------
    >>> from rocspace.report import flow_of
    >>> to_html(flow_of({"rows": 3}, n_pos=1, n_neg=2))[:45]
    '<table><caption>Flow of cases</caption><thead'
    """
    return html_of(_as_table(result, level))
