"""Figures beside the text, by every verb that draws."""

import re

import numpy as np
import pytest

import rocspace as rs
from rocspace.cli.tables import draw_tables
from three_scores import LABEL, NEW, OLD, N

WIDTHS = "width", "height"
FOLD = np.array(["one", "two", "three"])[np.arange(N) % 3]


@pytest.mark.parametrize(
    "words",
    [
        ("compare",),
        ("average", "--fold", "fold", "--score", "new"),
        ("band", "--score", "new", "--method", "ks"),
        ("granular", "--score", "new"),
        ("curve",),
        ("hull",),
    ],
)
def test_figures_are_written(run, csv_file, tmp_path, words):
    pytest.importorskip("matplotlib")
    path = csv_file("s.csv", {"y": LABEL, "new": NEW, "old": OLD, "fold": FOLD})
    name, *options = words
    printed = run(name, path, *options, "--figure", tmp_path / "a.svg")
    assert "figure:" in printed.err
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "</svg>" in drawn
    refused = run(name, path, *options, "--figure", tmp_path / "a.txt", fails=True).err
    assert "must end in one of .png, .svg, .pdf" in refused
    assert "no folder" in run(name, path, *options, "--figure", "no/a.svg", fails=True).err


def test_a_figure_is_as_high_as_its_rows(run, csv_file, tmp_path):
    pytest.importorskip("matplotlib")
    draw = np.random.default_rng(1).normal
    scores = {f"s{i:02}": draw(size=N) for i in range(12)}
    path = csv_file("s.csv", {"y": LABEL, **scores})
    few = ("--score", "s00", "--score", "s01")
    heights = []
    for options in (few, ()):
        said = run("compare", path, *options, "--figure", tmp_path / "a.svg").err
        assert "too small to read" not in said
        head = (tmp_path / "a.svg").read_text(encoding="utf-8")
        heights.append(float(re.search(r'<svg [^>]*height="([\d.]+)pt"', head)[1]))
    assert heights[0] < 4 * 72 < 9 * 72 < heights[1]


def test_curves_stand_above_many_rows_and_beside_few():
    from matplotlib.figure import Figure

    from rocspace.plot.files import curves_and_rows, drawn

    high = []
    for rows in (21, 22, 66):

        def draw(figure: Figure, rows: int = rows) -> None:
            curves, below = curves_and_rows(figure, rows)
            figure.draw_without_rendering()
            (x0, y0), (_, y1) = curves.bbox.min, curves.bbox.max
            (beside, _), (_, top) = below.bbox.min, below.bbox.max
            assert (beside > x0 + 1, top < y0) == (rows == 21, rows > 21)
            high.append((y1 - y0) / figure.dpi)

        drawn(draw, "png", size="double", rows=rows, curves=True)
    assert min(high) > 2.5  # inches


def test_many_curves_stand_beside_their_names(run, csv_file, tmp_path):
    pytest.importorskip("matplotlib")
    draw = np.random.default_rng(1).normal
    names = [f"Gradient boosted trees, variant {i:02}" for i in range(12)]
    path = csv_file("s.csv", {"y": LABEL, **{name: draw(size=N) for name in names}})
    shapes = []
    for many in (6, 7, 12):
        chosen = [word for name in names[:many] for word in ("--score", name)]
        run("auc", path, *chosen, "--figure", tmp_path / "a.svg")
        head = (tmp_path / "a.svg").read_text(encoding="utf-8")
        shapes.append([float(re.search(rf'<svg [^>]*{x}="([\d.]+)pt"', head)[1]) for x in WIDTHS])
    assert shapes[0][0] < 4 * 72 < 5 * 72 < min(shapes[1][0], shapes[2][0])
    assert all(wide > high for wide, high in shapes[1:])


def test_a_legend_says_each_area_once():
    from matplotlib.figure import Figure

    figure = Figure()
    draw_tables({"a": rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1])}, figure)
    (legend,) = [ax.get_legend() for ax in figure.axes]
    assert [text.get_text() for text in legend.get_texts()] == ["a (AUC 0.750, 0.179 to 1)"]
