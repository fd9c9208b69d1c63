"""All models side by side: by hand, against a loop over cases, and what the advice rests on."""

import numpy as np
import pytest
from scipy import integrate, stats

import rocspace as rs
from rocspace import datasets
from rocspace.curves import curve_distance
from rocspace.models import MODELS, compare_models, fit_roc
from rocspace.models.choosing import _cost
from rocspace.simulate import binormal

F3 = datasets.load("fawcett20")
TABLE = rs.tabulate(F3.y_true, F3.y_score)
RATED = rs.tabulate(datasets.load("hanley_mcneil").y_true, datasets.load("hanley_mcneil").y_score)


def slow_log_score(table, model, folds, seed):
    """The definition, one left-out positive at a time."""
    draw = np.random.default_rng(seed)
    pos, neg = (
        draw.permutation([s for s, n in zip(table.score, many, strict=True) for _ in range(n)])
        for many in (table.pos, table.neg)
    )
    found = []
    for i in range(folds):
        kept_pos, kept_neg = (
            [s for j, s in enumerate(cases) if j % folds != i] for cases in (pos, neg)
        )
        fit = fit_roc(rs.tabulate_classes(kept_pos, kept_neg), model=model)
        out = neg[i::folds]
        n = len(out)
        for score in pos[i::folds]:
            above, tied = (int(sum(test)) for test in (out > score, out == score))

            def chance(v, above=above, tied=tied, n=n, fit=fit):
                # Of the v-th positive, by the number of negatives above it.
                u = fit.fpr_at(v)
                return stats.binom.pmf(np.arange(above, above + tied + 1), n, u).mean()

            mean = integrate.quad(chance, 0, 1, limit=200, epsabs=1e-7)[0]
            found.append(np.log((n + 1) * mean))
    return np.mean(found)


@pytest.mark.parametrize("table", [TABLE, RATED])
def test_log_scores_are_those_of_a_loop_over_cases(table):
    found = compare_models(table, models=["binormal", "labroc"], n_folds=4, rng=3)
    slow = [slow_log_score(table, name, 4, 3) for name in found.models]
    assert found.log_score.tolist() == pytest.approx(slow, abs=2e-4)


def test_log_scores_by_hand():
    # Uniform scores from 0 on, tops 3 and 2: tpr = 1/3 + 2/3 fpr, also without one case of each.
    table = rs.tabulate_classes([3, 3], [2, 2])
    found = compare_models(table, models=["uniform"], n_folds=2)
    fit = found.fits["uniform"]
    assert fit.parameters == pytest.approx({"top1": 3, "top0": 2})
    # The positive is above the one negative that is left out, too. A third of all positives is
    # above all negatives, two thirds are as they are: 1/3 + 2/3 * 1/2, twice as likely as chance.
    assert found.log_score == pytest.approx([np.log(2 * (1 / 3 + 2 / 3 / 2))])


def test_ranks_among_many_negatives_are_grouped():
    # Of 1000 + 1000 cases, each part has 200 negatives: at the limit, and beyond it.
    table = binormal(0.8).draw(900, 1500, rng=1)
    whole, grouped = (
        compare_models(table, models=["binormal"], n_folds=folds, rng=2).log_score[0]
        for folds in (8, 4)
    )
    assert whole == pytest.approx(grouped, abs=0.02)


def test_log_scores_do_not_reward_what_the_negatives_happen_to_be():
    # Where scores are Normal, a kernel is no better than the binormal curve.
    rng = np.random.default_rng(5)
    gap = []
    for _ in range(12):
        found = compare_models(
            binormal(0.85).draw(150, 150, rng=rng), models=["binormal", "kernel"], rng=rng
        )
        gap.append(found.log_score[1] - found.log_score[0])
    assert np.mean(gap) < 0.01


