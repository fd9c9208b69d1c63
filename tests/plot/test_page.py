"""No word leaves the page or covers another one, whatever is drawn.

Each graph is drawn with one of the hard data sets; `python tests/sheets.py FOLDER` draws all of
them with all, to be looked at.
"""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import rocspace as rs

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib import style as looks  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

import sheets  # noqa: E402
from drawn import main  # noqa: E402
from rocspace import plot  # noqa: E402
from rocspace._base.text import share  # noqa: E402
from rocspace.granular import groc  # noqa: E402
from rocspace.plot.axes import pixels, samples  # noqa: E402
from rocspace.plot.graph import _said_of  # noqa: E402

SMALL = [name for name in sheets.MAKERS if name != "huge"]
# Along the diagonal of graphs and data sets, in steps that have no divisor in common with 8.
DIAGONAL = [(graph, SMALL[3 * i % len(SMALL)]) for i, graph in enumerate(sheets.GRAPHS)]
DIAGONAL = [pair for pair in DIAGONAL if pair not in sheets.REFUSED]
JOURNAL = [
    ("roc", "twelve long", "single"),
    ("cost", "long names", "single"),
    ("differences", "long names", "single"),
    ("superiority", "twelve long", "single"),
    ("roc", "twelve long", "double"),
    ("differences", "long names", "double"),
]


def drawn(graph, data, figure):
    ax = figure.subplots()
    sheets.GRAPHS[graph](ax, data)
    figure.draw_without_rendering()
    return ax


def words_of(figure):
    """Every text that is shown, with its place."""
    place = matplotlib.text.Text.get_window_extent  # of the words without a line to a point
    every = figure.findobj(matplotlib.text.Text)
    return [(t.get_text(), place(t)) for t in every if t.get_visible() and t.get_text().strip()]


def check_page(figure):
    ax = figure.axes[0]
    (x0, x1), (y0, y1) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    # Ticks beyond the limits are kept by matplotlib, and not drawn.
    hidden = [
        tick.get_window_extent()
        for axis, low, high, at in ((ax.xaxis, x0, x1, 0), (ax.yaxis, y0, y1, 1))
        for tick in axis.get_ticklabels()
        if not low <= tick.get_position()[at] <= high
    ]
    hidden = [box.extents.tolist() for box in hidden]
    words = [(w, box) for w, box in words_of(figure) if box.extents.tolist() not in hidden]
    page = figure.bbox
    for said, box in words:
        assert page.x0 - 1 <= box.x0, said
        assert box.x1 <= page.x1 + 1, said
        assert page.y0 - 1 <= box.y0, said
        assert box.y1 <= page.y1 + 1, said
    for (said, one), (other, two) in combinations(words, 2):
        shared = np.minimum(one.max, two.max) - np.maximum(one.min, two.min)
        assert not (shared > 1.5).all(), (said, other)
    assert ax.get_window_extent().width > 0.1 * page.width


@pytest.mark.filterwarnings("ignore:66 rows have letters of")  # said of all pairs of twelve
@pytest.mark.parametrize(("graph", "data"), DIAGONAL)
def test_words_stay_on_the_page_and_apart(graph, data):
    figure = Figure()
    ax = drawn(graph, data, figure)
    check_page(figure)
    names = [line for line in main(ax) if not str(line.get_label()).startswith("_")]
    said = [words.get_text() for legend in legends(figure) for words in legend.get_texts()]
    said += [words.get_text() for words in [*ax.texts, *ax.get_yticklabels()]]
    assert len(said) >= len(names)


def legends(figure):
    own = [ax.get_legend() for ax in figure.axes]
    return [legend for legend in [*own, *figure.legends] if legend is not None]


@pytest.mark.parametrize(("graph", "data", "columns"), JOURNAL)
def test_words_stay_on_the_page_of_a_journal(graph, data, columns):
    with plot.style(columns):
        figure = Figure(figsize=matplotlib.rcParams["figure.figsize"], layout="constrained")
        drawn(graph, data, figure)
        check_page(figure)


# Graphs of several classes on axes of their own, with the data that are hardest for each.
OF_CLASSES = [
    ("one versus rest", "long class names"),
    ("pairs of classes", "long class names"),
    ("confusion", "twelve classes"),
    ("cost slice", "perfect classes"),
    ("ternary", "long class names"),
]
HARD_CLASSES = [
    (graph, ("tiny classes", "constant", "votes")[i % 3])
    for i, graph in enumerate(sheets.CLASS_GRAPHS)
]


@pytest.mark.parametrize(("graph", "data"), OF_CLASSES)
def test_words_about_classes_stay_on_the_page_and_apart(graph, data):
    figure = Figure()
    sheets.CLASS_GRAPHS[graph](figure, data)
    figure.draw_without_rendering()
    check_page(figure)


