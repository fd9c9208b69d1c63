"""The gallery: every script draws its figure, and what its caption says is so."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

import rocspace as rs
from rocspace import datasets

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib import pyplot as plt  # noqa: E402

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
SCRIPTS = sorted(path.stem for path in GALLERY.glob("[!_]*.py"))


@pytest.fixture(autouse=True)
def beside(monkeypatch):
    """The scripts import each other; pyplot's figures are closed afterwards."""
    monkeypatch.syspath_prepend(GALLERY)
    yield
    plt.close("all")
    for name in [*SCRIPTS, "_scores"]:
        sys.modules.pop(name, None)


def script(name):
    return importlib.import_module(name)


def test_every_figure_of_the_papers_is_there():
    numbers = {name[:5] for name in SCRIPTS if name.startswith("fig")}
    assert numbers == {f"fig{i:02}" for i in range(2, 11)}
    notes = {name.partition("_")[2] for name in SCRIPTS if name.startswith("hp")}
    assert notes == {"boolean_box", "det", "cost_curve", "superiority"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_draws_a_figure_that_holds_its_words(name, tmp_path):
    module = script(name)
    title, _, caption = module.__doc__.partition("\n\n")
    assert title.endswith(".")
    assert "After Fawcett" in caption or "Fawcett (2006), figure" in caption
    figure = module.draw()
    figure.savefig(tmp_path / "figure.pdf")
    assert (tmp_path / "figure.pdf").stat().st_size < 100_000
    figure.draw_without_rendering()
    page = figure.bbox
    for ax in figure.axes:
        boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
        for i, box in enumerate(boxes):
            assert page.x0 <= box.x0 <= box.x1 <= page.x1
            assert page.y0 <= box.y0 <= box.y1 <= page.y1
            assert not any(box.overlaps(other) for other in boxes[:i])


def test_captions_of_the_twenty_and_the_ten_cases():
    data = datasets.load("fawcett20")
    (best,) = rs.optimal_points(rs.tabulate(data.y_true, data.y_score), criterion="accuracy")
    assert (best.fpr, best.tpr, best.threshold, best.tp + best.tn) == (0.1, 0.5, 0.54, 14)
    data = datasets.load("fawcett4")
    found = rs.evaluate(rs.tabulate(data.y_true, data.y_score), [0.5, 0.69, 0.99])
    assert (found.tp + found.tn).tolist() == [8, 10, 10]
    assert found.fp[0] == 2


def test_caption_of_the_hull():
    module = script("fig07_convex_hull")
    hull = rs.roc_hull(module.TABLES)
    names = [{point.name for point in points} for points in hull.points]
    assert set().union(*names[1:-1]) == {"A", "C"}
    assert names[hull.optimal(5)[0]] == {"A"}
    assert names[hull.optimal(1 / 5)[0]] == {"C"}


def test_caption_of_the_areas():
    binormal = script("_scores").binormal
    a, b = binormal(0.55, 0.5, n=40), binormal(1.4, 1.3, n=40)
    assert rs.auc(b) > rs.auc(a)
    above, below = np.linspace(0.525, 0.9, 20), np.linspace(0, 0.42, 20)
    one, two = rs.roc_curve(a), rs.roc_curve(b)
    assert (one.tpr_at(above) > two.tpr_at(above)).all()
    assert (one.tpr_at(below) < two.tpr_at(below)).all()


def test_the_point_on_a_budget():
    module = script("fig10_interpolation")
    ax = module.draw().axes[0]
    *_, points = ax.lines
    (a, b, c) = points.get_xydata()
    assert c[1] * module.BUYERS + c[0] * module.OTHERS == pytest.approx(module.LETTERS)
    # METHODS.md, M-52: k = 376 / 660.
    np.testing.assert_allclose(c, a + 376 / 660 * (b - a), rtol=1e-12)
    assert c.round(4).tolist() == [0.1855, 0.4279]
