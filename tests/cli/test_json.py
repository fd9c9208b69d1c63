"""Every verb with --json prints the keys that docs/json.md lists for its schema, and no others."""

import copy
import json
import re
from pathlib import Path

import numpy as np
import pytest

from rocspace.cli.brief import BRIEF
from rocspace.cli.verbs import VERBS

RNG = np.random.default_rng(3)
N = 80
LABEL = np.arange(N) % 2
COLUMNS = {
    "y": LABEL,
    "a": np.round(RNG.normal(LABEL, 1.0), 2),
    "b": np.round(RNG.normal(LABEL, 1.0), 2),
    "fold": np.arange(N) // 2 % 3,
    "days": np.arange(N) * 7 % 50,
    "seen": [f"{y}" if i % 3 else "" for i, y in enumerate(LABEL)],
    "split": np.where(np.arange(N) % 3, "train", "test"),
}
SCORES = ("s.csv", "--score", "a", "--score", "b")
LINES = {
    "auc": [(*SCORES, "--exact", "--fail-below", 0)],
    "curve": [SCORES],
    "merge": [("s.state",)],
    "at": [(*SCORES, "--youden", "--on-curve-fpr", 0.1)],
    "columns": [("s.csv",)],
    "data": [()],
    "hull": [(*SCORES, "--cost-fn", 2)],
    "choose": [(*SCORES, "--cost-fn", 2), (*SCORES, "--criterion", "kappa", "--smooth", 4)],
    "combine": [(*SCORES, "--max-rounds", 0)],
    "compare": [SCORES, (*SCORES, "--curves", "--n-perm", 20, "--margin", 0.1)],
    "average": [(*SCORES, "--fold", "fold")],
    "band": [SCORES],
    "fit": [
        (*SCORES, "--model", "rating", "--model", "gamma", "--n-folds", 2),
        (*SCORES, "--model", "binormal", "--n-folds", 0, "--on-curve-fpr", 0.1, "--cut"),
    ],
    "power": [
        ("--area", 0.8, "--formula"),
        ("--area", 0.8, "--width", 0.05),
        ("s.csv", "--label", "y", "--score", "a", "--model", "binormal", "--formula"),
    ],
    "granular": [SCORES],
    "covariates": [
        (*SCORES, "--covariate", "days", "--covariate", "split", "--by", "days", "--fpr", 0.2),
        (*SCORES, "--covariate", "split", "--by", "split"),
    ],
    "survival": [
        (
            *SCORES,
            "--time",
            "days",
            "--status",
            "y",
            "--at",
            "20,30",
            "--threshold",
            0.2,
            "--risk",
            0.1,
            "--concordance",
            "uno",
        )
    ],
    "verification": [
        (*SCORES, "--label", "seen", "--threshold", 0.2),
        ("s.csv", "--score", "a", "--label", "seen", "--judge", "y"),
    ],
    "noise": [
        (*SCORES, "--wrong-negatives", 0.1),
        (*SCORES, "--wrong-negatives", "0,0.1"),
    ],
    "posterior": [(*SCORES, "--region", -0.02, 0.02, "--n-boot", 100)],
    "bootstrap": [(*SCORES, "--statistic", "auc", "--criterion", "youden", "--n-boot", 30)],
    "rank": [SCORES],
    "select": [(*SCORES, "--test", "split")],
}
BY_NAME = (
    "labels",
    "counting",
    "dropped",
    "areas",
    "volumes",
    "values",
    "counts",
)  # keys are the user's
PAGE = Path(__file__).parents[2] / "docs" / "json.md"


def written():
    """Return the keys that the page lists, by schema."""
    found, schema = {}, ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            schema = line.strip("# `")
        elif key := re.match(r"\| `([^`]+)` \|", line):
            found.setdefault(schema, set()).add(key[1])
    return found


def keys(value, name=""):
    """Yield each key of nested mappings and lists, as a.b[].c; rules are not looked into."""
    if isinstance(value, list):
        for each in value:
            yield from keys(each, f"{name}[]")
    elif isinstance(value, dict):
        for key, each in value.items():
            inner = f"{name}.{key}".lstrip(".")
            yield inner
            by_name = key in BY_NAME and isinstance(each, dict)
            a_rule = inner.endswith(("rule.low", "rule.high")) or (
                name not in ("", "groups[]") and key == "rule"
            )
            if not (by_name or a_rule or inner == "source"):
                yield from keys(each, inner)


