"""The experiment of the granular ROC paper: its page is made of its tables, and it runs."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from experiments.groc import results, trials
from experiments.groc.__main__ import HERE, ROOT, SCATTER
from experiments.groc.data import SOURCES, data_sets
from experiments.groc.page import page

from rocspace.granular import granular_areas

DESCRIBED = HERE / "results" / "described.csv"
GAINS = HERE / "results" / "gains.csv"


def test_the_page_is_made_of_the_tables():
    rows = results.read(DESCRIBED, results.Described)
    gains = results.read(GAINS, results.Gain)
    made = page(rows, gains, trials.Plan().repeats, SCATTER)
    assert (ROOT / "docs" / "granular_experiment.md").read_text(encoding="utf-8") == made


def test_every_situation_is_in_the_tables():
    gains = results.read(GAINS, results.Gain)
    kinds = {(g.data, g.learner, g.models, g.measure) for g in gains}
    assert len(kinds) == len(gains) == len(SOURCES) * len(trials.LEARNERS) * 2 * 4
    assert {g.models for g in gains} == {20, 100}
    for gain in gains:
        assert gain.corrected_low <= gain.low <= gain.mean <= gain.high <= gain.corrected_high


def test_the_sets_are_those_of_the_paper(shared):
    sizes = {data.name: data.features.shape for data in data_sets(shared / "data")}
    assert sizes["Satimage"] == (6435, 36)  # the paper prints 33 attributes
    assert sizes["Monk2"] == (169, 6)


def test_a_small_run(shared, tmp_path):
    data = next(d for d in data_sets(shared / "data") if d.name == "Sonar")
    plan = trials.Plan(repeats=2, models=4, jobs=1)
    found = trials.run(data, "naive Bayes", plan, tmp_path)
    assert found.validation.shape == (2, 5, 4)
    again = trials.run(data, "naive Bayes", plan, tmp_path)  # read from what was kept
    assert np.array_equal(again.test, found.test)
    two = trials.first_models(found, 2)
    assert np.array_equal(two.test, found.test[:, :2])
    best = found.validation[0, 0, :2].argmax()
    assert two.chosen[0, 0] == best
    rows = results.gains("Sonar", "naive Bayes", found)
    results.write(rows, tmp_path / "gains.csv")
    for row, kept in zip(rows, results.read(tmp_path / "gains.csv", results.Gain), strict=True):
        assert kept.measure == row.measure
        assert kept.mean == pytest.approx(row.mean, rel=1e-5)


def test_the_measures_are_the_librarys():
    rng = np.random.default_rng(1)
    table = trials.rs.tabulate(rng.random(60) < 0.5, rng.random(60))
    areas = granular_areas(table, 0.02, boundary="float")
    assert trials.lambda_auc(table) == areas.lambda_auc[0]
    assert trials.lower_bound(table) < trials.rs.auc(table)
    assert trials.lower_bound(table) == trials.lower_bound(table)
