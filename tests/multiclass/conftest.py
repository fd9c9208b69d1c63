"""Probabilities of a real classifier, which several modules read."""

import pytest

from rocspace import datasets
from rocspace.multiclass import (
    multiclass_scores,
)


@pytest.fixture(scope="module")
def hpc():
    table = datasets.load("hpc_cv")
    columns = {name: table.columns[name] for name in ("VF", "F", "M", "L")}
    return multiclass_scores(table.columns["obs"], columns)
