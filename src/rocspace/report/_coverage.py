"""What was measured of each method, by the key of the summary: how often it holds.

Quoted from the page "Measured coverage", from ``benchmarks/results/coverage.csv`` (a test holds
the ranges against that file) and from the Notes of the functions; nothing is said where nothing
was measured.
"""

from __future__ import annotations

COVERAGE = {
    "auc.interval": (
        "At level 0.95 it covers in 94.0 to 99.9 percent of samples, over 84 populations and sizes "
        "from 5 + 5 cases; value ± 1.96 se in 46 to 100."
    ),
    "auc.test": (
        "Of true hypotheses 3.6 to 6.1 percent are rejected at 0.05, over 12 situations from "
        "5 + 5 cases."
    ),
    "partial_auc": (
        "At level 0.95 the interval covers in 93.5 to 100.0 percent of samples, over 72 situations "
        "from 5 + 50 cases and with 10 + 10,000."
    ),
    "operating_points.rates": (
        "At level 0.95 the interval of a rate covers in 95.2 to 100.0 percent of samples, exactly, "
        "of 5 to 1,000 cases and rates from 0.5 to 0.999, and never in less than 95."
    ),
    "operating_points.ratios": (
        "At level 0.95, exactly, over 20 situations from 10 + 10 to 5 + 5,000 cases: the positive "
        "likelihood ratio's interval covers in 96.2 to 99.9 percent of samples, the negative one's "
        "in 95.9 to 100.0, the odds ratio's in 95.7 to 100.0."
    ),
    "comparison.pairs": (
        "With equal areas, from 5 + 5 to 200 + 200 cases, the test rejects at most 6 percent of "
        "true hypotheses at 0.05, and the interval of level 0.95 covers in 94 percent or more."
    ),
    "bands.likelihood": (
        "At level 0.95 the whole true curve was inside in 93.5 to 99.5 percent of 200 samples each "
        "of seven populations and sizes."
    ),
    "bands.ks": "At level 0.95 it fails in 1 of 1,000 samples or fewer: wider than it need be.",
    "folds.mean": (
        "At level 0.95 it covers the mean true area of the fitted models in 93.2 to 100 percent "
        "of samples, over 17 situations from 5 + 50 cases in 5 or 10 folds."
    ),
    "folds.average": (
        "At level 0.95 it covers the true curve at each rate in 96 to 100 percent of samples, over "
        "48 situations from 5 + 50 cases in 5 or 10 folds."
    ),
}
