"""Cases, folds and held-out scores that tests of classifiers share."""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import (
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB

import rocspace as rs

X, Y = make_classification(300, 6, flip_y=0.2, weights=[0.7], random_state=3)
WEIGHT = np.random.default_rng(1).uniform(0.5, 2, 300)
FOLDS = StratifiedKFold(3)
HELD = cross_val_predict(GaussianNB(), X, Y, cv=FOLDS, method="predict_proba")[:, 1]
TABLE = rs.tabulate(Y, HELD)
X3, Y3 = make_classification(240, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=3)
HELD3 = cross_val_predict(GaussianNB(), X3, Y3, cv=FOLDS, method="predict_proba")
COSTS = [[0, 1, 9], [1, 0, 9], [1, 1, 0]]
