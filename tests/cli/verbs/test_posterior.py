"""`rocspace posterior`: the library's draws, in 80 columns, and first mistakes."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.designs import binormal_posterior, posterior, posterior_difference
from rocspace.resampling import partial_area

RNG = np.random.default_rng(2)
N = 60
LABEL = np.arange(N) % 2
NEW = (LABEL + RNG.normal(size=N)).round(2)
OLD = (0.3 * LABEL + RNG.normal(size=N)).round(2)
BOTH = ("--score", "new", "--score", "old", "--n-boot", 200, "--seed", 3)


@pytest.fixture
def scores(csv_file):
    return csv_file("s.csv", {"y": LABEL, "new": NEW, "old": OLD})


def test_draws_are_the_librarys(run, scores):
    words = (*BOTH, "--fpr", 0, 0.4, "--region", -0.02, 0.05)
    told = run("posterior", scores, *words, "--json").json
    data = rs.pair_scores(LABEL, {"new": NEW, "old": OLD})
    how = {"n_boot": 200, "rng": 3, "statistic": partial_area(fpr=(0, 0.4))}
    area = posterior(data, name="new", **how)
    first = told["scores"][0]
    assert (first["value"], first["mean"], first["sd"]) == (area.value, area.mean, area.sd)
    assert first["above"] == area.probability(0.08)  # that of chance
    assert told["settings"]["above"] == pytest.approx(0.08)
    gain = posterior_difference(data, "new", "old", **how)
    (gap,) = told["differences"]
    near = gain.region(-0.02, 0.05)
    assert gap["better"] == gain.probability()
    assert (gap["region"]["inside"], gap["region"]["decision"]) == (near.inside, near.decision)
    assert gap["interval"]["low"] == gain.interval().low
    text = run("posterior", scores, *words).out
    assert "new minus old" in text
    assert near.decision in text
    assert max(map(len, text.splitlines()[1:])) <= 80  # the first has the path


def test_normal_scores(run, scores):
    told = run("posterior", scores, *BOTH, "--model", "normal", "--above", 0.7, "--json").json
    found = binormal_posterior(rs.tabulate(LABEL, OLD), n_sim=200, rng=3)
    assert told["scores"][1]["mean"] == found.auc.mean
    assert told["scores"][1]["above"] == found.auc.probability(0.7)
    assert told["differences"] == []


def test_no_draw_of_few_is_no_certainty(run, csv_file):
    path = csv_file("far.csv", {"y": LABEL, "s": LABEL + np.arange(N) / 100})
    line = run("posterior", path, "--n-boot", 200).out.splitlines()[-1]
    assert line.split()[-1] == ">0.995"


def test_one_reference(run, scores):
    told = run("posterior", scores, *BOTH, "--reference", "new", "--json").json
    assert [(g["first"], g["second"]) for g in told["differences"]] == [("old", "new")]


def test_the_posteriors_are_drawn(run, scores, tmp_path):
    run("posterior", scores, *BOTH, "--figure", "p.svg")
    assert "new minus old" in (tmp_path / "p.svg").read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--region", 0.1, 0), "its first end must be the smaller one"),
        (("--score", "new", "--region", -0.1, 0.1), "Name two scores"),
        (("--reference", "knew"), "Did you mean 'new'?"),
        (("--model", "normal", "--reference", "new"), "Leave one out"),
        (("--n-boot", 5), "--n-boot is 5"),
        (("--model", "binormal"), "--model"),
    ],
)
def test_first_mistakes(run, scores, words, told):
    assert told in run("posterior", scores, *words, fails=True).err
