"""Samples, names of methods and checks that the tests of bands share."""

import numpy as np

import rocspace as rs
from rocspace.bands import Band
from slow.data import F3


def fawcett():
    return rs.tabulate(*F3)


def separated(n_pos, n_neg):
    return rs.tabulate_classes(np.arange(n_pos) + n_neg, np.arange(n_neg))


def stairs():
    # Below: 0 up to f = .5, then .4. Above: from .5 up to 1 at f = .5.
    return by_hand([0, 0.5, 0.5, 1], [0, 0, 0.4, 0.4], [0.5, 1, 1, 1])


def by_hand(fpr, lower, upper):
    bounds = {"fpr": np.array(fpr), "low": np.array(lower), "high": np.array(upper)}
    return Band(**bounds, level=0.9, method="hand", simultaneous=True)
