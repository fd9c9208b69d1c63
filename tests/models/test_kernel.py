"""Kernel curves: the printed area, all pairs by definition, pROC's density, errors, edges."""

import csv
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import ndtr, ndtri

import rocspace as rs
from rocspace import bands, datasets
from rocspace.models import fit_kernel
from rocspace.models.kernel import KernelFit, merged
from rocspace.results import Estimate
from slow.data import normal_table

F3 = datasets.load("fawcett20")
FAWCETT = rs.tabulate(F3.y_true, F3.y_score)
POS = np.asarray(F3.y_score)[np.asarray(F3.y_true) == 1]
NEG = np.asarray(F3.y_score)[np.asarray(F3.y_true) == 0]
AT = np.array([1e-6, 0.05, 0.3, 0.5, 0.8, 0.999])


def test_printed_numbers() -> None:
    fit = fit_kernel(FAWCETT, bandwidth="silverman")
    assert fit.parameters == pytest.approx({"h1": 0.0858149, "h0": 0.0693935}, abs=5e-8)
    assert fit.auc == pytest.approx(0.6501448, abs=5e-8)
    usual = fit_kernel(FAWCETT)
    # 4^(1/3) sd 10^(-1/3), with the standard deviations of ten cases that divide by nine.
    by_hand = {f"h{i}": 0.4 ** (1 / 3) * x.std(ddof=1) for i, x in ((1, POS), (0, NEG))}
    assert usual.parameters == pytest.approx(by_hand, rel=1e-12)


def test_by_hand() -> None:
    # One pair at distance 3 and one at 1, kernels of sd 3 and 4: s = 5.
    fit = fit_kernel(rs.tabulate_classes([4.0], [1.0, 3.0]), bandwidth=(3, 4))
    assert fit.auc == pytest.approx((stats.norm.cdf(0.6) + stats.norm.cdf(0.2)) / 2)
    # At the threshold 2 half the negatives are above; of the positives Phi((4 - 2) / 3).
    assert fit.threshold_at(0.5) == pytest.approx(2)
    assert fit.tpr_at(0.5) == pytest.approx(stats.norm.cdf(2 / 3))
    density = stats.norm.pdf(2 / 3) / 3, stats.norm.pdf(0.25) / 4
    assert fit.slope_at(0.5) == pytest.approx(density[0] / density[1])
    assert np.isnan(fit.auc_estimate().se)  # of one positive nobody knows the spread


def test_curve_by_its_definition() -> None:
    fit = fit_kernel(FAWCETT, bandwidth=0.1)
    cut = fit.threshold_at(AT)
    above = ndtr((NEG - cut[:, np.newaxis]) / 0.1).mean(axis=1)
    np.testing.assert_allclose(above, AT, rtol=1e-11)
    np.testing.assert_allclose(fit.tpr_at(AT), ndtr((POS - cut[:, np.newaxis]) / 0.1).mean(axis=1))
    assert fit.auc == pytest.approx(integrate.quad(fit.tpr_at, 0, 1, limit=200)[0], abs=1e-8)
    tiny = fit_kernel(FAWCETT, bandwidth=1e-7)
    assert tiny.auc == pytest.approx(rs.auc(FAWCETT), abs=1e-12)


