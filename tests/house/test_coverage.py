"""The committed coverage table is what the methods do; and the check of it can fail."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest
from benchmarks.coverage import __main__ as program
from benchmarks.coverage import (
    areas,
    axes,
    binary,
    bootstrap,
    calibration,
    called,
    called_index,
    cells,
    classes,
    counted,
    covariates,
    credible,
    exchanged,
    folds,
    further,
    index,
    judge,
    ledger,
    losses,
    margins,
    models,
    off_line,
    others,
    page,
    parts,
    planned_rates,
    populations,
    ranges,
    rarer,
    readings,
    study,
    trinormal,
    wide,
)
from benchmarks.coverage.ledger import KINDS, ROOT, Ledger, Row, Section, pooled
from scipy import stats
from scipy.integrate import quad
from scipy.special import expit

import rocspace as rs
from rocspace.inference import fpr_at_interval, tpr_at_interval, youden_interval
from rocspace.models.registry import MODELS
from rocspace.resampling import fpr_at, partial_area, tpr_at

COMMITTED = ledger.read()


def row(hits, samples, **change):
    made = Row("area", "Normal, area 0.9", "20 + 20", "x", hits / samples, 0.2, 0.05, samples)
    return replace(made, **change)


def exactly(coverage):
    return replace(row(1, 1), coverage=coverage, samples=0)


# --- the table --------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_has_drifted():
    # In an interpreter of its own, which the measuring of covered lines would slow down by half.
    every = "24" if os.environ.get("CI") else "1"  # all cells take more than a minute
    command = [sys.executable, "-m", "benchmarks.coverage", "--quick", "--every", every]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("no drift")


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


def test_a_star_marks_what_one_gets_without_asking():
    population = populations.paired_exponential((0.9, 0.8), r=0.5)
    data = population.draw(30, 30, rng=np.random.default_rng(1))
    table = data.table(data.names[0])
    paired, parted = (
        rs.compare.auc_difference(data, *data.names, fpr=fpr) for fpr in (None, (0, 0.2))
    )
    apart = rs.compare.auc_difference({name: data.table(name) for name in data.names})
    made = {
        "area": rs.delong(table),
        "area, lognormal weights": rs.delong(
            rs.tabulate(data.label, data.score[:, 0], sample_weight=1 + np.arange(60) / 60)
        ),
        "part of the area, fpr 0 to 0.1": rs.inference.partial_auc_estimate(table, fpr=(0, 0.1)),
        "difference of areas, same cases": paired,
        "difference of areas, independent samples": apart,
        "difference of parts, fpr 0 to .2": parted,
    }
    for name, estimate in made.items():
        (star,) = parts.SECTIONS[name].defaults
        assert estimate.interval().method.replace(",", "").endswith(star), name
    for name, difference in (("same cases", paired), ("independent samples", apart)):
        (star, *_) = parts.SECTIONS[f"size of tests, {name}"].defaults
        assert difference.test().method == f"delong, {star.removesuffix(' at 0.05')}"
    drawn = rs.bootstrap(data, rs.resampling.difference(), n_boot=50, rng=1)
    (star,) = parts.SECTIONS[bootstrap.DIFFERENCE].defaults
    assert drawn.interval().method == f"bootstrap {star}"
    for each in bootstrap.QUANTITIES:
        drawn = rs.bootstrap(table, each.statistic, n_boot=50, rng=1)
        assert drawn.interval().method.endswith(each.default)
        assert each.default in parts.SECTIONS[each.section].defaults


def part_limits(table):
    return rs.inference.partial_auc_estimate(table, fpr=(0, 0.2)).interval()


@pytest.mark.parametrize(
    ("statistic", "limits"),
    [
        (tpr_at(0.1), partial(tpr_at_interval, fpr=0.1)),
        (fpr_at(0.8), partial(fpr_at_interval, tpr=0.8)),
        ("youden", youden_interval),
        ("auc", lambda table: rs.delong(table).interval()),
        (partial_area(fpr=(0, 0.2)), part_limits),
    ],
)
def test_what_is_read_of_the_formula_is_what_the_bootstrap_gives(statistic, limits):
    # "wide: bootstrap of auc" and its kin are measured without their replicates.
    table = margins.MARGINS[2].draw(30, 30, np.random.default_rng(1))
    drawn = rs.bootstrap(table, statistic, n_boot=2, rng=1)
    assert [*drawn.interval()] == [*limits(table)]


def test_the_page_says_how_many_samples_each_part_has():
    said = page.how_many(COMMITTED, parts.PARTS)
    assert all(f" {name}" in said for name in parts.ORDER)
    made = [row(9, 10, part="areas"), row(1, 2, part="rates"), exactly(0.9)]
    assert page.how_many(made, [p for p in parts.PARTS if p.name == "areas"]).endswith(
        "| 10 | areas |"
    )


def test_exact_rows_have_not_drifted_at_all():
    rates = [*areas.rate_rows()]
    before = [row for row in COMMITTED if row.section == "rate"]
    assert ledger.drifted(rates, before) == []
    assert len(rates) == 216


@pytest.mark.parametrize("section", parts.SECTIONS.values(), ids=lambda s: s.name)
def test_each_section_has_the_six_kinds_or_says_why_not(section):
    if section.wide:
        return  # its populations are of other kinds, named in `wide`
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
    assert part == pytest.approx(population.partial_auc(fpr=(0, 0.2)), abs=0.006)


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


def verdicts(*rows, **section):
    made = Section("area", "Area", defaults=("x",), **section)
    return judge.judge(rows, {"area": made})


def test_a_miss_is_what_holm_does_not_take_for_chance():
    # P(X <= 35 of 40 | .935) = .12; P(X <= 32 of 40) = .0038, which times 30 is more than .05.
    assert [v.missed for v in verdicts(row(35, 40))] == [False]
    assert [v.missed for v in verdicts(row(32, 40))] == [True]
    cells = [row(32, 40), *(row(38, 40, size=str(i)) for i in range(29))]
    assert not any(v.missed for v in verdicts(*cells))
    assert verdicts(*cells)[0].below
    # Another method's cells do not count.
    others = [cells[0], *(replace(c, interval="y") for c in cells[1:])]
    assert [v.missed for v in verdicts(*others)] == [True] + 29 * [False]


def test_exact_rows_are_held_to_the_number():
    assert [v.missed for v in verdicts(exactly(0.9351))] == [False]
    assert [v.missed for v in verdicts(exactly(0.9349))] == [True]


def test_sizes_and_plans_have_limits_of_their_own():
    # P(X >= 100 of 1000 | .065) = 2e-5; P(X >= 72) = .2.
    assert [v.missed for v in verdicts(row(100, 1000), kind="size")] == [True]
    assert [v.missed for v in verdicts(row(72, 1000), kind="size")] == [False]
    at_one = row(30, 1000, interval="x at 0.01")
    assert [v.missed for v in verdicts(at_one, kind="size")] == [True]
    for hits, missed in ((700, True), (790, False), (815, False), (870, True)):
        promised = row(hits, 1000, width=0.0)
        assert [v.missed for v in verdicts(promised, kind="planned")] == [missed]
    # A plan that tells its power, kept as the width of its row, is held to what it told.
    for hits, missed in ((700, True), (790, True), (840, False), (920, True)):
        told = row(hits, 1000, width=0.85)
        assert [v.missed for v in verdicts(told, kind="planned")] == [missed]
    assert [v.missed for v in verdicts(row(1, 1000), kind="power")] == [False]


def test_waste_is_over_coverage_and_width():
    narrow = row(950, 1000, interval="y", width=0.1)
    said = [v.waste for v in verdicts(row(990, 1000), narrow)]
    assert said == ["covers 99.0, 2.00 x as wide as y", ""]
    assert verdicts(row(950, 1000), narrow)[0].waste == "2.00 x as wide as y"
    # Not beside a method that misses, nor at a boundary, nor for limits of counts.
    assert verdicts(row(950, 1000), replace(narrow, coverage=0.9))[0].waste == ""
    assert verdicts(row(990, 1000, exempt="J = 0"), narrow)[0].waste == ""
    assert verdicts(row(990, 1000), narrow, discrete=True)[0].waste == ""


def test_cells_left_out_are_named_and_not_judged():
    gone = replace(exactly(float("nan")), exempt="left out: the target jumps")
    assert verdicts(gone) == []
    assert "| area: x | the target jumps | Normal, area 0.9, 20 + 20 |" in page.left_out([gone])


def test_known_misses_only_shrink(tmp_path):
    path = tmp_path / "misses.csv"
    old, new = row(1, 10), row(1, 10, size="5 + 5")
    assert judge.settle(verdicts(old), accept=True, path=path) == []
    assert judge.settle(verdicts(old, new), accept=False, path=path) == [new.key]
    assert judge.read_known(path) == {old.key}
    assert judge.settle(verdicts(row(10, 10), new), accept=False, path=path) == [new.key]
    assert judge.read_known(path) == set()


def test_misses_are_bold():
    entries = verdicts(row(95, 100), row(80, 100, size="9"))
    assert page.entry(entries[:1]) == "95.0 (0.2)"
    assert page.entry(entries) == "**80.0 to 95.0** (0.2)"
    assert page.Told(entries[0].section, "x", tuple(entries)).verdict == "no: 1 of 2"


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
    ("section", "least"), [("area, validation", 0.9405), ("area of a yes/no test", 0.93706)]
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


def test_precision_of_yes_no_tests_is_summed_exactly():
    # 2 + 1 cases, half called: the curve of the population is that of chance.
    found = {(row.section, row.interval): row for row in called.cell(0.5, 0.5, 2, 1)}
    truth = called.truths(0.5, 0.5, 2 / 3)
    assert truth[called.STEPS] == pytest.approx(2 / 3)
    inside, width = 0.0, 0.0
    for tp, fp in product(range(3), range(2)):
        table = rs.ScoreTable.from_counts([1, 0], [tp, 2 - tp], [fp, 1 - fp])
        ends = rs.curves.pr_area_estimate(table).interval()
        inside += (1, 2, 1)[tp] / 8 * (truth[called.AREA] in ends)
        width += (1, 2, 1)[tp] / 8 * ends.width
    row = found[called.AREA, "unseen"]
    assert (row.coverage, row.width) == pytest.approx((inside, width), abs=1e-12)


@pytest.mark.parametrize(("tpr", "fpr"), [(0.8, 0.02), (0.99, 0.0005)])
def test_true_precision_of_yes_no_tests_is_that_of_margins(tpr, fpr):
    margin = margins.levels("", (1 - tpr, tpr), (1 - fpr, fpr), "")
    truth = called.truths(tpr, fpr, 0.05)
    steps = margin.average_precision(0.05, steps=True)
    assert truth[called.STEPS] == pytest.approx(steps, abs=1e-12)
    integral = margin.average_precision(0.05, steps=False)
    assert truth[called.AREA] == pytest.approx(integral, abs=2e-5)


@pytest.mark.parametrize(
    ("section", "interval", "situations", "least"),
    [
        (wide.PR, "default", 337, 0.952),
        (wide.PR, "logit", 337, 0.88),
        (called.AREA, "unseen", 368, 0.949),
        (called.AREA, "moderated", 368, 0.869),
        (called.STEPS, called.DEFAULT, 368, 0.957),
        (wide.BOOT_AP, "default", 186, 0.955),
    ],
)
def test_precision_covers_what_is_said(section, interval, situations, least):
    # The docstring of pr_area_estimate, and docs/own_methods.md.
    rows = [r for r in COMMITTED if r.section == section and r.interval == interval]
    assert len(rows) == situations
    assert least <= min(r.coverage for r in rows) < least + 1e-3


def test_rare_errors_of_few_positives_are_covered():
    # Of 5 + 100 cases 90.5 percent are without an error: Wilson's limits hold in no other sample.
    rows = called.cell(0.99, 0.0005, 5, 100)
    found = {row.interval: row.coverage for row in rows if row.section == called.AREA}
    assert found["moderated"] == pytest.approx(0.99**5 * 0.9995**100, abs=1e-4)
    assert found["unseen"] > 0.95


def test_the_index_of_yes_no_tests_is_summed_exactly():
    found = {row.interval: row for row in called_index.cell(0.75, 0.5, 2, 1)}
    inside = dict.fromkeys(found, 0.0)
    for tp, fp in product(range(3), range(2)):
        table = rs.ScoreTable.from_counts([1, 0], [tp, 2 - tp], [fp, 1 - fp])
        for method in inside:
            ends = youden_interval(table, method=method)
            inside[method] += (1, 6, 9)[tp] / 16 / 2 * (0.25 in ends)
    for method, share in inside.items():
        assert found[method].coverage == pytest.approx(share, abs=1e-12)


def test_the_index_of_yes_no_tests_covers_what_is_said():
    rows = [row for row in COMMITTED if row.section == called_index.SECTION]
    own = [row for row in rows if row.interval == called_index.DEFAULT]
    said = " ".join(youden_interval.__doc__.split())
    assert f"in 93.5 percent or more in {len(own)} situations" in said
    assert min(row.coverage for row in own) >= 0.935


# --- the second study and the wide parts ------------------------------------------------------


def test_every_line_of_the_second_study_is_measured():
    lines = [line for item in study.items() for line in item.lines]
    assert {line.item for line in lines} == set(range(1, 13))
    found = {row.key for row in COMMITTED if row.part == "study"}
    assert {(*line.where, line.default) for line in lines} <= found
    assert study.table(COMMITTED).count("\n| ") == len(lines) + 1


@pytest.mark.parametrize("margin", margins.MARGINS, ids=lambda m: m.name)
def test_margins_have_their_areas(margin):
    table = margin.draw(20_000, 20_000, np.random.default_rng(3))
    curve = rs.roc_curve(table)
    assert rs.auc(table) == pytest.approx(margin.auc, abs=0.012)
    assert curve.tpr_at(0.1) == pytest.approx(margin.tpr_at(0.1), abs=0.02)
    assert curve.fpr_at(0.8) == pytest.approx(margin.fpr_at(0.8), abs=0.02)
    part = rs.partial_auc(table, fpr=(0, 0.3))
    assert part == pytest.approx(margin.partial_auc(fpr=(0, 0.3)), abs=0.008)
    beside = rs.partial_auc(table, tpr=(0.8, 1))
    assert beside == pytest.approx(margin.part_beside(0.8, 1), abs=0.008)
    assert rs.curves.youden(table) == pytest.approx(margin.youden, abs=0.025)
    found = rs.curves.average_precision(table)
    assert found == pytest.approx(margin.average_precision(0.5, steps=True), abs=0.02)


@pytest.mark.parametrize("pair", margins.PAIRS, ids=lambda p: p.name)
def test_pairs_have_their_difference(pair):
    data = pair.draw(10_000, 10_000, np.random.default_rng(4))
    one, two = (rs.auc(data.table(name)) for name in data.names)
    assert one - two == pytest.approx(pair.truth, abs=0.015)


def test_roles_are_shared_out():
    for of in (margins.MARGINS, margins.PAIRS):
        share = np.mean([each.role == "validation" for each in of])
        assert 0.3 <= share <= 0.4


def test_the_textbook_interval_is_delongs():
    data = margins.PAIRS[2].draw(30, 40, np.random.default_rng(5))
    variance = rs.compare.auc_difference(data).se ** 2
    low, high = wide.textbook(data)
    assert (high - low) / 2 == pytest.approx(1.959964 * variance**0.5, rel=1e-6)


def test_a_cell_stops_where_it_is_clear():
    def read(sample, rng):
        yield cells.Read("area", "sure", inside=True)
        yield cells.Read("area", "never", inside=False)

    made = cells.Cell("somewhere", "1 + 1", lambda rng: rng.random(), read)
    assert {row.samples for row in made.rows(800)} == {100}

    def unsure(sample, rng):
        yield cells.Read("area", "x", inside=bool(sample < 0.9))

    assert [row.samples for row in replace(made, read=unsure).rows(150)] == [150]
    assert made.rows(50) == made.rows(50)
    # At least an eighth of all samples; what is only set beside a default does not count.
    assert {row.samples for row in made.rows(8 * 300)} == {300}

    def other(sample, rng):
        yield cells.Read("area", "x", inside=True)
        yield cells.Read("area", "y", inside=bool(sample < 0.9), beside=True)

    assert {row.samples for row in replace(made, read=other).rows(700)} == {100}


def test_a_test_is_clear_by_the_level_in_its_name():
    # 6 of 200 are fewer than .05, and more than .01.
    assert not cells.undecided("size of tests", "x", 200, 6)
    assert cells.undecided("size of tests", "x at 0.01", 200, 6)


def test_only_the_defaults_of_a_section_decide():
    def read(sample, rng):
        yield cells.Read("area", "x", inside=True)
        yield cells.Read("area", "y", inside=bool(sample < 0.9))

    made = cells.Cell("somewhere", "1 + 1", lambda rng: rng.random(), read)
    for defaults, samples in ((("x",), 100), (("x", "y"), 700)):
        section = Section("area", "Area", defaults=defaults)
        part = cells.part("some", lambda: iter([made, made]), (section,))
        assert part.units() == [(0,), (1,)]
        assert {row.samples for row in part.measure(700, (1,))} == {samples}


def test_further_samples_join_those_that_there_are():
    def read(sample, rng):
        yield cells.Read("area", "x", inside=bool(sample < 0.9), width=sample)

    made = cells.Cell("somewhere", "1 + 1", lambda rng: rng.random(), read)
    (first,) = made.rows(60)
    with cells.going_on(begun_with(first)):
        (second,) = made.rows(90)
    assert second.samples == 30
    assert second.width != made.rows(30)[0].width  # other samples than the first thirty
    (both,) = pooled([first], [second])
    assert both.samples == 90
    assert both.hits == first.hits + second.hits
    assert both.width == pytest.approx((2 * first.width + second.width) / 3)
    squares = (
        60 * (first.width_sd**2 + first.width**2),
        30 * (second.width_sd**2 + second.width**2),
    )
    assert both.width_sd**2 == pytest.approx(sum(squares) / 90 - both.width**2)
    exact = replace(first, samples=0)
    assert pooled([exact], [exact]) == [exact]
    with pytest.raises(ValueError, match="not samples of the same methods"):
        pooled([replace(first, width=5.0)], [second])
    (endless,) = pooled([first], [replace(second, width=float("nan"))])
    assert endless.samples == 90
    assert endless.hits == first.hits + second.hits
    assert np.isnan(endless.width)  # one interval was infinite, so that there is no mean
    other = replace(first, interval="y")
    assert pooled([other, first], [second]) == [other, both]
    with pytest.raises(ValueError, match="not samples of the same methods"):
        pooled([first], [other])


def begun_with(*rows):
    found = {}
    for each in rows:
        found.setdefault((each.situation, each.size), []).append(each)
    return cells.Begun(found, {each.key for each in rows})


def test_going_on_draws_nothing_of_what_is_clear():
    def read(sample, rng):
        yield cells.Read("area", "x", inside=True)

    made = cells.Cell("somewhere", "1 + 1", lambda rng: rng.random(), read)
    (first,) = made.rows(250)
    with cells.going_on(cells.Begun({("somewhere", "1 + 1"): [first]}, set())):
        assert made.rows(800) == []
    with cells.going_on(begun_with(replace(first, situation="elsewhere"))):
        assert made.rows(800) == []
    # What other cells read of the same samples says nothing of this one.
    with cells.going_on(begun_with(replace(first, interval="y"))):
        assert replace(made, of=(("area", "x"),)).rows(800) == []
    # Old samples count for whether it is clear: 90 of 100, and then all of 100.
    with cells.going_on(begun_with(replace(first, coverage=0.9, samples=100))):
        assert [row.samples for row in made.rows(800)] == [100]
    with cells.going_on(begun_with(replace(first, coverage=0.85, samples=100))):
        assert [row.samples for row in made.rows(800)] == [200]


@pytest.mark.parametrize("part", parts.PARTS, ids=lambda part: part.name)
def test_every_cell_of_a_default_is_clear_or_full(part):
    if any(section.defaults for section in part.sections):
        few = {
            "goodness of fit": 500,
            "slow fits where they hold": 500,
            "summary curves": 300,
        }
        assert part.samples in (few.get(part.name, 0), ledger.SAMPLES_OF_BANDS, ledger.SAMPLES)
    rows = [row for row in COMMITTED if row.part == part.name]
    assert not [row.key for row in rows if program.is_open(row, part.samples)]


def test_the_index_has_every_function_with_an_interval_or_a_test():
    told, there = {*index.MEASURED, *index.ELSEWHERE}, {name for name, _ in index.callables()}
    assert sorted({*index.claimed()} - told) == []
    assert sorted(told - there) == []
    assert not index.MEASURED.keys() & index.ELSEWHERE.keys()


@pytest.mark.parametrize("name", index.MEASURED)
def test_what_the_index_says_is_measured_is_in_the_table(name):
    sections, rows = list(parts.SECTIONS.values()), {row.section for row in COMMITTED}
    for start in index.MEASURED[name]:
        found = index.sections_of([start], sections)
        assert found, start
        assert all(each.name in rows for each in found)


@pytest.mark.parametrize("model", sorted({*MODELS} - {*models.WITHOUT_ERRORS}))
def test_the_area_of_every_model_is_in_the_table(model):
    assert {row.section for row in COMMITTED if row.interval == model} >= {models.AREA}


def test_figure_is_drawn(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(page, "FIGURE", tmp_path / "coverage.png")
    page.draw([r for r in COMMITTED if r.section == "rate"], parts.PARTS)
    assert (tmp_path / "coverage.png").stat().st_size > 5000


def test_no_default_misses_but_those_that_are_known():
    # The list is written by hand of `python -m benchmarks.coverage --accept`; what holds again
    # has to leave it, so that it only shrinks.
    now = {each.row.key for each in judge.missing(judge.judge(COMMITTED, parts.SECTIONS))}
    assert now == judge.read_known()


def test_a_third_of_the_wide_cells_validate():
    rows = [r for r in COMMITTED if r.part in {part.name for part in wide.WIDE}]
    roles = {(r.part, r.situation, r.size): r.role for r in rows}
    assert sum(role == "validation" for role in roles.values()) >= len(roles) // 4


def test_the_guide_to_models_says_what_the_table_says():
    guide = (ROOT / "docs" / "smooth_curves.md").read_text(encoding="utf-8")
    sections = (models.AREA, readings.ELSEWHERE)
    found = {
        (row.interval, row.situation): row.coverage
        for row in COMMITTED
        if row.section in sections and row.size == "50 + 50"
    }
    lines = [line.split("|") for line in guide.splitlines() if line.startswith('| `"')]
    told = {line[1].strip(' `"'): (line[6].strip(), line[7].strip()) for line in lines}
    assert set(told) == set(MODELS)
    for model, (covers, worst) in told.items():
        if model in models.WITHOUT_ERRORS:
            assert (covers, worst) == ("", "")
            continue
        assert covers == f"{100 * found[model, models.own(model)]:.0f} %", model
        elsewhere = [
            (value, where)
            for (name, where), value in found.items()
            if name == model and where != models.own(model)
        ]
        if not elsewhere:
            assert worst == "", model
            continue
        value, where = min(elsewhere)
        assert worst.startswith(f"{100 * value:.0f} %"), model
        word = worst.partition("(")[2].strip(")")
        assert word in where, model


# --- counts and exchanged labels ----------------------------------------------------------------


def test_sums_over_permutations_are_of_what_the_tests_do():
    # The p value of one outcome is (1 + B) / 1000, B binomial with the chance of its tail.
    groups = exchanged.LEVELS[1]
    outcomes, chance = groups.outcomes()
    assert chance.sum() == pytest.approx(1)
    area = np.array([exchanged.two_cut_area(groups.totals, each) for each in outcomes])
    i = int(np.argsort(-area)[len(area) // 50])
    tail = chance[area >= area[i] - 1e-12].sum()
    pos = np.array(outcomes[i])
    table = rs.ScoreTable.from_counts(np.arange(5)[::-1], pos, np.array(groups.totals) - pos)
    found = rs.inference.two_cut_test(table, rng=3, progress=False)
    assert found.pvalue == pytest.approx(tail, abs=5 * (tail * (1 - tail) / 999) ** 0.5 + 1e-3)
    # Every label alike, and a statistic that no other reaches: rejected as often as it comes first.
    one = np.r_[1.0, np.zeros(39)]
    size = exchanged.by_permutation(rs.inference.two_cut_test, one, np.full(40, 1 / 40))
    assert size == pytest.approx(1 / 40 * stats.binom.cdf(49, 999, 1 / 40))


def test_a_border_of_chance_is_where_its_test_rejects():
    rows = {(row.section, row.situation, row.size): row for row in exchanged.point_rows()}
    for (section, *where), found in rows.items():
        if section == exchanged.POINT:
            assert rows[exchanged.CONTOUR, *where].coverage == found.coverage <= 0.05


def test_the_half_total_error_is_a_cost():
    for each in counted.ERRORS:
        rows = {(row.section, row.interval): row for row in counted.error_rows_at((5, 5), each)}
        half, cost = rows[counted.HALF, "default"], rows[counted.COST, "equal costs"]
        assert half.coverage == pytest.approx(cost.coverage)
        assert half.width == pytest.approx(cost.width)


# --- defaults that are asked for rarely ---------------------------------------------------------


@pytest.mark.parametrize("scores", rarer.SEVERAL, ids=lambda s: s.name)
def test_contrasts_are_zero_where_they_are_measured(scores):
    area = [margin.auc for margin in scores.margins]
    assert np.array(scores.zero) @ area == pytest.approx(0, abs=1e-5)
    data = scores.draw(8000, 8000, np.random.default_rng(2))
    found = [rs.auc(data.table(name)) for name in data.names]
    assert found == pytest.approx(area, abs=0.015)


def test_a_gain_is_zero_by_symmetry():
    # Classes and signs exchanged, the part at the left is the part at the top.
    x, y = np.random.default_rng(1).normal(size=(2, 30))
    one, other = rs.tabulate_classes(x, y), rs.tabulate_classes(-y, -x)
    assert rarer.left(one) == pytest.approx(rarer.upper(other))
    assert rarer.left(one) != pytest.approx(rarer.upper(one))


def test_the_precision_has_the_limits_of_the_false_positive_rate():
    # So that "wide: bootstrap of fpr_at" measures it, too.
    table = margins.MARGINS[3].draw(20, 60, np.random.default_rng(1))
    low, high = fpr_at_interval(table, 0.8, level=0.95)
    ends = [0.25 * 0.8 / (0.25 * 0.8 + 0.75 * fpr) for fpr in (high, low)]
    assert [*rs.bands.precision_at_interval(table, 0.8)] == pytest.approx(ends)


# --- few positives, pairs of classes, plans of rates, averages along other axes -----------------


def least(part, *sections, interval=""):
    """Return the least coverage in percent, and the number of situations."""
    found = [
        row
        for row in COMMITTED
        if row.part == part and row.section in sections and interval in row.interval
    ]
    places = {(row.situation, row.size) for row in found}
    return f"{100 * min(row.coverage for row in found):.1f}", len(places)


def said_of(function):
    return " ".join(function.__doc__.split())


def test_calibration_of_few_positives_covers_what_is_said():
    of = "calibration of few positives"
    (slope, many), (level, _), (large, _) = (least(of, name) for name in calibration.FEW.values())
    said = said_of(rs.calibrate.calibration_estimates)
    assert f"Where positives are few ({many} situations" in said
    assert f"of the slope in {slope} percent or more, of the intercept in {level}, of" in said
    assert f"the calibration in the large in {large}." in said
    sizes = [row.coverage for row in COMMITTED if row.section == calibration.FEW_JOINT]
    assert f"its size is at most {100 * max(sizes):.1f} percent, and the intervals" in said


def test_calibration_of_few_cases_off_the_line_covers_what_is_said():
    of, said = "calibration of few cases off the line", said_of(rs.calibrate.calibration_estimates)
    rows = [row for row in COMMITTED if row.part == of and row.section != off_line.JOINT]
    heavy = {row.situation for row in rows if row.situation in off_line.HEAVY}
    assert len(heavy) == len(off_line.HEAVY)
    found = {}
    for name, section in off_line.SECTIONS.items():
        for far in (False, True):
            some = [
                r.coverage for r in rows if r.section == section and (r.situation in heavy) is far
            ]
            found[name, far] = f"{100 * min(some):.1f}"
    assert f"of the slope in {found['slope', False]} percent or more, of the intercept in" in said
    assert f"of the intercept in {found['intercept', False]}, and of the calibration in the" in said
    assert f"in the large in {min(found['in_the_large', f] for f in (False, True))}." in said
    assert f"{found['slope', True]} and {found['intercept', True]} percent" in said
    sizes = [row.coverage for row in COMMITTED if row.section == off_line.JOINT]
    assert f"the joint test rejects in {100 * max(sizes):.1f} percent or fewer" in said


@pytest.mark.parametrize("place", [0, 6, 12, 15, 19])
def test_the_nearest_logistic_curve_by_quadrature(place):
    _, odds = off_line.SITUATIONS[place]
    density, shape = off_line.SCORES[odds.scores].pdf, off_line.SHAPES[odds.shape]

    def mean(of):
        halves = ((-np.inf, 0), (0, np.inf))
        return sum(quad(lambda u: of(u) * density(u), *each, limit=200)[0] for each in halves)

    def p(u):
        return expit(odds.level + shape(u))

    def left(slope, intercept):
        def residual(u):
            return p(u) - expit(slope * (u + odds.predicted) + intercept)

        return mean(residual), mean(lambda u: u * residual(u))

    assert mean(p) == pytest.approx(odds.share, abs=1e-9)
    nearest = odds.nearest
    assert left(nearest["slope"], nearest["intercept"]) == pytest.approx((0, 0), abs=1e-9)
    assert left(1, nearest["in_the_large"])[0] == pytest.approx(0, abs=1e-9)
    if odds.shape == "u":
        assert nearest["slope"] == pytest.approx(1)


def test_pairs_of_classes_cover_what_is_said():
    of, said = "pairs of classes", said_of(rs.multiclass.pairwise_areas)
    one, many = least(of, classes.PAIRS, interval="class")
    assert f"in {one} percent of samples or more in {many} situations" in said
    one, many = least(of, classes.IN_DESIGN)
    assert f"in {one} or more in {many} with weights or clusters" in said
    one, many = least(of, classes.PAIRS, interval="chosen")
    assert f"in {one} or more in {many} of one score" in said


def test_the_areas_of_pairs_that_are_measured():
    # Normal scores of each column: a pair's areas are those of neighbours, whatever the pair is.
    of, area = classes.OF_CLASSES[0], 0.75
    truth = classes.pair_truths(of, area, 3, ordered=False)
    assert [truth[0, 1], truth[0, 2]] == pytest.approx([area, area], abs=0.01)
    # One marker in steps: two steps apart, the shift is twice as large.
    truth = classes.pair_truths(of, area, 3, ordered=True)
    assert truth[0, 1] == pytest.approx(area, abs=0.01)
    assert truth[0, 2] == pytest.approx(stats.norm.cdf(2 * stats.norm.ppf(area)), abs=0.01)


def test_plans_of_rates_have_what_they_tell():
    rows = [row for row in COMMITTED if row.section == planned_rates.POWER]
    ours = [row for row in rows if row.interval == planned_rates.DEFAULT]
    assert max(abs(row.coverage - row.width) for row in ours) < 0.001
    said = said_of(rs.planning.plan_rate)
    for wanted, text in ((80, "plans 80 percent it has"), (90, "and")):
        has = [r.coverage for r in rows if r not in ours and r.situation.endswith(f"d {wanted}")]
        assert f"{text} {100 * min(has):.1f} to {100 * max(has):.1f}" in said
    for row in COMMITTED:
        if row.section == planned_rates.WIDTH:
            wanted = float(row.situation.split()[-2])
            assert (row.width <= wanted) == (row.interval == planned_rates.DEFAULT)


def test_the_power_of_a_planned_rate_by_hand():
    # 6 cases: only 6 and 0 of 6 leave .5 out of a two-sided interval of 95 percent.
    design = rs.planning.plan_rate(0.9, null_rate=0.5).for_cases(6)
    row = planned_rates.powered("", "", design, (0.9, 0.5, "positives", "two-sided"), "")
    assert row.coverage == pytest.approx(0.9**6 + 0.1**6)
    assert row.width == pytest.approx(0.9**6)


def test_averages_along_other_axes_cover_what_is_said():
    of, said = "averages along other axes", said_of(rs.averaging.AverageCurve.interval)
    horizontal, *rest = (each.section for each in axes.AVERAGES)
    one, many = least(of, *rest, axes.LIMITED)
    assert f"in {many} situations (5 or 10 samples" in said
    assert f"threshold averages in {one} percent or more" in said
    found = sorted(row.coverage for row in COMMITTED if row.section == horizontal)
    assert f"in {100 * found[1]:.1f} or more but for one: at tpr .95" in said
    assert f"spread of the negatives, in {100 * found[0]:.1f}." in said
    said = said_of(rs.averaging.AverageCurve.at_fpr)
    one, many = least(of, axes.READ, interval="horizontal")
    assert f"in {many} situations it covers in {one} percent or more for horizontal" in said
    others = [least(of, axes.READ, interval=name)[0] for name in ("radial", "rate")]
    assert f"in {min(others)} or more for radial and rate" in said


@pytest.mark.parametrize("average", axes.AVERAGES, ids=lambda each: each.name)
@pytest.mark.parametrize("name", ["Normal, area 0.75", "zero-inflated, 0.6 and 0.3", "five levels"])
def test_averages_meet_the_true_curve_where_it_is_said(average, name):
    margin, size, at = margins.BY_NAME[name], (20_000, 60_000), np.array(average.at, dtype=float)
    curve = average.make([margin.draw(*size, np.random.default_rng(4))], at)
    truth = average.truth(margin, at, size)
    for rate, true in zip((curve.fpr, curve.tpr), truth, strict=True):
        assert rate == pytest.approx(true, abs=0.015)


@pytest.mark.parametrize("name", ["exponential, area 0.9", "zero-inflated, 0.8 and 0.05"])
def test_thresholds_of_averages_have_their_rates(name):
    margin, at = margins.BY_NAME[name], np.array(axes.AT_THRESHOLD)
    fixed = axes.thresholds(margin, at)
    table = margin.draw(20_000, 20_000, np.random.default_rng(5))
    curve = rs.averaging.threshold_average([table], same_scale=True, grid=fixed[::-1])
    order = np.argsort(curve.at)[::-1]
    for rate, true in zip((curve.fpr, curve.tpr), axes.at_threshold(margin, at, ()), strict=True):
        assert rate[order] == pytest.approx(true, abs=0.015)


# --- ranges of rates, and margins over them -----------------------------------------------------


@pytest.mark.parametrize("pair", ranges.PAIRS, ids=lambda pair: pair.name)
def test_parts_over_ranges_have_their_difference(pair):
    # 20 000 of each: the part of a range of .2 is known to about .001.
    data = pair.draw(20_000, 20_000, np.random.default_rng(6))
    for where in ranges.RANGES:
        found = where.gap(data, "first", "second")
        assert found.value == pytest.approx(where.truth(pair), abs=0.004), where.name
        assert found.first.value == pytest.approx(where.area(pair.first), abs=0.004), where.name


@pytest.mark.parametrize("where", ranges.RANGES, ids=lambda where: where.name)
def test_margins_over_ranges_are_tested_as_users_do(where):
    data = ranges.PAIRS[0].draw(30, 30, np.random.default_rng(2))
    worse, better = (where.gap(data, *names) for names in (data.names, data.names[::-1]))
    found = ranges.pvalues(worse, 0.01)
    made = {
        ranges.NONINFERIOR: rs.compare.noninferiority_test(worse, 0.01),
        ranges.EQUIVALENT: rs.compare.equivalence_test(worse, 0.01),
        ranges.SUPERIOR: rs.compare.superiority_test(better, 0.01),
    }
    assert found == pytest.approx({name: test.pvalue for name, test in made.items()}, abs=1e-9)
    assert len(set(found.values())) >= 2
    equal = ranges.pvalues(better, 0.0)
    assert equal[ranges.TEST] == better.test().pvalue
    assert equal[ranges.SUPERIOR] == rs.compare.superiority_test(better).pvalue


def of_ranges(section, *, inner=None):
    """The shares of one section, or of all intervals over inner ranges or others, in percent."""
    asked = [each for each in ranges.RANGES if inner in (None, each.low > 0 and each.high < 1)]
    found = [
        row
        for row in COMMITTED
        if row.part == "ranges"
        and (section is None or row.section == section)
        and (row.section in {each.section for each in asked}) == (section is None)
        and (section is None or row.interval in {each.name for each in asked})
    ]
    return [100 * row.coverage for row in found]


def test_docstrings_of_differences_have_the_measured_coverage_over_ranges():
    said = " ".join(rs.auc_difference.__doc__.split())
    outer, inner = (of_ranges(None, inner=each) for each in (False, True))
    held = [sum(share >= 93.5 for share in each) for each in (outer, inner)]
    assert f"in 93.5 percent or more in {held[0]} of {len(outer)} situations. In" in said
    assert f"and it covers in {min(outer):.1f} or more" in said
    assert held[1] == len(inner)
    assert f"it covers in {min(inner):.1f} percent or more in {len(inner)} situations" in said
    assert f"test rejects up to {max(of_ranges(ranges.TEST, inner=True)):.1f} percent" in said


@pytest.mark.parametrize(
    ("test", "section", "text"),
    [
        (
            rs.compare.noninferiority_test,
            ranges.NONINFERIOR,
            (
                "in {kept} of {many} situations, in up to {outer:.1f} where fewer than three "
                "positives are in the range on average, and in up to {inner:.1f} over inner ranges"
            ),
        ),
        (
            rs.compare.equivalence_test,
            ranges.EQUIVALENT,
            "in {kept} of {many} situations, and in up to {most:.1f} in the others",
        ),
        (
            rs.compare.superiority_test,
            ranges.SUPERIOR,
            "in {kept} of {many} situations, in up to {most:.1f} in four",
        ),
    ],
)
def test_docstrings_of_margins_have_the_measured_sizes_over_ranges(test, section, text):
    share = of_ranges(section)
    outer, inner = (max(of_ranges(section, inner=each)) for each in (False, True))
    kept = sum(each <= 6.5 for each in share)
    told = text.format(kept=kept, many=len(share), outer=outer, inner=inner, most=max(share))
    assert f"6.5 percent or less {told}" in " ".join(test.__doc__.split())


def test_intervals_over_ranges_miss_where_few_positives_are_inside():
    low = {each.section: 1 - each.low for each in ranges.RANGES if each.high == 1}
    missed = [r for r in COMMITTED if r.section in low and r.coverage < 0.935]
    assert len(missed) == 4
    assert all(low[r.section] * int(r.size.split(" + ")[0]) < 3 for r in missed)


# --- studies ----------------------------------------------------------------------------------


def ends_of(section, method):
    """The least and the greatest measured share of a method, in percent."""
    found = [row.coverage for row in COMMITTED if (row.section, row.interval) == (section, method)]
    return round(100 * min(found)), round(100 * max(found))


def test_docstrings_of_studies_have_the_measured_coverage():
    points, lines, ratios = others.SUMMARY, others.Q_STAR, others.POOLED
    said = " ".join(rs.models.SummaryPoint.prediction_region.__doc__.split())
    low, high = ends_of(points, "prediction region")
    assert f"in {low} to {high} percent of samples" in said
    worst = [r for r in COMMITTED if (r.section, r.interval) == (points, "prediction region")]
    two = sorted(worst, key=lambda row: row.coverage)[:2]
    assert f"({low} and {100 * two[1].coverage:.0f} of 40 studies of 20 + 60 cases)" in said
    assert {row.size for row in two} == {"40 x (20 + 60)"}
    low, high = ends_of(points, "prediction region of the estimate")
    assert f"in {low} to {high} ({low} of 20 studies of 15 + 40 cases)" in said
    beside = [ends_of(points, f"prediction region{of}, reml") for of in ("", " of the estimate")]
    assert "in {} to {} and in {} to {}".format(*beside[0], *beside[1]) in said
    said = " ".join(rs.models.fit_summary_roc.__doc__.split())
    for text, section, method in (
        ("the interval of Q* covered in {} to {} percent", lines, "default"),
        ("the region of the summary point in {} to {}", points, "summary region"),
        ("contained a new study in {} to {} percent", points, "prediction region"),
        ('in as little as {} for "reml" and', lines, "reml"),
        ('and {} for "moses-littenberg"', lines, "moses-littenberg"),
        ('and in as little as {} for "reml". Where', points, "summary region, reml"),
        ('and in as little as {} for "reml".', points, "prediction region, reml"),
    ):
        assert text.format(*ends_of(section, method)) in said, text
    said = " ".join(rs.models.PooledOddsRatio.interval.__doc__.split())
    assert "in {} to {} percent of samples in 20".format(*ends_of(ratios, "default")) in said
    least, _ = ends_of(ratios, "dersimonian-laird")
    assert f"in as little as {least}, of 40 studies of 20 + 60 cases" in said
    assert shares(ratios, "dersimonian-laird")["40 x (20 + 60)"]


def test_docstring_of_differences_has_the_measured_coverage_of_parts():
    rows = [r for r in COMMITTED if r.section == "wide: auc_difference, fpr 0 to .2"]
    said = " ".join(rs.auc_difference.__doc__.split())
    least = 100 * min(row.coverage for row in rows)
    assert f"in {least:.1f} percent or more of samples in {len(rows)} situations" in said
    assert 2 * sum(row.coverage > 0.98 for row in rows) > len(rows)
    assert "in over 98 in more than half of them" in said
    page = " ".join((ROOT / "docs" / "own_methods.md").read_text(encoding="utf-8").split())
    assert f"{len(rows)} situations over fpr 0 to .2" in page
    assert f"the interval covers in {least:.1f} percent or more" in page


# --- reclassification, adjusted areas ---------------------------------------------------------


def ranged(section):
    """The least and the largest whole percentage of a default, and in how many situations."""
    rows = [row for row in COMMITTED if row.section == section and row.interval == "default"]
    share = [100 * row.coverage for row in rows]
    return int(min(share)), int(np.ceil(max(share))), len(rows)


def test_docstrings_of_adjusted_areas_have_the_measured_coverage():
    said = " ".join(rs.designs.aauc_estimate.__doc__.split())
    low, high, many = ranged(covariates.AREA)
    assert many == 8
    assert f"covers in {low} to {high} percent of samples at level .95, in eight sit" in said
    said = " ".join(rs.designs.aauc_difference.__doc__.split())
    low, high, _ = ranged(covariates.DIFFERENCE)
    assert f"the interval covers in {low} to {high} percent of samples" in said
    low, high, _ = ranged(covariates.TEST)
    assert f"rejects {low} to {high} percent of true hypotheses" in said


def test_docstrings_of_adjusted_areas_of_few_values_have_the_measured_coverage():
    area, gap, test = (
        [row.coverage for row in COMMITTED if (row.section, row.interval) == (name, "default")]
        for name in (covariates.LEVELS, covariates.LEVELS_GAP, covariates.LEVELS_TEST)
    )
    said = " ".join(rs.designs.aauc_estimate.__doc__.split())
    assert f"{len(area)} situations) it covers in {100 * min(area):.1f} percent or more" in said
    said = " ".join(rs.designs.aauc_difference.__doc__.split())
    assert f"few values {100 * min(gap):.1f} or more, and {100 * max(test):.1f} or less" in said


def test_docstrings_of_folds_of_few_values_have_the_measured_coverage():
    usual, other = (
        {
            (row.situation, row.size): row
            for row in COMMITTED
            if row.key[0] == folds.FEW and row.interval == name
        }
        for name in ("default", "moderated")
    )
    held = [key for key, row in other.items() if row.coverage >= judge.LEAST]
    wider = np.mean([usual[key].width / other[key].width for key in held])
    least = [100 * min(row.coverage for row in rows.values()) for rows in (usual, other)]
    said = " ".join(rs.averaging.cv_auc_estimate.__doc__.split())
    assert f"covers in {least[0]:.1f} percent of samples or more in {len(usual)} sit" in said
    assert f'"moderated" in {least[1]:.1f} or more' in said
    assert f"on average {wider:.2f} times as wide" in said
    docs = " ".join((ROOT / "docs" / "own_methods.md").read_text(encoding="utf-8").split())
    assert (
        f'covered in {least[0]:.1f} percent or more, by "moderated" in as little as {least[1]:.1f}.'
        in docs
    )


def test_each_section_of_losses_is_of_one_quantity():
    # So that no width is set beside that of another quantity.
    rows = [row for row in COMMITTED if row.part == "losses"]
    assert {row.section for row in rows} == set(losses.SECTIONS)
    assert {row.interval for row in rows} == {"default", "t", "identity", "all cases"}


def test_the_profile_covers_what_is_said_of_it():
    names = {wide.BOOT_TPR, wide.BOOT_FPR}
    found = [
        one
        for one in judge.judge(COMMITTED, parts.SECTIONS)
        if one.row.section in names and "mixture" not in one.row.interval
    ]
    least, wasteful = min(one.row.coverage for one in found), sum(bool(one.waste) for one in found)
    bent = {margin.name for margin in wide.BENT}
    corners = [row for row in COMMITTED if row.section in names and row.situation in bent]
    mixture = min(row.coverage for row in corners if "mixture" in row.interval)
    profile = min(row.coverage for row in corners if "mixture" not in row.interval)
    said = " ".join((ROOT / "docs" / "own_methods.md").read_text(encoding="utf-8").split())
    assert f"each of {len(found):,} cells is covered in {100 * least:.2f} percent or more" in said
    assert f"{wasteful:,} are wasteful" in said
    assert f'At the corners "profile" covers in {100 * profile:.2f} percent or more' in said
    assert f'"rank mixture" covers in {100 * mixture:.2f} percent or more there' in said


@pytest.mark.parametrize("name", ["three levels", "bounded, beta(.5, .5) against beta(2, 5)"])
def test_what_is_read_of_a_function_of_ones_own_is_its_default(name):
    for seed in range(2):
        table = wide.BY_NAME[name].draw(20, 50, np.random.default_rng(seed))
        found = wide.of_own(table, np.random.default_rng(5))
        want = wide.boot(table, wide.own_corner, np.random.default_rng(5))
        assert tuple(found) == pytest.approx(tuple(want), abs=1e-9)
        assert found.method == want.method


def test_docstring_of_the_bootstrap_has_the_measured_coverage_of_ones_own_function():
    said = " ".join(rs.resampling.BootstrapSample.interval.__doc__.split())
    ends = ends_of(wide.TWO_WAY, "default")
    assert "tpr from .5 in {} to {} percent (20 + 50 cases)".format(*ends) in said
    found = {row.situation: row.coverage for row in COMMITTED if row.section == wide.TWO_WAY}
    page = " ".join((ROOT / "docs" / "own_methods.md").read_text(encoding="utf-8").split())
    least, levels = (f"{100 * share:.1f}" for share in (min(found.values()), found["three levels"]))
    assert f"in {least} percent of samples or more in all {len(found)} populations" in page
    assert f"in {levels} with three levels" in page


# --- fits of two scores, and of three classes ----------------------------------------------------


def test_docstrings_of_joint_fits_have_the_measured_coverage():
    said = " ".join(rs.models.PairedFit.difference.__doc__.split())
    ends = [ends_of(further.PAIRED, name) for name in readings.READINGS]
    text = "those of areas cover in {} to {} percent of samples, of rates at fpr .1 in {} to {}"
    assert text.format(*ends[0], *ends[1]) in said
    said = " ".join(rs.multiclass.fit_trinormal.__doc__.split())
    for text, section in (
        ("the intervals of volumes cover in {} to {} percent of samples", trinormal.VOLUME),
        ("those of differences of volumes in {} to {}", trinormal.GAP),
    ):
        ends = [ends_of(section, how) for how in trinormal.HOLDS]
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        assert text.format(low, high) in said, text
    said = " ".join(rs.multiclass.trinormal_test.__doc__.split())
    normal, power, none = (
        ends_of(trinormal.SIZE, f"trinormal_test, {how}") for how in (*trinormal.HOLDS, "no power")
    )
    assert "rejects {} to {} percent where scores are Normal".format(*normal) in said
    assert "{} to {} where they are so after a power, the most with 10 cases".format(*power) in said
    gap = ends_of(trinormal.SIZE, "trinormal_difference, box-cox")
    assert "`trinormal_difference` rejects {} to {} there".format(*gap) in said
    assert "taken as they are it rejects {} to {} percent".format(*none) in said
    guide = " ".join((ROOT / "docs" / "multiclass.md").read_text(encoding="utf-8").split())
    text = "`trinormal_test` rejects {} to {} percent at .05 instead of 5, after a power {} to {},"
    assert text.format(*none, *power) in guide


# --- posteriors -------------------------------------------------------------------------------


def shares(section, method):
    rows = [row for row in COMMITTED if (row.section, row.interval) == (section, method)]
    return {row.size: (round(100 * row.coverage), row.samples) for row in rows}


def test_docstrings_of_posteriors_have_the_measured_coverage():
    drawn = shares(credible.YOUDEN, "Bayesian bootstrap")
    own = [
        row
        for row in COMMITTED
        if row.section == credible.YOUDEN and row.interval == "Bayesian bootstrap"
    ]
    few = [round(100 * row.coverage) for row in own if row.samples == 100]
    said = " ".join(rs.designs.posterior.__doc__.split())
    assert f"in {min(few)} to {max(few)} percent of 100 simulated samples" in said
    assert f"in {drawn['100 + 100'][0]} of {drawn['100 + 100'][1]} (100 + 100)" in said
    ratings = next(row for row in own if "ratings" in row.situation)
    assert f"in {100 * ratings.coverage:.0f} of {ratings.samples} (20 + 20)" in said
    searched = shares(credible.YOUDEN, "youden_interval").values()
    assert f"with {min(share for share, _ in searched)} or more" in said
    gained = shares(credible.DIFFERENCE, "Bayesian bootstrap")
    said = " ".join(rs.designs.posterior_difference.__doc__.split())
    assert f"contained 0 in {gained['5 + 50'][0]} percent of 1500" in said
    assert f"in {gained['20 + 20'][0]} of 20 + 20 (five ratings)" in said
    assert f"in {gained['50 + 50'][0]} of 50 + 50" in said


def test_the_true_index_of_populations_of_posteriors():
    draw = np.random.default_rng(1)
    many = credible.gamma_scores((200_000, 200_000), draw).table("a")
    assert rs.youden(many) == pytest.approx(credible.of_gamma(), abs=0.006)
    for population in (credible.POPULATIONS[0], credible.POPULATIONS[2]):
        many = population.draw((200_000, 200_000), draw).table("a")
        assert rs.youden(many) == pytest.approx(credible.of_normal(population), abs=0.006)
