"""Every measure: by hand, by its formula in fractions, at zero denominators, and as ROCR has it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace import measures as m
from rocspace.counts import ConfusionMatrix, evaluate
from rocspace.measures import MEASURES
from rocspace.operating import Costs
from slow.data import F3, INF, answer, assert_close, cases, reference, samples

NAN = float("nan")

ROCR = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
ROCR_SHARED = ["asah_s100b", "rocr_simple", "suicide"]

counts = st.integers(0, 30)
matrices = st.builds(ConfusionMatrix, tp=counts, fp=counts, fn=counts, tn=counts)


def entries(c):
    return c.tp, c.fp, c.fn, c.tn


def assert_same(a, b):
    """Equal up to the rounding of a few operations, nan to nan."""
    assert_close(a, b, digits=13)


def test_docstrings_of_measures_say_what_they_take_and_return_once():
    for fact in MEASURES.values():
        text = fact.function.__doc__
        for title in ("Parameters", "Returns", "References"):
            assert text.count(f"\n{title}\n---") == 1, fact.name
        order = [text.index(f"\n{title}\n") for title in ("Parameters", "Returns", "References")]
        assert order == sorted(order)
    assert "It depends on the prevalence" in m.ppv.__doc__
    assert "In [-1, 1]; higher is better. It does not depend" in m.informedness.__doc__


# --- by hand, and printed ---------------------------------------------------------------------


def test_by_hand():
    # 12 positives of which 9 are found, 8 negatives of which 6 are passed over.
    c = ConfusionMatrix(tp=9, fp=2, fn=3, tn=6)
    expected = {
        "tpr": 9 / 12,
        "fpr": 2 / 8,
        "tnr": 6 / 8,
        "fnr": 3 / 12,
        "informedness": 0.75 - 0.25,
        "balanced_accuracy": (0.75 + 0.75) / 2,
        "g_mean": 0.75,
        "index_of_balanced_accuracy": (1 + 0.1 * 0) * 0.75 * 0.75,
        "lr_positive": 0.75 / 0.25,
        "lr_negative": 0.25 / 0.75,
        "diagnostic_odds_ratio": 9 * 6 / (2 * 3),
        "prevalence": 12 / 20,
        "predicted_positive_rate": 11 / 20,
        "accuracy": 15 / 20,
        "error_rate": 5 / 20,
        "ppv": 9 / 11,
        "npv": 6 / 9,
        "false_discovery_rate": 2 / 11,
        "false_omission_rate": 3 / 9,
        "lift": 9 / 11 / 0.6,
        "f_score": 18 / (18 + 3 + 2),
        "f_beta": 5 * 9 / (5 * 9 + 4 * 3 + 2),
        "markedness": 9 / 11 + 6 / 9 - 1,
        # (54 - 6) / sqrt(11 * 12 * 8 * 9)
        "matthews": 48 / math.sqrt(9504),
        # Chance: .55 * .6 + .45 * .4 = .51; (.75 - .51) / .49.
        "kappa": 24 / 49,
        "weighted_relative_accuracy": 0.6 * 0.4 * 0.5,
        "chi_square": 20 * 48**2 / 9504,
        # Before: 2 (.6) .4; after: 11/20 of 2 (9/11) 2/11 and 9/20 of 2 (3/9) 6/9.
        "gini_gain": 0.48 - (11 / 20 * 36 / 121 + 9 / 20 * 36 / 81),
        # .45 ld(.45/.33) + .1 ld(.1/.22) + .15 ld(.15/.27) + .3 ld(.3/.18)
        "mutual_information": 0.45 * math.log2(15 / 11)
        + 0.1 * math.log2(5 / 11)
        + 0.15 * math.log2(5 / 9)
        + 0.3 * math.log2(5 / 3),
        "expected_cost": 5 / 20,
        "closest": math.sqrt(0.25**2 + 0.25**2),
        "concordance": 0.75 * 0.75,
        "symmetry": 0,
        "maximin": 0.75,
        "minimax": 3 / 20,
        "prevalence_matching": 1 / 20,
        "smoothed_ppv": 10 / 13,
        "jaccard": 9 / 14,
        "predictive_sum": 9 / 11 + 6 / 9,
        "predictive_product": 9 / 11 * 6 / 9,
        "predictive_maximin": 6 / 9,
        "predictive_symmetry": 9 / 11 - 6 / 9,
        "predictive_closest": math.hypot(2 / 11, 3 / 9),
        # Yates: 20 (48 - 10)^2 / 9504
        "chi_square_corrected": 20 * 38**2 / 9504,
    }
    assert set(expected) == set(MEASURES)
    for name, value in expected.items():
        assert_same(MEASURES[name].function(c), value)


def test_options_by_hand():
    c = ConfusionMatrix(tp=9, fp=2, fn=3, tn=5)
    assert_same(m.f_beta(c, beta=0.5), 1.25 * 9 / (1.25 * 9 + 0.25 * 3 + 2))
    assert_same(
        m.index_of_balanced_accuracy(c, alpha=0.5), (1 + 0.5 * (0.75 - 5 / 7)) * 0.75 * 5 / 7
    )
    assert_same(m.expected_cost(c, costs={"fp": 2, "fn": 5}), (2 * 2 + 3 * 5) / 19)
    assert_same(m.expected_cost(c, costs=Costs(fn=5), prevalence=0.1), 0.1 * 0.25 * 5 + 0.9 * 2 / 7)
    with pytest.raises(ValueError, match=r"prevalence is 1\.5, but must be between 0 and 1"):
        m.expected_cost(c, prevalence=1.5)


def test_reference_numbers():
    expected = reference()
    c = evaluate(rs.tabulate(*F3), 0.54)
    at = expected["F3_cm_.54"]
    assert_same(m.ppv(c), at["prec"])
    assert_same(m.f_score(c), at["F1"])
    assert_same(m.matthews(c), at["mcc"])
    assert_same(m.kappa(c), at["kappa"])
    assert_same(m.g_mean(c), at["g"])
    assert m.accuracy(c) == expected["F3_best_acc"][0]
    assert_same(
        m.lift(evaluate(rs.tabulate(*F3), 0.8)), expected["F3_lift_top10pct"]
    )  # two of twenty


def test_chance_corrected_isometrics():
    # "isometrics_c4": negatives are four times the positives. chi2 / P and the information
    # gain are chi_square and mutual_information of 100 positives and 400 negatives.
    expected = reference()["isometrics_c4"]
    for point, (f, t) in {"at_(.1,.5)": (0.1, 0.5), "at_(.9,.5)": (0.9, 0.5)}.items():
        tp, fp = round(100 * t), round(400 * f)
        c = ConfusionMatrix(tp=tp, fp=fp, fn=100 - tp, tn=400 - fp)
        assert_same(m.chi_square(c) / 100, expected[point][0])
        assert_same(m.gini_gain(c), expected[point][1])
        assert_same(m.mutual_information(c), expected[point][2])


# --- by definition ----------------------------------------------------------------------------


def formulas(c):
    """The formulas as fractions where they are rational; None where undefined."""
    tp, fp, fn, tn = map(Fraction, entries(c))
    p, n, total = tp + fn, fp + tn, tp + fp + fn + tn

    def over(a, b):
        return a / b if b else None

    found = {
        "tpr": over(tp, p),
        "fpr": over(fp, n),
        "tnr": over(tn, n),
        "fnr": over(fn, p),
        "prevalence": over(p, total),
        "predicted_positive_rate": over(tp + fp, total),
        "accuracy": over(tp + tn, total),
        "error_rate": over(fp + fn, total),
        "expected_cost": over(fp + fn, total),
        "ppv": over(tp, tp + fp),
        "npv": over(tn, tn + fn),
        "false_discovery_rate": over(fp, tp + fp),
        "false_omission_rate": over(fn, tn + fn),
        "lift": over(tp * total, (tp + fp) * p),
        "f_score": over(2 * tp, 2 * tp + fp + fn),
        "f_beta": over(5 * tp, 5 * tp + 4 * fn + fp),
        "jaccard": over(tp, tp + fp + fn),
        "minimax": over(max(fn, fp), total),
        "prevalence_matching": over(abs(fn - fp), total),
        "smoothed_ppv": (tp + 1) / (tp + fp + 2),
    }
    if p and n:
        t, f, pi = tp / p, fp / n, p / total
        found |= {
            "informedness": t - f,
            "balanced_accuracy": (t + 1 - f) / 2,
            "index_of_balanced_accuracy": (1 + Fraction(1, 10) * (t - 1 + f)) * t * (1 - f),
            "weighted_relative_accuracy": pi * (1 - pi) * (t - f),
            "g_mean": math.sqrt(t * (1 - f)),
            "closest": math.hypot(1 - t, f),
            "concordance": t * (1 - f),
            "maximin": min(t, 1 - f),
            "symmetry": abs(t - (1 - f)),
            "lr_positive": t / f if f else (INF if t else None),
            "lr_negative": (1 - t) / (1 - f) if f < 1 else (INF if t < 1 else None),
        }
    if total:
        q, pi = (tp + fp) / total, p / total
        chance = q * pi + (1 - q) * (1 - pi)
        found["kappa"] = over((tp + tn) / total - chance, 1 - chance)
        impure = [2 * x * (r - x) / r for x, r in ((tp, tp + fp), (fn, fn + tn)) if r]
        found["gini_gain"] = 2 * pi * (1 - pi) - sum(impure) / total
        terms = [(tp, tp + fp, p), (fp, tp + fp, n), (fn, fn + tn, p), (tn, fn + tn, n)]
        found["mutual_information"] = sum(
            float(x / total) * math.log2(x * total / (row * column))
            for x, row, column in terms
            if x
        )
    if fp * fn:
        found["diagnostic_odds_ratio"] = tp * tn / (fp * fn)
    elif tp * tn:
        found["diagnostic_odds_ratio"] = INF
    if tp + fp and tn + fn:
        a, b = tp / (tp + fp), tn / (tn + fn)
        found |= {
            "markedness": a + b - 1,
            "predictive_sum": a + b,
            "predictive_product": a * b,
            "predictive_maximin": min(a, b),
            "predictive_symmetry": abs(a - b),
            "predictive_closest": math.hypot(1 - a, 1 - b),
        }
    margins = (tp + fp) * p * n * (tn + fn)
    found["matthews"] = float(tp * tn - fp * fn) / math.sqrt(margins) if margins else 0
    if margins:
        gap = abs(tp * tn - fp * fn)
        found["chi_square"] = total * gap**2 / margins
        found["chi_square_corrected"] = total * max(gap - total / 2, 0) ** 2 / margins
    return found


@given(c=matrices)
@settings(max_examples=100)
def test_formulas(c):
    expected = formulas(c)
    for name, fact in MEASURES.items():
        value = expected.get(name)
        got = fact.function(c)
        assert isinstance(got, float), name
        np.testing.assert_allclose(
            got, NAN if value is None else float(value), rtol=1e-13, atol=1e-15, err_msg=name
        )


@given(c=matrices)
@settings(max_examples=100)
def test_matthews_is_the_mean_of_informedness_and_markedness(c):
    product = m.informedness(c) * m.markedness(c)
    if not np.isnan(product):
        assert m.matthews(c) ** 2 == pytest.approx(product, rel=1e-12, abs=1e-15)
        assert np.sign(round(m.matthews(c), 12)) == np.sign(round(m.informedness(c), 12))


@given(c=matrices.filter(lambda c: c.tp + c.fp and c.tp + c.fn))
@settings(max_examples=50)
def test_f_is_the_harmonic_mean(c):
    precision, recall = m.ppv(c), m.tpr(c)
    if precision and recall:
        assert_same(m.f_score(c), 2 / (1 / precision + 1 / recall))
        assert m.f_beta(c, beta=1) == m.f_score(c)


# --- zero denominators ------------------------------------------------------------------------


def test_nobody_called_positive():
    c = ConfusionMatrix(tp=0, fp=0, fn=5, tn=9)
    for name in ("ppv", "lift", "markedness", "lr_positive", "false_discovery_rate", "chi_square"):
        assert np.isnan(MEASURES[name].function(c)), name
    assert m.f_score(c) == 0
    assert m.matthews(c) == 0
    assert m.kappa(c) == 0
    assert m.mutual_information(c) == 0
    assert m.lr_negative(c) == 1
    assert [m.ppv(c, zero_division=x) for x in (0, 1)] == [0, 1]
    assert np.isnan(m.matthews(c, zero_division=NAN))


def test_nobody_called_negative():
    c = ConfusionMatrix(tp=5, fp=9, fn=0, tn=0)
    assert np.isnan(m.npv(c))
    assert [m.npv(c, zero_division=x) for x in (0, 1)] == [0, 1]
    assert np.isnan(m.lr_negative(c))
    assert m.lr_positive(c) == 1
    assert np.isnan(m.markedness(c))


def test_ratios_of_rates_reach_infinity():
    perfect = ConfusionMatrix(tp=5, fp=0, fn=0, tn=9)
    assert m.lr_positive(perfect) == INF
    assert m.lr_negative(perfect) == 0
    assert m.diagnostic_odds_ratio(perfect) == INF
    hopeless = perfect.negated()
    assert m.lr_positive(hopeless) == 0
    assert m.lr_negative(hopeless) == INF
    assert m.diagnostic_odds_ratio(hopeless) == 0
    assert np.isnan(m.diagnostic_odds_ratio(ConfusionMatrix(tp=0, fp=0, fn=5, tn=9)))


def test_nothing_to_find_and_nothing_found():
    c = ConfusionMatrix(tp=0, fp=0, fn=0, tn=9)
    assert np.isnan(m.f_score(c))
    assert [m.f_score(c, zero_division=x) for x in (0, 1)] == [0, 1]
    assert [m.f_beta(c, zero_division=x) for x in (0, 1)] == [0, 1]
    assert np.isnan(m.kappa(c))  # chance agreement is 1
    assert np.isnan(m.tpr(c))
    assert m.expected_cost(c) == m.error_rate(c) == 0  # needs no positives
    assert m.matthews(c) == 0


def test_no_cases_at_all():
    c = ConfusionMatrix(tp=0, fp=0, fn=0, tn=0)
    for name, fact in MEASURES.items():
        known = {"matthews": 0, "smoothed_ppv": 0.5}.get(name, np.nan)
        np.testing.assert_equal(float(fact.function(c)), known, err_msg=name)


# --- arrays, and sizes ------------------------------------------------------------------------


@given(rows=st.lists(st.tuples(counts, counts, counts, counts), min_size=1, max_size=8))
@settings(max_examples=25)
def test_arrays_are_taken_entry_by_entry(rows):
    many = ConfusionMatrix(*np.array(rows).T)
    for name, fact in MEASURES.items():
        got = fact.function(many)
        assert got.shape == (len(rows),)
        alone = [fact.function(ConfusionMatrix(*row)) for row in rows]
        # Logarithms of vectors may differ from those of numbers in the last bit.
        rtol = 1e-14 if name == "mutual_information" else 0
        np.testing.assert_allclose(got, alone, rtol=rtol, atol=rtol * 1e-2, err_msg=name)


SIZE_MATTERS = {
    "chi_square",
    "chi_square_corrected",
    "smoothed_ppv",
}  # n matthews^2 grows with n, as a test statistic must


@pytest.mark.parametrize("factor", [2**57, np.int64(2**57), 1e-80, 1e70])
def test_size_does_not_matter(factor):
    # 9, 2, 3 and 6 times 2**57: together 20 * 2**57 < 2**62, but no product fits 64 bits.
    small = ConfusionMatrix(tp=9, fp=2, fn=3, tn=6)
    large = ConfusionMatrix(*(factor * x for x in entries(small)))
    for name in set(MEASURES) - SIZE_MATTERS:
        assert_same(MEASURES[name].function(large), MEASURES[name].function(small))
    assert_same(m.chi_square(large), float(factor) * m.chi_square(small))


def test_kappa_of_a_rare_class_keeps_its_digits():
    # By hand: 2 (1e10 - 6) / (4 (1e10 + 3) + 3 (1e10 + 2)); through 1 - chance, which is
    # 7e-10, only seven digits would be left.
    c = ConfusionMatrix(tp=1, fp=3, fn=2, tn=10**10)
    exact = Fraction(2 * (10**10 - 6), 4 * (10**10 + 3) + 3 * (10**10 + 2))
    assert_same(m.kappa(c), float(exact))


# --- promises of the registry -----------------------------------------------------------------

MIRROR = {
    "tpr": m.tnr,
    "tnr": m.tpr,
    "fpr": m.fnr,
    "fnr": m.fpr,
    "ppv": m.npv,
    "npv": m.ppv,
    "false_discovery_rate": m.false_omission_rate,
    "false_omission_rate": m.false_discovery_rate,
    "prevalence": lambda c: 1 - m.prevalence(c),
    "predicted_positive_rate": lambda c: 1 - m.predicted_positive_rate(c),
    "lr_positive": lambda c: np.true_divide(m.tnr(c), m.fnr(c)),
    "lr_negative": lambda c: np.true_divide(m.fpr(c), m.tpr(c)),
}
ONE_SIDED = {"lift", "f_score", "f_beta", "index_of_balanced_accuracy", "jaccard", "smoothed_ppv"}


@pytest.mark.parametrize("name", MEASURES)
@given(sample=samples(), times=st.integers(2, 4), threshold=st.integers(-4, 5))
@settings(max_examples=15)
def test_every_measure_keeps_its_promises(name, sample, times, threshold):
    label, score = sample
    fact = MEASURES[name]
    assert fact.rank_based
    assert fact.name == name
    c = evaluate(rs.tabulate(label, score), threshold)
    value = fact.function(c)
    low, high = fact.range
    assert np.isnan(value) or low <= value <= high
    # Neither the order of the cases nor an increasing map of scores and threshold matters.
    shuffled = rs.tabulate(label[::-1], score[::-1])
    np.testing.assert_array_equal(fact.function(evaluate(shuffled, threshold)), value)
    mapped = rs.tabulate(label, np.exp(score))
    np.testing.assert_array_equal(fact.function(evaluate(mapped, np.exp(threshold))), value)
    if not fact.uses_prevalence:
        more = ConfusionMatrix(tp=times * c.tp, fp=c.fp, fn=times * c.fn, tn=c.tn)
        assert_same(fact.function(more), value)
    if name not in ONE_SIDED:  # the classes change places, and so do the calls
        swapped = ConfusionMatrix(tp=c.tn, fp=c.fn, fn=c.fp, tn=c.tp)
        with np.errstate(all="ignore"):
            mirrored = MIRROR.get(name, fact.function)(c)
        assert_same(fact.function(swapped), mirrored)


@pytest.mark.parametrize("name", [n for n, fact in MEASURES.items() if fact.uses_prevalence])
def test_what_uses_prevalence_does(name):
    few = ConfusionMatrix(tp=6, fp=2, fn=2, tn=14)
    more = ConfusionMatrix(tp=60, fp=2, fn=20, tn=14)
    value = MEASURES[name].function
    assert abs(value(few) - value(more)) > 1e-3


@pytest.mark.parametrize("name", MEASURES)
def test_better_points_to_the_better_end(name):
    fact = MEASURES[name]
    good = fact.function(ConfusionMatrix(tp=18, fp=2, fn=2, tn=18))
    evenly = name not in ("symmetry", "prevalence_matching", "predictive_symmetry")
    poor = fact.function(ConfusionMatrix(tp=11, fp=9 if evenly else 8, fn=9, tn=11))
    sign = {"higher": 1, "lower": -1, "neither": 0}[fact.better]
    assert np.sign(good - poor) == sign
    assert fact.meaning.endswith((".", "]", ")"))


@given(c=st.builds(ConfusionMatrix, *(st.integers(0, 2**60) for _ in range(4))))
@settings(max_examples=100)
def test_ranges_hold_at_any_size(c):
    for name, fact in MEASURES.items():
        value = fact.function(c)
        slack = 4e-16 if name in ("matthews", "kappa", "mutual_information") else 0
        assert np.isnan(value) or fact.range[0] - slack <= value <= fact.range[1] + slack, name


# --- other programs ---------------------------------------------------------------------------

ROCR_NAMES = {
    "acc": m.accuracy,
    "err": m.error_rate,
    "fpr": m.fpr,
    "fall": m.fpr,
    "tpr": m.tpr,
    "rec": m.tpr,
    "sens": m.tpr,
    "fnr": m.fnr,
    "miss": m.fnr,
    "tnr": m.tnr,
    "spec": m.tnr,
    "ppv": m.ppv,
    "prec": m.ppv,
    "npv": m.npv,
    "pcfall": m.false_discovery_rate,
    "pcmiss": m.false_omission_rate,
    "rpp": m.predicted_positive_rate,
    "rnp": lambda c: 1 - m.predicted_positive_rate(c),
    # Undefined in ROCR where a margin is empty; ours is 0 unless asked.
    "phi": lambda c: m.matthews(c, zero_division=NAN),
    "mat": lambda c: m.matthews(c, zero_division=NAN),
    "mi": m.mutual_information,
    "chisq": m.chi_square,
    "odds": m.diagnostic_odds_ratio,
    "lift": m.lift,
    "f": m.f_score,
    # ROCR's F is 1 / (a / precision + (1 - a) / recall): b^2 = (1 - a) / a = 3.
    "f_alpha0.25": lambda c: m.f_beta(c, beta=math.sqrt(3)),
    "cost": m.expected_cost,
    "cost_fp1_fn5": lambda c: m.expected_cost(c, costs=Costs(fn=5)),
}


# Where nobody (or everybody) is called positive, ROCR's information is 0 log 0 and its F a
# mean with an undefined precision: NaN. A constant call tells nothing, and finds nothing.
ZERO_NOT_NAN = {"mi", "f", "f_alpha0.25"}


@pytest.mark.parametrize("name", ROCR + ROCR_SHARED)
def test_rocr_measures(name, request):
    found = answer(f"rocr__{name}", request)
    c = evaluate(rs.tabulate(*cases(name, request)), found["cutoffs"])
    constant = (c.tp + c.fp == 0) | (c.fn + c.tn == 0)
    for rocr, function in ROCR_NAMES.items():
        mine, theirs = function(c), np.array(found["measures"][rocr], dtype=float)
        if rocr in ZERO_NOT_NAN:
            undefined = np.isnan(theirs)
            assert not (undefined & ~constant).any()
            assert not mine[undefined].any()
            mine, theirs = mine[~undefined], theirs[~undefined]
        assert_close(mine, theirs, digits=12)


def test_all_of_rocr_is_accounted_for(request):
    found = answer("rocr__sonar_rf", request)
    # sar = (accuracy + area + 1 - rmse) / 3 mixes in the scores: no measure of a matrix.
    assert set(found["measures"]) - set(ROCR_NAMES) == {"sar"}


SKLEARN = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5", "rocr_simple"]


@pytest.mark.parametrize("name", SKLEARN)
def test_sklearn_at_one_half(name, request):
    found = answer(f"sklearn__{name}", request)["at_0.5"]
    c = evaluate(rs.tabulate(*cases(name, request)), 0.5)
    mine = {
        "mcc": m.matthews(c),
        "kappa": m.kappa(c),
        "f1": m.f_score(c),
        "f_beta2": m.f_beta(c),
        "balanced_accuracy": m.balanced_accuracy(c),
        "lr_plus": m.lr_positive(c),
        "lr_minus": m.lr_negative(c),
        "jaccard": c.tp / (c.tp + c.fp + c.fn),  # not ours
        "precision": m.ppv(c),
        "recall": m.tpr(c),
    }
    assert set(mine) == set(found)
    for key, value in mine.items():
        assert_close(value, found[key], digits=14)


@pytest.mark.parametrize(
    "name", ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
)
def test_hmeasure_at_one_half(name, request):
    found = answer(f"hull_h__{name}", request)["hmeasure_R"]
    # hmeasure calls a case positive when its score is above the threshold, not when it equals it.
    c = evaluate(rs.tabulate(*cases(name, request)), 0.5, inclusive=False)
    assert [c.tp, c.fp, c.tn, c.fn] == [found[key] for key in ("TP", "FP", "TN", "FN")]
    mine = [m.error_rate(c), m.tpr(c), m.tnr(c), m.ppv(c), m.f_score(c), m.informedness(c)]
    assert_close(
        mine, [found[k] for k in ("ER", "Sens", "Spec", "Precision", "F", "Youden")], digits=14
    )


@pytest.mark.parametrize("name", ["pathology_scan", "suicide_dsi_2", "asah_s100b_0.205"])
def test_two_by_two(name, request):
    found = answer(f"twobytwo__{name}", request)
    c = ConfusionMatrix(**{key: found[key] for key in ("tp", "fp", "fn", "tn")})
    epir = dict(zip(found["epi_tests"]["statistic"], found["epi_tests"]["est"], strict=True))
    mine = {
        "ap": m.predicted_positive_rate(c),
        "tp": m.prevalence(c),
        "se": m.tpr(c),
        "sp": m.tnr(c),
        "diag.ac": m.accuracy(c),
        "diag.or": m.diagnostic_odds_ratio(c),
        "nndx": 1 / m.informedness(c),
        "youden": m.informedness(c),
        "pv.pos": m.ppv(c),
        "pv.neg": m.npv(c),
        "lr.pos": m.lr_positive(c),
        "lr.neg": m.lr_negative(c),
        "p.rout": 1 - m.predicted_positive_rate(c),
        "p.rin": m.predicted_positive_rate(c),
        "p.tpdn": m.fpr(c),
        "p.tndp": m.fnr(c),
        "p.dntp": m.false_discovery_rate(c),
        "p.dptn": m.false_omission_rate(c),
    }
    assert set(mine) == set(epir)
    for key, value in mine.items():
        assert_close(value, epir[key], digits=13)
    assert_close(m.matthews(c), found["mcc"], digits=13)
    assert_close(m.kappa(c), found["kappa"], digits=13)
    for ours, theirs in {"tpr": "sensitivity", "tnr": "specificity", "ppv": "ppv"}.items():
        assert_close(MEASURES[ours].function(c), found[theirs]["estimate"], digits=14)
    for row in found["at_prevalence"]:
        weighted = rs.reweight(
            rs.ScoreTable.from_counts([1, 0], [c.tp, c.fn], [c.fp, c.tn]),
            prevalence=row["prevalence"],
        )
        elsewhere = evaluate(weighted, 1)
        assert_close([m.ppv(elsewhere), m.npv(elsewhere)], [row["ppv"], row["npv"]])
