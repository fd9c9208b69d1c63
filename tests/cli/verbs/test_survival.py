"""`rocspace survival`: areas, limits and tests are the library's."""

import numpy as np
import pytest

from rocspace.designs import (
    auc_over_time,
    auc_over_time_difference,
    concordance_difference,
    concordance_estimate,
    net_benefit_over_time,
    rates_at_time,
    survival_scores,
)

RNG = np.random.default_rng(4)
N = 90
NEW = np.round(RNG.normal(size=N), 2)
OLD = np.round(NEW + 2 * RNG.normal(size=N), 2)
DAYS = np.ceil(300 * RNG.exponential(np.exp(-NEW)))
STATE = RNG.integers(0, 3, N)
SITE = np.array(["a", "b"])[np.arange(N) % 2]
ASKED = ("--time", "days", "--status", "state", "--at", "50,200")
SCORES = ("--score", "new", "--score", "old")


@pytest.fixture
def trial(csv_file):
    columns = {"days": DAYS, "state": STATE, "new": NEW, "old": OLD, "site": SITE}
    return csv_file("trial.csv", columns)


def test_areas_differences_and_limits_are_the_librarys(run, trial):
    found = run("survival", trial, *ASKED, *SCORES, "--json").json
    data = survival_scores(DAYS, STATE, {"new": NEW, "old": OLD}, cause=1)
    for score in found["scores"]:
        area = auc_over_time(data, [50, 200], score["name"])
        band = area.band(rng=0)
        for j, each in enumerate(score["times"]):
            assert each["estimate"]["value"] == area.value[j]
            assert each["estimate"]["se"] == area.se[j]
            assert each["together"] == {"low": band.low[j], "high": band.high[j]}
            counts = each["with_event"], each["without"], each["unknown"]
            assert (*counts[:2], sum(counts)) == (area.cases[j], area.controls[j], N)
    (gap,) = found["differences"]
    gain = auc_over_time_difference(data, [50, 200], "new", "old")
    assert [each["test"]["pvalue"] for each in gap["times"]] == [
        each.test().pvalue for each in gain.estimates
    ]


def test_options_reach_the_library(run, trial):
    options = ("--score", "new", "--strata", "site", "--controls", "event-free", "--json")
    found = run("survival", trial, *ASKED, *options, "--cause", 2, "--fpr", 0, 0.5).json
    data = survival_scores(DAYS, STATE, NEW, cause=2, strata=SITE)
    area = auc_over_time(data, [50, 200], controls="event-free", fpr=(0, 0.5))
    told = [each["estimate"]["value"] for each in found["scores"][0]["times"]]
    assert told == pytest.approx(area.value.tolist(), rel=1e-13)
    found = run("survival", trial, *ASKED, *options[:2], "--threshold", 0.2, "--json").json
    rates = rates_at_time(survival_scores(DAYS, STATE, NEW, cause=1), 200, 0.2)
    assert found["scores"][0]["times"][1]["rates"]["ppv"]["value"] == rates.ppv.value


def test_concordance_and_net_benefit_are_the_librarys(run, csv_file):
    died = (STATE == 1).astype(int)
    file = csv_file("died.csv", {"days": DAYS, "state": died, "new": NEW, "old": OLD})
    more = ("--concordance", "uno", "--risk", 0.2, "--threshold", 0.5)
    found = run("survival", file, *ASKED, *SCORES, *more, "--json").json
    data = survival_scores(DAYS, died, {"new": NEW, "old": OLD})
    for score in found["scores"]:
        uno = concordance_estimate(data, score["name"], until=200)
        told = score["concordance"]
        assert (told["value"], told["se"]) == (uno.value, uno.se)
        benefit = net_benefit_over_time(data, [50, 200], 0.2, score["name"], threshold=0.5)
        told = [each["net_benefit"]["value"] for each in score["times"]]
        assert told == benefit.value.tolist()
    gain = concordance_difference(data, "new", "old", until=200)
    told = found["differences"][0]["concordance"]
    assert (told["estimate"]["value"], told["test"]["pvalue"]) == (gain.value, gain.test().pvalue)
    text = run("survival", file, *ASKED, *SCORES, *more).out
    assert "Concordance by Uno, events before 200" in text
    assert "new, at a risk of 0.2" in text
    assert max(map(len, text.splitlines()[1:])) <= 80


