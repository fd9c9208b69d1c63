"""Costs, Brier scores and isotonic fits by their definitions."""

from fractions import Fraction

from slow.counts import table_by_dictionary
from slow.data import weights_of


def least_cost(corners, x):
    """The lowest of all lines fnr x + fpr (1 - x) of (fpr, tpr) points."""
    return min((1 - t) * x + f * (1 - x) for f, t in corners)


def isotonic(label, score, weight=None):
    """(score, fitted) by pooling adjacent violators of the class means, lowest score first."""
    blocks = []
    for s, pos, neg in table_by_dictionary(label, score, weight)[::-1]:
        blocks.append([[s], pos, pos + neg])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            scores, p, n = blocks.pop()
            blocks[-1] = [blocks[-1][0] + scores, blocks[-1][1] + p, blocks[-1][2] + n]
    return {s: p / n for scores, p, n in blocks for s in scores}


def brier(label, score, weight=None):
    """Mean of (score - outcome)^2, with the scores as exact fractions."""
    triples = list(zip(label, score, weights_of(label, weight), strict=True))
    return sum(w * (Fraction(s) - int(y)) ** 2 for y, s, w in triples) / sum(w for *_, w in triples)
