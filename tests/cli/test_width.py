"""Every verb in a terminal of 80 columns, with long names of files, labels, scores and groups."""

import io
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocspace import cli
from rocspace.cli.verbs import VERBS

N = 120
RNG = np.random.default_rng(0)
LABEL = RNG.integers(0, 2, N)
FOLDER = "a-long-folder-name-of-a-hospital/and-a-second-long-folder"
FIRST = "predicted_probability_of_the_logistic_regression_model"
SECOND = "serum_concentration_of_the_second_biomarker_in_ng"
DIAGNOSIS = "histologically_confirmed_diagnosis"
ILL = "malignant tumour, confirmed by histology"
WARDS = ("University Hospital of a Long Name, Ward Nine", "Another Hospital Name, Ward 10")
KINDS = ("adenocarcinoma_of_the_lung", "squamous_cell_carcinoma_type", "benign_lesion_of_any_kind")
LONG = [
    f"{kind:_<34}of_the_{i:03}_th_model{'_of_a_study':_>18}"
    for i, kind in enumerate(
        ("predicted_probability", "predicted_probability", "serum_concentration")
    )
]
BOTH = ("--label", DIAGNOSIS, "--positive", ILL, "--score", FIRST, "--score", SECOND)
ONE = BOTH[:6]
VERIFIED = ("--label", "histology_where_a_biopsy_was_taken", "--positive", ILL)
CALLS = {
    "auc": [BOTH, (*BOTH, "--by", "ward"), (*BOTH, "--fpr", 0, 0.2), (*ONE, "--scale", "logit")],
    "at": [(*BOTH, "--youden"), (*ONE, "--on-curve-fpr", 0.1), (*ONE, "--criterion", "kappa")],
    "average": [(*BOTH, "--fold", "fold")],
    "band": [(*BOTH, "--grid", 4)],
    "choose": [
        (*BOTH, "--cost-fp", 1, "--cost-fn", 10),
        (*BOTH, "--max-selected", 21),
        (*ONE, "--criterion", "kappa"),
        (*ONE, "--criterion", "index_of_balanced_accuracy", "--smooth", 4.0937),
        (*BOTH, "--by", "ward", "--max-selected", 7),
        (*BOTH, "--by", "ward", "--cost-fn", 7),
    ],
    "columns": [()],
    "combine": [BOTH],
    "compare": [BOTH, (*BOTH, "--curves", "--n-perm", 20), (*ONE, "--by", "ward")],
    "covariates": [(*ONE, "--covariate", "age")],
    "noise": [(*ONE, "--wrong-negatives", 0.1)],
    "posterior": [(*BOTH, "--region", -0.02, 0.02, "--n-boot", 100), (*ONE, "--model", "normal")],
    "bootstrap": [(*BOTH, "--statistic", "auc", "--criterion", "youden", "--n-boot", 30)],
    "survival": [("--time", "days", "--status", "dead", "--at", 365, "--score", FIRST)],
    "fit": [(*ONE, "--model", "binormal", "--n-folds", 0)],
    "granular": [BOTH],
    "hull": [BOTH],
    "select": [BOTH],
    "rank": [BOTH[:4], (*BOTH, "--top", 1)],
    "report": [(*BOTH, "--output", "report.html")],
    "verification": [(*VERIFIED, *BOTH[4:]), (*VERIFIED, *BOTH[4:6], "--threshold", 0.5)],
}
WHOLE = {
    "columns": "lists names, for them to be copied",
    "report": "writes a file",
}
ELSEWHERE = {
    "completion": "a script for a shell",
    "curve": "csv, which is for programs",
    "data": "tested below",
    "merge": "tested below",
    "power": "tested below",
    "serve": "prints an address and waits",
}


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, csv_file: Any) -> Any:
    """Run a verb in a terminal, and return the lines it prints."""
    (tmp_path / FOLDER).mkdir(parents=True)
    columns = {
        DIAGNOSIS: np.where(LABEL == 1, ILL, "benign or no finding within two years"),
        VERIFIED[1]: np.where(np.arange(N) % 3 > 0, np.where(LABEL == 1, ILL, "benign"), ""),
        FIRST: np.round(1 / (1 + np.exp(-RNG.normal(LABEL))), 2),
        SECOND: np.round(RNG.normal(LABEL * 0.8), 1),
        "ward": np.array(WARDS)[np.arange(N) % 2],
        "fold": np.arange(N) % 3,
        "age": 40 + np.arange(N) % 30,
        "days": RNG.integers(1, 900, N),
        "dead": LABEL,
    }
    csv_file(f"{FOLDER}/scores.csv", columns)
    kind = np.arange(N) % 3
    p = RNG.dirichlet(np.ones(3), N) + 0.5 * np.eye(3)[kind]
    shares = {f"p_{k}": np.round(p[:, i] / 1.5, 4) for i, k in enumerate(KINDS)}
    csv_file(f"{FOLDER}/kinds.csv", {DIAGNOSIS: np.array(KINDS)[kind], **shares})
    monkeypatch.chdir(tmp_path)
    for name, value in (("COLUMNS", "80"), ("NO_COLOR", "1"), ("TERM", "xterm")):
        monkeypatch.setenv(name, value)

    def run(*words: object) -> list[str]:
        out, err = Terminal(), Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        assert cli.run([str(each) for each in words]) == 0, err.getvalue()
        text = f"{out.getvalue()}\n{err.getvalue()}"
        return re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()

    return run


