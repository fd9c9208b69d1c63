"""Studies where a case does not simply have one score and one label that is sure.

An outcome may happen later, or not within the follow-up; covariates may shift the scores; the
truth may be known for some cases only, or not be sure; prior knowledge may exist. Each design gives
a case a weight in each class, so that its curve is a `rocspace.curves.RocCurve` of a weighted
`rocspace.ScoreTable`, which the other rooms read. Standard errors come from the cases themselves,
through influence functions.

Where the truth is known for a part of the cases, start with `verified_scores`; where labels are
wrong now and then, with `label_noise`; where a judge labelled most cases, with `verified_scores`
and `powered_auc_estimate`.

This room never guesses a design from the data.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
