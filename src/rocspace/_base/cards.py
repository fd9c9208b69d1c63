"""How results show themselves in a notebook: ``_repr_html_ = repr_html`` in a class is all.

It looks only at attributes, so it stands below every result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocspace._base.text import (
    NOTHING,
    Said,
    adjusted,
    card,
    count,
    difference_name,
    distinct,
    either,
    estimate,
    general,
    interval,
    joint_distribution,
    level_text,
    p_equals,
    picture,
    pvalue,
    share,
    threshold,
)

_LEVEL = 0.95
_ROWS = 8  # of a table that is longer


def repr_html(result: Any) -> str:
    """Return a result as a small card of HTML, every text escaped."""
    for kind in type(result).__mro__:
        if kind.__name__ in _CARDS:
            return _CARDS[kind.__name__](result)
    return card(type(result).__name__, {"": repr(result)})


def _ends(ends: Any) -> str:
    return interval(ends.low, ends.high)


def _level(level: float) -> str:
    return level_text(level) if level == level else "certain"


def _said(found: Any) -> Said:
    return estimate(found.value, *found.interval(_LEVEL))


def _interval(result: Any) -> str:
    rows = {"From, to": _ends(result), "Level": _level(result.level)}
    return card("Interval", rows | ({"Method": result.method} if result.method else {}))


def _estimate(result: Any) -> str:
    rows = {
        "Value": _said(result).value,
        "Standard error": either(result.se),
        f"{_level(_LEVEL)} interval": _said(result).interval,
        "Method": result.method,
    }
    return card(type(result).__name__, rows)


def _difference(result: Any) -> str:
    rows = {
        "Difference": _said(result).value,
        "Standard error": either(result.se),
        f"{_level(_LEVEL)} interval": _said(result).interval,
        "p, of no difference": pvalue(result.test().pvalue),
        "Of": f"{either(result.first.value)} and {either(result.second.value)}",
        "Method": result.method,
    }
    return card("Difference", rows)


def _test(result: Any) -> str:
    rows = {
        "p": pvalue(result.pvalue),
        "Statistic": general(result.statistic),
        **_freedom(result),
        "Alternative": result.alternative,
        "Method": result.method,
    }
    return card("TestResult", rows | ({"Note": result.note} if result.note else {}))


def _freedom(result: Any) -> dict[str, str]:
    known = [general(df) for df in (result.df, result.df_denominator) if df == df]
    return {"Degrees of freedom": " and ".join(known)} if known else {}


def _all_equal(overall: Any) -> str:
    shown = joint_distribution(overall.statistic, overall.df, overall.df_denominator)
    note = f" ({overall.note})" if overall.note else ""
    return f"{shown}{p_equals(overall.pvalue)}{note}"


def _comparison(result: Any) -> str:
    rows = {
        name: "{0.value} ({0.interval})".format(_said(each))
        for name, each in zip(result.names, result.estimates, strict=True)
    }
    rows["All equal"] = _all_equal(result.overall)
    pairs = [
        (
            difference_name(pair.first, pair.second),
            *_said(pair.difference),
            pvalue(pair.adjusted_pvalue),
        )
        for pair in result.pairs[:_ROWS]
    ]
    if len(result.pairs) > _ROWS:
        pairs.append((f"and {len(result.pairs) - _ROWS} more", "", "", ""))
    header = ("Pair", "Difference", f"{_level(_LEVEL)} interval", adjusted(result.adjustment))
    return card("AucComparison", rows, header=header, table=pairs)


def _pair(result: Any) -> str:
    rows = {
        "Pair": difference_name(result.first, result.second),
        "Difference": _said(result.difference).value,
        f"{_level(_LEVEL)} interval": _said(result.difference).interval,
        "p": pvalue(result.test.pvalue),
        "p, adjusted": pvalue(result.adjusted_pvalue),
    }
    return card("PairTest", rows)


def _point(result: Any) -> str:
    rows = {"Threshold": threshold(result.threshold, result.next_score)} | _rates(result)
    if result.criterion:
        rows["Chosen by"] = result.criterion
    return card("OperatingPoint", rows, header=_CROSS, table=_crossed(result))


def _matrix(result: Any) -> str:
    return card("ConfusionMatrix", _rates(result), header=_CROSS, table=_crossed(result))


_CROSS = ("", "called positive", "called negative")


def _crossed(result: Any) -> list[tuple[str, str, str]]:
    return [
        ("positive", count(result.tp), count(result.fn)),
        ("negative", count(result.fp), count(result.tn)),
    ]


def _rates(result: Any) -> dict[str, str]:
    pairs = {
        "True positive rate": (result.tp, result.fn),
        "False positive rate": (result.fp, result.tn),
        "Precision": (result.tp, result.fp),
    }
    return {
        name: share(part / (part + rest)) if part + rest else NOTHING
        for name, (part, rest) in pairs.items()
    }


def _table(result: Any) -> str:
    rows = {
        "Distinct scores": f"{len(result):,}",
        "Positives": count(result.n_pos),
        "Negatives": count(result.n_neg),
        "More positive": "higher scores" if result.higher_is_positive else "lower scores",
    }
    first = [
        (score, count(pos), count(neg))
        for score, pos, neg in zip(
            distinct(result.score[:_ROWS].tolist()),
            result.pos[:_ROWS].tolist(),
            result.neg[:_ROWS].tolist(),
            strict=True,
        )
    ]
    if len(result) > _ROWS:
        first.append((f"and {len(result) - _ROWS:,} more", "", ""))
    return card("ScoreTable", rows, header=("score", "positives", "negatives"), table=first)


def _curve(result: Any) -> str:
    rows = {
        "Points": f"{len(result):,}",
        "Positives": count(result.n_pos),
        "Negatives": count(result.n_neg),
    }
    return card("RocCurve", rows, image=picture([(result.fpr, result.tpr)]))


def _band(result: Any) -> str:
    rows = {
        "Method": result.method,
        "Level": _level(result.level),
        "Holds for": "the whole curve" if result.simultaneous else "each point by itself",
        "Area between": share(result.area),
    }
    region = ((result.fpr, result.lower), (result.fpr, result.upper))
    return card("Band", rows, image=picture([], region=region, name="Confidence band"))


def _difference_band(result: Any) -> str:
    # The unit square holds differences from -1 to 1.
    height = [(1 + y) / 2 for y in (result.difference, result.lower, result.upper)]
    image = picture(
        [(result.fpr, height[0]), ([0, 1], [0.5, 0.5])],
        region=((result.fpr, height[1]), (result.fpr, height[2])),
        name="Difference of two curves, from -1 to 1",
        diagonal=False,
    )
    rows = {
        "Of": difference_name(*result.names),
        "Level": f"{_level(result.level)}, for all rates together",
        "Sure to differ": "somewhere" if result.differs.any() else "nowhere",
        "Method": result.method,
    }
    return card("DifferenceBand", rows, image=image)


def _average(result: Any) -> str:
    rows = {
        "Method": result.method,
        "Curves": f"{result.n_curves:,}",
        "Points": f"{len(result):,}",
    }
    image = picture([(result.fpr, result.tpr)], name="Average ROC curve")
    return card("AverageCurve", rows, image=image)


def _granular(result: Any) -> str:
    rows = {
        "Granularity": general(result.delta),
        "Upper area": either(result.auc_upper),
        "Area": either(result.auc),
        "Lower area": either(result.auc_lower),
    }
    lines = [(result.lower_fpr, result.lower_tpr), (result.upper_fpr, result.upper_tpr)]
    return card("GranularRoc", rows, image=picture(lines, name="Lower and upper ROC curve"))


_CARDS: dict[str, Callable[[Any], str]] = {
    "AucComparison": _comparison,
    "AverageCurve": _average,
    "Band": _band,
    "ConfusionMatrix": _matrix,
    "Difference": _difference,
    "DifferenceBand": _difference_band,
    "Estimate": _estimate,
    "GranularRoc": _granular,
    "Interval": _interval,
    "OperatingPoint": _point,
    "PairTest": _pair,
    "RocCurve": _curve,
    "ScoreTable": _table,
    "TestResult": _test,
}
