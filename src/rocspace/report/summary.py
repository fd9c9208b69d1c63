"""The summary of one or several scores: every number of a report, as plain JSON types.

**The schema**, version ``rocspace.summary/1``. Keys come in this order. New keys may be added;
a change of the meaning of one changes the version. Nothing is rounded. Infinite numbers are
the strings ``"inf"`` and ``"-inf"``, undefined ones (0/0) null; so
``json.dumps(summary, allow_nan=False)`` always works. Counts are whole numbers, or sums of
weights where `weighted`.

``schema``, ``rocspace``
    Version of this schema, and of the package that made it.
``source``
    What was read, as the caller describes it. The report knows these keys, all optional, and
    lists any other: ``file``, ``format``, ``rows``, ``label`` and ``weight`` (columns),
    ``positive`` (the value of the label), ``labels`` (rows by value), ``scores_chosen``
    (words), ``dropped`` (rows by column), ``counting`` ("exact" or "binned" by score),
    ``command``.
``settings``
    ``level`` of the intervals; ``fpr`` and ``tpr`` of the fixed operating points.
``scores``
    One entry for each, in the order given: ``name``; ``error`` (null, or why there are no
    numbers: then all from ``auc`` on but ``histogram`` are null or empty);
    ``direction`` ("higher" or "lower" scores are more positive); ``weighted``;
    ``n``, ``n_pos``, ``n_neg``, ``n_eff`` {pos, neg}, ``prevalence``; ``distinct`` scores,
    ``lowest``, ``highest``; ``tie_chance`` of a positive with a negative; then

    * ``auc``: ``value``, ``se``, ``method``, ``interval`` {low, high, level, method},
      ``bounds`` {low, high} (all ties lost, won), ``test`` of one half {statistic, pvalue, df,
      df_denominator, alternative, method, note} (null where weighted);
    * ``gini``, ``ks``, ``youden``, ``eer``, ``closest_to_perfect``: numbers;
    * ``partial_auc``: list of ``fpr`` [low, high], ``standardised``, and of the raw area
      ``value``, ``se``, ``method``, ``interval``;
    * ``operating_points``: list of ``kind`` ("youden", "closest", "fpr", "tpr"), ``target``
      (the rate asked for, or null), ``tied`` (how many points are equally good; at most
      `MAX_TIED` are listed), ``criterion`` (words), ``threshold``, ``threshold_text`` (the
      decimal with the fewest decimals that gives the same counts), ``next_score`` (any
      threshold from there, excluded, to ``threshold`` decides alike), ``tp``, ``fp``, ``fn``,
      ``tn``, ``rates`` {tpr, fpr, tnr, fnr, ppv, npv, lr_positive, lr_negative,
      diagnostic_odds_ratio, accuracy, predicted_positive_rate, f_score, informedness,
      balanced_accuracy: {value, low, high, method}}, ``measures`` {accuracy, ...: number};
    * ``curve``: columns ``threshold``, ``tp``, ``fp``, ``tpr``, ``fpr``, ``next_score`` (as above)
      of the points to draw, ``points`` of the whole curve, ``points_kept``, ``thinning``: "none",
      "collinear" (points inside straight runs left out; nothing is lost) or "within" (every point
      left out lies at most ``within`` from the drawn polygon, here and in the graph of precision
      against recall: half a pixel of 1000). The operating points, the vertices of the convex hull
      and the points of round thresholds always stay; ``hull`` says which points are vertices. No
      number above comes from the thinned curve;
    * ``histogram``: ``edges``, counts ``pos`` and ``neg``, the same as shares of their class
      ``pos_share`` and ``neg_share``, and ``outside`` {below, above, minus_infinity,
      infinity: {pos, neg}}. A bin holds its lower edge, the last one both;
    * where more was asked for (`More`), ``calibration``: ``error`` (null, or why there is none:
      then nothing follows), ``groups`` (columns ``predicted``, ``observed``, ``low``, ``high``,
      ``size``, ``pos``), ``isotonic`` (columns ``predicted``, ``observed``), ``remark`` (why there
      are no slopes, or empty), ``slope``, ``intercept`` and ``in_the_large`` {value, se, method,
      interval, test}, their ``joint_test``, and ``brier``: the ``score`` and its parts
      ``miscalibration``, ``discrimination``, ``uncertainty``;
    * ``precision_recall``: ``average_precision`` {value, interval}, the ``area`` {value, se,
      method, interval}, ``break_even`` and the ``curve`` {recall, precision};
    * ``decision``: ``error`` (as above), columns ``threshold``, ``net_benefit``, ``treat_all``;
    * ``gains``: columns ``depth``, ``tpr``, ``lift``, ``precision``, the ``curve`` {depth, tpr} and
      the ``lift_curve`` {depth, lift};
    * ``predictive_values`` of the first point of the best Youden index: list of ``prevalence``,
      ``ppv`` and ``npv`` {value, low, high, method};
    * ``bands``: list of ``method``, ``seed`` (of what is
      drawn), ``error`` (null, or why there is none: then nothing follows), ``simultaneous``,
      ``level``, ``area`` between the bounds, and ``low`` and ``high`` {fpr, tpr}: as many points
      as keep within 0.001;
    * ``granular`` (null without a finite range of the scores): ``range`` of the scores;
      ``areas``: columns ``share`` of the range, ``delta``, ``low``, ``high``; ``curves``:
      list of ``share``, ``delta``, ``auc_low``, ``auc_high``, ``low`` and ``high``;
    * ``folds``, where there are some: columns ``names``, ``n_pos``, ``n_neg``, ``auc`` (null
      where a class is missing), how many lack one as ``single_class``, their ``mean``
      {value, se, method, interval}, the ``average`` of their curves {method, fpr, tpr, low,
      high}, and the first 20 ``curves`` {fpr, tpr};
    * ``fits``, smooth curves: list of ``model``, ``likelihood`` (what it is of), ``auc`` {value,
      se, method, interval}, ``parameters`` (list of ``symbol``, ``value``, ``se``),
      ``covariance_method``, ``loglik``, ``aic``, ``bic``, ``goodness`` (p value, or null),
      ``goodness_note`` (its Monte Carlo error), ``n_sim`` (samples of each test), ``flags`` and
      ``remarks`` (a sentence for each), ``distance`` to the empirical curve, ``failure`` (why there
      is no fit, or null) and ``curve`` {fpr, tpr}.
    * ``groups``, where there are some: list of ``name``, ``n_pos``, ``n_neg``, ``auc`` {value, se,
      method, interval} (null where a class is missing), and at the first threshold of the best
      Youden index of all cases ``tpr``, ``tnr``, ``ppv``, ``npv`` {value, low, high, method}.
``further``
    Only where there are more scores than are described in full (``more.most``): list of the others,
    the best by area first, with the keys from ``name`` to ``tie_chance`` above and ``auc``,
    ``gini`` and ``ks``.
``comparison``
    Only with several scores of the same cases: ``names``; ``reference`` (the best score, with
    which each other one is compared, or null: all pairs); ``adjustment`` of p values;
    ``covariance`` of the areas; ``overall`` test {statistic, pvalue, df, df_denominator,
    alternative, method, note} that all areas are equal; ``pairs``: list of ``first``,
    ``second``, ``value`` (first minus second), ``se``, ``correlation``, ``interval``, ``test``,
    ``adjusted_pvalue``;
    ``difference`` of the two best curves (null with weights, or beyond a million cases):
    ``first``, ``second``, ``method``, ``level``, ``replicates``, ``seed``,
    columns ``fpr``, ``difference``, ``low``, ``high``, and where the curves differ significantly,
    ``differs``
    {low, high, above}; ``costs``: from ``share[i]`` to ``share[i + 1]`` of a missed positive in
    the cost of one error of each kind, the scores ``best[i]`` cost least at their best
    thresholds, at this ``prevalence``.
``references``
    Only where curves were given: list of ``name``, ``kind`` (in words), ``auc``, the points
    to draw as columns ``fpr`` and ``tpr``, and ``scores``, one for each score that has a curve:
    its ``name``, the ``difference`` of its area minus that of the reference, the ``distance`` of
    the curves (the area between them), and whether the reference is ``inside`` the likelihood
    band of the score (null where no bands were asked for, or there is none).
``warnings``
    List of ``code``, ``score`` (name, or null for all), ``message``, and ``higher_is_positive``
    (true or false where the other direction of the score may be the remedy, else null).
``methods``
    List of ``id`` (the key it explains), ``name``, ``sentence``, ``citation``, ``coverage``
    (what was measured of it, or empty), ``python`` and ``shell``: lines that give the same
    numbers.

**Of several classes** the version is ``rocspace.class_summary/1``. ``schema``, ``rocspace``,
``source``, ``settings``, ``warnings`` and ``methods`` are as above; ``scores`` are those of each
class against all others by the classifier that is ``explored``, by default that of largest area;
``others`` are the next classifiers, as many as have 24 curves together: ``name``, and ``scores``
as above; and

``classes``, ``classifiers``
    As in ``rocspace.classes/1``, which ``rocspace auc --json`` prints of several classes. An entry
    of ``classifiers`` also has ``pdi`` and ``hum`` (estimates as all others, or null for more than
    six classes, where one has no cases, or where it would take long), ``n_sets`` (how many sets of
    cases were drawn for ``hum``, null for all) and the ``decision`` by the largest column:
    ``counts``, a
    row for each class and a column for what it was called; ``correct`` {value, low, high, method},
    the share that was called right; ``tied`` cases, which have several largest columns and count
    for the first; ``recall`` and ``precision`` of each class, lists of {value, low, high, method}.
    With costs (`More`) also ``at_costs``: the matrix of ``costs``, a row for each call, and a list
    of ``rules``: ``rule`` ("largest", "expected cost", or "weights": chosen on these cases, of up
    to 20,000), ``class_weight`` of each class, ``cost`` per case (an estimate as all others), and
    ``counts``, ``correct``, ``recall``, ``precision`` as above.
``comparison``
    Only with several classifiers: that of Hand and Till's areas, without ``difference`` and
    ``costs``.

**Of classes that have an order** the version is ``rocspace.ordered_summary/1``. ``schema``,
``rocspace``, ``source``, ``settings`` (``fpr`` and ``tpr`` are empty), ``warnings`` and ``methods``
are as above; and

``classes``
    In their order: list of ``label`` and ``cases``.
``scores``
    One entry for each marker: ``name``; ``direction`` ("higher", or "lower" where it was turned);
    ``vus`` and ``hand_till`` (estimates as all others); ``pairs``: ``first``, ``second`` and an
    estimate; ``cuts``, the best by Youden's index: ``cut``, the thresholds that all classes but the
    first begin at, the ``rate`` of each class that is called right, and the index ``youden``;
    ``surface`` (null unless there are three classes): ``rate``, and ``middle[i][j]``, the largest
    rate of the middle class where those of the first and the last are at least ``rate[i]`` and
    ``rate[j]``.
``comparison``
    Only with several markers: that of their volumes, without ``difference`` and ``costs``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import rocspace
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction, check_level, check_sizes
from rocspace.counts.paired import PairedScores, take_scores
from rocspace.counts.table import ScoreTable
from rocspace.curves.summaries import auc
from rocspace.multiclass.cases import MulticlassScores, OrderedScores
from rocspace.report import classes, ordered, sections
from rocspace.report.areas import described_area, facts_of, single_class
from rocspace.report.explained import Shell
from rocspace.report.plain import plain_copy
from rocspace.report.section import More, Section, Work
from rocspace.results.curve import Curve

SCHEMA = "rocspace.summary/1"
_DEEP = 3  # scores with bands and smooth curves where there are more than are described in full


@explained
def summarise(
    tables: Mapping[str, ScoreTable] | MulticlassScores | OrderedScores,
    *,
    data: PairedScores | None = None,
    more: More | None = None,
    source: Mapping[str, Any] | None = None,
    references: Mapping[str, Curve] | None = None,
    level: float = 0.95,
    fpr: Sequence[float] = (0.01, 0.05, 0.1, 0.2),
    tpr: Sequence[float] = (0.8, 0.9, 0.95, 0.99),
) -> dict[str, Any]:
    """Compute every number of a report about one or several scores.

    Parameters
    ----------
    tables : mapping of str to ScoreTable, MulticlassScores, or OrderedScores
        The table of each score by its name; or the scores of several classes, or of ordered ones,
        which have editions of their own: `data` and `references` are then left out, and of `more`
        all but the costs, of ordered classes these too.
    data : PairedScores, optional
        The same scores, case by case: they are then compared with each other.
    more : More, optional
        Options of the slower results: bands, granularities, folds, comparisons. These are
        computed if this or `data` is given.
    source : mapping, optional
        What was read; passed through. The known keys are listed in this module's
        documentation.
    references : mapping of str to Curve, optional
        Curves to show beside those of the scores, by name: published, averaged, true ones. They
        have no error of their own here.
    level : float, default 0.95
        Level of all confidence intervals.
    fpr, tpr : sequence of float
        Operating points to show: the best with at most that fpr, at least that tpr.

    Returns
    -------
    dict
        Plain JSON types in a documented order: see this module's documentation. A score
        that lacks a class has an ``error`` instead of numbers.

    Raises
    ------
    TypeError
        If a reference is not a curve.
    SingleClassError
        If fewer than two of several classes have cases, or one of the ordered classes has none.
    ValueError
        If there is no table, `level`, `fpr` or `tpr` are out of range, the names of `data`
        are not those of the tables, or folds or groups are given without `data`.

    Notes
    -----
    O(k) in the distinct scores of each table; with `data` also a bootstrap of its n cases, of
    200 to 1000 replicates. The same numbers every time: the seed is fixed.

    References
    ----------
    Those of each number.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> summary = summarise({"score": tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])})
    >>> summary["scores"][0]["auc"]["value"]
    0.875
    >>> [warning["code"] for warning in summary["warnings"]]
    ['few_positives', 'few_negatives', 'heavy_ties']
    """
    if isinstance(tables, OrderedScores):
        _refuse_with_classes(data, more and more.fold, more and more.group, references)
        if more is not None and more.costs is not None:
            msg = "costs go with a column for each class; of ordered classes leave them out."
            raise ValueError(msg)
        return _of_order(tables, more, source, check_level(level))
    if isinstance(tables, MulticlassScores):
        _refuse_with_classes(data, more and more.fold, more and more.group, references)
        return _of_classes(tables, more, source, check_level(level), fpr, tpr)
    if isinstance(tables, ScoreTable):
        msg = "summarise takes tables by the name of their score. Say summarise({'score': table})."
        raise TypeError(msg)
    _check_tables(tables)
    if not tables:
        msg = "tables is empty. Give at least one table, as in {'score': table}."
        raise ValueError(msg)
    tables = {str(name): table for name, table in tables.items()}
    _check_cases(tables, data, more)
    more = More() if more is None and data is not None else more
    best, further = _divided(tables, more)
    work = Work(
        tables=best,
        data=data if data is None or not further else take_scores(data, list(best)),
        more=more,
        level=check_level(level),
        fpr=_targets("fpr", fpr),
        tpr=_targets("tpr", tpr),
        references=_curves(references or {}),
    )
    summary = _begun(SCHEMA, source, work, sections.SECTIONS, spare=bool(further))
    if further:
        described = (described_area(*each, work.level) for each in further.items())
        summary["further"] = sorted(described, key=_by_area)
    return _finished(summary, work, sections.SECTIONS)


def _check_tables(tables: Any) -> None:
    """Raise, with the line to write, unless these are tables by name."""
    if isinstance(tables, PairedScores):
        line = "summarise({name: data.table(name) for name in data.names}, data=data)"
    elif not isinstance(tables, Mapping) or hasattr(tables, "columns"):
        line = 'summarise({"score": tabulate(df["y"], df["score"])})'
    elif not all(isinstance(each, ScoreTable) for each in tables.values()):
        line = 'summarise({"score": tabulate(y_true, y_score)})'
    else:
        return
    msg = f"summarise takes tables by the name of their score. Say {line}."
    raise TypeError(msg)


def _divided(
    tables: Mapping[str, ScoreTable], more: More | None
) -> tuple[Mapping[str, ScoreTable], Mapping[str, ScoreTable]]:
    """Return the tables to describe in full and the others; where there are others, by area."""
    if more is None:
        return tables, {}
    check_sizes(most=more.most)
    if len(tables) <= more.most:
        return tables, {}
    areas = {n: auc(each) for n, each in tables.items() if each.n_pos and each.n_neg}
    ranked = sorted(areas, key=lambda name: -areas[name])
    best = ranked[: more.most] or [next(iter(tables))]
    others = {name: table for name, table in tables.items() if name not in set(best)}
    return {name: tables[name] for name in best}, others


def _by_area(described: Mapping[str, Any]) -> float:
    return 0.0 if described["auc"] is None else -float(described["auc"]["value"])


def _begun(
    schema: str,
    source: Mapping[str, Any] | None,
    work: Work,
    parts: Iterable[Section],
    *,
    spare: bool = False,
) -> dict[str, Any]:
    """Return the head of a summary, and what there is to say of each table.

    To `spare` work only the best few have the slow results.
    """
    lesser: set[str] = set()
    if spare:
        lesser = set(sorted(work.tables, key=lambda name: -auc(work.tables[name]))[_DEEP:])
    fast = replace(work, more=None)
    return {
        "schema": schema,
        "rocspace": rocspace.__version__,
        "source": {} if source is None else plain_copy(source),
        "settings": {"level": work.level, "fpr": work.fpr, "tpr": work.tpr},
        "scores": [
            _score(name, table, fast if name in lesser else work, parts)
            for name, table in work.tables.items()
        ],
    }


def _finished(summary: dict[str, Any], work: Work, parts: Sequence[Section]) -> dict[str, Any]:
    """Add what there is to say of all scores."""
    for section in parts:
        summary |= section.of_all(summary, work)
    shell = Shell(summary["scores"], summary["source"], work.level)
    summary["warnings"] = [each for part in parts for each in part.warnings(summary, work)]
    summary["methods"] = [each for part in parts for each in part.methods(summary, shell)]
    return summary


def _check_cases(
    tables: Mapping[str, ScoreTable], data: PairedScores | None, more: More | None
) -> None:
    if data is not None and set(data.names) != set(tables):
        msg = (
            f"data has the scores {', '.join(data.names)}, but the tables are those of "
            f"{', '.join(map(str, tables))}. Make each with data.table(name)."
        )
        raise ValueError(msg)
    if data is None and more is not None:
        for name, given in (("Folds", more.fold), ("Groups", more.group)):
            if given is not None:
                msg = (
                    f"{name} need the cases: give them as data=pair_scores(...), even of one score."
                )
                raise ValueError(msg)


def _curves(references: Mapping[str, Any]) -> dict[str, Curve]:
    for name, curve in references.items():
        if not isinstance(curve, Curve):
            msg = (
                f"references[{name!r}] is a {type(curve).__name__}, not a curve. Give one, such as "
                "roc_curve(table), an average, a summary curve or a population."
            )
            raise TypeError(msg)
    return {str(name): curve for name, curve in references.items()}


def _targets(name: str, values: Iterable[float]) -> list[float]:
    return list(dict.fromkeys(check_fraction(name, list(values)).tolist()))


def _of_classes(
    data: MulticlassScores,
    more: More | None,
    source: Mapping[str, Any] | None,
    level: float,
    fpr: Sequence[float],
    tpr: Sequence[float],
) -> dict[str, Any]:
    """Compute every number of a report about several classes.

    The tables are those of each class against the rest, by the classifier with the largest area.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of absent and of few cases the summary warns itself
        return _about_classes(data, more, source, level, fpr, tpr)


