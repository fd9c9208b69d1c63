"""Scores of rules and votes: by hand, by loops, and MetaCost on a set whose answer is known."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import rocspace as rs
from rocspace.calibrate import fit_rules, metacost, relabel, vote_scores

STRATEGIES = ("first", "max", "mean", "vote", "weighted_vote")
fired = st.lists(
    st.tuples(st.lists(st.booleans(), min_size=4, max_size=4), st.booleans()),
    min_size=2,
    max_size=15,
)


def by_loops(fires, confidence, positive, default, strategy):
    matching = [j for j, yes in enumerate(fires) if yes]
    if not matching:
        return 2 * default - 1 if strategy == "vote" else default
    said = [confidence[j] for j in matching]
    if strategy in ("first", "max", "mean"):
        return {"first": said[0], "max": max(said), "mean": sum(said) / len(said)}[strategy]
    if strategy == "vote":
        return Fraction(sum(1 if positive[j] else -1 for j in matching), len(matching))
    trust = {j: confidence[j] if positive[j] else 1 - confidence[j] for j in matching}
    total = sum(trust.values())
    return sum(w for j, w in trust.items() if positive[j]) / total if total else default


# --- rules ------------------------------------------------------------------------------------


def test_rules_by_hand():
    # Rule 1 covers ++-, rule 2 covers -; the last case is covered by none.
    rules = fit_rules([[1, 0], [1, 0], [1, 1], [0, 0]], [1, 1, 0, 1], smoothing="none")
    assert rules.confidence.tolist() == [2 / 3, 0]
    assert rules.positive.tolist() == [True, False]
    assert rules.default == 3 / 4
    both = [[1, 1]]
    assert rules.predict(both, strategy="first").tolist() == [2 / 3]
    assert rules.predict(both, strategy="max").tolist() == [2 / 3]
    assert rules.predict(both, strategy="mean").tolist() == [1 / 3]
    assert rules.predict(both, strategy="vote").tolist() == [0]
    # The second rule is sure of its "no": 2/3 against 1.
    np.testing.assert_allclose(rules.predict(both, strategy="weighted_vote"), [2 / 5])
    assert rules.predict([[0, 0]]).tolist() == [3 / 4]
    assert rules.predict([[0, 0]], strategy="vote").tolist() == [1 / 2]
    assert repr(rules) == "RuleScores(1 positive and 1 negative rules)"
    smooth = fit_rules([[1, 0], [1, 0], [1, 1], [0, 0]], [1, 1, 0, 1], default=0.1)
    assert smooth.confidence.tolist() == [3 / 5, 1 / 3]
    assert smooth.predict([[0, 0]]).tolist() == [0.1]


@given(cases=fired, laplace=st.booleans(), strategy=st.sampled_from(STRATEGIES))
@settings(max_examples=60)
def test_rules_by_loops(cases, laplace, strategy):
    covers, label = ([list(c) for c, _ in cases], [y for _, y in cases])
    rules = fit_rules(covers, label, smoothing="laplace" if laplace else "none")
    base = Fraction(sum(label), len(label))
    confidence = []
    for j in range(4):
        inside = [y for c, y in cases if c[j]]
        add = 1 if laplace else 0
        confidence.append(Fraction(sum(inside) + add, len(inside) + 2 * add) if inside else base)
    np.testing.assert_allclose(rules.confidence, [float(c) for c in confidence], rtol=1e-15)
    positive = [c >= Fraction(1, 2) for c in confidence]
    score = rules.predict(covers, strategy=strategy)
    wanted = [by_loops(c, confidence, positive, base, strategy) for c in covers]
    np.testing.assert_allclose(score, [float(w) for w in wanted], atol=1e-14)
    low = -1 if strategy == "vote" else 0
    assert ((score >= low) & (score <= 1)).all()
    # Only a list of rules depends on their order.
    if strategy != "first":
        back = np.array(covers)[:, ::-1]
        turned = fit_rules(back, label, smoothing="laplace" if laplace else "none")
        np.testing.assert_allclose(turned.predict(back, strategy=strategy), score, atol=1e-14)


def test_weights_of_rules_are_sums():
    covers, label, weight = [[1, 0], [1, 1], [0, 1]], [1, 0, 1], [2, 1, 3]
    weighted = fit_rules(covers, label, sample_weight=weight)
    repeated = fit_rules(np.repeat(covers, weight, axis=0), np.repeat(label, weight))
    assert weighted.confidence.tolist() == repeated.confidence.tolist()
    assert weighted.default == repeated.default


# --- votes ------------------------------------------------------------------------------------


@given(
    votes=st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=9),
    bag=st.data(),
)
@settings(max_examples=40)
def test_votes_are_shares(votes, bag):
    score = vote_scores(votes)
    np.testing.assert_allclose(score, [sum(v) / 5 for v in votes], rtol=1e-15)
    weights = [1, 2, 0, 3, 1]
    wanted = [sum(w for w, yes in zip(weights, v, strict=True) if yes) / 7 for v in votes]
    np.testing.assert_allclose(vote_scores(votes, voter_weight=weights), wanted, rtol=1e-15)
    in_bag = [bag.draw(st.lists(st.booleans(), min_size=5, max_size=5)) for _ in votes]
    out = []
    for v, b in zip(votes, in_bag, strict=True):
        free = [yes for yes, seen in zip(v, b, strict=True) if not seen] or v
        out.append(sum(free) / len(free))
    np.testing.assert_allclose(vote_scores(votes, in_bag=in_bag), out, rtol=1e-15)


def test_one_model_gives_two_levels():
    label = [1, 1, 0, 0]
    assert len(rs.tabulate(label, vote_scores([[1], [0], [0], [1]]))) == 2


# --- MetaCost ---------------------------------------------------------------------------------


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 2), st.lists(st.integers(0, 4), min_size=3, max_size=3)),
        min_size=1,
        max_size=9,
    ).filter(lambda rows: all(sum(p) for _, p in rows))
)
@settings(max_examples=40)
def test_relabelling_by_loops(rows):
    label = [y for y, _ in rows]
    p = [[Fraction(x, sum(v)) for x in v] for _, v in rows]
    costs = [[0, 3, 1], [2, 0, 5], [1, 1, 0]]
    new = relabel(label, [[float(x) for x in v] for v in p], costs)
    for y, v, got in zip(label, p, new.tolist(), strict=True):
        expected = [sum(c * x for c, x in zip(row, v, strict=True)) for row in costs]
        best = [i for i, e in enumerate(expected) if e == min(expected)]
        assert got == (y if y in best else best[0])
    # Equal costs: the most probable class.
    equal = relabel(label, [[float(x) for x in v] for v in p], 1 - np.eye(3))
    for y, v, got in zip(label, p, equal.tolist(), strict=True):
        best = [i for i, x in enumerate(v) if x == max(v)]
        assert got == (y if y in best else best[0])


def train(x, y):
    return DecisionTreeClassifier(min_samples_leaf=20, random_state=0).fit(x, y).predict


def test_metacost_moves_the_point_along_the_curve():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(600, 2))
    label = x[:, 0] + rng.normal(size=600) > 0.5
    names = np.where(label, "yes", "no")  # classes sorted: no, yes
    found = {
        cost: metacost(x, names, fit=train, costs=[[0, cost], [1, 0]], rng=5, out_of_bag=True)
        for cost in (0.2, 1, 5)
    }
    liberal = [np.mean(f.classifier(x) == "yes") for f in found.values()]
    assert liberal[0] < liberal[1] < liberal[2]
    made = found[5]
    assert made.classes.tolist() == ["no", "yes"]
    np.testing.assert_allclose(made.probability.sum(axis=1), 1)
    assert rs.auc_score(label, made.probability[:, 1]) > 0.7
    assert repr(made) == "MetaCost(600 cases of 2 classes)"
    frame = made.to_frame(backend="pandas")
    assert list(frame.columns) == ["label", "probability of no", "probability of yes"]
    again = metacost(x, names, fit=train, costs=[[0, 5], [1, 0]], rng=5, out_of_bag=True)
    assert (again.probability == made.probability).all()
    # All models vote on all cases: multiples of one tenth; equal costs keep the majority.
    plain = metacost(x, names, fit=train, costs=1 - np.eye(2), rng=5, sample_size=200)
    tenths = plain.probability * 10
    np.testing.assert_allclose(tenths, tenths.round(), atol=1e-12)
    clear = plain.probability[:, 1] != 0.5
    assert ((plain.label == "yes") == (plain.probability[:, 1] > 0.5))[clear].all()
    assert (plain.label == names)[~clear].all()


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit_rules([1, 0], [1, 0]), r"shape \(2,\)"),
        (lambda: fit_rules([[2], [0]], [1, 0]), "0 and 1"),
        (lambda: fit_rules([[1], [0]], [1, 0, 1]), "Lengths differ"),
        (lambda: fit_rules([[1], [0]], [1, 0], positive=[1, 0]), "Lengths differ"),
        (lambda: fit_rules([[1], [0]], [1, 0]).predict([[1, 0]]), "1 columns"),
        (lambda: fit_rules([[1], [0]], [1, 0]).predict([[1]], strategy="median"), "strategy"),
        (lambda: vote_scores([[2.0]]), r"in \[0, 1\]"),
        (lambda: vote_scores([[1, 0]], voter_weight=[0, 0]), "not all zero"),
        (lambda: relabel([0], [[1, 0]], [[0]]), "Shapes do not fit"),
    ],
)
def test_what_makes_no_sense(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("classes", [[0, 1], ["a", "b"], [2, 7]])
@pytest.mark.parametrize("matrix", [False, True])
def test_metacost_takes_votes_or_probabilities(classes, matrix):
    # A model that knows P(last class | x) = x: the optimal decision at costs 1 and 3 is x > 1/4.
    x = np.linspace(0, 1, 41)
    y = np.array(classes)[(x > 0.5).astype(int)]

    def fit(_x, _y):
        return lambda x: np.stack([1 - x, x], axis=1) if matrix else x

    made = metacost(x, y, fit=fit, costs=[[0, 3], [1, 0]], n_models=3, rng=1)
    assert made.probability[:, 1] == pytest.approx(x)
    decided = np.array(classes)[(x > 0.25).astype(int)]
    assert np.array_equal(made.label[x != 0.25], decided[x != 0.25])


def test_metacost_takes_the_columns_of_the_classes_that_a_sample_has():
    y = np.array([0, 0, 0, 0, 0, 0, 0, 1, 2])

    def fit(_x, y):
        share = np.bincount(y, minlength=3)[np.unique(y)] / y.size
        return lambda x: np.tile(share, (len(x), 1))

    made = metacost(np.zeros(9), y, fit=fit, costs=1 - np.eye(3), n_models=50, rng=0)
    assert made.probability.sum(axis=1) == pytest.approx(np.ones(9))
    assert made.probability[0] == pytest.approx([7 / 9, 1 / 9, 1 / 9], abs=0.06)


@pytest.mark.parametrize(
    "said",
    [[0.5, 2.0], [3, 3], [[0.5, 0.6], [0, 1]], [[1.0], [1.0]], ["x", "y"], [0.5], [np.nan, 1]],
)
def test_metacost_refuses_what_is_neither_class_nor_probability(said):
    with pytest.raises(ValueError, match="must return one of the classes"):
        metacost(
            np.zeros(2),
            [0, 1],
            fit=lambda _x, _y: lambda _: said,
            costs=1 - np.eye(2),
            n_models=4,
            rng=3,
        )


def test_a_model_has_no_say_on_the_cases_that_it_saw():
    # Each model says of a case whether it was among those it was trained on. Out of its bag it
    # says no, of all models, of each case that some model did not see.
    x = np.arange(12)

    def fit(seen, _y):
        return lambda new: np.isin(new, seen).astype(float)

    def made(out_of_bag):
        options = {"fit": fit, "costs": 1 - np.eye(2), "n_models": 20, "rng": 3}
        return metacost(x, x % 2, out_of_bag=out_of_bag, **options).probability[:, 1]

    assert made(out_of_bag=True).tolist() == [0] * 12
    # A bootstrap sample has 1 - (1 - 1 / 12)^12 = 65 percent of the cases.
    assert made(out_of_bag=False).mean() == pytest.approx(0.65, abs=0.06)
