"""Choosing models: by hand, by definition, against SciPy, and on populations where it matters."""

import pickle
import tracemalloc
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocspace as rs
from learners import blobs
from rocspace.select import (
    Bootstrapped,
    SelectionExperiment,
    SelectionGain,
    rank_correlation,
    select_model,
    selection_experiment,
)


def test_choice_by_hand():
    # Of the four pairs, a ranks (1 < 2, 1 < 4, 3 < 4) three right, b all four, c all four.
    data = rs.pair_scores(
        [0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4], "c": [0.1, 0.2, 0.5, 0.6]}
    )
    choice = select_model(data, ("auc", "youden"))
    assert choice.value[0].tolist() == [0.75, 1.0, 1.0]
    assert choice.chosen == (1, 1)  # the first of the best
    assert choice.n_tied == (2, 2)
    assert choice.by("auc") == "b"
    assert repr(choice) == "ModelChoice(auc: b, youden: b)"


def test_a_summary_of_which_less_is_better_counts_as_its_negative():
    data = rs.pair_scores([0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4]})
    assert select_model(data, ("eer",)).by("eer") == "b"
    assert select_model(data, ("eer",)).value[0, 1] <= 0


def test_a_function_can_choose_and_nan_never_does():
    data = rs.pair_scores([0, 0, 1, 1], {"a": [1, 3, 2, 4], "b": [1, 2, 3, 4]})
    measures = {"odd": lambda t: float("nan") if rs.auc(t) == 1 else 0.0}
    assert select_model(data, measures).by("odd") == "a"
    with pytest.raises(ValueError, match="'odd' is nan for every model"):
        select_model(data, {"odd": lambda t: float("nan")})


def test_what_cannot_be_chosen_by_is_refused():
    data = rs.pair_scores([0, 0, 1, 1], {"a": [1, 3, 2, 4]})
    with pytest.raises(ValueError, match=r"no summary 'acu'.*Did you mean 'auc'"):
        select_model(data, ("acu",))
    with pytest.raises(ValueError, match="give at least one"):
        select_model(data, ())
    with pytest.raises(ValueError, match=r"no measure 'ks' among auc"):
        select_model(data).by("ks")
    with pytest.raises(rs.SingleClassError, match=r"select_model needs .* 2 positives and 0"):
        select_model(rs.pair_scores([True, True], {"a": [1, 3]}))


# --- correlation ------------------------------------------------------------------------------


def test_spearman_by_hand():
    # Ranks 1..5 against 2 1 4 3 5: squared differences 1+1+1+1+0 = 4; 1 - 6*4/(5*24) = .8.
    found = rank_correlation([1, 2, 3, 4, 5], [20, 10, 40, 30, 50], pvalue="t")
    assert found.value == pytest.approx(0.8)
    t = 0.8 * (3 / (1 - 0.64)) ** 0.5
    assert found.pvalue == pytest.approx(2 * stats.t.sf(t, 3))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=30))
def test_correlations_are_scipys(pairs):
    a, b = np.array(pairs, dtype=float).T
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        assert np.isnan(rank_correlation(a, b).value)
        return
    spearman, pearson = stats.spearmanr(a, b), stats.pearsonr(a, b)
    assert rank_correlation(a, b).value == pytest.approx(spearman.statistic, abs=1e-12)
    assert rank_correlation(a, b, method="pearson").value == pytest.approx(pearson.statistic)
    if abs(spearman.statistic) < 1 - 1e-9:
        by_t = rank_correlation(a, b, pvalue="t")
        assert by_t.pvalue == pytest.approx(spearman.pvalue, rel=1e-6)


@pytest.mark.parametrize(
    ("r", "printed", "t_pvalue"),
    [(0.5154, 0.0207, 0.0200), (0.5211, 0.0189, 0.0185), (0.6470, 0.0021, 0.0020)],
)
def test_the_papers_pvalues_are_those_of_twenty_models(r, printed, t_pvalue):
    # S-G13: Dong, Li and Li say 100 models, whose p values would be about 4e-8.
    n = 20
    ours = 2 * stats.t.sf(r * ((n - 2) / (1 - r**2)) ** 0.5, n - 2)
    assert ours == pytest.approx(t_pvalue, abs=6e-5)
    assert ours == pytest.approx(printed, abs=8e-4)
    assert 2 * stats.t.sf(r * (98 / (1 - r**2)) ** 0.5, 98) < 1e-6


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7])
def test_ranks_of_few_models_have_the_level(n):
    # By Student's t, which was the default, 33, 8.3, 8.3, 5.8 and 4.8 percent were rejected.
    order = np.arange(n)
    of_square = {}  # p depends on the squared distance of the ranks
    for other in permutations(range(n)):
        square = int(((order - other) ** 2).sum())
        if square not in of_square:
            of_square[square] = [0, rank_correlation(order, other).pvalue]
        of_square[square][0] += 1
    rejected = sum(many for many, p in of_square.values() if p <= 0.05)
    assert rejected / factorial(n) <= 0.05


def test_the_default_pvalue_is_of_orders_where_ranks_tie():
    # Of 20 models one is best by either measure, which happens to 1 in 20 by chance; the mean rank
    # of the others is theirs. Student's t has no doubt.
    best = np.arange(20) == 0
    assert rank_correlation(best, best, pvalue="t").pvalue < 1e-6
    found = rank_correlation(best, best, rng=1)
    assert found.method == "spearman, permutation"
    assert found.pvalue == pytest.approx(0.1, abs=0.02)  # twice the smaller side
    rising = np.arange(8.0)
    assert rank_correlation(rising, rising).method == "spearman, t"
    assert rank_correlation(rising[:4], rising[:4], method="pearson").method == "pearson, t"


