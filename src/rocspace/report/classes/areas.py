"""Areas of all classes, and of each against the rest, in this mixture and in any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import factorial
from typing import Any

from rocspace._base import text as words
from rocspace.report.classes.numbers import by_area, cases_of
from rocspace.report.classes.shell import class_shell
from rocspace.report.classes.warnings import hardest_of
from rocspace.report.drawing import drawn_interval, score_style, whisker_axis
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.section import Section, Summary, View

TITLES = {
    "hand-till": ("Hand and Till", "all pairs of classes"),
    "mu": ("mu", "all pairs, by the larger column"),
    "macro": ("Macro", "against the rest, mean of the classes"),
    "weighted": ("Weighted", "against the rest, by their shares"),
    "micro": ("Micro", "all pairs of a case and a class"),
    "pdi": ("PDI", "one case of each class; by chance {pdi}"),
    "hum": ("HUM", "one case of each class, all told apart{drawn}; by chance {hum}"),
}
VOLUMES = ("pdi", "hum")

# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View:
    found = by_area(summary)
    kept = [key for key in TITLES if key not in VOLUMES or found[0][key]]
    k, sets = len(summary["classes"]), found[0]["n_sets"]
    about = {
        "pdi": words.share(1 / k),
        "hum": f"1/{words.count(factorial(k))}",
        "drawn": "" if sets is None else f" ({words.count(sets)} sets drawn)",
    }
    estimates = {
        (key, rank): each[key] if key in VOLUMES else each["areas"][key]
        for key in kept
        for rank, each in enumerate(found)
    }
    rest = found[0]["against_the_rest"]
    ends = [
        each["interval"][end] for each in (*estimates.values(), *rest) for end in ("low", "high")
    ]
    axis, x = whisker_axis(ends, 0.0, smallest=-3)
    return {
        **axis,
        "half": x(0.5) if axis["low"] <= 0.5 <= axis["high"] else None,
        "several": len(found) > 1,
        "best": found[0]["name"],
        "rows": [
            {
                "title": TITLES[key][0],
                "note": TITLES[key][1].format(**about),
                "first": not rank,
                "name": found[rank]["name"],
                "style": score_style(rank),
                **drawn_interval(each, x),
            }
            for (key, rank), each in estimates.items()
        ],
        "rest": _against_the_rest(found[0], cases_of(summary), x),
    }


def _against_the_rest(
    best: Mapping[str, Any], cases: Mapping[str, str], x: Callable[[float], float]
) -> list[View]:
    """Return a row for each class against the others, of the best classifier."""
    rest = best["against_the_rest"]
    return [
        {
            "label": each["label"],
            "cases": cases[each["label"]],
            "style": score_style(0),
            "mixture": each["any_mixture"],
            "hardest": hardest_of(best, each["label"]) if len(rest) > 2 else "",
            **drawn_interval(each, x),
        }
        for each in rest
    ]


# --- how it was made --------------------------------------------------------------------------

_HOW = """
areas: Areas of all classes
  Hand and Till's M is the mean, over all ordered pairs of classes, of the probability that a case
  of the first class has a larger score for that class than a case of the second, a tie counting one
  half. mu is the same for the difference of the two columns. Macro, weighted and micro compare each
  class with all others, and depend on the mixture of the classes. All are 1/2 by chance.
  Source: Hand and Till (2001), Machine Learning 45:171-186, equation 7; Kleiman and Page (2019),
  ICML, PMLR 97:3439-3447; Provost and Domingos (2001), CeDER working paper IS-00-04
  Python: {python}
  Shell: rocspace auc {of_classes}{at_level}
areas.interval: Standard error and interval of these areas
  Each case contributes the shares of the cases of each other class that it beats and that beat it;
  the variance is that of these contributions, class by class. The interval allows for one case that
  was not seen, shared by the classes (our own).
  Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845, section 3
  Python: hand_till_estimate(data{name}).interval({level})
  Shell: rocspace auc {of_classes}{at_level}
any_mixture: Areas in another mixture
  The area of a class against the rest is the mean of its areas against each other class in its own
  column, weighted by their shares. In another mixture it lies anywhere between the least and the
  largest of these.
  Source: Fawcett (2006), Pattern Recognition Letters 27:861-874, section 9.1; the range is our own
  Python: class_skew(data{name})
  Shell: rocspace auc {of_classes}
"""
_PDI = """
pdi: Polytomous discrimination index
  Take one case of each class: the probability that the case of a class has the largest score for
  that class, on average over the classes.
  Source: Van Calster et al. (2012), European Journal of Epidemiology 27:761-770
  Python: pdi_estimate(data{name})
  Shell:
"""
_HUM = """
hum: Hypervolume under the ROC manifold
  Take one case of each class and assign the classes to them, each class once: the probability that
  the right assignment is the one nearest to the scores. Assignments that are equally near count in
  equal parts.
  Source: Dreiseitl, Ohno-Machado and Binder (2000), Medical Decision Making 20:323-331
  Python: hum_estimate(data{name}{sets})
  Shell: rocspace auc {of_classes}{at_level}
"""


def name_of(summary: Mapping[str, Any]) -> str:
    """Return the argument that names the classifier with the largest area, where it is needed."""
    return f", {summary['explored']!r}" if len(summary["classifiers"]) > 1 else ""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    name = name_of(summary)
    python = f"hand_till(data{name}), mu_auc(data{name}), one_vs_rest(data{name})"
    first = summary["classifiers"][0]
    told = _HOW + "".join(
        text.lstrip() for key, text in (("pdi", _PDI), ("hum", _HUM)) if first[key]
    )
    drawn = first["n_sets"]
    sets = "" if drawn is None else f", n_sets={drawn}, rng=0"
    named = {"python": python, "name": name, "sets": sets, "of_classes": class_shell(summary)}
    yield from entries(told, shell, **named)


SECTION = Section("class_areas", _view, "Areas", methods=_methods)
