"""`rocspace band`: bands are the library's."""

from inspect import signature
from typing import get_args

import pytest

import rocspace as rs
from rocspace import bands
from rocspace.bands import roc_band
from rocspace.bands.api import BandMethod
from three_scores import LABEL, NEW


@pytest.mark.parametrize("method", [None, "ks", "envelope"])
def test_band_prints_what_the_library_finds(run, scores, method):
    options = ("--score", "new", *(() if method is None else ("--method", method)))
    (found,) = run("band", scores, *options, "--seed", 3, "--json").json["scores"]
    how = {} if method is None else {"method": method}
    wanted = roc_band(rs.tabulate(LABEL, NEW), rng=3, **how)
    assert found["low"] == wanted.low.tolist()
    assert found["high"] == wanted.high.tolist()
    assert found["simultaneous"] is wanted.simultaneous
    text = run("band", scores, *options).out
    assert wanted.method in text


def test_band_of_weights(run, csv_file):
    weight = [1 + i % 3 for i in range(len(LABEL))]
    path = csv_file("w.csv", {"y": LABEL, "new": NEW, "w": weight})
    table = rs.tabulate(LABEL, NEW, sample_weight=weight)
    words = ("band", path, "--score", "new", "--weight", "w")
    for weight_type in ("importance", "frequency"):
        options = () if weight_type == "importance" else ("--weight-type", weight_type)
        (found,) = run(*words, *options, "--json").json["scores"]
        assert found["low"] == roc_band(table, weight_type=weight_type).low.tolist()
    refused = run(*words, "--method", "envelope", fails=True).err
    assert "has importance weights" in refused
    assert "envelope" in run(*words, "--method", "envelope", "--weight-type", "frequency").out


def test_band_says_where_it_has_no_width(run, csv_file):
    path = csv_file("far.csv", {"y": [0] * 9 + [1] * 9, "s": [*range(9), *range(900, 909)]})
    assert "no width over 100 % of the range" in run("band", path, "--method", "psn").out
    assert "no width" not in run("band", path, "--method", "vertical").out


@pytest.mark.parametrize("method", get_args(BandMethod))
def test_replicates_are_for_methods_that_draw_them(run, scores, method):
    words = ("band", scores, "--score", "new", "--method", method, "--n-boot", 60)
    if "n_boot" not in signature(getattr(bands, f"{method.replace('-', '_')}_band")).parameters:
        said = run(*words, fails=True).err
        assert f"--n-boot has no use: --method {method} draws no samples. Leave it out." in said
        return
    (found,) = run(*words, "--json").json["scores"]
    wanted = roc_band(rs.tabulate(LABEL, NEW), method=method, n_boot=60, rng=0)
    assert found["low"] == wanted.low.tolist()


def test_band_refuses_an_unknown_method(run, scores):
    assert "--n-boot is 0" in run("band", scores, "--n-boot", 0, fails=True).err
    assert "--seed is -1" in run("band", scores, "--seed", -1, fails=True).err
    assert "--weight-type" in run("band", scores, "--weight-type", "count", fails=True).err
    assert "--method" in run("band", scores, "--method", "magic", fails=True).err
    assert "--grid is 0" in run("band", scores, "--grid", 0, fails=True).err
    assert "rows at most" in run("band", scores, "--grid", 10**10, fails=True).err
    for option in ("--grid", "--seed"):  # it was rounded
        assert "'2.5' is not a whole number" in run("band", scores, option, 2.5, fails=True).err
