"""Trials of a selection experiment: split, train, measure and test."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB

import rocspace as rs
from learners import blobs
from rocspace.select import (
    Bootstrapped,
    selection_experiment,
)


def test_experiment_by_its_definition():
    """One split, one model of each kind: train, validate and test as anyone would."""
    x, y = blobs()
    models = [GaussianNB(), LogisticRegression()]
    found = selection_experiment(x, y, models, measures=("auc", "ks"), n_splits=1, rng=7)
    assert found.test.shape == (1, 2)
    assert found.validation.shape == (1, 2, 2)
    label, (generator,) = y == 1, np.random.default_rng(7).spawn(1)
    parts = [[], [], []]
    for members in (np.flatnonzero(label), np.flatnonzero(~label)):
        order = generator.permutation(members)
        first, second = round(0.6 * order.size), round(0.8 * order.size)
        for part, some in zip(
            parts, (order[:first], order[first:second], order[second:]), strict=True
        ):
            part.extend(some)
    assert [len(p) for p in parts] == [126, 42, 42]
    for j, model in enumerate([GaussianNB(), LogisticRegression()]):
        model.fit(x[parts[0]], y[parts[0]])
        valid, test = (
            rs.tabulate(y[part], model.predict_proba(x[part])[:, 1]) for part in parts[1:]
        )
        assert found.validation[0, :, j].tolist() == [rs.auc(valid), rs.ks(valid)]
        assert found.test[0, j] == rs.auc(test)


def test_data_frames_and_decision_functions():
    pandas = pytest.importorskip("pandas")
    x, y = blobs()
    models = Bootstrapped(Perceptron(), 2)
    frame = pandas.DataFrame(x, columns=list("abcd"))
    a = selection_experiment(frame, y, models, rng=1)
    b = selection_experiment(x, y, models, rng=1)
    assert np.array_equal(a.test, b.test)
    assert repr(a) == "SelectionExperiment(auc: 1 x 2 models)"
