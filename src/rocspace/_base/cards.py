"""How results show themselves in a notebook: ``_repr_html_ = repr_html`` in a class is all.

It looks only at attributes, so it stands below every result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocspace._base import text as _html
from rocspace._base.text import card, general, joint_law, picture, pvalue, share

_LEVEL = 0.95
_ROWS = 8  # of a table that is longer


def repr_html(result: Any) -> str:
    """Return a result as a small card of HTML, every text escaped."""
    for kind in type(result).__mro__:
        if kind.__name__ in _CARDS:
            return _CARDS[kind.__name__](result)
    return card(type(result).__name__, {"": repr(result)})


def _number(value: Any) -> str:
    """Return a share with three decimals or more, any other number with three digits."""
    x = float(value)
    return share(x) if -1 <= x <= 1 else general(x)


def _count(value: Any) -> str:
    return f"{value:,.0f}" if value == round(value) else f"{value:,.2f}"


def _ends(interval: Any) -> str:
    return f"{_number(interval.low)} to {_number(interval.high)}"


def _level(level: float) -> str:
    return f"{100 * level:.6g} %" if level == level else "certain"


def _interval(result: Any) -> str:
    rows = {"From, to": _ends(result), "Level": _level(result.level)}
    return card("Interval", rows | ({"Method": result.method} if result.method else {}))


def _estimate(result: Any) -> str:
    rows = {
        "Value": _number(result.value),
        "Standard error": _number(result.se),
        f"{_level(_LEVEL)} interval": _ends(result.interval(_LEVEL)),
        "Method": result.method,
    }
    return card(type(result).__name__, rows)


def _difference(result: Any) -> str:
    rows = {
        "Difference": _number(result.value),
        "Standard error": _number(result.se),
        f"{_level(_LEVEL)} interval": _ends(result.interval(_LEVEL)),
        "p, of no difference": pvalue(result.test().pvalue),
        "Of": f"{_number(result.first.value)} and {_number(result.second.value)}",
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
    law = joint_law(overall.statistic, overall.df, overall.df_denominator)
    note = f" ({overall.note})" if overall.note else ""
    return f"{law}p {pvalue(overall.pvalue)}{note}"


def _comparison(result: Any) -> str:
    rows = {
        name: f"{_number(each.value)} ({_ends(each.interval(_LEVEL))})"
        for name, each in zip(result.names, result.estimates, strict=True)
    }
    rows["All equal"] = _all_equal(result.overall)
    pairs = [
        (
            f"{pair.first} less {pair.second}",
            _number(pair.difference.value),
            _ends(pair.difference.interval(_LEVEL)),
            pvalue(pair.adjusted_pvalue),
        )
        for pair in result.pairs[:_ROWS]
    ]
    if len(result.pairs) > _ROWS:
        pairs.append((f"and {len(result.pairs) - _ROWS} more", "", "", ""))
    header = ("Pair", "Difference", f"{_level(_LEVEL)} interval", f"p, {result.adjustment}")
    return card("AucComparison", rows, header=header, table=pairs)


def _pair(result: Any) -> str:
    rows = {
        "Pair": f"{result.first} less {result.second}",
        "Difference": _number(result.difference.value),
        f"{_level(_LEVEL)} interval": _ends(result.difference.interval(_LEVEL)),
        "p": pvalue(result.test.pvalue),
        "p, adjusted": pvalue(result.adjusted_pvalue),
    }
    return card("PairTest", rows)


def _point(result: Any) -> str:
    at = f"{float(result.threshold):.6g}".replace("inf", "∞").replace("-", _html.MINUS)
    rows = {"Threshold": at} | _rates(result)
    if result.criterion:
        rows["Chosen by"] = result.criterion
    return card("OperatingPoint", rows, header=_CROSS, table=_crossed(result))


def _matrix(result: Any) -> str:
    return card("ConfusionMatrix", _rates(result), header=_CROSS, table=_crossed(result))


_CROSS = ("", "called positive", "called negative")


def _crossed(result: Any) -> list[tuple[str, str, str]]:
    return [
        ("positive", _count(result.tp), _count(result.fn)),
        ("negative", _count(result.fp), _count(result.tn)),
    ]


def _rates(result: Any) -> dict[str, str]:
    pairs = {
        "True positive rate": (result.tp, result.fn),
        "False positive rate": (result.fp, result.tn),
        "Precision": (result.tp, result.fp),
    }
    return {
        name: share(part / (part + rest)) if part + rest else _html.NOTHING
        for name, (part, rest) in pairs.items()
    }


def _table(result: Any) -> str:
    rows = {
        "Distinct scores": f"{len(result):,}",
        "Positives": _count(result.n_pos),
        "Negatives": _count(result.n_neg),
        "More positive": "higher scores" if result.higher_is_positive else "lower scores",
    }
    first = [
        (f"{score:.6g}", _count(pos), _count(neg))
        for score, pos, neg in zip(
            result.score[:_ROWS].tolist(),
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
        "Positives": _count(result.n_pos),
        "Negatives": _count(result.n_neg),
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
        "Of": f"{result.names[0]} less {result.names[1]}",
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
        "Upper area": _number(result.auc_upper),
        "Area": _number(result.auc),
        "Lower area": _number(result.auc_lower),
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