@pytest.mark.parametrize(("marker", "close"), [("s100b", 3e-4), ("ndka", 1.5e-3)])
def test_pROC_takes_the_bandwidth_of_all_cases(shared: Path, marker: str, close: float) -> None:
    with (shared / "data" / "asah.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    path = shared / "oracle" / f"smooth__asah__{marker}.json"
    answers = json.loads(path.read_text("utf-8"))["proc_density"]
    y, x = [int(row["outcome"]) for row in rows], np.array([float(row[marker]) for row in rows])
    spread = min(x.std(ddof=1), np.subtract(*np.percentile(x, [75, 25])) / 1.34)
    fit = fit_kernel(rs.tabulate(y, x), bandwidth=float(0.9 * spread * x.size**-0.2))
    assert fit.auc == pytest.approx(answers["auc"], abs=close)  # theirs has 512 points
    at = np.arange(19, 0, -1) / 20
    np.testing.assert_allclose(fit.tpr_at(at), answers["sens_at_spec"], atol=close)


@pytest.mark.parametrize("marker", ["s100b", "ndka"])
def test_pROC_with_the_bandwidth_of_Sheather_and_Jones(shared: Path, marker: str) -> None:
    with (shared / "data" / "asah.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    path = shared / "oracle" / f"smooth__asah__{marker}.json"
    answers = json.loads(path.read_text("utf-8"))["proc_density_SJ"]
    y, x = [int(row["outcome"]) for row in rows], np.array([float(row[marker]) for row in rows])
    of_all = fit_kernel(rs.tabulate_classes(x, x), bandwidth="sheather-jones").parameters["h1"]
    fit = fit_kernel(rs.tabulate(y, x), bandwidth=of_all)
    assert fit.auc == pytest.approx(answers["auc"], abs=3e-4)  # theirs has 512 points
    at = np.arange(19, 0, -1) / 20
    np.testing.assert_allclose(fit.tpr_at(at), answers["sens_at_spec"], atol=1e-3)


@pytest.mark.parametrize("bounds", [(0, 1), (0, np.inf), (-np.inf, 1)])
def test_reflection(bounds: Any) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.beta(3, 1, 40), rng.beta(1, 2, 50)
    table, mirrored = rs.tabulate_classes(x, y), rs.tabulate_classes(-x, -y)
    fit = fit_kernel(table, bandwidth=(0.3, 0.1), bounds=bounds)
    low, high = bounds
    cut = fit.threshold_at(np.array([0.05, 0.4, 0.97]))
    assert ((cut >= low) & (cut <= high)).all()

    def above(scores: Any, h: float) -> Any:  # of each place that is reflected to above the cut
        ends = np.array([0.0, *cut])[:, np.newaxis]
        inside = [(ends + turn, 2 * high - ends + turn) for turn in (-4, -2, 0, 2, 4)]
        if low == -np.inf:
            inside = [(ends, 2 - ends)]
        elif high == np.inf:
            inside = [(ends, np.full_like(ends, np.inf)), (np.full_like(ends, -np.inf), -ends)]
        shares = [ndtr((to - scores) / h) - ndtr((of - scores) / h) for of, to in inside]
        return np.sum(shares, axis=0).mean(axis=1)

    np.testing.assert_allclose(above(y, 0.1)[1:], [0.05, 0.4, 0.97], rtol=1e-9)
    np.testing.assert_allclose(above(x, 0.3)[1:], fit.tpr_at([0.05, 0.4, 0.97]), rtol=1e-9)
    angle = np.linspace(0, np.pi / 2, 501)
    area = np.trapezoid(fit.tpr_at(np.sin(angle) ** 2) * np.sin(2 * angle), angle)
    assert fit.auc == pytest.approx(area, abs=1e-5)
    low_is_positive = rs.ScoreTable.from_counts(
        mirrored.score, mirrored.pos, mirrored.neg, higher_is_positive=False
    )
    ends = (-high, -low)
    other = fit_kernel(low_is_positive, bandwidth=(0.3, 0.1), bounds=ends)
    assert other.auc == pytest.approx(fit.auc, abs=1e-14)
    far = fit_kernel(table, bandwidth=0.1, bounds=(-9, 9))
    assert far.auc == pytest.approx(fit_kernel(table, bandwidth=0.1).auc, abs=1e-12)


def test_bounds_are_checked() -> None:
    bad: Any
    for bad, why in (((0.4, 1), "a score is 0"), ((1, 0), "not rising"), ((0, 1), "wider than")):
        with pytest.raises(ValueError, match=why):
            fit_kernel(FAWCETT, bounds=bad, bandwidth=2.0)
    assert fit_kernel(FAWCETT, bounds=(0, 1), bandwidth=1.0).bounds == (0, 1)  # as wide, not wider
    with pytest.raises(ValueError, match="Take one of them"):
        fit_kernel(FAWCETT, bounds=(0, 1), transform="log")
    flat = fit_kernel(rs.tabulate_classes([1, 1], [0, 0.5, 1]), bounds=(0, 1))
    assert flat.auc == 1  # nothing is above the bound


def test_error_of_the_area_is_that_of_smoothed_placements() -> None:
    fit = fit_kernel(FAWCETT, bandwidth=0.1)
    wins = ndtr((POS[:, np.newaxis] - NEG) / np.hypot(0.1, 0.1))
    exact = wins.mean(axis=1).var(ddof=1) / 10 + wins.mean(axis=0).var(ddof=1) / 10
    assert fit.auc_estimate().se == pytest.approx(np.sqrt(exact), rel=1e-8)
    assert fit.covariance_method == "influence of each case"
    at = fit.threshold_at(0.3)
    inside = [ndtr((x - at) / 0.1).var(ddof=1) / 10 for x in (POS, NEG)]
    tpr = np.sqrt(inside[0] + fit.slope_at(0.3) ** 2 * inside[1])
    assert fit.tpr_estimate(0.3).se == pytest.approx(tpr, rel=1e-4)
    with pytest.raises(ValueError, match="covariance of this kernel fit is unknown"):
        bands.fit_band(fit)


def narrowed(x: Any, h: float) -> tuple[Any, float]:
    nearer = 1 / np.sqrt(1 + h**2 / x.var(ddof=1))
    return x.mean() + nearer * (x - x.mean()), nearer * h


def unbiased(fit: Any) -> KernelFit:
    found = fit._unbiased
    assert isinstance(found, KernelFit)
    return found


def test_intervals_are_about_a_curve_whose_kernels_keep_the_variance() -> None:
    fit = fit_kernel(FAWCETT, bandwidth=(0.1, 0.15))
    (x, h1), (y, h0) = narrowed(POS, 0.1), narrowed(NEG, 0.15)
    assert (x.var(ddof=1) + h1**2) == pytest.approx(POS.var(ddof=1))
    found, other = fit.auc_estimate(), unbiased(fit)
    area = ndtr((x[:, np.newaxis] - y) / np.hypot(h1, h0)).mean()
    assert other.auc == pytest.approx(area, rel=1e-9)
    assert found.value == fit.auc  # the estimate keeps its bias
    cut = other.threshold_at(0.3)
    assert ndtr((y - cut) / h0).mean() == pytest.approx(0.3)
    rate = ndtr((x - cut) / h1).mean()
    for estimate, centre, low, high in (
        (found, area, 0, 1),
        (fit.tpr_estimate(0.3), rate, 0, 1),
        (fit.partial_auc_estimate(fpr=(0, 0.2)), other.partial_auc(fpr=(0, 0.2)), 0, 0.2),
    ):
        about = Estimate(value=centre, se=0.01, method="", range=(low, high), df=9)
        ends = [float(ndtri((end - low) / (high - low))) for end in estimate.interval()]
        middle = float(ndtri((about.value - low) / (high - low)))
        assert np.mean(ends) == pytest.approx(middle, rel=1e-6)


def test_the_error_without_bias_allows_for_mean_and_variance() -> None:
    other = unbiased(fit_kernel(FAWCETT, bandwidth=(0.1, 0.15)))
    assert other._variance_of_auc() == pytest.approx(other._variance(lambda one: one.auc), rel=1e-5)

    def area(pos: Any, neg: Any) -> float:  # with shares of the cases
        moved = []
        for x, share, h in ((POS, pos, 0.1), (NEG, neg, 0.15)):
            mean = share @ x
            nearer = 1 / np.sqrt(1 + h**2 / (share @ (x - mean) ** 2 * 10 / 9))
            moved.append((mean + nearer * (x - mean), nearer * h))
        (x, h1), (y, h0) = moved
        return float(pos @ ndtr((x[:, np.newaxis] - y) / np.hypot(h1, h0)) @ neg)

    even, total = np.full(10, 0.1), 0.0
    for i in range(10):
        step = 1e-5 * (np.eye(10)[i] - even)
        for up, down in (
            ((even + step, even), (even - step, even)),
            ((even, even + step), (even, even - step)),
        ):
            total += ((area(*up) - area(*down)) / 2e-5) ** 2 / 90
    assert other._variance_of_auc() == pytest.approx(total, rel=1e-5)


def test_intervals_about_the_estimate_are_there_by_name_and_between_bounds() -> None:
    fit = fit_kernel(FAWCETT, bandwidth=0.1)
    found = fit.auc_estimate()
    z, half = (
        ndtri(found.value),
        stats.t.ppf(0.975, 9) * found.se / stats.norm.pdf(ndtri(found.value)),
    )
    np.testing.assert_allclose(tuple(found.interval(scale="probit")), ndtr([z - half, z + half]))
    assert found.interval().high > found.interval(scale="probit").high  # the area is above 1/2
    bounded = fit_kernel(FAWCETT, bandwidth=0.1, bounds=(0, 1)).auc_estimate()
    assert bounded.interval() == bounded.interval(scale="probit")
    sharp = fit_kernel(FAWCETT, bandwidth=1e-6).auc_estimate()
    np.testing.assert_allclose(tuple(sharp.interval()), tuple(sharp.interval(scale="probit")))


def test_an_interval_reaches_the_estimate_and_no_unit_matters() -> None:
    wide = fit_kernel(FAWCETT, bandwidth=20.0).auc_estimate()  # whose area is nearly .5
    assert wide.interval(0.01).low == wide.value
    moved = rs.ScoreTable.from_counts(
        7 - 4 * FAWCETT.score, FAWCETT.pos, FAWCETT.neg, higher_is_positive=False
    )
    one, other = (fit_kernel(table, bandwidth="cdf") for table in (FAWCETT, moved))
    for read in (lambda fit: fit.auc_estimate(), lambda fit: fit.tpr_estimate(0.2)):
        np.testing.assert_allclose(
            tuple(read(one).interval()), tuple(read(other).interval()), rtol=1e-6
        )


def test_errors_by_simulation() -> None:
    found = [fit_kernel(normal_table(40, seed)) for seed in range(60)]
    errors = [fit.auc_estimate().se for fit in found[:10]]
    assert np.mean(errors) == pytest.approx(np.std([fit.auc for fit in found]), rel=0.25)


def test_many_scores_are_merged() -> None:
    table = normal_table(4000)
    fit = fit_kernel(table)
    h1, h0 = fit.parameters.values()
    pos, neg = (np.repeat(table.score, many)[:, np.newaxis] for many in (table.pos, table.neg))
    cut = fit.threshold_at(np.array([0.01, 0.3, 0.7]))
    np.testing.assert_allclose(ndtr((neg - cut) / h0).mean(axis=0), [0.01, 0.3, 0.7], atol=3e-5)
    exact = ndtr((pos - cut) / h1).mean(axis=0)
    np.testing.assert_allclose(fit.tpr_at([0.01, 0.3, 0.7]), exact, atol=6e-5)
    area = np.mean([ndtr((x - neg) / np.hypot(h1, h0)).mean() for x in pos[::1, 0]])
    assert fit.auc == pytest.approx(area, abs=3e-5)


def test_rates_on_a_grid_are_right_to_a_millionth() -> None:
    fit = fit_kernel(normal_table(4000))
    exact = replace(fit, rough=(False, False))
    at = np.linspace(0.001, 0.999, 201)
    np.testing.assert_allclose(fit.tpr_at(at), exact.tpr_at(at), atol=2e-6)
    np.testing.assert_allclose(fit.slope_at(at), exact.slope_at(at), rtol=2e-3)


def test_the_area_of_millions_of_pairs_is_their_mean() -> None:
    rng = np.random.default_rng(4)
    pos, neg = rng.normal(1, 1, 1700), rng.normal(0, 1, 1700)
    fit = fit_kernel(rs.tabulate_classes(pos, neg), bandwidth=(0.03, 0.04))
    area = ndtr(np.subtract.outer(pos, neg) / 0.05).mean()
    assert fit.auc == pytest.approx(area, abs=1e-6)


def test_only_more_than_2048_scores_of_a_class_are_merged() -> None:
    for n, left in ((2048, 2048), (2049, 66)):  # groups of 31.25 on the average
        sample = np.arange(float(n)), np.full(n, 1 / n), np.zeros(n)
        assert merged(sample, 1000.0)[0].size == left
    few, more = np.arange(2048.0), np.arange(2049.0) - 500
    assert fit_kernel(rs.tabulate_classes(few, more)).rough == (False, True)
    assert fit_kernel(rs.tabulate_classes(more, few)).rough == (True, False)


def test_a_curve_of_merged_scores_is_fast() -> None:
    table = normal_table(20_000)
    small = normal_table(1000)
    times = []
    for each in (small, table):
        fit = fit_kernel(each)
        start = time.process_time()
        fit.tpr_at(np.linspace(0, 1, 512))
        times.append(time.process_time() - start)
    assert times[1] < times[0]  # once 250 ms, where fewer than 2048 scores were left


def test_transforms() -> None:
    table = rs.tabulate_classes([0.2, 0.7, 0.9], [0.1, 0.3, 0.4])
    for transform, function in (("log", np.log), ("logit", stats.logistic.ppf)):
        known: Any = transform
        fit = fit_kernel(table, transform=known)
        other = rs.ScoreTable.from_counts(function(table.score), table.pos, table.neg)
        same = fit_kernel(other)
        assert fit.auc == pytest.approx(same.auc, rel=1e-12)
        np.testing.assert_allclose(function(fit.threshold_at(AT)), same.threshold_at(AT), rtol=1e-9)
    with pytest.raises(ValueError, match="takes scores strictly between 0 and 1, but one is 2"):
        fit_kernel(rs.tabulate_classes([0.5, 2], [0.1, 0.3]), transform="logit")
    with pytest.raises(ValueError, match="takes scores above 0, but one is -1"):
        fit_kernel(rs.tabulate_classes([0.5, -1], [0.1, 0.3]), transform="log")


def test_weights_that_are_counts_repeat_cases() -> None:
    once = fit_kernel(FAWCETT, bandwidth=0.1)
    many = fit_kernel(
        rs.tabulate(F3.y_true, F3.y_score, sample_weight=np.full(20, 3.0)), bandwidth=0.1
    )
    assert many.auc == pytest.approx(once.auc)
    assert many.auc_estimate().se == pytest.approx(once.auc_estimate().se)


def test_scores_of_a_class_that_are_all_equal() -> None:
    flat = fit_kernel(rs.tabulate_classes([2, 2], [1, 2, 3]))
    assert list(flat.flags) == ["degenerate"]
    # Half of the smoothed negatives are above 2, the middle one.
    assert flat.auc == pytest.approx(0.5)
    assert flat.tpr_at([0.4, 0.6]).tolist() == [0, 1]
    other = fit_kernel(rs.tabulate_classes([1, 2, 3], [2, 2]))
    assert other.tpr_at([0.1, 0.9]).tolist() == pytest.approx([0.5, 0.5])
    assert fit_kernel(rs.tabulate_classes([2, 2], [1])).auc == 1
    assert fit_kernel(rs.tabulate_classes([1, 1], [1])).auc == 0.5


@pytest.mark.parametrize("bandwidth", [0, -1, np.nan, (1, 2, 3), (1, 0), "wide"])
def test_bandwidths_are_checked(bandwidth: Any) -> None:
    with pytest.raises(ValueError, match="bandwidth"):
        fit_kernel(FAWCETT, bandwidth=bandwidth)
