"""Counts of predictions and of thresholds: by hand, case by case, and as other programs count."""

import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace import measures
from rocspace.counts import (
    ConfusionMatrix,
    at_prevalence,
    confusion_matrix,
    confusion_table,
    evaluate,
    rows_called_positive,
)
from rocspace.measures import accuracy, f_score, ppv, prevalence
from slow.counts import counts_at
from slow.data import F3, F4, INF, answer, cases, reference, samples

ROCR = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
ROCR_SHARED = ["asah_s100b", "rocr_simple", "suicide"]


def entries(matrix):
    return matrix.tp, matrix.fp, matrix.fn, matrix.tn


# --- predictions ------------------------------------------------------------------------------


def test_matrix_by_hand():
    # Positives 1 1 1 0, negatives 1 0: three of four found, one false alarm.
    matrix = confusion_matrix([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 1, 0])
    assert entries(matrix) == (3, 1, 1, 1)


def test_fawcett_at_054():
    matrix = confusion_matrix(F3[0], np.asarray(F3[1]) >= 0.54)
    assert entries(matrix) == (5, 1, 5, 9)


def test_rev_worked_example():
    # 1000 patients, 10 ill, all called negative: 990 are right. REV prints 99.9 % (S-R1).
    matrix = confusion_matrix([1] * 10 + [0] * 990, [0] * 1000)
    assert accuracy(matrix) == 0.99


@given(
    sample=samples(
        values=st.sampled_from([0, 1]), weights=st.integers(0, 8).map(lambda k: k / 8)
    ).filter(lambda s: sum(s[2]) > 0)
)
@settings(max_examples=40)
def test_matrix_is_the_count_case_by_case(sample):
    label, predicted, weight = sample
    matrix = confusion_matrix(label, predicted)
    assert entries(matrix) == tuple(counts_at(label, predicted, 1).values())
    assert matrix.tp + matrix.fn == sum(label)
    assert matrix.fp + matrix.tn == len(label) - sum(label)
    weighted = confusion_matrix(label, predicted, sample_weight=weight)
    assert entries(weighted) == tuple(counts_at(label, predicted, 1, weight).values())


def test_labels_are_written_alike_in_both():
    matrix = confusion_matrix(["ill", "well", "ill"], ["ill", "ill", "well"], pos_label="ill")
    assert entries(matrix) == (1, 1, 1, 0)
    assert entries(confusion_matrix([1, -1], [-1, -1])) == (0, 0, 1, 1)


def test_a_prediction_may_be_the_truth_itself():
    y = np.array([True, False, True])
    assert entries(confusion_matrix(y, y)) == (2, 0, 0, 1)


def test_bad_predictions_are_refused():
    with pytest.raises(ValueError, match="y_true has 2, y_pred has 3"):
        confusion_matrix([1, 0], [1, 0, 1])
    with pytest.raises(ValueError, match="y_pred has 1 missing value"):
        confusion_matrix([1, 0], [1, None])
    with pytest.raises(ValueError, match=r"y_pred has the values 0\.2, 0\.7"):
        confusion_matrix([1, 0], [0.2, 0.7])


def test_large_counts_of_any_kind_are_added_exactly():
    mixed = rs.ConfusionMatrix(np.int64(2**62), 10**30, np.int64(2**62), np.int64(3))
    assert str(rs.ConfusionMatrix(10**30, 20, 50, np.True_)) == str(
        rs.ConfusionMatrix(10**30, 20, 50, 1)
    )
    assert rs.measures.tpr(mixed) == 0.5
    assert rs.measures.prevalence(mixed) == 2**63 / (2**63 + 10**30 + 3)
    assert "0.5" in str(mixed)


def test_negated_is_an_involution():
    matrix = ConfusionMatrix(tp=5, fp=1, fn=3, tn=9)
    assert entries(matrix.negated()) == (3, 9, 5, 1)
    assert entries(matrix.negated().negated()) == entries(matrix)


# --- any number of classes ----------------------------------------------------------------------


