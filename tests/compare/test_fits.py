"""Differences of fitted curves by the bootstrap, beside the bivariate model."""

import numpy as np
import pytest

import rocspace as rs
from rocspace import datasets
from rocspace.compare import auc_difference, fit_difference
from rocspace.models import fit_paired, fit_roc
from rocspace.results import Fit

RNG = np.random.default_rng(4)
LABEL = np.repeat([1, 0], [40, 60])
SHARED = RNG.normal(size=100) + 1.1 * LABEL
DATA = rs.pair_scores(
    LABEL,
    {"a": SHARED + 0.5 * RNG.normal(size=100), "b": SHARED + RNG.normal(size=100)},
)


def rate(fit: Fit) -> float:
    return float(fit.tpr_at(0.2))


def part(fit: Fit) -> float:
    return fit.partial_auc(fpr=(0, 0.2))


@pytest.mark.parametrize(("reading", "bounds"), [(None, (0, 1)), (rate, (0, 1)), (part, (0, 0.2))])
def test_the_bivariate_model_by_the_bootstrap(reading, bounds) -> None:  # type: ignore[no-untyped-def]
    found = fit_difference(
        DATA,
        reading=reading,
        model="labroc",
        bounds=bounds,
        n_boot=150,
        rng=1,
        covariance="expected",
    )
    exact = fit_paired(DATA).difference(reading or (lambda fit: fit.auc), bounds=bounds)
    assert found.value == pytest.approx(exact.value, abs=1e-9)
    assert found.se == pytest.approx(exact.se, rel=0.35)
    assert found.correlation == pytest.approx(exact.correlation, abs=0.2)
    assert found.range == exact.range
    assert found.test().pvalue == pytest.approx(exact.test().pvalue, abs=0.1)
    low, high = found.interval()
    assert low < found.value < high
    assert found.method == "labroc, bootstrap"


@pytest.mark.parametrize("model", ["binormal", "gls", "pseudo-likelihood"])
def test_models(model: str) -> None:
    found = fit_difference(DATA, "a", "b", model=model, n_boot=25, rng=2)
    fits = [fit_roc(DATA.table(name), model=model) for name in ("a", "b")]
    assert found.value == pytest.approx(fits[0].auc - fits[1].auc, abs=1e-12)
    assert found.first.value == fits[0].auc
    plain = auc_difference(DATA, "a", "b")
    assert found.se == pytest.approx(plain.se, rel=0.6)
    turned = fit_difference(DATA, "b", "a", model=model, n_boot=25, rng=2)
    assert turned.value == -found.value


def test_independent_samples() -> None:
    tables = {"a": DATA.table("a"), "b": DATA.table("b")}
    found = fit_difference(tables, n_boot=200, rng=3)
    fits = [fit_roc(table, covariance="sandwich").auc_estimate() for table in tables.values()]
    assert found.se == pytest.approx(np.hypot(fits[0].se, fits[1].se), rel=0.2)
    assert found.correlation == 0


def test_replicates_without_a_fit() -> None:
    label = [1, 1, 1, 0, 0, 0]
    scores = {"a": [3, 2, 2, 2, 2, 1], "b": [2, 3, 2, 2, 1, 2]}
    few = rs.pair_scores(label, scores)
    found = fit_difference(few, model="rating", n_boot=60, rng=1)
    assert np.isnan(found.se)
    assert found.interval().low < found.value
    with pytest.raises(ValueError, match="three"):
        fit_difference(
            rs.pair_scores([1, 1, 0, 0], {"a": [1, 2, 1, 2], "b": [1, 2, 1, 1]}), model="rating"
        )


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="no model 'bi-normal'"):
        fit_difference(DATA, model="bi-normal")
    with pytest.raises(TypeError, match="no option 'bandwith'"):
        fit_difference(DATA, model="kernel", bandwith=2)
    with pytest.raises(TypeError, match="fit_difference takes PairedScores"):
        fit_difference(DATA.table("a"))  # type: ignore[arg-type]
    data = datasets.load("fawcett20")
    one = rs.pair_scores(data.y_true, {"a": data.y_score})
    with pytest.raises(ValueError, match="fit_difference compares two scores, but here is only a"):
        fit_difference(one)
