"""Every model of the registry: its name, its options, and what it makes of difficult tables."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from rocspace import datasets, models
from rocspace.counts import SingleClassError
from rocspace.models import MODELS, check_curve, fit_roc
from rocspace.results import Curve, Fit

F3 = datasets.load("fawcett20")
TABLE = rs.tabulate(F3.y_true, F3.y_score)
FLAGS = {"degenerate", "improper", "boundary", "separated", "unconverged"}
RNG = np.random.default_rng(11)
DRAWN = rs.tabulate_classes(np.exp(RNG.normal(1, 1, 60)), np.exp(RNG.normal(0, 0.8, 70)))
OWN = {  # where DRAWN contradicts what a model assumes
    "logistic": rs.tabulate_classes(RNG.logistic(1, size=60), RNG.logistic(0, size=70)),
    "beta-scores": rs.tabulate_classes(RNG.beta(3, 2, 60), RNG.beta(2, 3, 70)),
    "pareto": rs.tabulate_classes(RNG.pareto(1.5, 60) + 1, RNG.pareto(3, 70) + 1),
    "uniform": rs.tabulate_classes(RNG.uniform(0, 3, 60), RNG.uniform(0, 2, 70)),
}
HARD = {
    "separated": rs.tabulate_classes([3, 4, 5], [0, 1, 2]),
    "reversed": rs.tabulate_classes([0, 1, 2], [3, 4, 5]),
    "touching": rs.tabulate_classes([2, 3, 4], [0, 1, 2]),
    "one level": rs.tabulate_classes([1, 1, 1], [1, 1]),
    "two levels": rs.ScoreTable.from_counts([0, 1], [3, 7], [6, 4]),
    "three levels": rs.ScoreTable.from_counts([0, 1, 2], [3, 2, 5], [6, 2, 1]),
    "tied classes": rs.tabulate_classes([2, 2, 2], [1, 1]),
    "one positive": rs.tabulate_classes([2], [0, 1, 2, 3]),
    "one of each": rs.tabulate_classes([2], [1]),
    "infinite": rs.tabulate_classes([1, 2, np.inf, 3], [0.5, 1, -np.inf, 2]),
    "huge": rs.tabulate_classes([1e300, 1.5e300, -1e300], [1e299, -1e300, 0]),
    "weighted": rs.tabulate(F3.y_true, F3.y_score, sample_weight=np.arange(1, 21) / 7),
    "lower": rs.tabulate(F3.y_true, -np.asarray(F3.y_score), higher_is_positive=False),
    "gap": rs.ScoreTable.from_counts([1, 2, 3, 4], [0, 5, 0, 5], [5, 0, 5, 0]),
}


def fitted(table: rs.ScoreTable, name: str) -> tuple[Fit | None, str]:
    """The fit, or why there is none."""
    try:
        return fit_roc(table, model=name), ""
    except ValueError as error:
        return None, str(error)


def checked(fit: Fit, table: rs.ScoreTable) -> None:
    """What holds of every fit, flagged or not."""
    score = np.abs(table.score.astype(float))
    large = 1e12 * max(1.0, float(score[np.isfinite(score)].max()))
    assert isinstance(fit, Curve)
    assert 0 <= fit.auc <= 1
    at = np.array([0.0, 0.001, 0.1, 0.5, 0.9, 1.0])
    tpr = fit.tpr_at(at)
    assert ((tpr >= 0) & (tpr <= 1)).all()
    assert (np.diff(tpr) >= -1e-12).all()
    assert tpr[-1] == 1
    assert check_curve(fit, grid=101).problems == ()
    assert set(fit.flags) <= FLAGS
    assert all(text.endswith(".") and len(text) > 40 for text in fit.flags.values())
    assert not any(large < abs(value) < np.inf for value in fit.parameters.values())
    size = len(fit.parameters)
    assert fit.covariance.shape == (size, size)
    if not fit.flags.keys() & {"degenerate", "unconverged"}:
        assert np.isfinite(list(fit.parameters.values())).all()
    low, high = fit.auc_estimate().interval()
    assert 0 <= low <= fit.auc <= high <= 1
    assert low < high
    assert pickle.loads(pickle.dumps(fit)) == fit


@pytest.mark.parametrize("name", MODELS)
def test_models_have_a_function_and_say_what_they_assume(name: str) -> None:
    model = MODELS[name]
    assert model.name == name
    assert model.function.__name__ in models.__all__
    assert len(model.assumes) > 10
    assert fit_roc(TABLE, model=name) == model.function(TABLE, **dict(model.fixed))
    with pytest.raises(TypeError, match=f'model="{name}" has no option .nonsense.'):
        fit_roc(TABLE, model=name, nonsense=3)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("hard", HARD)
def test_difficult_tables_give_a_flagged_fit_or_a_clear_error(name: str, hard: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit, refusal = fitted(HARD[hard], name)
    if fit is None:
        assert len(refusal) > 60
        assert "nan" not in refusal
    else:
        checked(fit, HARD[hard])


@pytest.mark.parametrize("name", MODELS)
def test_a_class_is_missing(name: str) -> None:
    with pytest.raises(SingleClassError):
        fit_roc(rs.tabulate_classes([1, 2], []), model=name)
    with pytest.raises(SingleClassError):
        MODELS[name].function(rs.tabulate_classes([], [1, 2]))


@pytest.mark.parametrize("name", MODELS)
def test_plain_data_give_a_plain_fit(name: str) -> None:
    table = OWN.get(name, DRAWN)
    fit = fit_roc(table, model=name)
    checked(fit, table)
    assert not fit.flags.keys() & {"degenerate", "unconverged", "separated"}
    assert fit.auc == pytest.approx(rs.auc(table), abs=0.08)
    at = np.array([0.05, 0.2, 0.6])
    np.testing.assert_allclose(fit.tpr_at(fit.fpr_at(fit.tpr_at(at))), fit.tpr_at(at), atol=1e-9)
    parts = fit.partial_auc(0, 0.3) + fit.partial_auc(0.3, 1)
    assert parts == pytest.approx(fit.auc, abs=1e-7)
    thresholds = fit.threshold_at(np.array([0.0, 0.1, 0.5, 1.0]))
    assert (np.diff(thresholds) <= 0).all()


@pytest.mark.parametrize("name", [name for name, model in MODELS.items() if model.rank_based])
def test_rank_based_models_see_ranks_only(name: str) -> None:
    ranks = rs.ScoreTable.from_counts(np.arange(len(DRAWN))[::-1], DRAWN.pos, DRAWN.neg)
    one, two = fit_roc(DRAWN, model=name), fit_roc(ranks, model=name)
    assert list(two.parameters.values()) == pytest.approx(list(one.parameters.values()), rel=1e-9)


def test_unknown_models() -> None:
    with pytest.raises(ValueError, match=r"There is no model 'binormall'\. Did you mean"):
        fit_roc(TABLE, model="binormall")
    given: Any = 3
    with pytest.raises(ValueError, match="There is no model 3"):
        fit_roc(TABLE, model=given)