def test_table_by_hand():
    # a: one right. b: called c. c: one right, one called b, one called a.
    table = confusion_table(list("abccc"), list("accba"))
    assert table.labels == ("a", "b", "c")
    assert table.counts.tolist() == [[1, 0, 0], [0, 0, 1], [1, 1, 1]]
    assert entries(table.against_rest("a")) == (1, 1, 0, 3)
    assert entries(table.against_rest("c")) == (1, 1, 2, 1)


@given(
    pairs=st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 4)), min_size=1, max_size=30
    )
)
@settings(max_examples=40)
def test_table_adds_up_and_agrees_with_each_class_alone(pairs):
    true, pred, weight = (list(column) for column in zip(*pairs, strict=True))
    table = confusion_table(true, pred, sample_weight=weight)
    assert table.counts.sum() == sum(weight)
    for label in table.labels:
        alone = confusion_matrix(
            [t == label for t in true], [p == label for p in pred], sample_weight=weight
        )
        assert entries(table.against_rest(label)) == entries(alone)


def test_bad_tables_are_refused():
    with pytest.raises(ValueError, match=r"There is no label 7\. There are: 0, 1"):
        confusion_table([0, 1], [1, 1]).against_rest(7)
    with pytest.raises(ValueError, match="sample_weight has 1 missing value"):
        confusion_table([0, 1], [1, 1], sample_weight=[1.0, None])
    with pytest.raises(ValueError, match="Lengths differ"):
        confusion_table([0, 1], [1])
    with pytest.raises(TypeError, match="y_pred holds texts and y_true does not"):
        confusion_table([0, 1], ["0", "1"])
    with pytest.raises(ValueError, match=r"a threshold on, as in y_pred >= 0\.5"):
        confusion_matrix([0, 1, 0], [0.2, 0.7, 0.4])


# --- thresholds -------------------------------------------------------------------------------


def test_thresholds_by_hand():
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    matrix = evaluate(table, [0.8, 0.5, 0.4, 0.0, INF, -INF])
    assert matrix.tp.tolist() == [1, 1, 2, 2, 0, 2]
    assert matrix.fp.tolist() == [0, 0, 1, 2, 0, 2]
    assert matrix.fn.tolist() == [1, 1, 0, 0, 2, 0]
    assert matrix.tn.tolist() == [2, 2, 1, 0, 2, 0]
    assert entries(evaluate(table, 0.4, inclusive=False)) == (1, 0, 1, 2)


def test_fixed_thresholds_of_fawcett():
    # Fig. 3: >= .5 gives (.4, .6), accuracy 60 %. Fig. 4: .5 gives 80 %, .6 gives 90 %.
    expected = reference()
    three = evaluate(rs.tabulate(*F3), 0.5)
    assert (three.fp, three.tp, accuracy(three)) == (4, 6, expected["F3_acc_at_.5"])
    four = evaluate(rs.tabulate(*F4), [0.5, 0.6])
    assert (four.fp / 4).tolist() == [0.5, 0.25]
    assert accuracy(four).tolist() == [expected["F4_acc_.5"], expected["F4_acc_.6"]]


thresholds = st.one_of(st.floats(allow_nan=False), st.floats(-5, 5), st.integers(-5, 5).map(float))


@given(
    sample=samples(values=st.one_of(st.integers(-4, 4).map(float), st.sampled_from([INF, -INF]))),
    at=st.lists(thresholds, min_size=1, max_size=6),
    inclusive=st.booleans(),
    higher=st.booleans(),
)
@settings(max_examples=60)
def test_evaluate_is_the_count_case_by_case(sample, at, inclusive, higher):
    label, score = sample
    table = rs.tabulate(label, score, higher_is_positive=higher)
    matrix = evaluate(table, at, inclusive=inclusive)
    for i, t in enumerate(at):
        alone = entries(evaluate(table, t, inclusive=inclusive))
        assert alone == tuple(column[i] for column in entries(matrix))
        by_hand = counts_at(label, score, t, inclusive=inclusive, higher=higher)
        assert alone == tuple(by_hand.values())


