"""`rocspace power`: every option is used or refused, and its numbers are the library's."""

import itertools

import numpy as np
import pytest
from scipy.special import ndtr

import rocspace as rs
from rocspace.models import fit_kernel, fit_labroc, fit_paired, fit_probit_line, fit_rating
from rocspace.planning import (
    plan_area,
    plan_difference,
    plan_from_fit,
    plan_from_fits,
    plan_from_pilot,
    plan_paired,
)
from rocspace.simulate import paired_binormal

RNG = np.random.default_rng(4)
N = 60
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 2)
OLD = np.round(0.5 * NEW + RNG.normal(0.3 * LABEL, 1.0), 2)
ONE = ("--area", 0.85)
TWO = ("--area", 0.85, "--other-area", 0.75)
PILOT = ("pilot.csv", "--score", "new", "--score", "old")
FITTED = ("pilot.csv", "--score", "new", "--model", "labroc")
GOALS = [(), ("--n-pos", 40), ("--width", 0.05)]
FEW = ("--n-sim", 20)
FURTHER = [
    ("--area", 0.9),
    ("--null-area", 0.7),
    ("--other-area", 0.8),
    ("--correlation", 0.5),
    ("--power", 0.9),
    ("--n-pos", 50),
    ("--significance", 0.2),
    ("--one-sided",),
    ("--width", 0.1),
    ("--level", 0.8),
    ("--ratio", 3.5),
    ("--prevalence", 0.1),
    ("--weight", "new"),
    ("--seed", 7),
    ("--n-sim", 30),
    ("--formula",),
    ("--model", "labroc"),
]
READING = [
    ("--label", "y"),
    ("--positive", 1),
    ("--score", "new"),
    ("--weight", "new"),
    ("--lower-is-positive",),
    ("--missing", "omit"),
    ("--format", "csv"),
    ("--separator", ";"),
    ("--null", "-"),
]


@pytest.fixture(autouse=True)
def pilot(csv_file):
    return csv_file("pilot.csv", {"y": LABEL, "new": NEW, "old": OLD})


@pytest.fixture(scope="module")
def usual():
    """What is printed without a further option, by question and goal: each planned once."""
    return {}


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("question", "goal", "option"),
    [
        x
        for x in itertools.product([ONE, TWO, PILOT, FITTED], GOALS, FURTHER)
        if x[2][0] not in x[0] + x[1]
    ],
)
def test_no_option_is_dropped(run, usual, question, goal, option):
    few = () if option[0] in ("--n-sim", "--formula") else FEW
    asked = (*question, *goal)
    if asked not in usual:
        usual[asked] = run("power", *asked, *FEW, "--json").out
    without = usual[asked]
    refused = ()
    if question in (PILOT, FITTED):
        refused += ("--area", "--other-area", "--correlation", "--weight")
    else:
        refused += ("--weight", "--model")
    if question == PILOT:
        refused += ("--null-area",)
    if question == TWO:
        refused += ("--null-area",)
    if question == ONE and option[0] != "--other-area":
        refused += ("--correlation",)
    if goal[:1] == ("--width",):
        refused += ("--null-area", "--significance", "--one-sided", "--power", "--n-pos")
    else:
        refused += ("--level",)
    if goal[:1] == ("--n-pos",):
        refused += ("--width",)  # with --power the significance is found
    printed = run("power", *question, *goal, *option, *few, "--json", fails=option[0] in refused)
    if printed.status:
        assert option[0] in printed.err
        assert printed.err.count("\n") == 1
        assert printed.out == ""
    else:
        assert printed.out != without


@pytest.mark.parametrize("option", READING)
def test_columns_need_a_file(run, option):
    said = run("power", *ONE, *option, fails=True).err
    assert f"{option[0]} does not go without a FILE" in said


def test_a_simulated_power_has_its_error(run):
    found = run("power", "--area", 0.9, "--n-sim", 50, "--json").json
    p = found["power"]
    assert p >= 0.8
    assert found["power_se"] == pytest.approx((p * (1 - p) / 50) ** 0.5)
    assert f"{p:.3f} (se 0.0" in run("power", "--area", 0.9, "--n-sim", 50).out
    assert run("power", "--area", 0.9, "--formula", "--json").json["power_se"] is None
    both = run("power", "--area", 0.9, "--n-sim", 50, "--n-pos", 9, "--power", 0.8, "--json").json
    assert both["wanted"] == "significance"
    assert both["power_se"] is None
    assert (
        "power_se" not in run("power", "--area", 0.9, "--n-sim", 50, "--width", 0.1, "--json").json
    )


