"""The committed coverage table is what the methods do; and the check of it can fail."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from benchmarks.coverage import __main__ as program
from benchmarks.coverage import areas, binary, ledger, page, parts, populations
from benchmarks.coverage.ledger import KINDS, Ledger, Row, Section

import rocspace as rs

COMMITTED = ledger.read()


def row(hits, samples, **change):
    made = Row("area", "Normal, area 0.9", "20 + 20", "x", hits / samples, 0.2, 0.05, samples)
    return replace(made, **change)


# --- the table --------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_has_drifted(capsys):
    assert program.main(["--quick"]) == 0, capsys.readouterr().out
    assert capsys.readouterr().out.startswith("no drift")


def test_the_page_is_made_of_the_table():
    made = page.page(COMMITTED, parts.PARTS)
    assert page.PAGE.read_text(encoding="utf-8") == made


def test_the_table_has_every_part_and_nothing_twice():
    found = list(dict.fromkeys(row.part for row in COMMITTED))
    assert found == parts.ORDER
    assert {row.section for row in COMMITTED} == set(parts.SECTIONS)
    assert len({row.key for row in COMMITTED}) == len(COMMITTED)


def test_defaults_are_methods_of_their_sections():
    for name, section in parts.SECTIONS.items():
        methods = {row.interval for row in COMMITTED if row.section == name}
        assert set(section.defaults) <= methods, name


def test_exact_rows_have_not_drifted_at_all():
    rates = [*areas.rate_rows()]
    before = [row for row in COMMITTED if row.section == "rate"]
    assert ledger.drifted(rates, before) == []
    assert len(rates) == 144


@pytest.mark.parametrize("section", parts.SECTIONS.values(), ids=lambda s: s.name)
def test_each_section_has_the_six_kinds_or_says_why_not(section):
    there = set().union(*(ledger.kinds(r) for r in COMMITTED if r.section == section.name))
    missing = [kind for kind in KINDS if kind not in there]
    if section.lacks.startswith("all"):
        assert missing
    else:
        assert missing == [kind for kind in KINDS if kind in section.lacks.partition(":")[0]]


@pytest.mark.parametrize(
    ("situation", "size", "found"),
    [
        ("Normal, area 0.9", "20 + 20", {"binormal"}),
        ("Normal, area 0.9, sd 2", "20 + 20", {"skewed"}),
        ("exponential, area 0.99", "5 + 50", {"skewed", "near-perfect", "tiny"}),
        ("five ratings", "10 + 10000", {"tied", "unbalanced"}),
        ("Normal, r 0.9, areas 0.75 and 0.75", "6 + 5999", {"binormal"}),
    ],
)
def test_kinds_of_populations(situation, size, found):
    assert ledger.kinds(row(1, 2, situation=situation, size=size)) == found


def test_other_parts_keep_their_rows(tmp_path):
    rows = [row(9, 10, part=part) for part in ("a", "b", "b", "c", "gone")]
    made = Ledger(rows).replaced("b", [row(1, 10, part="b")], ["c", "b", "a"]).rows
    assert [(r.part, r.hits) for r in made] == [("c", 9), ("b", 1), ("a", 9)]
    ledger.write(made, tmp_path / "some" / "table.csv")
    assert ledger.read(tmp_path / "some" / "table.csv") == made


# --- drift ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "drifts"), [((38, 40), False), ((33, 40), False), ((28, 40), True), ((0, 2), False)]
)
def test_the_check_of_counts_by_the_binomial_law(hits, drifts):
    # 95 % of 2000 before. P(X <= 33 of 40) = .003, which is luck; P(X <= 28) = 1e-7 is not.
    assert ledger.other_share(row(*hits), row(1900, 2000)) == drifts


def test_the_check_of_widths():
    # .05 / sqrt(25) = .01 is a standard error, and 5.5 of them are allowed.
    before = row(1900, 2000)
    assert not ledger.other_width(row(24, 25, width=0.254), before)
    assert ledger.other_width(row(24, 25, width=0.257), before)
    assert ledger.other_width(row(24, 25, width=float("nan")), before)
    assert not ledger.other_width(*[row(24, 25, width=float("nan"))] * 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"coverage": 0.6}, "coverage 0.6, was"),
        ({"width": 2.0}, "mean width 2, was"),
    ],
)
def test_the_check_sees_drift(change, said):
    quick = [replace(row, samples=40) if row.samples else row for row in COMMITTED]
    assert ledger.drifted(quick, COMMITTED) == []
    for section in ("rate", "area"):
        i = next(i for i, row in enumerate(quick) if row.section == section)
        changed = [*quick[:i], replace(quick[i], **change), *quick[i + 1 :]]
        (found,) = ledger.drifted(changed, COMMITTED)
        assert said in found
        assert section in found
    assert "other rows" in ledger.drifted(quick[1:], COMMITTED)[0]


def test_quick_fails_where_the_table_is_wrong(capsys, monkeypatch):
    wrong = [replace(r, coverage=0.5) if r.interval == "wilson" else r for r in COMMITTED]
    monkeypatch.setattr(program, "PARTS", [p for p in parts.PARTS if p.name == "rates"])
    monkeypatch.setattr(program, "read", lambda: wrong)
    assert program.main(["--quick"]) == 1
    assert "'wilson'): coverage 0.9" in capsys.readouterr().out


def test_processes_do_not_change_numbers():
    names = ["rates", "fitted"]
    one = dict(program.measure(names, quick=True))
    assert dict(program.measure(names, quick=True, jobs=2)) == one
    assert {row.part for rows in one.values() for row in rows} == set(names)


# --- populations ------------------------------------------------------------------------------


@pytest.mark.parametrize("population", areas.POPULATIONS, ids=lambda p: p.name)
def test_true_areas_are_those_of_large_samples(population):
    # 40 000 of each: an area is known to about .002, a part of .2 to about .0015.
    rng = np.random.default_rng(9)
    pos, neg = (draw(rng, (1, 40_000))[0] for draw in (population.pos, population.neg))
    table = rs.tabulate_classes(pos, neg)
    assert rs.auc(table) == pytest.approx(population.auc, abs=0.01)
    part = rs.partial_auc(table, fpr=(0, 0.2))
    assert part == pytest.approx(population.partial_auc(0, 0.2), abs=0.006)


def test_skewed_scores_have_their_areas_and_correlations():
    population = populations.paired_exponential((0.9, 0.75), r=0.5)
    data = population.draw(40_000, 40_000, rng=np.random.default_rng(1))
    found = [rs.auc(data.table(name)) for name in data.names]
    assert found == pytest.approx(population.auc, abs=0.01)
    assert data.score[~data.label].mean(axis=0) == pytest.approx([1, 1], abs=0.03)
    assert data.score[data.label].mean(axis=0) == pytest.approx([9, 3], rel=0.03)
    # Ranks of a Normal pair of correlation r: Spearman's is 6/pi asin(r / 2) = .483.
    ranks = data.score[data.label].argsort(axis=0).argsort(axis=0)
    assert np.corrcoef(ranks.T)[0, 1] == pytest.approx(0.483, abs=0.02)


# --- what is said -----------------------------------------------------------------------------


def test_a_miss_is_more_than_two_points_and_chance_is_told():
    interval, test = Section("a", "A"), Section("a", "A", kind="size")
    assert not interval.misses(row(93, 100))
    assert interval.misses(row(92, 100))
    assert not interval.misses_surely(row(92, 100))  # its standard error is 2.7 points
    assert interval.misses_surely(row(1800, 2000))
    assert test.misses(row(8, 100))
    assert not test.misses(row(7, 100))
    assert test.misses(row(40, 1000, interval="t at 0.01"))
    told = page.Told(interval, "x", (row(92, 100), row(95, 100)))
    assert told.verdict == "yes, 1 of 2 by chance"
    assert replace(told, rows=(row(1800, 2000),)).verdict == "no: 1 of 1"
    assert replace(told, rows=(row(95, 100),)).verdict == "yes"


def test_misses_are_bold():
    section = Section("area", "Area")
    assert page.entry(section, [row(95, 100)]) == "95.0 (0.2)"
    assert page.entry(section, [row(90, 100), row(99, 100)]) == "**90.0 to 99.0** (0.2)"


def test_default_holds_its_level():
    # What the docstring of Estimate.interval says.
    worst = {}
    for each in COMMITTED:
        if each.section == "area" and not each.size.startswith("1 +"):
            worst[each.interval] = min(each.coverage, worst.get(each.interval, 1))
    assert worst["delong unseen"] >= 0.954
    assert worst["delong moderated"] > 0.93
    assert worst["delong logit"] < 0.8
    assert worst["delong hoeffding"] > 0.95


@pytest.mark.parametrize(
    ("section", "least"), [("area, validation", 0.9395), ("area of a yes/no test", 0.92797)]
)
def test_the_default_holds_where_nothing_was_chosen(section, least):
    # What the docstring of Estimate.interval says, and docs/own_methods.md.
    rows = [r for r in COMMITTED if r.section == section and r.interval == "delong unseen"]
    assert min(r.coverage for r in rows) == pytest.approx(least, abs=1e-4)
    assert sum(r.coverage < 0.935 for r in rows) <= 1


def test_yes_no_tests_are_summed_exactly():
    # 2 + 1 cases: 3 x 2 outcomes, each with its chance; all inside but none called of 2 + 1.
    (unseen, *_) = binary.cell(0.5, 0.5, 2, 1)
    inside = 0.0
    for tp, fp in product(range(3), range(2)):
        table = rs.ScoreTable.from_counts([1, 0], [tp, 2 - tp], [fp, 1 - fp])
        chance = (1, 2, 1)[tp] / 8
        inside += chance * (0.5 in rs.delong(table).interval())
    assert unseen.coverage == pytest.approx(inside, abs=1e-12)


def test_figure_is_drawn(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(page, "FIGURE", tmp_path / "coverage.png")
    page.draw([r for r in COMMITTED if r.section == "rate"], parts.PARTS)
    assert (tmp_path / "coverage.png").stat().st_size > 5000


def test_defaults_hold_where_their_docstrings_say_so():
    # One that misses would have to say so: in Notes of the function, and on the page.
    told = {
        (each.section.name, each.interval): each.verdict
        for section, rows in page.sections(COMMITTED, parts.PARTS)
        for each in page.told(section, rows)
        if each.default
    }
    missed = {key for key, verdict in told.items() if verdict.startswith("no")}
    # Exactly 92.8 percent with 5 + 5 cases: Notes of `Estimate.interval` and own_methods.md.
    assert missed == {("area of a yes/no test", "delong unseen")}