def test_shapes_are_kept():
    table = rs.tabulate(*F3)
    assert evaluate(table, [[0.5, 0.6], [0.7, 0.8]]).tp.tolist() == [[6, 3], [2, 2]]
    assert np.shape(evaluate(table, 0.5).tp) == ()
    assert evaluate(table, []).tp.shape == (0,)


INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("inclusive", [True, False])
@pytest.mark.parametrize("higher", [True, False])
def test_integer_scores_meet_any_threshold_exactly(dtype, inclusive, higher):
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    score = [low, low + 1, 5, 6, high - 1, high]
    label = [0, 1, 0, 1, 1, 0]
    table = rs.tabulate(label, np.array(score, dtype=dtype), higher_is_positive=higher)
    options = {"inclusive": inclusive, "higher": higher}
    at = [low - 1, low, low + 1, 5, 6, high - 1, high, high + 1]
    at += [5.0, 5.5, float(low), float(high), 2.0 * high, -2.0 * high - 1, INF, -INF]
    for t in at:  # Python compares whole numbers with floats exactly
        expected = tuple(counts_at(label, score, t, **options).values())
        assert entries(evaluate(table, t, inclusive=inclusive)) == expected, t
    for kind in (np.int64, np.uint64):
        fitting = [t for t in at[:8] if np.iinfo(kind).min <= t <= np.iinfo(kind).max]
        many = evaluate(table, np.array(fitting, dtype=kind), inclusive=inclusive)
        expected = [counts_at(label, score, t, **options)["tp"] for t in fitting]
        assert many.tp.tolist() == expected


def test_narrow_floats_are_compared_as_they_are():
    # The float32 nearest to .1 is above the float64 nearest to .1; that of .3 is above too.
    score = np.array([0.1, 0.3, 0.5], dtype=np.float32)
    table = rs.tabulate([0, 1, 1], score)
    assert evaluate(table, [0.1, 0.3, 0.5]).tp.tolist() == [2, 2, 1]
    assert evaluate(table, [0.1, 0.3, 0.5], inclusive=False).tp.tolist() == [2, 2, 0]
    assert evaluate(table, score, inclusive=False).tp.tolist() == [2, 1, 0]
    half = rs.tabulate([0, 1], np.array([0.5, 2.0], dtype=np.float16))
    assert evaluate(half, [1e300, 0.5, 0.50001]).tp.tolist() == [0, 1, 1]


def test_thresholds_may_be_booleans_and_large_python_integers():
    table = rs.tabulate([1, 0], [True, False])
    assert evaluate(table, [True, False]).fp.tolist() == [0, 1]
    large = rs.tabulate([1, 0, 1], np.array([2**62, 2**62 + 1, 2**62 + 2]))
    at = np.array([INF, 2**62 + 2, 2**62 + 1, 2**62, -(2**70)], dtype=object)
    assert evaluate(large, at).tp.tolist() == [0, 1, 1, 2, 2]


def test_one_threshold_makes_no_copy_of_the_table():
    table = rs.tabulate(np.arange(200_000) % 2, np.arange(200_000.0))
    evaluate(table, 0.5)  # the table keeps its sums
    tracemalloc.start()
    assert evaluate(table, 199_997).tp == 2
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < table.pos.nbytes / 10


def test_bad_thresholds_are_refused():
    table = rs.tabulate([1, 0], [0.9, 0.2])
    for nan in (float("nan"), np.array([0.5, np.nan], dtype=object)):
        with pytest.raises(ValueError, match="A threshold is NaN"):
            evaluate(table, nan)
    for text in ("high", [None, 0.5]):
        with pytest.raises(TypeError, match="compared with numbers"):
            rows_called_positive(table, text)


def test_one_class_is_enough():
    matrix = evaluate(rs.tabulate([1, 1], [0.9, 0.2]), 0.5)
    assert entries(matrix) == (1, 0, 1, 0)