def test_permutations_agree_with_t_and_follow_the_seed():
    rng = np.random.default_rng(3)
    a = rng.normal(size=40)
    b = a + 2 * rng.normal(size=40)
    by_t = rank_correlation(a, b)
    permuted = rank_correlation(a, b, pvalue="permutation", rng=1)
    assert permuted.value == by_t.value
    assert permuted.pvalue == pytest.approx(by_t.pvalue, abs=0.015)
    assert rank_correlation(a, b, pvalue="permutation", rng=1) == permuted


def test_correlation_needs_three_known_pairs():
    nan = float("nan")
    assert rank_correlation([1, 2, 3, nan], [1, 2, 3, 4]).n == 3
    with pytest.raises(ValueError, match="2 have both"):
        rank_correlation([1, 2, nan], [1, 2, 3])
    with pytest.raises(ValueError, match=r"\(3,\), \(2,\)"):
        rank_correlation([1, 2, 3], [1, 2])


# --- the experiment ---------------------------------------------------------------------------


def experiment(**changed: object) -> SelectionExperiment:
    """Two repeats of three models, measured by two measures."""
    parts: dict[str, object] = {
        "measures": ("auc", "b"),
        "validation": np.array([[[0.9, 0.8, 0.7], [1, 2, 2]], [[0.6, 0.8, 0.8], [3, 2, 1]]]),
        "test": np.array([[0.7, 0.9, 0.8], [0.6, 0.5, 0.4]]),
        "chosen": np.array([[0, 1], [1, 0]]),
        "n_tied": np.array([[1, 2], [2, 1]]),
        "share_tested": 1 / 3,
    }
    return SelectionExperiment(**{**parts, **changed})  # type: ignore[arg-type]


def test_reading_an_experiment_by_hand():
    found = experiment()
    assert found.chosen_auc.tolist() == [[0.7, 0.9], [0.5, 0.6]]
    assert found.n_better.tolist() == [[2, 0], [1, 0]]
    gain = found.gain("b")
    assert gain.differences.tolist() == pytest.approx([0.2, 0.1])
    assert gain.value == pytest.approx(0.15)
    # s = .1/sqrt(2); t of 1 df at .975 is 12.7062; 1/2 + 1/3 under the root.
    half = 12.706205 * 0.1 / 2**0.5 * (1 / 2 + 1 / 3) ** 0.5
    assert gain.interval().high == pytest.approx(min(0.15 + half, 1), abs=1e-6)
    assert gain.interval(0.5).low == pytest.approx(0.15 - 0.1 / 2**0.5 * (5 / 6) ** 0.5)
    plain = gain.interval(0.5, corrected=False)
    assert plain.low == pytest.approx(0.15 - 0.1 / 2**0.5 * 0.5**0.5)
    assert found.correlation("auc", 0).n == 3
    with pytest.raises(ValueError, match="no measure 'c'"):
        found.gain("c")
    with pytest.raises(ValueError, match="n_splits of 2"):
        SelectionGain(differences=np.array([0.1]), share_tested=0.3).interval()


def test_the_same_seed_gives_the_same_result_in_any_number_of_processes():
    x, y = blobs()
    how = {"n_splits": 3, "measures": ("auc", "eer"), "rng": 2}
    # Draws lots itself, and within a pipeline.
    forest = Bootstrapped(
        make_pipeline(StandardScaler(), RandomForestClassifier(n_estimators=3)), 4
    )
    one, two = (selection_experiment(x, y, forest, n_jobs=jobs, **how) for jobs in (1, 2))
    assert np.array_equal(one.test, two.test)
    assert np.array_equal(one.validation, two.validation)
    other = selection_experiment(x, y, forest, **{**how, "rng": 3})
    assert not np.array_equal(one.test, other.test)
    again = pickle.loads(pickle.dumps(one))
    assert np.array_equal(again.chosen_auc, one.chosen_auc)


def test_a_better_measure_of_a_better_model_is_chosen():
    """A model that sees nothing is never chosen by the area on enough data."""
    x, y = blobs()
    blind = np.hstack([np.zeros((len(x), 1)), x])
    found = selection_experiment(blind, y, [_Blind(), GaussianNB()], n_splits=5, rng=1)
    assert (found.chosen == 1).all()
    assert (found.n_better == 0).all()


class _Blind(GaussianNB):
    """Sees only the first feature, which is always the same."""

    def fit(self, X, y):
        return super().fit(X[:, :1] + np.arange(len(X))[:, None] % 7, y)

    def predict_proba(self, X):
        return super().predict_proba(X[:, :1])


def test_experiments_that_cannot_be_done_say_why():
    x, y = blobs()
    with pytest.raises(ValueError, match="4 positives and 20 negatives"):
        selection_experiment(x[:24], np.repeat([1, 0], [4, 20]), [GaussianNB()])
    with pytest.raises(ValueError, match="n_models is 0"):
        Bootstrapped(GaussianNB(), 0)
    with pytest.raises(TypeError, match="KMeans has no predict_proba"):
        selection_experiment(x, y, [KMeans(2, n_init=1)])
    with pytest.raises(ValueError, match="n_splits is 0"):
        selection_experiment(x, y, [GaussianNB()], n_splits=0)
    with pytest.raises(TypeError, match="models is one GaussianNB"):
        selection_experiment(x, y, GaussianNB())
    with pytest.raises(ValueError, match="no summary"):
        selection_experiment(x, y, [GaussianNB()], measures=("gini_index",))


def test_permutations_of_long_lists_take_little_memory():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 4000))
    tracemalloc.start()
    rank_correlation(a, b, pvalue="permutation", rng=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6  # all at once would take 320 MB and more
