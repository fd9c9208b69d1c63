"""Fourteen published studies of AUDIT-C, a short questionnaire on drinking, and what fits them."""

import numpy as np

# True positives, false negatives, false positives, true negatives (Kriston et al. 2008).
AUDIT_C = np.array(
    [
        (47, 9, 101, 738),
        (126, 51, 272, 1543),
        (19, 10, 12, 192),
        (36, 3, 78, 276),
        (130, 19, 211, 959),
        (84, 2, 68, 89),
        (68, 0, 112, 423),
        (752, 0, 3226, 2977),
        (59, 5, 55, 136),
        (142, 50, 571, 2788),
        (137, 24, 107, 358),
        (57, 3, 103, 437),
        (34, 1, 21, 56),
        (152, 51, 88, 264),
    ]
)


def counts(rows=AUDIT_C):
    """The four counts as arguments of functions of studies."""
    tp, fn, fp, tn = np.transpose(rows)
    return {"tp": tp, "fp": fp, "fn": fn, "tn": tn}


def large(logits, n=10**12):
    """Studies so large that nothing of their log odds is sampling error."""
    rates = 1 / (1 + np.exp(-np.asarray(logits, dtype=float)))
    tp, fp = np.rint(rates * n).astype(np.int64).T
    return {"tp": tp, "fp": fp, "fn": n - tp, "tn": n - fp}