@given(sample=samples(weights=st.integers(0, 3)).filter(lambda s: sum(s[2]) > 0))
@settings(max_examples=40)
def test_whole_weights_are_repetition(sample):
    label, score, weight = sample
    weighted = evaluate(rs.tabulate(label, score, sample_weight=weight), [-2, 0.5, 3])
    repeated = evaluate(
        rs.tabulate(np.repeat(label, weight), np.repeat(score, weight)), [-2, 0.5, 3]
    )
    for a, b in zip(entries(weighted), entries(repeated), strict=True):
        assert a.tolist() == b.tolist()


# --- other programs -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROCR + ROCR_SHARED)
def test_rocr_counts(name, request):
    found = answer(f"rocr__{name}", request)
    matrix = evaluate(rs.tabulate(*cases(name, request)), found["cutoffs"])
    for mine, theirs in zip(entries(matrix), ("tp", "fp", "fn", "tn"), strict=True):
        assert mine.tolist() == found[theirs]


def test_classic_fawcett(request):
    found = answer("classic__fawcett20", request)
    table = rs.tabulate(found["label"], found["score"])
    matrix = evaluate(table, found["points"]["cutoff"])
    assert (matrix.fp / 10).tolist() == found["points"]["fpr"]
    assert (matrix.tp / 10).tolist() == found["points"]["tpr"]
    assert accuracy(evaluate(table, 0.54)) == found["accuracy_at_0.54"]
    assert accuracy(evaluate(table, 0.5)) == found["accuracy_at_0.5"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("pathology_scan", "pathology_scan"),
        ("suicide_dsi_2", "suicide"),
        ("asah_s100b_0.205", "asah_s100b"),
    ],
)
def test_two_by_two_counts(name, data, request):
    found = answer(f"twobytwo__{name}", request)
    matrix = evaluate(rs.tabulate(*cases(data, request)), found["threshold"])
    assert entries(matrix) == (found["tp"], found["fp"], found["fn"], found["tn"])


def test_another_prevalence():
    # Precision at (.1, .5) is .8333 at 1:1 and .3333 at 1:10.
    expected = reference()["F3_prec_at_.1_.5"]
    table = rs.tabulate(*F3)
    tenfold = rs.reweight(table, prevalence=1 / 11)
    assert ppv(evaluate(table, 0.54)) == expected["1:1"]
    assert ppv(evaluate(tenfold, 0.54)) == pytest.approx(expected["1:10"], rel=1e-14)
    weight = [1 if y else 10 for y in F3[0]]
    direct = rs.tabulate(*F3, sample_weight=weight)
    assert np.allclose(tenfold.fp, direct.fp, rtol=1e-14, atol=0)
    assert tenfold.tp.tolist() == direct.tp.tolist()


def test_another_prevalence_is_bayes_formula():
    found = ConfusionMatrix(tp=90, fp=20, fn=10, tn=80)
    rare = at_prevalence(found, 0.01)
    assert (measures.tpr(rare), measures.fpr(rare)) == pytest.approx((0.9, 0.2))
    assert measures.prevalence(rare) == pytest.approx(0.01)
    assert measures.ppv(rare) == pytest.approx(0.9 * 0.01 / (0.9 * 0.01 + 0.2 * 0.99))
    assert measures.npv(rare) == pytest.approx(0.8 * 0.99 / (0.8 * 0.99 + 0.1 * 0.01))
    # Of a whole curve at once, as of the reweighted table.
    table = rs.tabulate([0, 0, 1, 1, 0], [0.1, 0.4, 0.4, 0.8, 0.2])
    curve = rs.roc_curve(table)
    counts = ConfusionMatrix(
        tp=curve.tp, fp=curve.fp, fn=curve.n_pos - curve.tp, tn=curve.n_neg - curve.fp
    )
    of_table = rs.roc_curve(rs.counts.reweight(table, prevalence=0.3))
    n = of_table.n_pos + of_table.n_neg
    found = at_prevalence(counts, 0.3)
    assert found.tp / 5 == pytest.approx(of_table.tp / n)
    assert found.fp / 5 == pytest.approx(of_table.fp / n)
    with pytest.raises(ValueError, match="prevalence is 1"):
        at_prevalence(counts, 1)
    with pytest.raises(
        rs.counts.SingleClassError,
        match=r"at_prevalence needs .* 0 positives and 2",
    ):
        at_prevalence(ConfusionMatrix(tp=0, fp=1, fn=0, tn=1), 0.5)


