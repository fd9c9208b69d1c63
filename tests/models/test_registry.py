"""Every model of the registry: its name, its options, and what it makes of difficult tables."""

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from rocspace import datasets, models
from rocspace.bands import fit_band
from rocspace.counts import SingleClassError
from rocspace.models import MODELS, check_curve, fit_roc, optimal_cut
from rocspace.models.sampled import SampleFit
from rocspace.results import Curve, Fit

F3 = datasets.load("fawcett20")
TABLE = rs.tabulate(F3.y_true, F3.y_score)
FLAGS = {"degenerate", "improper", "boundary", "separated", "tied", "unconverged"}
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
    "one negative": rs.tabulate_classes([0, 1, 2, 3], [1.5]),
    "one of each tied": rs.tabulate_classes([1], [1]),
    "all infinite": rs.tabulate_classes([np.inf, np.inf], [-np.inf, -np.inf]),
    "tiny": rs.tabulate_classes(np.array([1, 3, 5, 2]) * 1e-300, np.array([0.5, 1, 4]) * 1e-300),
    "subnormal": rs.tabulate_classes([5e-324, 1e-323, 3e-323], [0, 5e-324, 2e-323]),
    "huge and positive": rs.tabulate_classes([1e300, 1.5e300, 3e300], [1e299, 1e300, 2e300]),
    "tiny to huge": rs.tabulate_classes([1e-300, 1, 1e300, 2], [1e-300, 0.5, 1e299, 1e-200]),
    "nearly constant": rs.tabulate_classes([1, 1 + 2**-52, 1, 1 + 2**-52], [1, 1, 1 + 2**-52]),
    "large integers": rs.ScoreTable.from_counts(2**62 + np.arange(4), [0, 1, 2, 2], [3, 1, 2, 0]),
    "unbalanced": rs.ScoreTable.from_counts([1, 2, 3, 4], [0, 1, 1, 0], [100_000, 3000, 20, 1]),
    "unit interval": rs.tabulate_classes([0.9, 0.7, 0.8, 0.2], [0.1, 0.3, 0.75, 0.15]),
    "above one": rs.tabulate_classes([5, 3, 4.5, 1.2, 2.2], [1.1, 1.3, 2, 1.05, 3.1]),
    "weighted and separated": rs.tabulate([0, 0, 1, 1], [1, 2, 3, 4], sample_weight=[1, 2, 0.5, 3]),
    "weighted and tied": rs.tabulate([0, 0, 1, 1], [1, 1, 1, 1], sample_weight=[1, 2, 0.5, 3]),
    "weighted ratings": rs.tabulate(
        [0, 0, 0, 1, 1, 1], [1, 2, 3, 1, 2, 3], sample_weight=[3, 2, 0.5, 0.25, 1, 4]
    ),
    "one weighted positive": rs.tabulate([1, 0, 0, 0], [2, 1, 3, 2.5], sample_weight=[4, 1, 2, 3]),
    "weighted and infinite": rs.tabulate(
        [1, 1, 0, 0], [np.inf, 1, 0.5, -np.inf], sample_weight=[1, 2, 0.5, 3]
    ),
    "gap": rs.ScoreTable.from_counts([1, 2, 3, 4], [0, 5, 0, 5], [5, 0, 5, 0]),
}

SLOW = ("kernel", "log-concave", "density-ratio", "proper", "beta", "beta-scores")
SOME = ("one negative", "nearly constant", "three levels", "subnormal")


def fitted(table: rs.ScoreTable, name: str) -> tuple[Fit | None, str]:
    """The fit, or why there is none."""
    try:
        return fit_roc(table, model=name), ""
    except ValueError as error:
        return None, str(error)


def checked(fit: Fit, table: rs.ScoreTable) -> None:
    """What holds of every fit, flagged or not."""
    score = np.abs(table.score.astype(float))
    size = float(score[np.isfinite(score)].max(initial=0)) or 1.0
    large = 1e12 * max(1.0, size, 1 / size)
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


def read(fit: Fit) -> None:
    """Ask a fit for everything that follows from it: numbers in range, or a clear error."""
    at = np.array([0.0, 1e-12, 0.1, 0.5, 1 - 1e-9, 1.0])
    slope = fit.slope_at(at)
    assert (slope >= 0).all()
    if fit.flags.keys().isdisjoint({"degenerate", "boundary"}):
        assert not np.isnan(fit.threshold_at(at)).any()
    cuts = [optimal_cut(fit), optimal_cut(fit, slope=3), optimal_cut(fit, slope=0.2)]
    rates = [e for cut in cuts for e in (cut.fpr, cut.tpr, cut.index)]
    found = [
        *rates,
        fit.tpr_estimate(0.2),
        fit.fpr_estimate(0.2),
        fit.partial_auc_estimate(fpr=(0.1, 0.3)),
        fit.partial_auc_estimate(tpr=(0.1, 0.3)),
        fit.slope_estimate(0.2),
        fit.category_ratio_estimate(0.1, 0.4),
    ]
    for one in [*found, *(cut.threshold_estimate for cut in cuts)]:
        low, high = one.interval()
        assert low <= high
        assert np.isnan(one.se) or one.se >= 0
    for one in found:
        assert one.range[0] <= one.value <= one.range[1] + 1e-12
    for text in (str(fit), repr(fit), str(cuts[0])):
        assert len(text) > 10
    assert fit.to_frame() is not None
    if isinstance(fit, SampleFit):  # a band is a hundred readings, each of many steps
        return
    if np.isfinite(fit.covariance).all() and (np.linalg.eigvalsh(fit.covariance)[-2:] > 0).all():
        assert not np.isnan(fit_band(fit).low).any()
    elif not np.isfinite(fit.covariance).all():
        with pytest.raises(ValueError, match="The covariance of this"):
            fit_band(fit)


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
        if name not in SLOW or hard in SOME:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                read(fit)


@pytest.mark.parametrize("name", MODELS)
def test_a_class_is_missing(name: str) -> None:
    with pytest.raises(SingleClassError, match=r"fit_roc needs .* 2 positives and 0"):
        fit_roc(rs.tabulate_classes([1, 2], []), model=name)
    with pytest.raises(
        SingleClassError,
        match=rf"^{MODELS[name].function.__name__} needs .* 0 positives and 2",
    ):
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
    parts = fit.partial_auc(fpr=(0, 0.3)) + fit.partial_auc(fpr=(0.3, 1))
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


OF_SIZE = {"kernel", "likelihood-ratio", "local", "gls", "pseudo-likelihood", "roc-glm"}


@pytest.mark.parametrize("model", sorted(set(MODELS) - {"profile-likelihood", "rank-likelihood"}))
def test_whole_weights_are_repeated_cases_where_the_docs_say_so(model: str) -> None:
    rng = np.random.default_rng(4)
    y, many = np.arange(60) % 2, rng.integers(1, 4, 60)
    score = (1 / (1 + np.exp(-(rng.normal(size=60) + y)))).round(2)
    weighted = rs.tabulate(y, score, sample_weight=many)
    repeated = rs.tabulate(np.repeat(y, many), np.repeat(score, many))
    first, second = (fit_roc(each, model=model) for each in (weighted, repeated))
    assert (abs(first.auc - second.auc) > 1e-6) == (model in OF_SIZE)
