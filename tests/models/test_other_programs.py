"""What pROC, ROCit and ordinal compute of the same scores, to the digits that they have."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocspace as rs
from rocspace.models import (
    fit_binormal,
    fit_family,
    fit_kernel,
    fit_labroc,
    fit_probit_line,
)

SMOOTH = (
    "asah__ndka",
    "asah__s100b",
    "dm_rocdata__test1",
    "rocr_simple__prediction",
    "suicide__dsi",
)
ROCIT = {
    "asah_ndka": "asah__ndka",
    "asah_s100b": "asah__s100b",
    "rocr_simple": "rocr_simple__prediction",
    "suicide": "suicide__dsi",
}


def read(shared: Path, name: str) -> tuple[dict[str, Any], rs.ScoreTable, np.ndarray]:
    found = json.loads((shared / "oracle" / f"smooth__{name}.json").read_text(encoding="utf-8"))
    with (shared / "data" / f"{found['dataset']}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    score = np.array([float(row[found["marker"]]) for row in rows])
    return found, rs.tabulate([int(row[found["label"]]) for row in rows], score), score


@pytest.mark.parametrize("name", SMOOTH)
def test_pROC_and_its_Normal_and_lognormal_densities(shared: Path, name: str) -> None:
    found, table, _ = read(shared, name)
    moments, line = found["moment_binormal"], found["proc_binormal"]
    fit = fit_binormal(table, ddof=1)
    expected = [moments[symbol] for symbol in ("a", "b", "auc")]
    assert [*fit.parameters.values(), fit.auc] == pytest.approx(expected, rel=1e-12)
    fit = fit_probit_line(table)
    expected = [line[symbol] for symbol in ("a", "b", "auc_exact")]
    assert [*fit.parameters.values(), fit.auc] == pytest.approx(expected, rel=1e-12)
    at = 1 - np.array(found["grid_spec"])  # theirs are read from a polygon of 512 points
    np.testing.assert_allclose(fit.tpr_at(at), line["sens_at_spec"], atol=1e-3)
    assert fit.partial_auc(fpr=(0, 0.1)) == pytest.approx(line["pauc_spec_1_0.9"], abs=5e-4)
    # What pROC prints as "auc" of densities stops at the outermost scores.
    normal, lognormal = (found[f"proc_fitdistr_{kind}"] for kind in ("normal", "lognormal"))
    assert fit_binormal(table).auc == pytest.approx(normal["auc_exact_from_fit"], rel=1e-12)
    if "error" in lognormal:
        with pytest.raises(ValueError, match="above 0"):
            fit_family(table, family="lognormal")
        return
    fit = fit_family(table, family="lognormal")
    assert fit.auc == pytest.approx(lognormal["auc_exact_from_fit"], rel=1e-10)


@pytest.mark.parametrize("name", SMOOTH)
def test_the_ordinal_regression_of_R(shared: Path, name: str) -> None:
    found, table, _ = read(shared, name)
    exact = found["binormal_mle_clm"]
    fit = fit_labroc(table, cells="scores", covariance="observed")
    expected = [exact[symbol] for symbol in ("a", "b", "auc", "logLik", "se_auc")]
    got = [*fit.parameters.values(), fit.auc, fit.loglik, fit.auc_estimate().se]
    assert got == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("rule", ["proc_density", "proc_density_SJ"])
def test_kernels_of_pROC(shared: Path, name: str, rule: str) -> None:
    # One bandwidth, that of all cases; their curves have 512 points.
    found, table, score = read(shared, name)
    quartiles = np.subtract(*np.percentile(score, [75, 25])) / 1.34
    spread = min(score.std(ddof=1), quartiles) or score.std(ddof=1)
    h = float(0.9 * spread * score.size**-0.2)
    if rule == "proc_density_SJ":
        all_cases = rs.tabulate_classes(score, score)
        h = fit_kernel(all_cases, bandwidth="sheather-jones").parameters["h1"]
    fit, theirs = fit_kernel(table, bandwidth=h), found[rule]
    assert fit.auc == pytest.approx(theirs["auc"], abs=5e-4)
    at = 1 - np.array(found["grid_spec"])
    np.testing.assert_allclose(fit.tpr_at(at), theirs["sens_at_spec"], atol=1.2e-3)


@pytest.mark.parametrize(("name", "data"), ROCIT.items())
def test_ROCit(shared: Path, name: str, data: str) -> None:
    _, table, _ = read(shared, data)
    path = shared / "oracle" / f"rocit__{name}.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    assert fit_binormal(table).auc == pytest.approx(found["auc_binormal_moments"], rel=1e-12)
    kernel = found["auc_nonparametric_kernel"]
    if kernel is None:  # no bandwidth: half of the negatives are tied
        return
    fit = fit_kernel(table, bandwidth="silverman")
    if name == "rocr_simple":  # here ROCit's area is that of trapezoids between the scores
        points = np.array([fit.at_score(each)[:2] for each in table.score])
        fpr, tpr = np.vstack([[0, 0], points, [1, 1]]).T
        assert np.trapezoid(tpr, fpr) == pytest.approx(kernel, abs=1e-6)
        assert fit.auc == pytest.approx(kernel, abs=5e-5)
        return
    assert fit.auc == pytest.approx(kernel, rel=1e-12)