def test_each_graph_is_on_the_sheets():
    drawn = re.findall(r"plot\.(\w+)", Path(sheets.__file__).read_text())
    assert set(plot.__all__) - set(drawn) == {"roc_axes"}  # which the others call
    every = {pair for pair in sheets.pairs_of_both() if pair[0] not in sheets.DEAR}
    assert len(every) >= 9 * len(set(sheets.GRAPHS) - sheets.DEAR) - len(sheets.REFUSED)


@pytest.mark.parametrize(("graph", "data"), sorted(sheets.REFUSED))
def test_too_few_cases_are_refused_in_words(graph, data):
    with pytest.raises(
        ValueError, match=r"only \d cases|at least 1 positive|takes more than \d case"
    ):
        sheets.GRAPHS[graph](Figure().subplots(), data)


def test_a_matrix_beside_another_one_leaves_room_for_its_words():
    """A matrix is square: in a slot that is higher than wide it stands above the slot's end."""
    figure = Figure(figsize=(12, 6))
    data = sheets.classes("long class names")
    for ax in figure.subplots(1, 2):
        plot.plot_pairwise(data, ax=ax)
    figure.draw_without_rendering()
    for said, box in words_of(figure):
        assert box.y0 >= figure.bbox.y0, said


@pytest.mark.parametrize(("graph", "data"), HARD_CLASSES)
def test_hard_classes_are_drawn(graph, data):
    figure = Figure()
    sheets.CLASS_GRAPHS[graph](figure, data)
    assert words_of(figure)


# --- legends --------------------------------------------------------------------------------------


def legend_of(ax):
    (found,) = legends(ax.figure)
    return [words.get_text() for words in found.get_texts()]


def curve():
    return rs.roc_curve(sheets.tables("tied")["model 1"])


def test_a_label_shows_with_the_area_and_its_interval():
    ax = plot.plot_roc(curve(), ax=Figure().subplots(), label="hgb")
    found = rs.delong(sheets.tables("tied")["model 1"])
    low, high = found.interval(0.95)
    assert legend_of(ax) == [f"hgb (AUC {found.value:.3f}, {low:.3f} to {high:.3f})"]
    low, high = found.interval(0.5)
    ax = plot.plot_roc(curve(), ax=Figure().subplots(), label="hgb", level=0.5)
    assert legend_of(ax) == [f"hgb (AUC {found.value:.3f}, {low:.3f} to {high:.3f})"]
    ax = plot.plot_roc(curve(), ax=Figure().subplots(), label="hgb", area="value")
    assert legend_of(ax) == [f"hgb (AUC {found.value:.3f})"]
    ax = plot.plot_roc(curve(), ax=Figure().subplots(), label="hgb", area="none")
    assert legend_of(ax) == ["hgb"]
    assert not legends(plot.plot_roc(curve(), ax=Figure().subplots()).figure)
    with pytest.raises(ValueError, match="level"):
        plot.plot_roc(curve(), level=95)


def test_an_interval_is_only_said_where_it_is_known():
    table = sheets.tables("tied")["model 1"]
    tied = np.repeat(range(6), 2)
    for made in (
        rs.roc_curve(rs.tabulate([0, 1, 0, 1], [1, 3, 2, 2], sample_weight=[0.5, 2, 1, 1])),
        rs.roc_curve(table, ties="optimistic"),
        rs.roc_curve(rs.tabulate([0, 1] * 6, tied), collinear="drop"),
        rs.roc_curve(rs.tabulate([0, 0, 1, 1, 0, 1], range(6)), collinear="drop"),
    ):
        ax = plot.plot_roc(made, ax=Figure().subplots(), label="a")
        assert legend_of(ax) == [f"a (AUC {share(made.auc)})"]


def test_a_legend_of_the_users_own_stays():
    ax = Figure().subplots()
    plot.plot_roc(curve(), ax=ax, label="a")
    own = ax.legend(["mine"])
    plot.plot_roc(curve(), ax=ax, label="b")
    assert ax.get_legend() is own
    ax = plot.plot_roc(curve(), ax=Figure().subplots(), label="a")
    plot.label_lines(ax)
    assert ax.get_legend() is None
    assert [words.get_text() for words in ax.texts] == ["a"]


def test_axes_get_their_room_back():
    ax = Figure().subplots()
    before = ax.get_position().bounds
    sheets.GRAPHS["roc"](ax, "twelve")
    assert ax.get_position(original=True).width < before[2]
    for line in main(ax)[2:]:
        line.set_label("_")
    plot.label_lines(ax)
    assert ax.get_legend() is None
    assert ax.get_position(original=True).bounds == before


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("size", [(6.4, 4.8), (3.35, 3.2)])
@pytest.mark.parametrize("name", ["model {}", "a model of a rather long name, {}"])
def test_thirty_names_stay_on_the_page(layout, size, name):
    n = 30 if size[0] > 4 else 12
    with plot.style("single", figure_dpi=100, savefig_dpi=100):
        figure = Figure(figsize=size, layout=layout)
        ax = figure.subplots()
        plot.plot_roc({name.format(i): curve() for i in range(n)}, ax=ax)
        figure.draw_without_rendering()
    check_page(figure)
    assert len(set(legend_of(ax))) == n
    assert min(ax.get_window_extent().size / figure.bbox.size) > 0.25