def test_thresholds_in_a_list_keep_their_digits():
    table = rs.tabulate([0, 1], [2**53 + 1, 2**53])
    assert rs.evaluate(table, [2**53 + 1, 0.5]).tp.tolist() == [0, 1]
    assert rs.evaluate(table, (2**53 + 1, np.inf, -np.inf)).fp.tolist() == [1, 0, 1]


@pytest.mark.parametrize("thresholds", [[], [0.8, 0.4], [[0.1, 0.2], [0.3, 0.4]], range(20)])
def test_matrices_of_several_thresholds_are_printed_one_a_row(thresholds):
    found = rs.evaluate(rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), thresholds)
    n = np.size(thresholds)
    said = str(found)
    assert f"Matrices: {n}" in said
    lines = said.splitlines()[3:]
    assert len(lines) == min(n, 8) + (n > 8)
    assert "<table" in found._repr_html_()


def test_the_rows_of_printed_matrices_are_their_cells_and_rates():
    found = rs.evaluate(rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), [0.8, 0.4])
    assert [line.split() for line in str(found).splitlines()[2:]] == [
        ["tpr", "fpr", "tp", "fp", "fn", "tn"],
        ["0", "0.500", "0", "1", "0", "1", "2"],
        ["1", "0.500", "0.500", "1", "1", "1", "1"],
    ]


def test_a_card_has_what_people_look_for_by_the_measures():
    matrix = ConfusionMatrix(tp=5, fp=1, fn=4, tn=9)
    printed = str(matrix)
    for name, measure in (
        ("Precision", ppv),
        ("Accuracy", accuracy),
        ("F1", f_score),
        ("Prevalence", prevalence),
    ):
        assert f"{name}:" in printed
        assert re.search(rf"{name}: +{measure(matrix):.3f}\n", printed)
    nothing = str(ConfusionMatrix(tp=0, fp=0, fn=0, tn=3))
    assert re.search(r"F1: +\u2013\n", nothing)
    assert re.search(r"Accuracy: +1\n", nothing)


def test_lists_become_arrays():
    found = ConfusionMatrix(tp=[5, 6], fp=(1, 2), fn=[5, 4], tn=[9, 8])
    assert isinstance(found.tp, np.ndarray)
    assert not found.tp.flags.writeable
    assert ppv(found).tolist() == [5 / 6, 6 / 8]
    with pytest.raises(ValueError, match=r"tp is \[\[1\], \[1, 2\]\], but must be a number, or an"):
        ConfusionMatrix(tp=[[1], [1, 2]], fp=1, fn=1, tn=1)


def test_what_is_ignored_is_told_by_true_and_false_of_each_case():
    label, called = [1, 0, 1], [1, 1, 0]
    assert confusion_matrix(label, called, ignore=[False, True, False]).fp == 0
    for wrong in ([0, 1, 0], [True, False], [[True, False, False]]):
        with pytest.raises(ValueError, match=r"ignore has dtype .* for each of the 3 cases"):
            confusion_matrix(label, called, ignore=wrong)


def test_several_counts_are_finite():
    with pytest.raises(ValueError, match="counts are finite"):
        rs.ConfusionMatrix(np.array([1.0, np.inf]), 1, 1, 1)
    with pytest.raises(ValueError, match="counts are not negative"):
        rs.ConfusionMatrix(np.array([1.0, -2.0]), 1, 1, 1)
    assert rs.ConfusionMatrix(np.array([1, 2]), 1, 1, 1).tp.tolist() == [1, 2]
