"""`rocspace compare`: tests are the library's."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace._base.text import general, p_equals
from rocspace.cli.console import pvalue as p_value
from rocspace.cli.verbs.compare import axis, forest_text, whisker
from rocspace.compare import (
    compare_aucs,
    equivalence_test,
    noninferiority_test,
    venkatraman_test,
)
from rocspace.compare.multiplicity import Adjustment
from three_scores import LABEL, NEW, OLD, SCORES, N

WHO = np.arange(N) // 3
DATA = rs.pair_scores(LABEL, SCORES)


def test_compare_prints_what_the_library_finds(run, scores):
    found = run("compare", scores, "--level", 0.9, "--json").json
    wanted = compare_aucs(DATA)
    assert found["schema"] == "rocspace.comparison/1"
    assert [each["auc"]["value"] for each in found["scores"]] == [e.value for e in wanted.estimates]
    assert np.array_equal(found["covariance"], wanted.covariance)
    for got, pair in zip(found["pairs"], wanted.pairs, strict=True):
        assert (got["first"], got["second"]) == (pair.first, pair.second)
        assert got["test"]["pvalue"] == pair.test.pvalue
        assert got["adjusted_pvalue"] == pair.adjusted_pvalue
        low, high = pair.difference.interval(0.9)
        assert (got["interval"]["low"], got["interval"]["high"]) == (low, high)
    assert found["overall"]["pvalue"] == wanted.overall.pvalue
    text = run("compare", scores).out
    assert "90 cases" in text
    assert "new minus old" in text
    overall = wanted.overall
    for key in ("df", "df_denominator", "statistic", "method", "note"):
        assert found["overall"][key] == getattr(overall, key)
    law = f"F {general(overall.statistic / 2)} with 2 and {general(wanted.df)} degrees of freedom"
    assert f"All areas equal: {law}, {p_equals(overall.pvalue)}\n" in text
    assert [p["test"]["df"] for p in found["pairs"]] == [p.test.df for p in wanted.pairs]
    assert "|" in text
    assert "o" in text


def test_the_heading_says_what_cases_count(run, csv_file):
    weight = np.round(np.linspace(0.31, 2.21, N), 2)
    path = csv_file("w.csv", {"y": LABEL, **SCORES, "w": weight, "who": WHO})
    options = ("--label", "y", "--score", "new", "--score", "old", "--weight", "w")
    clustered = (*options, "--cluster", "who")
    assert ", y = 1, weights w\n" in run("compare", path, *options).out
    assert ", y = 1, weights w, clusters by who\n" in run("compare", path, *clustered).out
    areas = run("auc", path, *clustered).out  # whose sums of weights are rounded
    assert f"{weight.sum():,.1f} cases by weight, {weight @ LABEL:.1f} positive" in areas


def test_compare_says_what_is_unusual(run, csv_file):
    constant = {**SCORES, "none": np.zeros(len(LABEL)), "twin": SCORES["new"]}
    path = csv_file("constant.csv", {"y": LABEL, **constant})
    options = ("--label", "y", *(x for name in constant for x in ("--score", name)))
    pairs = run("compare", path, *options, "--json").json
    wanted = compare_aucs(rs.pair_scores(LABEL, constant))
    assert [p["test"]["note"] for p in pairs["pairs"]] == [p.test.note for p in wanted.pairs]
    assert pairs["overall"]["method"] == "pairs, bonferroni"
    assert pairs["overall"]["df_denominator"] is None
    text = run("compare", path, *options).out
    assert "new minus twin: no variance" in text
    assert f"({wanted.overall.note})" in text


def test_compare_with_a_reference_clusters_and_no_adjustment(run, csv_file):
    path = csv_file("c.csv", {"y": LABEL, **SCORES, "who": WHO})
    options = ("--score", "new", "--score", "old", "--score", "wild", "--reference", "old")
    more = ("--cluster", "who", "--adjust", "none", "--json")
    found = run("compare", path, *options, *more).json
    clustered = rs.pair_scores(LABEL, SCORES, cluster=WHO)
    wanted = compare_aucs(clustered, reference="old", adjust="none")
    assert len(found["pairs"]) == 2
    assert [p["se"] for p in found["pairs"]] == [p.difference.se for p in wanted.pairs]
    assert found["pairs"][0]["se"] != compare_aucs(DATA, reference="old").pairs[0].difference.se


def test_compare_adjusts_by_each_method(run, scores):
    for method in get_args(Adjustment):
        found = run("compare", scores, "--adjust", method, "--json").json
        wanted = compare_aucs(DATA, adjust=method)
        assert found["adjustment"] == method
        ours = [pair.adjusted_pvalue for pair in wanted.pairs]
        assert [pair["adjusted_pvalue"] for pair in found["pairs"]] == ours
    text = run("compare", scores, "--adjust", "benjamini-yekutieli").out
    assert "p, Benjamini-Yekutieli" in text


def test_compare_refuses_what_it_cannot_do(run, scores, csv_file):
    assert "Did you mean 'old'" in run("compare", scores, "--reference", "odl", fails=True).err
    one = run("compare", scores, "--score", "new", fails=True).err
    assert "two" in one
    assert (
        "no value in row 1"
        in run(
            "compare", csv_file("h.csv", {"y": LABEL, "a": NEW, "b": ["", *OLD[1:]]}), fails=True
        ).err
    )
    assert "--cluster" in run("compare", "--help").out


def test_the_forest_has_an_axis_and_zero_and_no_broken_line(run, scores):
    lines = run("compare", scores).out.splitlines()
    drawn = [line for line in lines if "|" in line]
    assert len(drawn) == 6
    table = lines[lines.index(next(line for line in lines if line.startswith("difference"))) :]
    rows, scale = table[2:5], table[5]
    assert all(row.count("|") == 2 and row.count("o", row.index("|")) == 1 for row in rows)
    gaps = [pair.difference.interval(0.95) for pair in compare_aucs(DATA).pairs]
    low, high = min(0, *(g.low for g in gaps)), max(0, *(g.high for g in gaps))
    ends = [float(x) for x in (scale.split()[0], scale.split()[-1])]
    assert ends == pytest.approx([low, high], abs=5e-4)


def test_the_text_forest_by_hand():
    span = (-1.0, 3.0)
    assert whisker(1.0, (0.0, 2.0), span, 17) == "    |---o---|    "
    assert whisker(2.0, (1.0, 3.0), span, 17) == "    :   |---o---|"
    assert axis((-0.25, 0.75), 17) == "-0.250      0.750"
    assert axis((-0.25, 0.75), 33) == "-0.250  0" + " " * 19 + "0.750"
    assert axis((0.0, 0.4), 12) == "0.000  0.400"


@pytest.mark.parametrize(("width", "beside"), [(120, True), (72, False)])
def test_a_narrow_terminal_breaks_no_drawing(monkeypatch, width, beside):
    def room(header, rows):
        return width - sum(max(map(len, c)) + 3 for c in zip(header, *rows, strict=True))

    monkeypatch.setattr("rocspace.cli.verbs.compare.room_beside", room)
    pair = {"value": 0.1, "interval": {"low": -0.1, "high": 0.3}}
    row = ("a rather long name minus another rather long name", "0.1", "-0.1 to 0.3")
    text = forest_text(("difference", "", "interval"), [row], [pair], zero=True)
    (drawn,) = [line for line in text.splitlines() if "|" in line]
    assert ("-0.1 to 0.3" in drawn) is beside
    assert len(drawn) <= width


def test_long_names_are_cut_to_the_width_of_a_page(run, csv_file):
    names = [f"{name}_{'of_a_model_' * 5}" for name in SCORES]
    path = csv_file("long.csv", {"y": LABEL, **dict(zip(names, SCORES.values(), strict=True))})
    lines = run("compare", path).out.splitlines()
    assert max(map(len, lines[1:])) <= 80  # the first line has the name of the file
    assert sum(line.startswith(names[0][:5]) for line in lines) == 4  # area, drawing, two pairs


def test_whole_curves_of_groups_know_the_order_of_cases(run, csv_file):
    group = np.where(np.arange(N) % 3, "b", "a")
    file = csv_file("g.csv", {"y": LABEL, "s": np.round(NEW), "sex": group, "who": WHO})
    how = ("--score", "s", "--by", "sex", "--curves", "--n-perm", 50)
    (test,) = run("compare", file, *how, "--ties", "first", "--json", "--quiet").json["curves"]
    parts = {
        g: rs.pair_scores(LABEL[group == g], {"s": np.round(NEW)[group == g]}) for g in ("a", "b")
    }
    wanted = venkatraman_test(parts, ties="first", n_perm=50, rng=0)
    assert (test["statistic"], test["pvalue"]) == (wanted.statistic, wanted.pvalue)
    for name in ("a", "b"):
        own = group == name
        part = csv_file(f"{name}.csv", {"y": LABEL[own], "s": NEW[own]})
        run("auc", part, "--save-state", f"{name}.state", "--quiet")
    kept = ("a.state", "b.state", "--curves", "--ties", "first")
    assert "use --ties random." in run("compare", *kept, fails=True).err


def test_groups_are_compared_with_each_other(run, csv_file):
    group = np.where(np.arange(N) % 3, "b", "a")
    file = csv_file("g.csv", {"y": LABEL, "new": NEW, "old": OLD, "sex": group})
    found = run("compare", file, "--score", "new", "--by", "sex", "--json").json
    tables = {g: rs.tabulate(LABEL[group == g], NEW[group == g]) for g in ("a", "b")}
    expected = compare_aucs(tables)
    assert found["names"] == ["a", "b"]
    assert found["pairs"][0]["test"]["pvalue"] == expected.pairs[0].test.pvalue
    within = run("compare", file, "--by", "sex", "--score", "new", "--score", "old", "--json").json
    for each in within["groups"]:
        own = group == each["group"]
        data = rs.pair_scores(LABEL[own], {"new": NEW[own], "old": OLD[own]})
        inner = compare_aucs(data).pairs[0]
        assert each["comparison"]["pairs"][0]["test"]["pvalue"] == inner.test.pvalue
    printed = run("compare", file, "--by", "sex", "--score", "new", "--score", "old").out
    assert "sex = a: 30 cases" in printed


def test_how_areas_are_compared(run, csv_file):
    file = csv_file("g.csv", {"y": LABEL, "new": NEW, "old": OLD, "ward": np.arange(N) // 2})
    words = ("--score", "new", "--score", "old", "--json")
    data = rs.pair_scores(LABEL, {"new": NEW, "old": OLD})
    pair = run("compare", file, *words, "--fpr", 0, 0.3, "--distribution", "t").json["pairs"][0]
    expected = compare_aucs(data, fpr=(0, 0.3), distribution="t").pairs[0]
    assert (pair["value"], pair["test"]["pvalue"]) == (
        expected.difference.value,
        expected.test.pvalue,
    )
    scaled = run("compare", file, *words, "--scale", "logit").json
    low, high = compare_aucs(data).pairs[0].difference.interval(scale="logit")
    assert (scaled["pairs"][0]["interval"]["low"], scaled["pairs"][0]["interval"]["high"]) == (
        low,
        high,
    )
    assert r"\begin{table}" in run("compare", file, *words[:4], "--to", "latex").out
    clustered = replace(data, cluster=np.arange(N) // 2)
    how = ("--cluster", "ward", "--variance", "obuchowski")
    found = run("compare", file, *words, *how).json["pairs"][0]["se"]
    assert found == compare_aucs(clustered, method="obuchowski").pairs[0].difference.se


def test_each_pair_is_tested_at_a_margin(run, scores):
    compared = compare_aucs(DATA)
    found = run("compare", scores, "--margin", 0.1, "--json").json
    for got, pair in zip(found["pairs"], compared.pairs, strict=True):
        both = equivalence_test(pair.difference, 0.1)
        one = noninferiority_test(pair.difference, 0.1)
        assert got["margin"]["margin"] == 0.1
        assert got["margin"]["equivalence"] == both.pvalue
        assert got["margin"]["first_not_worse"]["pvalue"] == one.pvalue
        assert got["margin"]["first_not_worse"]["statistic"] == both.low.statistic
        assert got["margin"]["second_not_worse"]["pvalue"] == both.high.pvalue
        assert both.low.pvalue != both.high.pvalue
    text = run("compare", scores, "--margin", 0.1).out
    row = next(
        line for line in text.splitlines() if line.startswith("new minus old") and "|" not in line
    )
    test = equivalence_test(compared.pair("new", "old").difference, 0.1)
    assert row.split()[3:] == [p_value(p) for p in (test.low.pvalue, test.high.pvalue, test.pvalue)]
    assert "not adjusted for the number of pairs" in " ".join(text.split())
    z = run("compare", scores, "--margin", 0.1, "--distribution", "normal", "--json").json
    known = noninferiority_test(compared.pairs[0].difference, 0.1, method="normal")
    assert z["pairs"][0]["margin"]["first_not_worse"]["pvalue"] == known.pvalue
    alone = run("compare", scores, "--score", "new", "--score", "old", "--margin", 0.1).out
    assert "not adjusted" not in alone


def test_tests_at_a_margin_warn_of_scores_that_spread_unevenly(run, csv_file):
    z = [stats.norm.ppf((np.arange(n) + 0.5) / n) for n in (8, 40)]
    label = np.repeat([1, 0], [8, 40])
    wide, narrow = (np.append(1 + sd * z[0], z[1]) for sd in (2.5, 0.4))
    columns = {"label": label, "wide": wide, "narrow": narrow, "near": narrow + 0.001 * wide}
    file = csv_file("uneven.csv", columns)
    said = " ".join(run("compare", file, "--margin", 0.05).err.split())
    assert "spread more than twice as far in narrow as in wide, and there are 8 pos" in said
    assert "lack those that wide ranks worst" in said
    assert "So it is for 1 more pair." in said
    assert "twice as far" not in run("compare", file).err


def test_classes_and_groups_are_tested_at_a_margin(run, csv_file):
    group = np.arange(N) % 3
    file = csv_file("g.csv", {"y": LABEL, "new": NEW, "old": OLD, "sex": group})
    of_groups = run(
        "compare", file, "--score", "new", "--by", "sex", "--margin", 0.2, "--json"
    ).json
    assert all(0 <= pair["margin"]["equivalence"] <= 1 for pair in of_groups["pairs"])
    both = ("--score", "new", "--score", "old", "--by", "sex", "--margin", 0.2)
    inner = run("compare", file, *both, "--json").json["groups"][0]["comparison"]["pairs"][0]
    data = rs.pair_scores(LABEL[group == 0], {"new": NEW[group == 0], "old": OLD[group == 0]})
    gap = compare_aucs(data).pairs[0].difference
    assert inner["margin"]["equivalence"] == equivalence_test(gap, 0.2).pvalue
    names = np.array(["a", "b", "c"])[group]
    columns = {f"{kind}_{x}": score * (names == x) for kind, score in SCORES.items() for x in "abc"}
    classes = csv_file("c.csv", {"y": names, **columns})
    found = run("compare", classes, "--label", "y", "--margin", 0.2, "--json").json
    assert all(0 <= pair["margin"]["equivalence"] <= 1 for pair in found["pairs"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--score", "new"), "there is only 'new'. Name others with --score, or groups"),
        (("--score", "new", "--by", "y"), "--by gives 0 groups with both classes"),
        (("--by", "sex", "--figure", "a.png"), "--figure is for one comparison"),
        (("--score", "new", "--by", "sex", "--cluster", "old"), "auc FILE --by sex --cluster old."),
        (("--variance", "jackknife"), "is for clusters"),
        (("--fpr", 0, 0.1, "--tpr", 0, 1), "two ranges"),
        (("--to", "md", "--scale", "logit"), "Leave out --scale"),
        (("--to", "md", "--margin", 0.1), "Leave out --margin"),
        (("--margin", 0), "--margin is 0, but must be positive"),
        (("--margin", "nan"), "--margin is nan, but must be positive"),
        (("--margin", 2), "five points of a hundred are 0.05"),
    ],
    ids=str,
)
def test_what_is_not_compared(run, csv_file, words, said):
    group = np.arange(N) % 2
    file = csv_file("g.csv", {"y": LABEL, "new": NEW, "old": OLD, "sex": group})
    scores = () if "--score" in words else ("--score", "new", "--score", "old")
    assert said in run("compare", file, *scores, *words, fails=True).err
