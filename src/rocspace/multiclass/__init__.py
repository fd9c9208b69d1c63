"""More than two classes: areas, volumes, hulls and costs, each with its uncertainty.

Start with `multiclass_scores`, which holds the labels and one column of scores for each class, by
one classifier or several. `hand_till` and `one_vs_rest` make one area of it, `pairwise_areas` shows
every pair of classes. Where classes have an order and one score should rise with it, start with
`ordered_scores` and `vus`. A name that ends in ``_estimate`` gives the standard error and the
interval, one that ends in ``_difference`` compares two classifiers of the same cases.

Every pair of classes is a `rocspace.ScoreTable`, which ``data.table(...)`` returns: any function of
the other rooms reads it. This room never guesses which column belongs to which class.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