def _of_order(
    data: OrderedScores, more: More | None, source: Mapping[str, Any] | None, level: float
) -> dict[str, Any]:
    """Compute every number of a report about markers of ordered classes."""
    work = Work(
        tables={},
        data=None,
        more=more,
        level=level,
        fpr=[],
        tpr=[],
        references={},
        ordered=data,
    )
    summary = _begun(ordered.SCHEMA, source, work, ordered.SECTIONS)
    return _finished(summary, work, ordered.SECTIONS)


def _about_classes(
    data: MulticlassScores,
    more: More | None,
    source: Mapping[str, Any] | None,
    level: float,
    fpr: Sequence[float],
    tpr: Sequence[float],
) -> dict[str, Any]:
    best = classes.first_explored(data, None if more is None else more.explored)
    work = Work(
        tables=classes.tables_against_the_rest(data, best),
        data=None,
        more=more,
        level=level,
        fpr=_targets("fpr", fpr),
        tpr=_targets("tpr", tpr),
        references={},
        classes=data,
    )
    summary = _begun(classes.SCHEMA, source, work, classes.SECTIONS)
    others = [
        {
            "name": name,
            "scores": [
                _score(label, table, work, classes.SECTIONS)
                for label, table in classes.tables_against_the_rest(data, name).items()
            ],
        }
        for name in classes.others_explored(data, best)
    ]
    summary |= {"explored": best, "others": others}
    return _finished(summary, work, classes.SECTIONS)


def _refuse_with_classes(*given: Any) -> None:
    names = ("data", "fold", "group", "references")
    wrong = [name for name, value in zip(names, given, strict=True) if value is not None]
    if wrong:
        msg = f"{wrong[0]} goes with tables of two classes; of several classes leave it out."
        raise ValueError(msg)


def _score(name: str, table: ScoreTable, work: Work, parts: Iterable[Section]) -> dict[str, Any]:
    complete = bool(table.n_pos and table.n_neg)
    score: dict[str, Any] = {
        "name": str(name),
        "error": None if complete else single_class(table),
        **facts_of(table),
        **_NO_NUMBERS,
    }
    for section in parts:
        score |= section.of_score(score, table, work)
    return score


# In this order, whichever section finds them.
_NUMBERS = ("tie_chance", "auc", "gini", "ks", "youden", "eer", "closest_to_perfect")
_NO_NUMBERS: dict[str, Any] = {
    **dict.fromkeys(_NUMBERS),
    "partial_auc": [],
    "operating_points": [],
    "curve": None,
    "histogram": None,
}
