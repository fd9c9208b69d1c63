"""Areas by a covariate and posteriors: what is drawn is what the results say."""

from dataclasses import replace

import numpy as np
import pytest

from covariate_studies import study
from rocspace.designs import (
    Posterior,
    auc_by_covariate,
    auc_by_covariate_difference,
    covariate_scores,
)

pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib.figure import Figure

from rocspace import plot
from rocspace.plot.axes import main_lines

DRAWS = Posterior(
    name="difference", value=0.5, draws=np.arange(1, 101) / 100, range=(-1.0, 1.0), method=""
)


def axes():
    return Figure().subplots()


def test_the_line_and_the_band_of_areas():
    found = auc_by_covariate(study(60), "age", "a", at=[1.0, 0.0, 2.0], given={"sex": "f"})
    ax = plot.plot_auc_by_covariate(found, ax=axes(), level=0.9)
    (line,) = main_lines(ax)
    assert line.get_xdata().tolist() == [0, 1, 2]
    np.testing.assert_allclose(line.get_ydata(), found.auc[[1, 0, 2]])
    band = found.band(0.9)
    corners = ax.collections[0].get_paths()[0].vertices
    assert corners[:, 1].min() == pytest.approx(band.low.min())
    assert corners[:, 1].max() == pytest.approx(band.high.max())


def test_categories_have_points_and_bars():
    found = auc_by_covariate(study(60), "sex", "a", given={"age": 0.0})
    ax = plot.plot_auc_by_covariate(found, ax=axes(), simultaneous=False)
    (points,) = main_lines(ax)
    np.testing.assert_allclose(points.get_ydata(), found.auc)
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["f", "m"]


def test_the_histogram_the_interval_and_the_region():
    ax = plot.plot_posterior(DRAWS, ax=axes(), region=(0.105, 0.305))
    (bar,) = main_lines(ax)
    low, high = DRAWS.interval(0.95, kind="highest-density")
    assert bar.get_xdata().tolist() == [low, high]
    assert [each.get_text() for each in ax.texts] == [
        "below: 10.0 %",
        "inside: 20.0 %",
        "above: 70.0 %",
    ]
    assert ax.get_xlabel() == "difference"
    assert not plot.plot_posterior(DRAWS, ax=axes()).texts


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("auc", "Area under the curve"),
        ("auc, new minus old", "Area under the curve, new minus old"),
        ("partial_area, fpr 0 to 0.1", "Partial area, fpr 0 to 0.1"),
        ("tpr at fpr 0.1", "True positive rate at fpr 0.1"),
        ("aucs", "aucs"),
    ],
)
def test_a_posterior_says_its_quantity_in_words(name, words):
    assert plot.plot_posterior(replace(DRAWS, name=name), ax=axes()).get_xlabel() == words


def test_a_difference_has_a_line_at_zero_and_its_own_name():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [60, 40])
    age = rng.normal(size=100)
    scores = {"a": age + y + rng.normal(size=100), "b": age + rng.normal(size=100)}
    data = covariate_scores(y, scores, {"age": age})
    found = auc_by_covariate_difference(data, "age", at=[-1, 0, 1])
    ax = plot.plot_auc_by_covariate(found, ax=axes(), label="a minus b")
    assert ax.get_ylabel() == "Difference of areas"
    lines = {each.get_label(): each for each in ax.lines}
    assert lines["_no difference"].get_ydata().tolist() == [0, 0]
    assert lines["a minus b"].get_ydata().tolist() == found.auc.tolist()
    assert ax.get_ylim()[0] <= found.band().low.min()
