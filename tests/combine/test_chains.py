"""Rates of combinations, chains along the hull, validated selections."""

import importlib.util

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.combine import (
    chain_rules,
    combine_rates,
    select_rule,
)
from rocspace.combine.mixtures import mixture_at, rule_path
from rocspace.combine.rules import Constant
from rocspace.counts import SingleClassError
from rocspace.curves import best_orientation
from rocspace.operating import Costs
from slow.combine import ROOT, S2, f3_and_s2
from slow.data import F3, F4, INF, assert_close, samples


def test_rates_by_hand():
    # The points (.2, .5) and (.3, .7).
    f, t = (combine_rates(r, "and") for r in ((0.2, 0.3), (0.5, 0.7)))
    assert_close([f.low, f.high, f.independent], [0, 0.2, 0.06])
    assert_close([t.low, t.high, t.independent], [0.2, 0.5, 0.35])
    assert (f.stated_low, t.stated_low) == (0, 0)
    f, t = (combine_rates(r, "or") for r in ((0.2, 0.3), (0.5, 0.7)))
    assert_close([f.low, f.high, f.independent], [0.3, 0.5, 0.44])
    assert_close([t.low, t.high, t.independent], [0.7, 1, 0.85])
    three = combine_rates((0.9, 0.8, 0.7), "and")
    assert_close([three.low, three.high, three.independent], [0.4, 0.7, 0.504])
    for bad, message in (((), "rates is empty"), ((0.5, 2), "rates is 2")):
        with pytest.raises(ValueError, match=message):
            combine_rates(bad, "or")
    with pytest.raises(ValueError, match="operator is 'xor'"):
        combine_rates((0.5,), "xor")


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=4))
@settings(max_examples=80)
def test_actual_rates_are_within_their_bounds(decisions):
    d = np.array(decisions)
    rates = d.mean(axis=1)
    both, either = combine_rates(rates, "and"), combine_rates(rates, "or")
    for bound, actual in ((both, d.all(axis=0).mean()), (either, d.any(axis=0).mean())):
        assert bound.low - 1e-12 <= actual <= bound.high + 1e-12
        assert bound.low - 1e-12 <= bound.independent <= bound.high + 1e-12
        assert bound.stated_low <= bound.low + 1e-12
    # De Morgan, with negation turning r into 1 - r.
    mirrored = combine_rates(1 - rates, "and")
    assert_close(
        [either.low, either.high, either.independent],
        [1 - mirrored.high, 1 - mirrored.low, 1 - mirrored.independent],
    )


def test_the_better_direction():
    table = rs.tabulate([1, 1, 0, 0, 1], [1, 2, 3, 4, 5])
    turned = best_orientation(table)
    assert turned.flipped
    assert rs.auc(turned.table) == pytest.approx(1 - rs.auc(table), abs=1e-15)
    again = best_orientation(turned.table)
    assert again.table == turned.table
    assert not again.flipped
    even = rs.tabulate([1, 0], [1, 1])
    assert not best_orientation(even).flipped


@given(sample=samples(), slope=st.sampled_from([0, 0.1, 0.5, 1, 2, INF]))
@settings(max_examples=60)
def test_chain_of_one_score_is_its_last_link(sample, slope):
    label, score = sample
    data = rs.pair_scores(label, {"s": score})
    path = rule_path({"s": data.table("s")})
    chain = chain_rules(path, slope=slope, data=data)
    if chain.n_rules == 0:
        assert chain.rule == Constant(False)
        assert path.slopes[0] < slope
        return
    c = chain.actual
    assert (c.fp / (c.fp + c.tn), c.tp / (c.tp + c.fn)) == chain.nested
    assert chain.independent[1] >= chain.nested[1] - 1e-12


def test_chain_of_two_scores():
    data = f3_and_s2()
    path = rule_path({name: data.table(name) for name in data.names})
    longer = None
    for slope in (0, 0.3, 1, 3, INF):
        chain = chain_rules(path, slope=slope, data=data)
        if longer is not None:
            assert chain.n_rules <= longer.n_rules
            assert chain.nested <= longer.nested
        links = chain.rule.rules if chain.n_rules else ()
        decisions = [rule.decide(data) for rule in links]
        if decisions:
            any_yes = np.any(decisions, axis=0)
            assert chain.actual.tp == np.count_nonzero(any_yes & data.label)
        longer = chain
    assert chain_rules(path, slope=1).actual is None
    with pytest.raises(ValueError, match="slope is -1"):
        chain_rules(path, slope=-1)


