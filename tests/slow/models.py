"""Kernel estimates by all pairs, and the probability of an order of ranks by all orders."""

import math
from itertools import combinations

import numpy as np
from scipy import stats
from scipy.special import ndtr


def above(scores, weights, at, h):
    """The weighted share of scores above each threshold, each a Normal of sd h."""
    return np.array([np.average(ndtr((scores - t) / h), weights=weights) for t in at])


def density(scores, weights, at, h):
    """The weighted mean of Normal densities of sd h."""
    return np.array([np.average(stats.norm.pdf(t, scores, h), weights=weights) for t in at])


def cross_validation(x, h):
    """The mean, over cases, of the squared distance of its step from the others' distribution."""
    grid = np.linspace(-1.5, 2.5, 801)
    total = 0.0
    for i in range(x.size):
        others = ndtr((grid[:, np.newaxis] - np.delete(x, i)) / h).mean(axis=1)
        total += float(np.trapezoid(((x[i] <= grid) - others) ** 2, grid))
    return total / x.size


def roughness(x, order, s):
    """The mean over pairs of different cases of a derivative of the Normal kernel."""
    gap, n = x[:, np.newaxis] - x, x.size
    hermite = np.polynomial.hermite_e.HermiteE.basis(order)(gap / s)
    return float((hermite * stats.norm.pdf(gap / s)).sum() / (n * (n - 1) * s ** (order + 1)))


def direct_plug_in(x, lost=0):
    """The bandwidth of two stages by all pairs of cases; without the `lost` largest in the pairs.

    KernSmooth's dpik counts the scores on a grid, which loses those at its upper end.
    """
    n, sd = x.size, x.std(ddof=1)
    kept = np.sort(x)[: n - lost]

    def mean(order, s):
        gap = (kept[:, np.newaxis] - kept) / s
        hermite = np.polynomial.hermite_e.HermiteE.basis(order)(gap)
        return float((hermite * stats.norm.pdf(gap)).sum() / (n - lost) ** 2 / s ** (order + 1))

    eighth = math.factorial(8) / ((2 * sd) ** 9 * math.factorial(4) * math.sqrt(math.pi))
    sixth = mean(6, (30 / math.sqrt(2 * math.pi) / (eighth * n)) ** (1 / 9))
    fourth = mean(4, (-6 / math.sqrt(2 * math.pi) / (sixth * n)) ** (1 / 7))
    return (2 * math.sqrt(math.pi) * fourth * n) ** -0.2


def probability_of_order(groups, a, b):
    """The probability that latent scores fall into groups in this order, but for P! N!.

    `groups` has the numbers of positives and negatives of each, the lowest first. Negatives are
    N(0, 1), positives N(a / b, 1 / b^2). Of each order within the groups: one integral for each
    case, by trapezoids, of its density times the probability of all lower ones.
    """
    z = np.linspace(-9, 9 + max(a / b, 0) + 9 / b, 30_001)
    pos, neg = stats.norm.pdf(z, a / b, 1 / b), stats.norm.pdf(z)
    state = np.ones(z.size)
    for p, q in groups:
        total = np.zeros(z.size)
        for places in combinations(range(p + q), p):
            one = state
            for place in range(p + q):
                rate = (pos if place in places else neg) * one
                one = np.append(0.0, np.cumsum((rate[1:] + rate[:-1]) / 2) * (z[1] - z[0]))
            total += one
        state = total
    return state[-1]


def restricted(theta, points, within, *, ml=False):
    """The (restricted) log-likelihood of studies by stacked matrices of all of them.

    theta has ln sd, ln sd and atanh r of the distribution between studies.
    """
    s, r = np.exp(theta[:2]), np.tanh(theta[2])
    between = np.array([[s[0] ** 2, r * s.prod()], [r * s.prod(), s[1] ** 2]])
    n = len(points)
    v = np.kron(np.eye(n), between) + np.diag(within.ravel())
    design, y = np.kron(np.ones((n, 1)), np.eye(2)), points.ravel()
    information = design.T @ np.linalg.solve(v, design)
    mean = np.linalg.solve(information, design.T @ np.linalg.solve(v, y))
    value = stats.multivariate_normal(design @ mean, v).logpdf(y)
    if ml:
        return value, mean
    lost = np.linalg.slogdet(information)[1] - np.linalg.slogdet(design.T @ design)[1]
    return value - lost / 2 + np.log(2 * np.pi), mean


def binomial_loglik(mean, between, hits, n, steps=161, width=8.0):
    """The log-likelihood of counts by a fine grid over both log odds of each study."""
    root = np.linalg.cholesky(between)
    at = np.linspace(-width, width, steps)
    u = np.stack(np.meshgrid(at, at, indexing="ij"), axis=-1)
    z = np.asarray(mean) + u @ root.T
    weight = (stats.norm.pdf(u) * (at[1] - at[0])).prod(axis=-1)
    rate = 1 / (1 + np.exp(-z))
    return sum(
        np.log((stats.binom.pmf(h, m, rate).prod(axis=-1) * weight).sum())
        for h, m in zip(hits, n, strict=True)
    )


def rates_at_negatives(neg, most):
    """The mean rate above each distinct negative, one at the least; of many the nearest to goals.

    A negative of which i - 1 are above is the i-th highest of n: of uniform ones its mean rank is
    i / (n + 1), found here as the integral of the survival function of a beta variable.
    """
    n, rates = len(neg), []
    for score in sorted(set(neg), reverse=True):
        i = 1 + sum(other > score for other in neg)
        grid = np.linspace(0, 1, 20001)
        rates.append(float(np.trapezoid(stats.beta.sf(grid, i, n + 1 - i), grid)))
    if len(rates) <= most:
        return rates
    first, *_, last = z = [float(stats.norm.ppf(rate)) for rate in rates]
    chosen = set()
    for j in range(most):
        goal = first + (last - first) * j / (most - 1)
        chosen.add(min(range(len(z)), key=lambda k: abs(z[k] - goal)))
    return [rates[k] for k in sorted(chosen)]