def test_refusals_say_what_to_do(run):
    def said(*words):
        return run("power", *words, fails=True).err

    assert "without --other-area" in said(*ONE, "--correlation", 0.5)
    assert "the pilot study tells what is expected" in said(*PILOT, "--area", 0.8)
    assert "an interval is not a test, and has a --level" in said(
        *ONE, "--width", 0.1, "--significance", 0.2
    )
    assert "Give that, or a --width" in said(*ONE, "--level", 0.9)
    assert "not --power and --width" in said(*ONE, "--power", 0.9, "--width", 0.1)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--area", 1.2),
        ("--other-area", 0),
        ("--null-area", 1),
        ("--significance", 1),
        ("--prevalence", 0),
        ("--n-pos", 0),
        ("--width", -0.1),
        ("--ratio", 0),
        ("--n-pos", 40.5),
    ],
)
def test_numbers_out_of_range_are_named_as_they_were_given(run, option, value):
    before = () if option == "--area" else ONE
    said = run("power", *before, option, value, fails=True).err
    assert f"{option} is {value}" in said


def test_a_level_out_of_range(run):
    assert "--level is 1" in run("power", *ONE, "--width", 0.1, "--level", 1, fails=True).err


def test_an_area_without_its_option(run):
    assert "say --area .8" in run("power", ".8", fails=True).err
    assert "--area" not in run("power", "nothere", fails=True).err


@pytest.mark.parametrize(
    "words",
    [
        ("--area", 0.5),
        ("--area", 0.5, "--n-pos", 30),
        ("--area", 0.7, "--null-area", 0.7, "--one-sided"),
        ("--area", 0.8, "--other-area", 0.8, "--correlation", 0.4),
    ],
)
def test_no_cases_show_a_difference_that_is_not_there(run, words):
    said = run("power", *words, fails=True).err
    assert "no number of cases can show a difference that is not there" in said
    assert "--width" in said
    assert run("power", "--area", 0.5, "--width", 0.05).status == 0


def test_a_pilot_of_one_score_twice_plans_nothing(run, csv_file):
    path = csv_file("twice.csv", {"y": LABEL, "new": NEW, "same": NEW + 1})
    assert "would not vary at all" in run("power", path, fails=True).err
    assert "would not vary at all" in run("power", path, "--width", 0.1, fails=True).err


def test_an_interval_has_a_level_and_cases_to_be_seen(run):
    words = ("--area", 0.8, "--width", 0.05, "--ratio", 2)
    found = run("power", *words, "--level", 0.8, "--prevalence", 0.4, *FEW, "--json").json
    wanted = plan_area(0.8, ratio=2).with_samples(20).for_width(0.05, level=0.8)
    assert (found["n_pos"], found["n_neg"]) == (wanted.n_pos, wanted.n_neg)
    # Six negatives in ten cases: twice as many negatives take longer to come.
    assert found["seen"] == pytest.approx(2 * wanted.n_pos / 0.6, rel=1e-12)
    assert found["seen"] == wanted.screened(0.4)
    assert found["level"] == 0.8
    assert found["difference"] is None  # an interval is not against another area
    text = run("power", *words, "--level", 0.8, "--prevalence", 0.4).out
    assert "80 %" in text
    assert "cases to be seen" in text
    assert "against" not in text
    assert "95 %" in run("power", *words).out


def test_each_option_means_what_the_library_means(run):
    found = run(
        "power", *ONE, "--null-area", 0.7, "--one-sided", "--significance", 0.1, *FEW, "--json"
    )
    wanted = (
        plan_area(0.85, null_area=0.7)
        .with_samples(20)
        .for_power(0.8, significance=0.1, alternative="greater")
    )
    assert found.json["n_pos"] == wanted.n_pos
    found = run("power", *TWO, "--correlation", 0.5, "--width", 0.04, *FEW, "--json").json
    assert (
        found["n_pos"]
        == plan_difference(0.85, 0.75, correlation=0.5).with_samples(20).for_width(0.04).n_pos
    )
    assert found["difference"] == 0.85 - 0.75
    data = rs.pair_scores(LABEL, {"new": NEW, "old": OLD})
    found = run("power", *PILOT, "--ratio", 3, "--n-pos", 40, *FEW, "--json").json
    wanted = plan_from_pilot(data, "new", "old", ratio=3).with_samples(20).for_cases(40)
    assert (found["power"], found["n_neg"]) == (wanted.power, 120)


