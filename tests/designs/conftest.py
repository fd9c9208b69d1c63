"""Cases of a trial, which several modules read."""

import csv

import numpy as np
import pytest


@pytest.fixture
def trial(shared):
    """The rows of the trial; every score larger for an earlier death."""
    with (shared / "data" / "pbc.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["trt"]]
    time, status = (np.array([float(row[name]) for row in rows]) for name in ("time", "status"))
    scores = {
        "bili": [float(row["bili"]) for row in rows],
        "neg_albumin": [-float(row["albumin"]) for row in rows],
    }
    return time, status, scores
