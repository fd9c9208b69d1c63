"""Areas of each class against the rest: shares, priors, and how they depend on the rest."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.inference import clustered_auc_estimate
from rocspace.multiclass import (
    class_skew,
    hand_till,
    multiclass_scores,
    one_vs_rest,
    one_vs_rest_estimate,
    rest,
)
from several_classes import drawn


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_estimated_shares_agree_with_a_bootstrap_of_cases(average):
    data = drawn(240, 3, m=1, seed=4)
    found = one_vs_rest_estimate(data, average=average)
    rng = np.random.default_rng(1)
    values = []
    for _ in range(400):
        rows = rng.integers(0, len(data), len(data))
        again = multiclass_scores(data.label[rows], data.score[rows, 0])
        values.append(one_vs_rest(again, average=average))
    assert np.std(values) == pytest.approx(found.se, rel=0.12)  # 3.4 standard errors
    assert found.se > one_vs_rest_estimate(data, average=average, shares="fixed").se


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("kept", [(1, 1, 0.1), (0.1, 0.1, 1)])
def test_estimated_shares_allow_for_weights_that_depend_on_the_class(average, kept):
    rng = np.random.default_rng(2)
    label = rng.choice(3, 1500, p=[0.42, 0.42, 0.16])
    score = rng.normal(size=(1500, 3))
    score[label == 2] += [-3, -3, 4]  # a class that is easy to tell, so that its share matters
    rate = np.array(kept)[label]
    rows = np.flatnonzero(rng.random(1500) < rate)
    label, score, weight = label[rows], score[rows], 1 / rate[rows]

    def area(w):
        return one_vs_rest(multiclass_scores(label, score, sample_weight=w), average=average)

    def slope(case):  # of the area, by the logarithm of the weight of one case
        ends = (weight * (1 + h * (np.arange(rows.size) == case)) for h in (1e-3, -1e-3))
        high, low = map(area, ends)
        return (high - low) / 2e-3

    # the cases of one class have one weight: a sample of each stands for all of its size
    slow = 0.0
    for i in range(3):
        own = np.flatnonzero(label == i)
        some = rng.choice(own, min(own.size, 30), replace=False)
        slow += own.size * np.mean([slope(case) ** 2 for case in some])
    data = multiclass_scores(label, score, sample_weight=weight)
    assert one_vs_rest_estimate(data, average=average).se == pytest.approx(slow**0.5, rel=0.1)
    alone = multiclass_scores(label, score, sample_weight=weight, cluster=np.arange(rows.size))
    found = one_vs_rest_estimate(data, average=average).se
    assert found == pytest.approx(one_vs_rest_estimate(alone, average=average).se, rel=0.01)


def test_given_priors_replace_the_shares(hpc):
    even = dict.fromkeys(hpc.classes, 1.0)
    assert one_vs_rest(hpc, priors=even) == pytest.approx(hand_till(hpc), rel=1e-12)
    own = dict(zip(hpc.classes, hpc.sizes, strict=True))
    assert one_vs_rest(hpc, priors=own) == pytest.approx(one_vs_rest(hpc), rel=1e-14)
    fixed = one_vs_rest_estimate(hpc, priors=own)
    assert fixed.se == one_vs_rest_estimate(hpc, shares="fixed").se


# --- class skew ---------------------------------------------------------------------------------

RNG = np.random.default_rng(9)


def cases(sizes, repeat=()):
    """Return cases with ties; `repeat` says how often each class is in the data."""
    label = np.repeat(np.arange(len(sizes)), sizes)
    rng = np.random.default_rng(2)
    score = rng.normal(0, 1, (label.size, len(sizes))) + np.eye(len(sizes))[label]
    times = np.repeat(repeat, sizes) if repeat else np.ones(label.size, dtype=int)
    return multiclass_scores(np.repeat(label, times), np.repeat(score.round(1), times, axis=0))


def test_the_parts_add_up_to_the_area():
    data = cases((9, 14, 30, 5))
    found = class_skew(data)
    assert found.area == pytest.approx([*one_vs_rest(data, average=None).values()], abs=1e-14)
    assert np.allclose(found.share.sum(axis=1), 1)
    assert np.isnan(np.diag(found.pair)).all()
    assert (found.low <= found.area).all()
    assert (found.area <= found.high).all()


def test_given_priors_weight_the_parts():
    data, priors = cases((9, 14, 30)), {0: 1, 1: 2, 2: 7}
    expected = one_vs_rest(data, average=None, priors=priors)
    assert class_skew(data, priors=priors).area == pytest.approx([*expected.values()], abs=1e-14)


def test_a_class_without_cases_has_no_estimate():
    data = multiclass_scores([0, 0, 1, 1], np.eye(3)[[0, 1, 1, 1]], classes=[0, 1, 2])
    for shares in ("estimated", "fixed"):
        with pytest.warns(UserWarning, match="No case is of class 2"):
            found = one_vs_rest_estimate(data, average=None, shares=shares)
        assert list(found) == [0, 1]


def test_another_mixture_moves_the_area_within_the_range():
    one, other = class_skew(cases((9, 14, 30))), class_skew(cases((9, 14, 30), (1, 300, 1)))
    assert np.array_equal(one.low, other.low)
    assert np.array_equal(one.high, other.high)
    assert abs(one.area[0] - other.area[0]) > 0.01
    assert other.area[0] == pytest.approx(other.pair[0, 1], abs=0.01)


def test_two_classes_have_no_mixture():
    found = class_skew(cases((9, 14)))
    assert np.array_equal(found.low, found.high)
    assert found.area == pytest.approx(found.low)


def test_a_class_without_cases_has_no_area():
    data = multiclass_scores(["a", "b"] * 6, RNG.random((12, 3)), classes=["a", "b", "c"])
    with pytest.warns(UserWarning, match="No case is of class 'c'"):
        found = class_skew(data)
    assert np.isnan([found.area[2], found.low[2], found.high[2]]).all()
    assert found.to_frame()["hardest"].tolist() == ["b", "a", ""]


def test_the_text_names_what_moves_most():
    found = class_skew(cases((9, 14, 30, 5)))
    widest = found.classes[int((found.high - found.low).argmax())]
    assert f"{widest} depends most" in repr(found)
    assert "In any mixture" in str(found)


# --- parts ----------------------------------------------------------------------------------------


def test_shares_among_the_rest_and_the_weights_of_pairs_by_hand():
    p = np.array([0.5, 0.3, 0.2, 0.0])
    among = rest._among_the_rest(p)
    np.testing.assert_allclose(
        among, [[0, 3 / 5, 2 / 5, 0], [5 / 7, 0, 2 / 7, 0], [5 / 8, 3 / 8, 0, 0], [0] * 4]
    )
    np.testing.assert_allclose(rest._rest_weights(p, "macro"), among / 3)  # three have cases
    np.testing.assert_allclose(rest._rest_weights(p, "weighted"), among * p[:, None])


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_an_area_changes_with_the_shares_as_its_parts_say(average):
    """By priors: the share of a class a little larger, those of all others in proportion less."""
    data, step = cases((9, 14, 30, 5)), 1e-6
    p = data.sizes / data.sizes.sum()
    found = rest.rest_parts(data, None, average).share
    for i in range(4):
        move = step * ((np.arange(4) == i) - p)
        ends = [
            one_vs_rest(data, average=average, priors=dict(enumerate(p + sign * move)))
            for sign in (1, -1)
        ]
        slope = (ends[0] - ends[1]) / 2 / step
        assert found[i] - p @ found == pytest.approx(slope, rel=1e-6)
    # Shares that are known add nothing.
    assert rest.rest_parts(data, None, average, shares="fixed").share is None
    even = dict.fromkeys(range(4), 1.0)
    assert rest.rest_parts(data, None, average, priors=even).share is None


def test_micro_is_the_area_of_all_cases_and_classes_in_clusters_of_a_case():
    data = cases((9, 14, 30))
    flat = rs.pair_scores(
        (data.label[:, None] == np.arange(3)).ravel(),
        {"s": data.score[:, 0].ravel()},
        cluster=np.repeat(np.arange(53), 3),
    )
    usual = clustered_auc_estimate(flat)
    found = one_vs_rest_estimate(data, average="micro")
    assert (found.value, found.se) == (usual.value, usual.se)
    weight = np.arange(53) % 3 + 1.0
    heavy = multiclass_scores(data.label, data.score[:, 0], sample_weight=weight)
    many = np.repeat(np.arange(53), weight.astype(int))
    repeated = multiclass_scores(data.label[many], data.score[many, 0])
    assert one_vs_rest(heavy, average="micro") == pytest.approx(
        one_vs_rest(repeated, average="micro"), rel=1e-14
    )


def test_single_areas_are_delongs_where_shares_are_left_to_chance():
    data = cases((9, 14, 30))
    found = one_vs_rest_estimate(data, average=None)
    fixed = one_vs_rest_estimate(data, average=None, shares="fixed")
    for label in data.classes:
        usual = rs.delong(data.table(label))
        assert (found[label].value, found[label].se) == (usual.value, usual.se)
        assert fixed[label].value == pytest.approx(usual.value, rel=1e-14)
        assert fixed[label].method == "one-versus-rest"
    of_two = cases((20, 15))
    same = one_vs_rest_estimate(of_two, average=None, shares="fixed")[0]
    assert same.se == pytest.approx(rs.delong(of_two.table(0)).se, rel=1e-12)


@pytest.mark.parametrize("priors", [{0: 1, 1: 1}, {0: 1, 1: 1, 2: 0}, {0: 1, 1: 1, 2: 1, 3: 1}])
def test_priors_name_each_class_with_a_positive_share(priors):
    with pytest.raises(ValueError, match="Give a positive share for each class: 0, 1, 2"):
        class_skew(cases((9, 14, 30)), priors=priors)