@pytest.fixture(scope="module")
def kept():
    """What is the same in each test: saved counts, and printed JSON by verb and words."""
    return {}


@pytest.fixture
def files(run, csv_file, kept):
    """A file of scores, and its saved counts."""
    csv_file("s.csv", COLUMNS)
    if "s.state" not in kept:
        run("auc", *SCORES, "--save-state", "s.state", "--quiet")
        kept["s.state"] = Path("s.state").read_bytes()
    Path("s.state").write_bytes(kept["s.state"])


@pytest.fixture
def whole(run, kept):
    """The JSON that a verb prints."""

    def printed(verb, *words):
        if (verb, *words) not in kept:
            kept[verb, *words] = run(verb, *words, "--json", "--quiet").json
        return copy.deepcopy(kept[verb, *words])

    return printed


@pytest.mark.parametrize("verb", [verb for verb in LINES if verb != "merge"])
def test_each_verb_prints_what_is_written(files, whole, verb):
    printed, schema = set(), ""
    for words in LINES[verb]:
        found = whole(verb, *words)
        printed |= set(keys(found))
        schema = found["schema"]
    listed = written()[schema]
    if verb == "compare":  # these two are the report's
        listed -= {"difference", "costs"}
    assert printed == listed


def test_the_summary_of_auc_is_written(run, csv_file):
    csv_file("few.csv", {name: column[:12] for name, column in COLUMNS.items()})
    found = run("auc", "few.csv", "--score", "a", "--fail-below", 0, "--json", "--quiet").json
    assert found["warnings"]
    printed = {re.sub(r"\.(rates|outside)\.\w+\.", r".\1.*.", key) for key in keys(found)}
    more = (
        *("calibration", "precision_recall", "decision", "gains", "predictive_values"),
        *("bands", "granular", "folds", "fits", "groups"),
    )
    report = (*(f"scores[].{key}" for key in more), "further", "comparison", "references")
    listed = {key for key in written()[found["schema"]] if not key.startswith(report)}
    assert printed == listed


def test_several_classes_are_written(run, csv_file):
    label = np.arange(N) % 3
    scores = {f"p_{i}": np.round(RNG.normal(label == i, 1.0), 2) for i in range(3)}
    csv_file("k.csv", {"y": label, **scores})
    found = run("auc", "k.csv", "--json", "--quiet").json
    assert set(keys(found)) == written()[found["schema"]]
    ordered = run("auc", "k.csv", "--order", "0,1,2", "--json", "--quiet").json
    assert set(keys(ordered)) == written()[ordered["schema"]]


def test_weights_of_several_classes_are_written(run, csv_file, tmp_path):
    label = np.arange(N) % 3
    score = np.exp(RNG.normal(label[:, None] == np.arange(3), 1.0))
    scores = {f"p_{i}": np.round(p, 2) for i, p in enumerate(score.T / score.sum(axis=1))}
    csv_file("k.csv", {"y": label, **scores})
    costs = {str(i): {str(j): 1 + i for j in range(3) if j != i} for i in range(3)}
    (tmp_path / "costs.json").write_text(json.dumps(costs))
    words = ("--cost-matrix", "costs.json", "--n-boot", 3, "--json", "--quiet")
    found = run("choose", "k.csv", *words).json
    assert set(keys(found)) == written()[found["schema"]]


def test_choices_in_groups_are_written(run, files):
    lines = [("--cost-fn", 2), ("--max-selected", 9), ("--criterion", "kappa", "--smooth", 4)]
    printed = [
        run("choose", *SCORES, *how, "--by", "split", "--json", "--quiet").json for how in lines
    ]
    assert set().union(*map(keys, printed)) == written()["rocspace.choices/1"]
    for how, full in zip(lines, printed, strict=True):
        brief = run("choose", *SCORES, *how, "--by", "split", "--brief", "--quiet").json
        assert brief.pop("brief") is True
        assert within(brief, full)