def test_a_model_is_fitted_to_the_pilot(run, csv_file):
    data = rs.pair_scores(LABEL, {"new": NEW, "old": OLD})
    ratio = np.sum(~data.label) / np.sum(data.label)
    fit = fit_labroc(data.table("new"))
    found = run("power", *FITTED, "--null-area", 0.6, "--n-pos", 40, *FEW, "--json").json
    wanted = plan_from_fit(fit, null_area=0.6, ratio=ratio).with_samples(20).for_cases(40)
    assert (found["power"], found["n_neg"]) == (wanted.power, wanted.n_neg)
    assert (found["model"], found["difference"]) == ("labroc", wanted.difference)
    assert [each.split(".")[0] for each in found["remarks"]] == ["new, improper"]
    two = run("power", *PILOT, "--model", "kernel", "--formula", "--json").json
    fits = [fit_kernel(data.table(name)) for name in data.names]
    correlations = fit_paired(data).correlations
    plan = plan_from_fits(*fits, correlations=correlations, ratio=ratio, variance="empirical")
    assert two["n_pos"] == plan.for_power(0.8).n_pos
    # Ratings are tied in the planned study, too, and the area is that of their polygon.
    path = csv_file("rated.csv", {"y": LABEL, "rating": np.clip(np.round(NEW), 0, 3)})
    table = rs.tabulate(LABEL, np.clip(np.round(NEW), 0, 3))
    printed = run("power", path, "--model", "rating", "--formula")
    plan = plan_from_fit(fit_rating(table), ratio=ratio, variance="empirical")
    assert f"area {0.5 + plan.difference:.3f} by rating" in printed.out


@pytest.mark.parametrize("variance", ["exact", "obuchowski", "empirical"])
def test_the_variance_of_a_fitted_model_can_be_named(run, variance):
    data = rs.pair_scores(LABEL, {"new": NEW, "old": OLD})
    ratio = np.sum(~data.label) / np.sum(data.label)
    fits = [fit_probit_line(data.table(name)) for name in data.names]
    how = ("--model", "probit-line", "--variance", variance, "--json")
    one = run("power", "pilot.csv", "--score", "new", "--width", 0.1, *how).json
    wanted = plan_from_fit(fits[0], ratio=ratio, variance=variance)
    assert one["n_pos"] == wanted.for_width(0.1).n_pos
    assert one["method"] == wanted.method
    two = run("power", *PILOT, *how).json
    wanted = plan_from_fits(
        *fits, correlations=fit_paired(data).correlations, ratio=ratio, variance=variance
    )
    assert two["n_pos"] == wanted.for_power(0.8).n_pos


def test_a_variance_is_refused_where_a_model_has_none(run):
    def said(*words):
        return run("power", *PILOT, "--variance", *words, fails=True).err

    assert "--variance exact is for binormal fits" in said("exact", "--model", "kernel")
    assert "or leave out --model" in said("hanley-mcneil", "--model", "binormal")
    assert "does not go with a FILE and without --model" in said("exact")


def test_remarks_of_a_fit_are_printed_in_80_columns(run, csv_file):
    path = csv_file("hook.csv", {"y": LABEL, "score_with_a_long_name": NEW * (1 + 3 * LABEL)})
    printed = run("power", path, "--model", "binormal", "--formula")
    assert "score_with_a_long_name, improper. " in printed.out
    assert all(len(line) <= 80 for line in printed.out.splitlines())
    found = run("power", path, "--model", "binormal", "--formula", "--json").json
    assert len(found["remarks"]) == 1


def test_first_mistakes_with_a_model_are_answered(run, csv_file):
    def said(*words):
        return run("power", *words, fails=True).err

    assert "Did you mean 'labroc'?" in said("pilot.csv", "--model", "labrok")
    assert "it is fitted to a pilot study. Name its FILE." in said(*ONE, "--model", "labroc")
    assert "or name one with --score" in said(*PILOT, "--model", "labroc", "--null-area", 0.6)
    assert "With --model, one is compared" in said(*PILOT, "--null-area", 0.6)
    assert "or plan for one with --model labroc" in said("pilot.csv", "--score", "new")
    assert "new, not fitted by gamma" in said("pilot.csv", "--score", "new", "--model", "gamma")
    apart = csv_file("apart.csv", {"y": LABEL, "new": LABEL + NEW / 100, "old": OLD})
    assert "labroc does not tell what is expected of new" in said(apart, "--model", "labroc")
    assert "Or leave out --model" in said(apart, "--model", "kernel")


def test_negatives_beside_given_positives_are_not_rounded(run):
    text = run("power", *ONE, "--n-pos", 41, "--ratio", 1.5, "--formula").out
    assert "61.50" in text


def test_help_groups_options_by_their_question(run):
    text = run("power", "--help").out
    order = ["What is expected", "--area", "A test:", "--power", "Or an interval", "--width"]
    order += ["Class mix of the study", "--ratio", "Columns", "--label"]
    at = [text.index(word, text.index("What is expected")) for word in order]
    assert at == sorted(at)


