"""What the command line says holds no word of Python, whatever the verb and the mistake."""

import re

import numpy as np
import pytest

from rocspace.cli.verbs import VERBS

RNG = np.random.default_rng(7)
N = 60
LABEL = np.arange(N) % 2
A, B = np.round(RNG.normal(LABEL, 1.0), 2), np.round(RNG.normal(-LABEL, 1.0), 2)
FILES = {
    "ok.csv": {"y": LABEL, "a": A, "b": B, "fold": np.arange(N) % 3, "w": 1 + LABEL},
    "words.csv": {"y": np.where(LABEL, "ill", "well"), "a": A, "b": B, "fold": np.arange(N) % 3},
    "holes.csv": {"y": LABEL, "a": ["", *A[1:]], "b": B, "fold": np.arange(N) % 3},
    "stray.csv": {"y": LABEL, "a": ["north", *A[1:]], "b": B, "fold": np.arange(N) % 3},
    "single.csv": {"y": [1, *[0] * (N - 1)], "a": A, "b": B, "fold": np.arange(N) % 3},
    "alike.csv": {"y": [0] * N, "a": A, "b": B, "fold": np.arange(N) % 3},
    "heavy.csv": {"y": LABEL, "a": A, "b": B, "fold": np.arange(N) % 3, "w": [1e200] * N},
    "light.csv": {"y": LABEL, "a": A, "b": B, "fold": np.arange(N) % 3, "w": [0] * N},
    "minus.csv": {"y": LABEL, "a": A, "b": B, "fold": np.arange(N) % 3, "w": [-1] * N},
}
NEEDED = {
    "average": ["--fold", "fold"],
    "covariates": ["--covariate", "fold"],
    "survival": ["--time", "fold", "--status", "y", "--at", "2"],
    "at": ["--youden"],
    "choose": ["--cost-fn", "3"],
    "posterior": ["--n-boot", "100"],
    "bootstrap": ["--n-boot", "100"],
    "power": ["--n-sim", "200"],
}
BOTH = ["--score", "a", "--score", "b"]
COMMON = [
    ["words.csv", *BOTH],
    ["words.csv", *BOTH, "--positive", "il"],
    ["ok.csv", *BOTH, "--positive", "x"],
    ["holes.csv", *BOTH],
    ["stray.csv", *BOTH],
    ["single.csv", *BOTH],
    ["alike.csv", *BOTH],
    ["ok.csv", "--score", "a", "--score", "y"],
    ["ok.csv", "--score", "aa"],
    ["ok.csv", "--score", "a"],
    ["ok.csv", "--label", "yy"],
    ["ok.csv", *BOTH, "--separator", ";"],
    ["ok.csv", *BOTH, "--separator", ";;"],
    ["ok.csv", *BOTH, "--format", "parquet"],
    ["ok.csv", *BOTH, "--format", "xls"],
    ["ok.csv", *BOTH, "--missing", "drop"],
    ["ok.csv", *BOTH, "--lower-is-positive"],
    ["ok.csv", *BOTH, "--lower-is-positive", "c"],
    ["ok.csv", *BOTH],
    ["heavy.csv", *BOTH, "--weight", "w"],
    ["light.csv", *BOTH, "--weight", "w"],
    ["minus.csv", *BOTH, "--weight", "w"],
    ["ok.csv", *BOTH, "--level", "2"],
    ["ok.csv", *BOTH, "--level", "high"],
    ["nowhere.csv"],
    [],
]
OWN = {
    "report": [["ok.csv", "--fold", "y"], ["ok.csv", "--to", "pdf"], ["ok.csv", "--fold", "a"]],
    "auc": [
        ["ok.csv", "--exact", "--memory", "1MB"],
        ["ok.csv", "--tolerance", "-1"],
        ["ok.csv", "--tolerance", "x"],
        ["ok.csv", "--memory", "much", "--exact"],
    ],
    "curve": [["ok.csv", "--ties", "best"], ["ok.csv", "--output", "c.xlsx"]],
    "at": [["ok.csv", "--fpr", "2"], ["ok.csv", "--tpr", "-1"], ["ok.csv", "--threshold", "nan"]],
    "choose": [
        ["ok.csv", "--criterion", "best"],
        ["ok.csv", "--criterion", "cost"],
        ["ok.csv", "--cost-fp", "0", "--cost-fn", "0"],
        ["ok.csv", "--cost-fp", "-1"],
        ["ok.csv", "--cost-fp", "inf"],
        ["ok.csv", "--max-selected", "-1"],
        ["ok.csv", "--min-tpr", "nan"],
    ],
    "hull": [["ok.csv", "--prevalence", "2"], ["ok.csv", "--cost-fn", "-3"]],
    "combine": [["ok.csv", "--score", "a"], ["ok.csv", "--max-rounds", "x"]],
    "compare": [["ok.csv", "--reference", "aa"], ["ok.csv", "--adjust", "all"]],
    "covariates": [["ok.csv", "--by", "x"], ["ok.csv", "--at", "3"], ["ok.csv", "--knots", "2"]],
    "survival": [["ok.csv", "--at", "x"], ["ok.csv", "--at", "99"], ["ok.csv", "--cause", "7"]],
    "verification": [
        ["ok.csv", "--score", "a", "--method", "best"],
        ["ok.csv", "--score", "a", "--covariate", "c"],
        ["ok.csv", "--score", "a", "--judge", "b"],
        ["ok.csv", "--score", "a", "--judge", "fold"],
        ["ok.csv", "--score", "a", "--probability", "b"],
        ["ok.csv", "--score", "a", "--covariate", "a"],
        ["ok.csv", "--score", "a", "--threshold", "99"],
    ],
    "noise": [
        ["ok.csv", "--wrong-positives", "0.6", "--wrong-negatives", "0.5"],
        ["ok.csv", "--wrong-positives", "x"],
        ["ok.csv", "--wrong-negatives", "0.2,0.1"],
    ],
    "bootstrap": [
        ["ok.csv", "--statistic", "area"],
        ["ok.csv", "--statistic", "tpr@fpr=x"],
        ["ok.csv", "--statistic", "tpr@fpr=2"],
        ["ok.csv", "--statistic", "tpr@youden=2"],
        ["ok.csv", "--criterion", "best"],
        ["ok.csv", "--n-boot", "3"],
    ],
    "posterior": [
        ["ok.csv", "--region", "0.1", "0"],
        ["ok.csv", "--score", "a", "--region", "-0.1", "0.1"],
        ["ok.csv", "--reference", "c"],
        ["ok.csv", "--model", "normal", "--weight", "w"],
        ["ok.csv", "--fpr", "0.5", "0.1"],
        ["ok.csv", "--n-boot", "3"],
        ["single.csv", "--model", "normal"],
    ],
    "average": [["ok.csv", "--method", "mean"], ["ok.csv", "--fold", "a"]],
    "band": [
        ["ok.csv", "--method", "envelope", "--n-boot", "2"],
        ["ok.csv", "--method", "envelope", "--weight", "w"],
        ["ok.csv", "--method", "magic"],
        ["ok.csv", "--seed", "-1"],
        ["single.csv", "--method", "envelope"],
        *(["single.csv", "--method", m] for m in ("binormal", "working-hotelling", "psn", "jms")),
        *(["single.csv", "--method", m] for m in ("tilbury", "kernel", "hsieh-turnbull", "ks")),
    ],
    "power": [
        ["--area", "0.8", "--width", "1e-300"],
        ["--area", "0.8", "--prevalence", "1e-320"],
        ["--area", "0.8", "--ratio", "0"],
        ["--area", "0.8", "--other-area", "0.9", "--correlation", "2"],
        ["--area", "0.5"],
    ],
    "granular": [["ok.csv", "--delta", "-1"], ["ok.csv", "--delta", "nan"]],
    "select": [
        ["ok.csv", "--measure", "f2"],
        ["ok.csv", "--measure", "soft_auc:-1"],
        ["ok.csv", "--measure", "lambda_auc:x"],
        ["ok.csv", "--test", "fold"],
    ],
}
PYTHON = re.compile(
    r"pos_label|y_true|y_score|sample_weight|null_values|higher_is_positive|n_boot\b|\brng\b"
    r"|\bNone\b|\bTrue\b|\bFalse\b|\bdict\b|\btuple\b|ndarray|numpy|\w+Error\b|ScoreTable"
    r"|PairedScores|\w+\(|[a-z_]=['\"\[{(\w]|[a-z_]=[\s.,]|rocspace\.[a-z]|fault of rocspace"
    r"|max_rows|weight_type|(?<!-)\b(tabulate|delong|roc_band|roc_curve|compare_aucs|roc_hull)\b"
)