def test_selection_is_frozen_and_honest():
    rng = np.random.default_rng(7)
    label = rng.random(2000) < 0.3
    scores = {"a": rng.normal(label, 1), "b": rng.normal(label, 1)}

    def part(rows):
        return rs.pair_scores(label[rows], {n: s[rows] for n, s in scores.items()})

    choice, test = part(np.arange(300)), part(np.arange(300, 2000))
    for boolean in (False, True):
        selection = select_rule(choice, selected=0.2, boolean=boolean)
        before = (selection.mixture, selection.path.rules)
        got = selection.evaluate(test)
        assert (selection.mixture, selection.path.rules) == before
        assert got.selected == pytest.approx(
            0.2 * 1700, abs=5 * (1700 * 0.16 * (1 + 17 / 3)) ** 0.5
        )
        for name in ("fpr", "tpr"):
            assert getattr(got.point, name) in getattr(got, name)
        assert got.expected == (selection.mixture.fpr, selection.mixture.tpr)
        reached = mixture_at(selection.path, fpr=got.point.fpr).tpr
        assert got.optimism == pytest.approx(reached - got.point.tpr)
        # On the cases that chose it there is none.
        assert selection.evaluate(choice).optimism == pytest.approx(0, abs=1e-12)
        drawn = selection.mixture.decide(test, ids=np.arange(1700))
        assert abs(drawn.sum() - got.selected) <= 5 * selection.mixture.spread(test).selected + 1e-9
    assert got.optimism > 0
    wide = selection.evaluate(test, level=0.99).tpr
    assert wide.low < got.tpr.low


def test_selection_by_every_means():
    data = f3_and_s2()
    path = rule_path({name: data.table(name) for name in data.names})
    assert select_rule(data, fpr=0.25).mixture == mixture_at(path, fpr=0.25)
    assert select_rule(data, tpr=0.7).mixture == mixture_at(path, tpr=0.7)
    # For one score: slope 10 -> (0, .2), slope 1 -> (.1, .5), slope .1 -> (.9, 1).
    one = rs.pair_scores(F3[0], {"one": F3[1]})
    for prevalence, at in ((1 / 11, (0, 0.2)), (0.5, (0.1, 0.5)), (10 / 11, (0.9, 1))):
        chosen = select_rule(one, costs=Costs(), prevalence=prevalence).mixture
        assert (chosen.fpr, chosen.tpr, chosen.share) == (*at, 0)
    none = select_rule(one, costs=Costs(fn=0)).mixture
    assert (none.fpr, none.tpr) == (0, 0.2)
    every = select_rule(one, costs=Costs(fp=0)).mixture
    assert (every.fpr, every.tpr) == (0.9, 1)
    for asked in ({}, {"fpr": 0.1, "selected": 0.2}):
        with pytest.raises(ValueError, match="Choose by one of"):
            select_rule(data, **asked)
    with pytest.raises(SingleClassError, match=r"select_rule needs .* 2 positives and 0"):
        select_rule(rs.pair_scores([1, 1], {"a": [1, 2]}), fpr=0.1)


def test_no_optimism_on_the_cases_that_it_was_chosen_from():
    # The hull goes up to (0, 1/3) and straight to (1, 1).
    data = rs.pair_scores([1, 0, 1, 0, 1], {"a": [5, 4, 3, 2, 1]})
    selection = select_rule(data, fpr=0.25)
    got = selection.evaluate(data)
    assert (got.point.fpr, got.point.tpr) == pytest.approx((0.25, 0.5))
    assert got.optimism == pytest.approx(0, abs=1e-15)


def test_evaluation_on_odd_cases():
    selection = select_rule(f3_and_s2(), fpr=0.25)
    negatives = rs.pair_scores([0, 0, 0], {"one": [0.1, 0.5, 0.9], "two": [0.2, 0.5, 0.6]})
    got = selection.evaluate(negatives)
    assert np.isnan(got.point.tpr)
    assert tuple(got.tpr) == (0, 1)
    assert got.fpr.width < 1
    weighed = rs.pair_scores(F3[0], {"one": F3[1], "two": S2}, sample_weight=np.full(20, 3.0))
    same = selection.evaluate(weighed)
    assert same.point.n_eff == (10, 10)
    plain = selection.evaluate(f3_and_s2())
    assert_close([same.tpr.low, same.tpr.high], [plain.tpr.low, plain.tpr.high])
    with pytest.raises(ValueError, match="needs the score"):
        selection.evaluate(rs.pair_scores(*[F4[0], {"three": F4[1]}]))


def test_coil_on_its_customers(shared, capsys):
    pytest.importorskip("sklearn")
    path = shared / "data" / "ticdata.csv"
    if not path.exists():
        pytest.skip(f"no {path}")
    spec = importlib.util.spec_from_file_location("coil", ROOT / "docs" / "examples" / "coil.py")
    coil = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(coil)
    selection, result, sent, spread, mixture = coil.campaign(path)
    # Neither rule fills the places; the lots between them do.
    n_pos, n_neg = 238, 3762
    assert (result.point.tp + result.point.fn, result.point.fp + result.point.tn) == (n_pos, n_neg)
    assert 0 < mixture.share < 1
    assert 30 < spread < 50
    assert abs(sent - 800) < spread
    assert abs(result.selected - 800) < spread
    assert 0 < result.optimism < 0.25
    assert result.point.tp > 1.7 * 800 * n_pos / 4000
    names = set().union(*(rule.names for rule in selection.path.rules))
    assert names == {"logistic", "bayes"}
    coil.main(path)
    assert f"letters             {sent}, room for 800" in capsys.readouterr().out
