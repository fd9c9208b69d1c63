"""Areas against the rest, as means over the other classes."""

import numpy as np
import pytest

from rocspace.multiclass import class_skew, multiclass_scores, one_vs_rest

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
