"""The volume under the ROC surface of each marker, and the areas of its pairs of classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rocspace._base.text import count
from rocspace.report.drawing import drawn_interval, said, score_style, whisker_axis
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.ordered.numbers import by_volume, chance_of, name_of, ordered_shell
from rocspace.report.section import Section, Summary, View

_PAIRS = 45  # of classes that are listed


def _view(summary: Summary) -> View:
    found, chance = by_volume(summary), chance_of(summary)
    pairs = sorted(found[0]["pairs"], key=lambda pair: pair["value"])[:_PAIRS]
    held = [each["vus"] for each in found]
    volumes, x = _axis(held, chance)
    areas, at = _axis(pairs, 0.5)
    return {
        "volumes": {**volumes, "mark": x(chance)},
        "areas": {**areas, "mark": at(0.5)},
        "chance": f"1/{count(round(1 / chance))}",
        "best": found[0]["name"],
        "several": len(found) > 1,
        "rows": [
            {
                "name": each["name"],
                "style": score_style(rank),
                "mean": said(each["hand_till"]),
                **drawn_interval(each["vus"], x),
            }
            for rank, each in enumerate(found)
        ],
        "pairs": [
            {"pair": pair, "style": score_style(0), **drawn_interval(pair, at)} for pair in pairs
        ],
        "untold": len(found[0]["pairs"]) - len(pairs),
    }


def _axis(found: Sequence[View], chance: float) -> tuple[View, Callable[[float], float]]:
    ends = [each["interval"][end] for each in found for end in ("low", "high")]
    return whisker_axis([chance, *ends], 0.0, smallest=-3)


_HOW = """
vus: Volume under the ROC surface
  Take one case of each class: the probability that their scores rise in the order of the classes.
  For tied cases all orders are equally likely. By chance it is 1 over the number of orders.
  Source: Mossman (1999), Medical Decision Making 19:78-89; Nakas and Yiannoutsos (2004), Statistics
  in Medicine 23:3437-3449
  Python: vus(data{name})
  Shell: rocspace auc {of_order}{at_level}
vus.interval: Standard error and interval of the volume
  Each case contributes the share of the sets with it that are in order; the variance is that of
  these contributions, class by class. The interval allows for one case that was not seen, shared
  by the classes (our own).
  Source: Nakas and Yiannoutsos (2004), Statistics in Medicine 23:3437-3449
  Python: vus_estimate(data{name}).interval({level})
  Shell: rocspace auc {of_order}{at_level}
hand_till: Mean area of all pairs of classes
  The mean over all pairs of the chance that the case of the later class has the larger score, a tie
  counting one half.
  Source: Hand and Till (2001), Machine Learning 45:171-186, equation 7
  Python: hand_till(data{name}), pairwise_areas(data{name})
  Shell: rocspace auc {of_order}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    yield from entries(_HOW, shell, name=name_of(summary), of_order=ordered_shell(summary))


SECTION = Section("ordered_volumes", _view, "Volumes", methods=_methods)
