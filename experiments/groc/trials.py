"""Train, choose and test: seven data sets, three learners, 200 splits, 100 models each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import rocspace as rs
from experiments.groc.data import DataSet
from rocspace.granular import granular_areas, rho_auc, scored_auc
from rocspace.resampling import bootstrap
from rocspace.select import Bootstrapped, SelectionExperiment, selection_experiment

SEED = 20120101
DELTA = 0.02  # the paper's granularity in its worked example; it names no other
GRID = np.linspace(0, 1, 26)  # of granularities for rho
REPLICATES = 100
MEASURES = ("auc", "sauc", "lambda_auc", "rho_auc", "lower_bound")
NAMES = {
    "auc": "AUC",
    "sauc": "sAUC",
    "lambda_auc": "λAUC",
    "rho_auc": "ρAUC",
    "lower_bound": "lower bound",
}


# --- the measures: functions of a table that can travel to another process ----------------------


def lambda_auc(table: rs.ScoreTable) -> float:
    """Area times the ratio of the lower and the upper area, at one granularity."""
    return float(granular_areas(table, DELTA, boundary="float").lambda_auc[0])


def rho_area(table: rs.ScoreTable) -> float:
    """Area times rho, on a grid of granularities."""
    return rho_auc(table, deltas=GRID, boundary="float", threads=1)


def lower_bound(table: rs.ScoreTable) -> float:
    """Lower end of a one-sided 95 % bootstrap interval of the area: the obvious rival."""
    sample = bootstrap(table, "auc", n_boot=REPLICATES, rng=SEED, threads=1)
    return float(np.quantile(sample.replicates, 0.05))


FUNCTIONS = {
    "auc": rs.auc,
    "sauc": scored_auc,
    "lambda_auc": lambda_auc,
    "rho_auc": rho_area,
    "lower_bound": lower_bound,
}


# --- the learners ---------------------------------------------------------------------------------

LEARNERS: dict[str, Any] = {
    "naive Bayes": GaussianNB(),
    "linear discriminant": LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.05),
    "decision tree": DecisionTreeClassifier(max_depth=6, min_samples_leaf=5, max_features="sqrt"),
}


def learner_for(name: str, data: DataSet) -> Any:
    """Return the learner, with gaps filled by medians where there are gaps."""
    learner = LEARNERS[name]
    if np.isnan(data.features).any():
        return make_pipeline(SimpleImputer(strategy="median"), learner)
    return learner


# --- running --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """How much is done; `quick` is for a look whether everything runs."""

    repeats: int = 200
    models: int = 100
    jobs: int = 2

    @classmethod
    def quick(cls) -> Plan:
        return cls(repeats=3, models=8)


def run(data: DataSet, learner: str, plan: Plan, folder: Path) -> SelectionExperiment:
    """Run one learner on one data set, or read what an earlier run kept."""
    kept = folder / f"{data.name}_{learner}_{plan.repeats}x{plan.models}.npz".replace(" ", "_")
    if kept.exists():
        with np.load(kept) as file:
            return SelectionExperiment(measures=MEASURES, **{k: file[k] for k in FIELDS})
    found = measured(data, learner, plan)
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(kept, **{name: getattr(found, name) for name in FIELDS})
    return found


def measured(data: DataSet, learner: str, plan: Plan) -> SelectionExperiment:
    """Train, choose and test; each split has a generator of its own, whatever their number."""
    # Half a million small models: what scikit-learn checks of each takes longer than the model.
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        return selection_experiment(
            data.features,
            data.label,
            Bootstrapped(learner_for(learner, data), plan.models),
            measures=FUNCTIONS,
            n_splits=plan.repeats,
            rng=np.random.default_rng([SEED, *learner.encode(), *data.name.encode()]),
            n_jobs=plan.jobs,
        )


FIELDS = ("validation", "test", "chosen", "n_tied", "share_tested")


def first_models(found: SelectionExperiment, n: int) -> SelectionExperiment:
    """Return the same experiment as if only the first n models had been trained."""
    value = found.validation[:, :, :n]
    best = np.nanmax(value, axis=2, keepdims=True)
    reached = value == best
    return SelectionExperiment(
        measures=found.measures,
        validation=value.copy(),
        test=found.test[:, :n].copy(),
        chosen=reached.argmax(axis=2),
        n_tied=reached.sum(axis=2),
        share_tested=float(found.share_tested),
    )
