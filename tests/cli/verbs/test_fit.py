"""`rocspace fit`: the fits are the library's, and the text fits a terminal."""

import pytest

import rocspace as rs
from rocspace.models import MODELS, compare_models, fit_kernel, goodness_of_fit, optimal_cut
from rocspace.report import to_html, to_latex, to_markdown
from three_scores import LABEL, NEW

TABLE = rs.tabulate(LABEL, NEW)
NAMES = ["binormal", "labroc", "gamma"]
ASKED = ("--score", "new", *(word for name in NAMES for word in ("--model", name)))


def test_fit_prints_what_the_library_finds(run, scores):
    described = run(
        "fit", scores, *ASKED, "--n-folds", 3, "--seed", 2, "--level", 0.9, "--json"
    ).json
    (found,) = described["scores"]
    wanted = compare_models(TABLE, models=NAMES, n_folds=3, rng=2)
    assert described["schema"] == "rocspace.fit/1"
    assert [each["model"] for each in found["models"]] == NAMES
    assert (found["chosen"], found["advice"]) == (wanted.chosen, wanted.advice)
    for each, distance, score in zip(
        found["models"], wanted.distance, wanted.log_score, strict=True
    ):
        name = each["model"]
        if name in wanted.failures:
            assert each["failure"] == wanted.failures[name]
            assert each["auc"] is each["aic"] is each["distance"] is None
            continue
        fit = wanted.fits[name]
        assert each["failure"] is None
        assert {p["symbol"]: p["value"] for p in each["parameters"]} == dict(fit.parameters)
        assert {p["symbol"]: p["se"] for p in each["parameters"]} == pytest.approx(fit.se)
        low, high = fit.auc_estimate().interval(0.9)
        assert (each["auc"]["interval"]["low"], each["auc"]["interval"]["high"]) == (low, high)
        assert (each["aic"], each["likelihood"]) == (fit.aic, MODELS[name].likelihood)
        assert (each["distance"], each["log_score"]) == (distance, score)
    assert any(each["failure"] for each in found["models"])


@pytest.mark.no_cover
def test_the_text_is_no_wider_than_a_terminal(run, scores):
    text = run("fit", scores, "--model", "all", "--n-folds", 0).out
    assert max(map(len, text.splitlines())) <= 80
    assert "Compare AIC only among likelihoods of the same data: scores (binormal," in text
    assert "not fitted: " in text
    assert text.count("Take ") >= 3
    assert "model=" not in text
    assert "auc_estimate" not in text
    usual = run("fit", scores, "--score", "new", "--n-folds", 0).out
    assert "kernel" in usual
    assert "gamma" not in usual
    alone = run("fit", scores, "--score", "new", "--model", "labroc").out
    assert 'Take "' not in alone
    assert "labroc   value" in alone
    assert "95 % interval" in alone


def test_the_model_is_tested(run, scores):
    asked = (
        "--score",
        "new",
        "--model",
        "binormal",
        "--model",
        "profile-likelihood",
        "--n-folds",
        0,
    )
    found = run("fit", scores, *asked, "--n-sim", 9, "--seed", 4, "--json").json["scores"][0]
    wanted = goodness_of_fit(TABLE, n_sim=9, rng=4)
    test = found["models"][0]["goodness"]
    assert (test["pvalue"], test["note"]) == (wanted.pvalue, wanted.note)
    assert wanted.note.startswith("9 samples")
    text = run("fit", scores, *asked, "--n-sim", 9, "--seed", 4).out
    assert "score    fit p" in text or "score   fit p" in text
    assert "Fit p, " in text
    assert max(map(len, text.splitlines())) <= 80
    assert "fit p" not in run("fit", scores, *asked).out


@pytest.mark.parametrize(
    ("to", "made"), [("md", to_markdown), ("latex", to_latex), ("html", to_html)]
)
def test_tables_for_papers(run, scores, to, made):
    words = ("fit", scores, "--score", "new", "--model", "labroc", "--n-folds", 0, "--to", to)
    wanted = made(compare_models(TABLE, models=["labroc"], n_folds=0), level=0.9)
    found = run(*words, "--level", 0.9).out
    assert found.strip() == wanted.replace("Fitted ROC curves", "Fitted ROC curves, new")


def test_a_flag_of_several_models_names_them(run, csv_file):
    tiny = csv_file("tiny.csv", {"y": [1, 0, 1], "s": [0.9, 0.2, 0.4]})
    said = " ".join(run("fit", tiny, "--model", "binormal", "--model", "kernel").out.split())
    assert "Degenerate (binormal, kernel). Of binormal: The scores of the negatives do not" in said
    assert "Take the empirical curve, rocspace curve, and its area with rocspace auc." in said
    said = " ".join(run("fit", tiny, "--model", "rating", "--n-folds", 0).out.split())
    assert "Separated (rating): All positives score above all negatives." in said


def test_fits_are_drawn(run, scores, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    run("fit", scores, *ASKED, "--n-folds", 0, "--figure", tmp_path / "fits.svg")
    assert "<svg" in (tmp_path / "fits.svg").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "labrok"), "There is no model 'labrok'. Did you mean 'labroc'?"),
        (("--model", "all", "--model", "rating"), "--model all fits every model"),
        (("--n-folds", 1), "--n-folds is 1, but must be 2 or more, or 0"),
        (("--n-folds", 2.5), "not a whole number"),
        (("--n-sim", -1), "--n-sim is -1, but must be zero or more"),
        (("--level", 95), "--level is 95.0, but must lie strictly between 0 and 1"),
        (("--figure", "fits.gif"), "must end in one of"),
    ],
)
def test_first_mistakes(run, scores, words, said):
    assert said in run("fit", scores, *words, fails=True).err


def test_options_of_several_numbers_have_commas_between(run, scores):
    how = ("--score", "new", "--model", "kernel", "--n-folds", 0, "--cut", "--json", "--quiet")
    given = ("--option", "bounds=-9,inf", "--option", "bandwidth=0.5, 0.25")
    (found,) = run("fit", scores, *how, *given).json["scores"][0]["models"]
    wanted = fit_kernel(TABLE, bandwidth=(0.5, 0.25), bounds=(-9, float("inf")))
    assert {each["symbol"]: each["value"] for each in found["parameters"]} == wanted.parameters
    assert found["auc"]["value"] == wanted.auc
    assert found["read"]["cut"]["threshold"] == optimal_cut(wanted).threshold
    refused = run("fit", scores, *how, "--option", "bandwidth=0.5,wide")
    assert "bandwidth" in refused.json["scores"][0]["models"][0]["failure"]
