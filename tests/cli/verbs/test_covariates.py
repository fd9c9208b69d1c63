"""`rocspace covariates`: areas, tests and thresholds are the library's."""

import numpy as np
import pytest

from covariate_studies import study
from rocspace import delong
from rocspace.designs import (
    CovariateModel,
    aauc_difference,
    aauc_estimate,
    auc_by_covariate,
    covariate_scores,
    covariate_test,
    covariate_thresholds,
)

MADE = study(60)
LABEL = MADE.cases.label.astype(int)
NEW, OLD, AGE = (
    np.round(x, 3) for x in (MADE.column("a"), MADE.column("b"), MADE.covariates["age"])
)
SEX = np.array(["f", "m"])[MADE.covariates["sex"].astype(int)]
DATA = covariate_scores(LABEL, {"new": NEW, "old": OLD}, {"age": AGE, "sex": SEX})
SCORES = ("--label", "ill", "--score", "new", "--score", "old")
BOTH = ("--covariate", "age", "--covariate", "sex")


@pytest.fixture
def visits(csv_file):
    columns = {"ill": LABEL, "new": NEW, "old": OLD, "age": AGE, "sex": SEX}
    return csv_file("visits.csv", columns)


def test_areas_tests_and_differences_are_the_librarys(run, visits):
    found = run("covariates", visits, *SCORES, *BOTH, "--json").json
    for score in found["scores"]:
        name = score["name"]
        assert score["pooled"]["value"] == delong(DATA.cases.table(name)).value
        assert score["adjusted"]["value"] == pytest.approx(aauc_estimate(DATA, name).value)
        assert score["adjusted"]["se"] == pytest.approx(aauc_estimate(DATA, name).se)
        tests = [covariate_test(DATA, each, name).pvalue for each in ("age", "sex")]
        assert [each["test"]["pvalue"] for each in score["depends"]] == pytest.approx(tests)
        assert score["by"] is None
    (gap,) = found["differences"]
    assert gap["value"] == pytest.approx(aauc_difference(DATA).value)
    assert gap["test"]["pvalue"] == pytest.approx(aauc_difference(DATA).test().pvalue)
    assert (found["cases"], found["positives"]) == (90, 30)


def test_areas_and_thresholds_by_age(run, visits):
    asked = ("--by", "age", "--at", "0,1", "--given", "sex=m", "--fpr", 0.2)
    found = run("covariates", visits, *SCORES, *BOTH, *asked, "--json").json
    area = auc_by_covariate(DATA, "age", "new", at=[0, 1], given={"sex": "m"})
    cut = covariate_thresholds(DATA, {"age": [0, 1], "sex": "m"}, "new", fpr=0.2)
    rows = found["scores"][0]["by"]
    assert [row["value"] for row in rows] == pytest.approx(area.auc.tolist())
    assert [row["together"]["low"] for row in rows] == pytest.approx(area.band().low.tolist())
    assert [row["threshold"] for row in rows] == pytest.approx(cut.threshold.tolist())
    assert found["settings"]["given"] == [{"covariate": "sex", "value": "m"}]


def test_options_reach_the_library(run, visits):
    options = ("--residuals", "normal", "--scale", "linear", "--knots", 3, "--json")
    found = run("covariates", visits, *SCORES, "--covariate", "age", *options).json
    model = CovariateModel(residuals="normal", scale="linear", knots=3)
    data = covariate_scores(LABEL, {"new": NEW, "old": OLD}, {"age": AGE})
    expected = aauc_estimate(data, "new", model=model).value
    assert found["scores"][0]["adjusted"]["value"] == pytest.approx(expected)
    glm = run("covariates", visits, *SCORES, *BOTH, "--method", "roc-glm", "--by", "sex", "--json")
    areas = auc_by_covariate(
        DATA, "sex", "new", given={"age": float(np.median(AGE))}, model="roc-glm"
    ).auc
    assert [row["value"] for row in glm.json["scores"][0]["by"]] == pytest.approx(areas.tolist())


def test_the_text_fits_the_terminal(run, visits, tmp_path):
    figure = tmp_path / "areas.png"
    text = run("covariates", visits, *SCORES, *BOTH, "--by", "age", "--figure", figure).out
    assert "adjusted for age, sex: location-scale\n" in text
    assert "new minus old" in text
    assert max(map(len, text.splitlines()[1:])) <= 80  # the first has the path of the file
    assert figure.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ((), "Name a column with --covariate"),
        (("--covariate", "age", "--by", "sex"), "no covariate 'sex' among age"),
        (("--covariate", "age", "--at", "3"), "--at needs --by"),
        (("--covariate", "age", "--fpr", "0.1"), "--fpr needs --by"),
        ((*BOTH, "--by", "age", "--given", "sex"), "--given sex=f"),
        ((*BOTH, "--by", "age", "--given", "sex=x"), "'x'"),
        ((*BOTH, "--by", "age", "--given", "age=3"), "Use --at"),
        ((*BOTH, "--by", "age", "--at", "old"), "'old' is not a number"),
        (("--covariate", "age", "--method", "stratified"), "too many for strata"),
        (("--covariate", "years"), "years"),
    ],
)
def test_first_mistakes(run, visits, asked, words):
    found = run("covariates", visits, *SCORES, *asked, fails=True)
    assert words in found.err
    assert "Traceback" not in found.err


def test_a_column_that_is_the_same_in_all_cases(run, csv_file):
    path = csv_file("same.csv", {"ill": LABEL, "new": NEW, "site": ["a"] * LABEL.size})
    words = ("--label", "ill", "--score", "new", "--covariate", "site")
    said = run("covariates", path, *words, fails=True).err
    assert "'site' is 'a' in all cases, so no curve can depend on it. Leave it out." in said