def test_every_verb_and_every_source_is_written(run, csv_file):
    csv_file("s.csv", COLUMNS)
    assert set(VERBS) == {"report", "serve", "completion", *LINES}
    source = run("auc", *SCORES, "--exact", "--json", "--quiet").json["source"]
    assert set(source) <= written()["source"]
    for page in re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        json.loads(page)


def test_the_report_has_the_same_comparison(run, csv_file):
    csv_file("s.csv", COLUMNS)
    mine = run("compare", *SCORES, "--json", "--quiet").json
    theirs = run("report", *SCORES, "--json", "--quiet").json["comparison"]
    assert {key: theirs[key] for key in mine if key != "source"} == {
        key: mine[key] for key in mine if key != "source"
    }


def test_estimates_and_groups_are_written(run, files):
    lines = [
        ("auc", *SCORES, "--by", "split", "--fail-below", 0),
        ("auc", *SCORES, "--cluster", "fold", "--fpr", 0, 1),
    ]
    printed = [run(*words, "--json", "--quiet").json for words in lines]
    listed = written()["rocspace.estimates/1"]
    assert set().union(*map(keys, printed)) == listed
    by = ("--by", "split", "--margin", 0.1, "--json", "--quiet")
    groups = run("compare", *SCORES, *by).json
    inner = {f"groups[].comparison.{key}" for key in written()["rocspace.comparison/1"]}
    less = {f"groups[].comparison.{key}" for key in ("source", "curves", "difference", "costs")}
    less = {key for key in inner if key.startswith(tuple(less))}
    assert set(keys(groups)) == written()[groups["schema"]] | (inner - less)
    one = run("compare", "s.csv", "--score", "a", "--by", "split", "--json", "--quiet").json
    assert (one["schema"], one["source"]["by"]) == ("rocspace.comparison/1", "split")


def listed_as_brief():
    """Return the keys of each brief form that the page lists."""
    page = PAGE.read_text(encoding="utf-8").partition("## `--brief`")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(rocspace[^`]+)` \| (.*) \|$", page, re.MULTILINE)
    return {schema: tuple(re.findall(r"`([^`]+)`", names)) for schema, names in rows}


def test_the_page_lists_the_brief_forms():
    assert listed_as_brief() == {f"rocspace.{name}/1": kept for name, kept in BRIEF.items()}
    of_classes = ("class_choice", "class_summary", "classes", "ordered")
    for name, kept in BRIEF.items():
        known = written()[f"rocspace.{name}/1"]
        if name == "comparisons":
            known = known | {f"groups[].comparison.{k}" for k in written()["rocspace.comparison/1"]}
        if name not in of_classes:  # whose keys are also those of others
            assert {key.replace("rates.ppv", "rates.fpr") for key in kept} - known <= {
                key for key in kept if ".rates." in key or key.startswith("rates.")
            }, name


def test_the_report_has_a_brief_form(run, files):
    printed = run("report", *SCORES, "--brief", "--quiet").out
    assert printed.count("\n") == 1
    assert json.loads(printed)["schema"] == "rocspace.summary/1"


@pytest.mark.parametrize("verb", LINES)
def test_the_brief_form_is_one_line_of_the_full_one(run, files, whole, verb):
    for words in LINES[verb]:
        full = whole(verb, *words)
        printed = run(verb, *words, "--brief", "--quiet").out
        assert printed.count("\n") == 1
        found = json.loads(printed)
        assert found.pop("brief") is True
        assert within(found, full)
        kept = listed_as_brief()[full["schema"]]
        of_brief = set(keys(found))
        for key in kept:
            there = key in set(keys(full))
            assert (key in of_brief) is there, key
        assert len(printed) < 4000 * max(1, len(found.get("scores", ())))


@pytest.mark.no_cover
@pytest.mark.parametrize("verb", [verb for verb in LINES if verb != "curve"])
def test_each_verb_fits_a_terminal(run, files, verb):
    lines = [line for words in LINES[verb] for line in run(verb, *words).out.splitlines()]
    assert lines
    assert [line for line in lines if len(line) > 80] == []


def within(part, whole):
    """Whether all that is in an object is in the other, under the same keys."""
    if isinstance(part, dict):
        return all(key in whole and within(each, whole[key]) for key, each in part.items())
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(within, part, whole))
    return part == whole
