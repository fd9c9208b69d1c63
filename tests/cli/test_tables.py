"""Tables that several verbs print."""

from pathlib import Path

import pytest

from commands import ILL, LABEL, NEW, Run, make
from rocspace import tabulate
from rocspace.cli.tables import draw_tables


def test_an_area_below_one_half_is_told_of_by_auc_and_compare(run: Run, file: Path) -> None:
    turned = ("--lower-is-positive", "new")
    for verb in ("auc", "compare"):
        told = run(verb, file, *ILL, *turned).err
        assert "new: the area is below 1/2. If higher values are more positive" in told


def test_what_holds_of_many_scores_is_said_once(run: Run, tmp_path: Path) -> None:
    wide = tmp_path / "wide.csv"
    names = [f"s{i}" for i in range(40)]
    rows = [["y", *names], ["0", *["0.7"] * 40], ["1", *["0.2"] * 40], ["1", *["0.1"] * 40]]
    wide.write_text("\n".join(",".join(row) for row in rows))
    told = run("auc", wide).err
    assert "s0, s1, s2, s3, s4, s5, ... (40 in all): the areas are below 1/2." in told
    assert "If lower values are more positive, add --lower-is-positive for each" in told
    assert told.count("below 1/2") == 1
    few = run("auc", wide, "--score", "s0", "--score", "s1").err
    assert "s0: the area is below 1/2. If lower values are more positive, add" in few
    assert "s1: the area is below 1/2." in few


def test_two_names_of_one_warning_stay_lines_of_their_own(run: Run, tmp_path: Path) -> None:
    wide = tmp_path / "wide.csv"
    wide.write_text("y,a,b\n0,0,0\n1,1,1\n")
    told = run("auc", wide).err
    assert "a: The score has two values" in told
    assert "b: The score has two values" in told
    assert "Only 1 positive" in told


def test_the_table_of_areas_names_its_methods_as_the_json_does(run: Run, file: Path) -> None:
    for words, line in (
        ((), "Intervals: delong, unseen. p: Mann-Whitney."),
        (("--scale", "logit"), "Intervals: delong, logit. p: Mann-Whitney."),
        (("--null-area", 0.6), "Intervals: delong, unseen. p: the interval."),
        (("--fpr", 0, 0.5), "Intervals: placements, unseen."),
    ):
        found, *meant = run("auc", file, *ILL, *words).out.rpartition("\n\n")[2].splitlines()
        assert found == line
        assert [each.partition(":")[0] for each in meant] == ["unseen"] * ("unseen" in line)
        assert all(len(each) <= 80 for each in meant)
        area = run("auc", file, *ILL, *words, "--json").json["scores"][0]["auc"]
        assert f"Intervals: {area['interval']['method']}." in line


def test_a_missing_p_of_weights_is_explained(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "w.csv", {"y": LABEL, "new": NEW, "w": 1 + NEW % 1, "sex": LABEL[::-1]})
    weighted = ("auc", "w.csv", "--score", "new", "--weight", "w")
    for words in ((), ("--by", "sex")):
        found = run(*weighted, *words).out
        assert " -\n" in found
        assert "p: none of weights; rocspace auc --null-area 0.5 has one, by the interval" in found
        assert "none of weights" not in run(*weighted, *words, "--null-area", 0.5).out
    assert "none of weights" not in run(*weighted, "--fpr", 0, 0.5).out


def test_many_scores_that_were_not_named_are_counted(run: Run, tmp_path: Path) -> None:
    wide = tmp_path / "wide.csv"
    names = [f"a score with a name of {i:>20} letters" for i in range(10, 40)]
    row = ",".join("01" * 15)
    wide.write_text(f"y,{','.join(names)}\n0,{row}\n1,{row}\n")
    said = run("auc", wide).err.splitlines()[1]
    assert f"{names[2]}, ... (30 in all) (every numeric column" in said
    few = run("auc", wide, "--score", names[0]).err
    assert "in all" not in few


def test_each_curve_of_a_figure_has_its_interval() -> None:
    """Also one with straight runs, of which corners are enough to draw it."""
    figure = pytest.importorskip("matplotlib.figure").Figure()
    ill = [1, 1, 1, 0, 0, 0, 0, 1]
    scores = {"runs": range(9, 1, -1), "ties": [3, 3, 2, 1, 1, 2, 3, 1]}
    draw_tables({name: tabulate(ill, list(score)) for name, score in scores.items()}, figure)
    said = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert said == ["runs (AUC 0.750, 0.130 to 1)", "ties (AUC 0.656, 0.264 to 0.924)"]