SPELLED = re.compile(r"@\w+=([\d.]+,\w+=)?")  # a statistic of rocspace bootstrap: tpr@fpr=0.1


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "verb", [v for v in VERBS if v != "serve"]
)  # which runs until it is stopped
def test_no_word_of_python(capsys, monkeypatch, csv_file, tmp_path, verb):
    from rocspace.cli import run

    monkeypatch.chdir(tmp_path)
    # The charts' library takes seconds to bundle, and says nothing.
    monkeypatch.setattr("rocspace.report.html._library", str)
    for name, columns in FILES.items():
        csv_file(name, columns)
    (tmp_path / "empty.csv").write_text("")
    wrong = []
    for words in [*COMMON, *OWN.get(verb, [])]:
        more = [*NEEDED.get(verb, [])] if words in COMMON else []
        if words and words not in COMMON and verb in ("choose", "hull", "band", "compare"):
            more = BOTH
        status = run([verb, *words, *more])
        said = capsys.readouterr().err.splitlines()
        told = [line for line in said if PYTHON.search(SPELLED.sub("@", line))]
        if status not in (0, 2) or told:
            wrong.append((" ".join(words), status, told))
    assert wrong == []


@pytest.mark.no_cover
@pytest.mark.parametrize("verb", VERBS)
def test_no_word_of_python_in_help(run, verb):
    text = run(verb, "--help").out
    found = [line for line in text.splitlines() if re.search(r"rocspace\.[a-z]|\w+_\w+\(", line)]
    assert found == []
