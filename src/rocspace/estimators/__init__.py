"""scikit-learn: scorers, displays, and classifiers that decide, mix, calibrate and compare.

Start with `scorer`, as in ``cross_val_score(model, X, y, scoring=scorer("auc"))``; then
`RocDisplay` for a picture, `ThresholdClassifier` for a threshold of your costs, and
`compare_estimators` for which of several models is better.

The numbers are those of the functions in the other rooms. Names of arguments follow scikit-learn
here (`X`, ``response_method``, ``cv``), and the positive class is the second of ``classes_``
unless ``pos_label`` names another. Needs scikit-learn: ``pip install 'rocspace[sklearn]'``.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