def test_columns_are_those_of_the_fits():
    found = compare_models(TABLE, models=("binormal", "rating", "probit-line"), n_folds=0)
    frame = found.to_frame(backend="pandas")
    assert list(frame["model"]) == list(found.models) == list(found.fits)
    for row, (name, fit) in zip(frame.to_dict("records"), found.fits.items(), strict=True):
        assert fit == fit_roc(TABLE, model=name)
        assert row["auc"] == fit.auc
        assert row["auc_se"] == pytest.approx(fit.auc_estimate().se, nan_ok=True)
        assert row["distance"] == curve_distance(fit, TABLE, metric="l2")
        assert row["likelihood"] == (MODELS[name].likelihood or "")
        assert row["flags"] == ", ".join(fit.flags)
    assert frame["aic"][0] == found.fits["binormal"].aic
    assert np.isnan(frame["aic"][2])
    assert frame["parameters"][0] == "a=0.628162, b=0.817592"
    assert np.isnan(found.log_score).all()
    assert found.chosen == min(
        found.models, key=dict(zip(found.models, found.distance, strict=True)).get
    )


def test_models_that_fail_say_why():
    found = compare_models(rs.tabulate_classes([3, 4, 5], [0, 1, 2]), models="all")
    assert found.models == tuple(MODELS)
    assert set(found.failures) | set(found.fits) == set(MODELS)
    assert "strictly between 0 and 1" in found.failures["beta-scores"]
    assert "strictly between 0 and 1" in str(found)
    assert "separated" in found.fits["labroc"].flags
    assert found.chosen not in ("labroc", "rating")
    assert f'Take "{found.chosen}"' in found.advice


def test_four_models_unless_asked():
    few = compare_models(TABLE, n_folds=0)
    assert few.models == ("binormal", "rating", "proper", "kernel")
    many = compare_models(rs.tabulate_classes(np.arange(3, 30), np.arange(20)), n_folds=0)
    assert many.models == ("binormal", "labroc", "proper", "kernel")


def test_nothing_sound_means_the_empirical_curve():
    found = compare_models(rs.tabulate_classes([1, 1, 1], [1, 1]), models=["binormal"])
    assert found.chosen is None
    assert found.advice.startswith("Take the empirical curve")
    assert found.log_score == pytest.approx([0])  # the diagonal


def test_advice_prefers_ranks_where_the_data_cannot_tell():
    found = compare_models(TABLE, models=("binormal", "labroc", "probit-line"))
    assert found.chosen == "labroc"
    assert "mind its hook" in found.advice
    poor = compare_models(RATED, models=("exponential", "rating"))
    assert poor.chosen == "rating"
    assert "predicts left-out cases best" in poor.advice
    alone = compare_models(RATED, models=("probit-line", "rating"))
    assert "the others have serious flags or no standard errors" in alone.advice


def test_weights_have_no_log_score():
    table = rs.tabulate(F3.y_true, F3.y_score, sample_weight=np.arange(1, 21) / 7)
    found = compare_models(table, models=["binormal", "labroc"])
    assert np.isnan(found.log_score).all()
    assert "nearest to the empirical curve" in found.advice


def test_first_mistakes():
    with pytest.raises(ValueError, match=r"There is no model .binormall.\. Did you mean"):
        compare_models(TABLE, models=["binormall"])
    with pytest.raises(ValueError, match="folds is 1, but must be 2 or more, or 0"):
        compare_models(TABLE, models=["binormal"], n_folds=1)
    with pytest.raises(ValueError, match="models is the text 'binormal'"):
        compare_models(TABLE, models="binormal")


def test_of_models_that_predict_alike_the_one_that_needs_least_is_taken() -> None:
    table = rs.tabulate_classes([1.0, 2, 4, 5, 7], [0.0, 1, 3, 3, 2, 6])
    names = ["kernel", "binormal", "labroc", "exponential"]
    costs = {name: _cost(name, fit_roc(table, model=name)) for name in names}
    # Whole densities, then the number of parameters, then whether scores have a scale.
    assert sorted(names, key=costs.__getitem__)[-1] == "kernel"
    assert costs["kernel"][0]
    assert not costs["binormal"][0]
    assert costs["labroc"] < costs["binormal"]  # as many parameters, from ranks alone
    assert costs["binormal"][1:] == costs["exponential"][1:]
