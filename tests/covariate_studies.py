"""Studies with covariates, for the tests of designs."""

import csv
import json
from functools import cache

import numpy as np

from rocspace.designs import covariate_scores


def study(n=400, seed=1, *, gain=1.0, wide=0.0):
    """Positives are older, age shifts both classes, and the sd grows with age if `wide`."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [n, n // 2])
    age = rng.normal(size=y.size) + 0.8 * y
    sex = rng.choice(["f", "m"], y.size)
    e = rng.normal(size=(2, y.size)) * np.exp(wide * age)
    scores = {"a": age + gain * y + e[0], "b": 0.5 * age + 0.5 * y + (e[0] + e[1]) / 2**0.5}
    return covariate_scores(y, scores, {"age": age, "sex": sex})


def only_sex(data):
    y, sex = data.cases.label, np.array(["f", "m"])[data.covariates["sex"].astype(int)]
    scores = {name: data.column(name) for name in data.names}
    return covariate_scores(y, scores, {"sex": sex})


@cache
def read_endosyn(folder):
    """The columns of endosyn.csv, and the answers about it."""
    with (folder / "data" / "endosyn.csv").open() as file:
        rows = list(csv.DictReader(file))
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    numbers = {name: columns[name].astype(float) for name in ("cvd_idf", "age", "bmi")}
    answers = json.loads((folder / "reference_values.json").read_text())["endosyn_bmi"]
    return numbers | {"gender": columns["gender"]}, answers


def by_age(columns, gender=None):
    kept = columns["gender"] == gender if gender else np.ones(columns["age"].size, bool)
    y, bmi, age = (columns[name][kept] for name in ("cvd_idf", "bmi", "age"))
    return covariate_scores(y, bmi, {"age": age})