@pytest.mark.parametrize("layout", [None, "constrained"])
def test_a_legend_without_room_says_so(layout):
    ax = Figure(figsize=(1.5, 1.5), layout=layout).subplots()
    with pytest.warns(UserWarning, match=r"legend finds no room on the page. Make the figure la"):
        plot.plot_roc({f"model {i}": curve() for i in range(30)}, ax=ax)


def test_the_lower_curve_is_named_after_its_upper_one():
    ax = Figure().subplots()
    for name in ("a", "b"):
        plot.plot_granular(groc(sheets.tables("tied")["model 1"], 0.1), ax=ax, label=name)
    assert legend_of(ax) == ["a", "a, lower", "b", "b, lower"]


def contrast(colour, page):
    """The contrast ratio of WCAG 2, from 1 to 21."""
    channels = [np.array(matplotlib.colors.to_rgb(each)) for each in (colour, page)]
    linear = [np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) for c in channels]
    one, two = (float(c @ [0.2126, 0.7152, 0.0722]) + 0.05 for c in linear)
    return max(one, two) / min(one, two)


@pytest.mark.parametrize("graph", [name for name in sheets.GRAPHS if name not in sheets.DEAR])
def test_a_dark_page_shows_all_lines_and_words(graph):
    """What is black on white is white on black, and what is faint is faint on both."""
    with looks.context("dark_background"):
        figure = Figure()
        ax = drawn(graph, "tied", figure)
    assert ax.lines
    for line in figure.findobj(matplotlib.lines.Line2D):
        if line.get_visible() and len(line.get_xdata()):
            assert contrast(line.get_color(), "black") > 1.4, line
    for words in figure.findobj(matplotlib.text.Text):
        if words.get_visible() and words.get_text():
            assert contrast(words.get_color(), "black") > 3, words
            strokes = [stroke._gc["foreground"] for stroke in words.get_path_effects()]
            assert all(contrast(stroke, "black") < 1.5 for stroke in strokes), words


def test_the_fifth_colour_is_that_of_ink():
    with looks.context("dark_background"):
        dark = plot.plot_roc([curve()] * 5, ax=Figure().subplots())
    light = plot.plot_roc([curve()] * 5, ax=Figure().subplots())
    assert [main(ax)[4].get_color() for ax in (dark, light)] == ["white", "black"]
    clear = Figure(facecolor="black").subplots()
    clear.set_facecolor("none")  # the figure shows through
    assert main(plot.plot_roc([curve()] * 5, ax=clear))[4].get_color() == "white"


def test_points_without_room_are_left_out_and_more_distant_ones_have_a_line():
    ax = Figure(figsize=(1.5, 1.5)).subplots()
    at = {f"classifier {i}": rs.point_at(sheets.tables("tied")["model 1"], 0.5) for i in range(15)}
    with pytest.warns(UserWarning, match="no room for the names of"):
        plot.add_points(at, ax=ax)
    assert 0 < len(ax.texts) < 15
    assert any(text.arrow_patch is not None for text in ax.texts)


def test_a_legend_stands_beside_the_lower_curve():
    """The limits of both axes are those of all lines, also of the one that was drawn last."""
    figure = Figure()
    ax = drawn("granular areas", "twelve", figure)
    figure.draw_without_rendering()
    box = ax.get_legend().get_window_extent()
    lower = ax.lines[-1]
    assert lower.get_label() == "lower"
    x, y = samples(pixels(lower), ax.bbox).T
    assert not ((x > box.x0) & (x < box.x1) & (y > box.y0) & (y < box.y1)).any()


def test_vertices_of_long_names_say_how_many_classifiers_share_them():
    said = [text.get_text() for text in drawn("hull", "long names", Figure()).texts]
    assert said
    assert not any(text.startswith("3 grad") for text in said)
    shared = {text.get_text() for text in drawn("hull", "tied", Figure()).texts}
    assert "model 1, model 2" in shared
    long = [sheets.LONG.format(n) for n in (50, 100)]
    assert [_said_of(each) for each in (long, long[:1], ["a", "b"])] == [
        "2 classifiers",
        long[0],
        "a, b",
    ]


def test_a_probit_graph_without_points_says_so():
    ax = drawn("probit", "perfect", Figure())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "empirical: no point inside"
    ]


def test_rows_too_small_to_read_are_told():
    with pytest.warns(UserWarning, match=r"66 rows have letters of [\d.]+ points.*inches high"):
        sheets.GRAPHS["differences"](Figure().subplots(), "twelve")
    sheets.GRAPHS["differences"](Figure(figsize=(6.4, 14)).subplots(), "twelve")