def test_power_is_that_of_the_expected_side():
    # At the null hypothesis half of the significance; for large areas the other side is next to 0.
    plan = plan_area(0.5, variance="empirical")
    assert plan.for_cases(30).power == pytest.approx(0.025, abs=1e-12)
    assert plan.for_cases(30, alternative="greater").power == pytest.approx(0.05)


OTHER_RNG = np.random.default_rng(4)
OTHER_N = 90
OTHER_LABEL = OTHER_RNG.integers(0, 2, OTHER_N)
OTHER_NEW = np.round(OTHER_RNG.normal(OTHER_LABEL, 1.0), 2)
OTHER_OLD = np.round(0.5 * OTHER_NEW + OTHER_RNG.normal(0.3 * OTHER_LABEL, 1.0), 2)
WILD = np.round(OTHER_RNG.normal(0.2 * OTHER_LABEL, 1.0), 1)
SCORES = {"new": OTHER_NEW, "old": OTHER_OLD, "wild": WILD}
DATA = rs.pair_scores(OTHER_LABEL, SCORES)


@pytest.fixture
def scores(csv_file):
    return csv_file("scores.csv", {"y": OTHER_LABEL, **SCORES})


def test_power_plans_what_the_library_plans(run, scores):
    found = run("power", "--area", 0.8, "--power", 0.9, "--ratio", 2, *FEW, "--json").json
    design = plan_area(0.8, ratio=2).with_samples(20).for_power(0.9)
    assert (found["n_pos"], found["n_neg"]) == (design.n_pos, design.n_neg)
    two = ("--area", 0.85, "--other-area", 0.8, "--correlation", 0.5)
    found = run("power", *two, "--n-pos", 200, "--one-sided", *FEW, "--json").json
    plan = plan_difference(0.85, 0.8, correlation=0.5)
    assert found["power"] == plan.with_samples(20).for_cases(200, alternative="greater").power
    pilot = ("--score", "new", "--score", "old", *FEW, "--json")
    found = run("power", scores, *pilot).json
    assert (
        found["n_pos"] == plan_from_pilot(DATA, "new", "old").with_samples(20).for_power(0.8).n_pos
    )
    found = run("power", "--area", 0.8, "--width", 0.05, *FEW, "--json").json
    assert found["n_pos"] == plan_area(0.8).with_samples(20).for_width(0.05).n_pos
    text = run("power", "--area", 0.8, "--prevalence", 0.1).out
    assert "cases to be seen" in text
    assert "positives" in text


def test_two_curves_are_planned_as_in_the_library(run):
    how = ("--curve", 1.6, 0.9, "--other-curve", 1.1, 1.2, "--score-correlations", 0.5, 0.3)
    found = run("power", *how, "--formula", "--ratio", 2, "--json").json
    areas = [ndtr(1.6 / (1 + 0.81) ** 0.5), ndtr(1.1 / (1 + 1.44) ** 0.5)]
    cases = paired_binormal(areas, sd_ratio=[1 / 0.9, 1 / 1.2], r_pos=0.5, r_neg=0.3)
    wanted = plan_paired(cases, ratio=2, variance="empirical").for_power(0.8)
    assert found["n_pos"] == pytest.approx(wanted.n_pos, rel=1e-9)
    assert found["difference"] == pytest.approx(areas[0] - areas[1])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--curve", 1, 1), "Give --curve A B and --other-curve A B"),
        (("--curve", 1, 0, "--other-curve", 1, 1), "b of --curve"),
        (("--curve", 1, 1, "--other-curve", 2, 1, "--area", 0.8), "does not go with --area"),
        (
            ("--curve", 1, 1, "--other-curve", 2, 1, "--score-correlations", 1, 0),
            "must lie between -1 and 1",
        ),
        (("--area", 0.8, "--formula", "--null-variance", "first"), "one area has its own"),
        (("--area", 0.8, "--other-area", 0.7, "--null-variance", "first"), "Give --formula"),
        (
            ("--area", 0.8, "--n-pos", 9, "--power", 0.9, "--significance", 0.1),
            "Leave out one of the three",
        ),
    ],
)
def test_options_of_curves_that_do_not_go_together(run, words, said):
    assert said in run("power", *words, fails=True).err


def test_power_says_what_is_missing(run, scores):
    assert "Give --area" in run("power", fails=True).err
    both = run("power", "--area", 0.8, "--power", 0.8, "--width", 0.1, fails=True).err
    assert "Give one of" in both
    assert "Name two with --score" in run("power", scores, fails=True).err
    assert "area" in run("power", "--area", 1.2, fails=True).err