def check_widths(lines: list[str]) -> None:
    assert [each for each in lines if len(each) > 80] == []
    assert len(lines) > 3


def test_no_verb_is_left_out() -> None:
    assert {*CALLS, *ELSEWHERE} == {name.removesuffix("_") for name in VERBS}


@pytest.mark.parametrize(
    ("verb", "words"), [(verb, words) for verb, each in CALLS.items() for words in each]
)
def test_a_verb_fits_a_page(lines: Any, verb: str, words: tuple[object, ...]) -> None:
    check_widths(lines(verb, f"{FOLDER}/scores.csv", *words))


@pytest.mark.parametrize("how", [("--max-selected", 7), ("--cost-fn", 7), ("--min-tpr", 0.81)])
@pytest.mark.usefixtures("lines")
def test_choices_of_groups_fit_a_page_without_a_terminal(how: Any, run: Any) -> None:
    text = run("choose", f"{FOLDER}/scores.csv", *BOTH, "--by", "ward", *how).out
    table = text.partition("\n\n")[2]  # below the path of the file, which is whole
    check_widths(table.splitlines())
    assert all(word in table for ward in WARDS for word in ward.split())
    assert text.isascii()


def table_lines(text: str) -> list[str]:
    """Lines of tables, not of sentences and titles, which have one space between words."""
    return [line for line in text.splitlines() if "   " in line or {*line} == {"-"}]


@pytest.fixture
def long_names(lines: Any, tmp_path: Path, csv_file: Any) -> str:
    """Return the same file with names of 70 letters that differ in the middle."""
    text = (tmp_path / FOLDER / "scores.csv").read_text(encoding="utf-8")
    text = text.replace(FIRST, LONG[0]).replace(SECOND, LONG[1])
    (tmp_path / "long.csv").write_text(text, encoding="utf-8")
    return "long.csv"


@pytest.mark.parametrize(
    ("verb", "words"),
    [(verb, words) for verb, each in CALLS.items() if verb not in WHOLE for words in each],
)
def test_tables_of_long_names_fit_a_page_without_a_terminal(
    long_names: str, run: Any, verb: str, words: tuple[object, ...]
) -> None:
    new = {FIRST: LONG[0], SECOND: LONG[1]}
    said = run(verb, long_names, *(new.get(str(word), word) for word in words)).out
    assert [line for line in table_lines(said) if len(line) > 80] == []
    assert table_lines(said)


@pytest.mark.parametrize("verb", ["auc", "select", "hull", "rank"])
def test_hundreds_of_long_names_differ_and_are_whole_in_json(
    run: Any, csv_file: Any, verb: str
) -> None:
    names = [
        f"predicted_probability_of_the_model_number_{i:03}_of_this_long_study_x_y"
        for i in range(300)
    ]
    scores = {name: np.round(RNG.normal(LABEL), 1) for name in names}
    file = csv_file("many.csv", {"y": LABEL, **scores})
    how = (file, "--label", "y", *(("--top", 300) if verb == "rank" else ()))
    lines = table_lines(run(verb, *how).out)
    assert max(map(len, lines)) <= 80
    found = {line.partition("   ")[0] for line in lines if line.startswith("pred")}
    assert len(found) >= 300
    whole = run(verb, *how, "--json").out
    assert all(f'"{name}"' in whole for name in names)


@pytest.mark.parametrize("verb", ["auc", "columns"])
def test_several_classes_fit_a_page(lines: Any, verb: str) -> None:
    check_widths(lines(verb, f"{FOLDER}/kinds.csv", *["--label", DIAGNOSIS][: 2 * (verb == "auc")]))


def test_verbs_without_columns_fit_a_page(lines: Any) -> None:
    check_widths(lines("data"))
    check_widths(lines("power", "--area", 0.8))
    lines("auc", f"{FOLDER}/scores.csv", *BOTH, "--save-state", f"{FOLDER}/one.state")
    check_widths(lines("merge", f"{FOLDER}/one.state"))
    check_widths(lines("merge", f"{FOLDER}/one.state", "--scale", "logit"))


@pytest.mark.parametrize("verb", VERBS)
def test_help_fits_a_page(lines: Any, verb: str) -> None:
    check_widths(lines(verb, "--help"))


def test_names_are_whole_where_lines_are_joined(lines: Any) -> None:
    printed = lines("auc", f"{FOLDER}/scores.csv", *BOTH)
    found = "".join(each.partition("   ")[0].strip() for each in printed)
    assert FIRST in found
    assert SECOND in found
