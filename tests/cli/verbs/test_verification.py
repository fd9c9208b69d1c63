"""`rocspace verification` and `rocspace noise`: the library's numbers, and first mistakes."""

from pathlib import Path

import numpy as np
import pytest

from commands import Run, make
from rocspace import tabulate
from rocspace.designs import (
    denoised_auc_bounds,
    denoised_auc_estimate,
    label_noise,
    powered_auc_estimate,
    verified_auc_difference,
    verified_rates,
    verified_scores,
)

DRAW = np.random.default_rng(4)
N = 200
AGE = DRAW.normal(size=N).round(2)
ILL = DRAW.random(N) < 0.4
TEST = (DRAW.normal(size=N) + ILL).round(2)
OTHER = (DRAW.normal(size=N) + ILL).round(2)
JUDGE = np.where(np.arange(N) % 9, ILL, ~ILL)
SEEN = DRAW.random(N) < np.where(TEST > 0.5, 0.9, 0.5)
TRUTH = np.where(SEEN, ILL, np.nan)


@pytest.fixture
def scores(tmp_path: Path) -> str:
    written = [("ill" if y else "well") if v else "" for y, v in zip(ILL, SEEN, strict=True)]
    columns = {"truth": written, "test": TEST, "other": OTHER, "age": AGE, "judge": JUDGE * 1}
    make(tmp_path / "v.csv", columns)
    return "v.csv"


WORDS = ("--label", "truth", "--positive", "ill")


def test_areas_are_those_of_the_library(run: Run, scores: str) -> None:
    both = ("--score", "test", "--score", "other", "--covariate", "age", "--threshold", 0.5)
    told = run("verification", scores, *WORDS, *both, "--json").json
    named = {"test": TEST, "other": OTHER}
    data = verified_scores(TRUTH, named, covariates={"age": AGE})
    gap = verified_auc_difference(data, "test", "other")
    assert told["scores"][0]["auc"]["value"] == gap.first.value
    assert told["scores"][0]["auc"]["se"] == pytest.approx(gap.first.se)
    assert told["differences"][0]["test"]["pvalue"] == gap.test().pvalue
    rates = verified_rates(data, 0.5, "other")
    assert told["scores"][1]["rates"]["ppv"]["value"] == rates.estimates["ppv"].value
    assert (told["cases"], told["verified"]) == (N, int(SEEN.sum()))
    assert told["source"]["labels"] == {
        "ill": int((ILL & SEEN).sum()),
        "well": int((~ILL & SEEN).sum()),
    }
    shown = run("verification", scores, *WORDS, *both).out
    assert max(map(len, shown.splitlines())) <= 80
    assert "test minus other" in shown


def test_a_judge(run: Run, scores: str) -> None:
    told = run("verification", scores, *WORDS, "--score", "test", "--judge", "judge", "--json").json
    data = verified_scores(TRUTH, {"test": TEST}, covariates={"judge": JUDGE})
    found = powered_auc_estimate(data, "judge")
    (each,) = told["scores"]
    assert (each["auc"]["value"], each["judge_weight"]) == (found.value, found.weight)
    assert each["labels_saved"] == found.saved


def test_wrong_labels(run: Run, scores: str) -> None:
    table = tabulate(JUDGE, TEST)
    line = ("noise", scores, "--label", "judge", "--score", "test", "--wrong-positives", 0.1)
    found = denoised_auc_estimate(table, label_noise(pos=0.1, neg=0.05))
    (each,) = run(*line, "--wrong-negatives", 0.05, "--json").json["scores"]
    assert (each["auc"]["value"], each["auc"]["se"]) == (found.value, found.se)
    ends = denoised_auc_bounds(table, pos=(0.1, 0.1), neg=(0.0, 0.05))
    (each,) = run(*line, "--wrong-negatives", "0,0.05", "--json").json["scores"]
    assert (each["low"], each["high"], each["auc"]) == (ends.low, ends.high, None)
    assert each["interval"]["low"] == ends.interval().low
    assert max(map(len, run(*line).out.splitlines())) <= 80


def test_rows_may_be_left_out(run: Run, tmp_path: Path) -> None:
    holes = [f"{x}" if i else "" for i, x in enumerate(TEST)]
    make(tmp_path / "h.csv", {"truth": [f"{int(y)}" for y in ILL], "test": holes})
    line = ("verification", "h.csv", "--label", "truth", "--score", "test")
    assert "empty in 1 row" in run(*line, fails=True).err
    told = run(*line, "--missing", "omit", "--json").json
    assert (told["cases"], told["source"]["dropped"]) == (N - 1, {"test": 1})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--label", "truth"), "--positive well"),
        ((*WORDS[:3], "il"), "'ill', 'well'"),
        ((*WORDS, "--weight", "age"), "--weight is not for"),
        ((*WORDS, "--score", "truth"), "is the label"),
        ((*WORDS, "--judge", "judge", "--threshold", "1"), "cannot be combined"),
    ],
)
def test_first_mistakes(run: Run, scores: str, options: tuple[str, ...], message: str) -> None:
    asked = ("--score", "test") if "--score" not in options else ()
    assert message in run("verification", scores, *options, *asked, fails=True).err


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("verification", *WORDS, "--score", "test"), "uncorrected"),
        (("noise", "--label", "judge", "--score", "test", "--wrong-negatives", 0.1), "uncorrected"),
        (
            ("noise", "--label", "judge", "--score", "test", "--wrong-negatives", "0,0.1"),
            "wrong labels",
        ),
    ],
)
def test_figures(run: Run, scores: str, tmp_path: Path, words: tuple[str, ...], shown: str) -> None:
    verb, *more = words
    run(verb, scores, *more, "--figure", "f.svg")
    assert shown in (tmp_path / "f.svg").read_text()