def test_concordance_and_net_benefit_of_competing_events(run, trial):
    told = run("survival", trial, *ASKED, "--concordance", "uno", fails=True).err
    assert "others compete" in told
    told = run("survival", trial, *ASKED, "--risk", 0.2, "--controls", "event-free", fails=True).err
    assert "Leave out one of the two" in told


def test_the_text_fits_the_terminal(run, trial):
    text = run("survival", trial, *ASKED, *SCORES, "--threshold", 0.2).out
    assert "new minus old" in text
    assert "called from 0.2 on" in text
    assert max(map(len, text.splitlines()[1:])) <= 80  # the first has the path of the file


def test_words_for_the_status(run, csv_file):
    word = np.array(["alive", "dead", "moved"])[STATE]
    named = csv_file("words.csv", {"days": DAYS, "state": word, "new": NEW})
    numbers = csv_file("numbers.csv", {"days": DAYS, "state": STATE, "new": NEW})
    said = ("--cause", "dead", "--censored", "alive")
    one = run("survival", named, *ASKED, *said, "--json").json
    two = run("survival", numbers, *ASKED, "--json").json
    assert one["scores"] == two["scores"]


@pytest.mark.parametrize(
    ("state", "more", "words"),
    [
        ((STATE > 0) + 1, (), "--censored 1 --cause 2"),
        (np.array(["alive", "dead"])[STATE % 2], (), "--cause '1' does not occur"),
        (STATE, ("--cause", 7), "--cause '7' does not occur"),
        (STATE, ("--censored", 7), "--censored '7' does not occur"),
        (STATE, ("--censored", 1), "both '1'"),
        (np.arange(N), (), "90 different values"),
        (STATE, ("--at", "9999999"), "The largest time that can be used is"),
        (STATE, ("--at", "soon"), "times with commas between"),
        (STATE, ("--time", "site"), "Times are numbers"),
        (STATE, ("--label", "state"), "--status and --cause"),
    ],
)
def test_first_mistakes(run, csv_file, state, more, words):
    file = csv_file("t.csv", {"days": DAYS, "state": state, "new": NEW, "site": SITE})
    given = dict(zip(ASKED[::2], ASKED[1::2], strict=True)) | dict([more] if more else [])
    line = [each for pair in given.items() for each in pair]
    assert words in run("survival", file, *line, "--score", "new", fails=True).err


def test_the_help_shows_no_option_that_is_refused(run):
    said = run("survival", "--help").out
    assert "--score" in said
    assert "--label" not in said
    assert "--positive " not in said


def test_negative_times_are_refused(run, csv_file):
    file = csv_file("t.csv", {"days": DAYS - 1000, "state": STATE, "new": NEW})
    err = run("survival", file, *ASKED, "--score", "new", fails=True).err
    assert "but times are zero or more" in err


def test_the_figure_is_written(run, trial, tmp_path):
    run("survival", trial, *ASKED, *SCORES, "--figure", "t.svg")
    drawn = (tmp_path / "t.svg").read_text()
    assert "days" in drawn  # the column of times, so that they have a unit
    assert "False positive rate" in drawn
    assert "AUC of" not in drawn


def test_a_score_alone_is_named_by_the_axis(run, trial, tmp_path):
    """A legend would lie over the bars, which leave no place free."""
    run("survival", trial, *ASKED, "--score", "new", "--figure", "t.svg")
    drawn = (tmp_path / "t.svg").read_text()
    assert "AUC of new" in drawn
