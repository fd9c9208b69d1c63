"""The bundled sets load, are what they say they are, and give the published answers.

The definitions are written out here, slowly, so that these tests need no other module.
"""

import json
import re
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

from rocspace import datasets
from rocspace.datasets import bundled

SHAPES = {  # cases, columns, positives
    "fawcett4": (10, 2, 6),
    "fawcett20": (20, 2, 10),
    "groc_table3": (20, 3, 10),
    "remission": (42, 4, 30),
    "hanley_mcneil": (109, 2, 51),
    "pathology": (344, 2, 258),
    "two_class_example": (500, 4, 258),
    "wdbc": (569, 31, 212),
    "uci_scores": (1753, 9, 551),
    "hpc_cv": (3467, 7, 1769),
    "vehicle_scores": (846, 9, 199),
    "adult_scores": (32561, 5, 7841),
}
PAIRS_AT_MOST = 10**6


@pytest.fixture(scope="module")
def loaded():
    return {name: datasets.load(name) for name in datasets.names()}


def auc(positive, score):
    """All pairs, a tie one half; by ranks where the pairs are too many."""
    x, y = score[positive], score[~positive]
    if len(x) * len(y) > PAIRS_AT_MOST:
        return (rankdata(score)[positive].sum() - len(x) * (len(x) + 1) / 2) / (len(x) * len(y))
    twice = 2 * int((x[:, None] > y).sum()) + int((x[:, None] == y).sum())
    return float(Fraction(twice, 2 * len(x) * len(y)))


def delong_variance(positive, score):
    """Variance of the mean placements of either class."""
    x, y = score[positive], score[~positive]
    ranks = rankdata(score)
    beats = (ranks[positive] - rankdata(x)) / len(y)
    beaten = 1 - (ranks[~positive] - rankdata(y)) / len(x)
    return beats.var(ddof=1) / len(x) + beaten.var(ddof=1) / len(y)


def hanley_mcneil_se(positive, score):
    """Hanley and McNeil (1982), Eq. (1), with Q1 and Q2 of the exponential model."""
    a, p = auc(positive, score), int(positive.sum())
    n = len(score) - p
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    return ((a * (1 - a) + (p - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (p * n)) ** 0.5


def granular_area(positive, score, delta, upper):
    """The granular areas, one case at a time, in double arithmetic; the scores are distinct."""
    total_p, total_n = int(positive.sum()), int((~positive).sum())
    points = [(0.0, 0.0)]
    for s in np.sort(score)[::-1]:
        left = (score > s) & (score >= s + delta)
        window = (score >= s) & ~left
        p, n = int(positive[left].sum()), int((~positive)[left].sum())
        wp, wn = int(positive[window].sum()), int((~positive)[window].sum())
        if window.sum() == 1:
            points.append(((n + wn) / total_n, (p + wp) / total_p))
        elif upper:
            points.append((n / (total_n - wn), (p + wp + wn) / (total_p + wn)))
        else:
            points.append(((n + wp + wn) / (total_n + wp), p / (total_p - wp)))
    points.append((1.0, 1.0))
    return sum((f2 - f1) * (t1 + t2) / 2 for (f1, t1), (f2, t2) in pairwise(points))


def hand_till_m(data, classes):
    """Mean over pairs of classes of the two areas that tell them apart."""
    obs = data.columns[data.label]
    label = {name: name if name in obs else name.partition("_")[2] for name in classes}
    areas = []
    for a, b in combinations(classes, 2):
        both = (obs == label[a]) | (obs == label[b])
        areas += [auc(obs[both] == label[this], data.columns[this][both]) for this in (a, b)]
    return sum(areas) / len(areas)


def cox(data):
    """Coefficients of treatment and white blood count by Newton's method, Breslow's ties."""
    weeks, x = data.columns["weeks"], data.columns["log_wbc"]
    rows = np.column_stack([data.columns["treatment"] == "placebo", x]).astype(float)
    beta = np.zeros(2)
    for _ in range(20):
        score, information = np.zeros(2), np.zeros((2, 2))
        for at in weeks[data.y_true]:
            risk = rows[weeks >= at]
            share = np.exp(risk @ beta) / np.exp(risk @ beta).sum()
            score -= share @ risk
            information += (risk.T * share) @ risk - np.outer(share @ risk, share @ risk)
        beta += np.linalg.solve(information, score + rows[data.y_true].sum(axis=0))
    return {"placebo": beta[0], "log_wbc": beta[1]}


def event_free(data, at):
    """Kaplan and Meier's estimate."""
    weeks, left = data.columns["weeks"], 1.0
    for t in np.unique(weeks[data.y_true & (weeks <= at)]):
        left *= 1 - np.mean(data.y_true[weeks >= t] & (weeks[weeks >= t] == t))
    return left


def recompute(data, key):
    """The number that an answer's key names, from the data."""
    what, _, column = key.partition(":")
    what, _, at = what.partition("@")
    if what == "hand_till_m":
        return hand_till_m(data, column.split(","))
    if what == "cox":
        return cox(data)[column]
    if what == "event_free":
        return event_free(data, float(at))
    positive, score = data.y_true, data.columns[column]
    called = score >= float(at) if at else None
    match what:
        case "auc":
            return auc(positive, score)
        case "accuracy":
            return np.mean(called == positive)
        case "sensitivity":
            return np.mean(called[positive])
        case "specificity":
            return np.mean(~called[~positive])
        case "delong_variance":
            return delong_variance(positive, score)
        case "hanley_mcneil_se":
            return hanley_mcneil_se(positive, score)
        case "granular_lower" | "granular_upper":
            return granular_area(positive, score, float(at), what == "granular_upper")
    pytest.fail(f"no definition here for the answer {key!r}")


def test_every_set_is_tested_here():
    assert datasets.names() == tuple(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_shape_and_classes(loaded, name):
    data = loaded[name]
    cases, columns, positives = SHAPES[name]
    assert (len(data), len(data.columns), int(data.y_true.sum())) == (cases, columns, positives)
    assert {len(column) for column in data.columns.values()} == {cases}
    assert data.y_true.dtype == bool


@pytest.mark.parametrize("name", SHAPES)
def test_scores_are_numbers_and_nothing_is_missing(loaded, name):
    data = loaded[name]
    for score in data.scores:
        assert np.isfinite(data.columns[score]).all()
    for column in data.columns.values():
        assert column.dtype.kind in "ifU"
        assert "" not in column.astype(str)


@pytest.mark.parametrize("name", SHAPES)
def test_says_where_it_comes_from(loaded, name):
    data = loaded[name]
    assert data.name == name
    assert data.title
    assert data.source
    assert data.licence
    assert data.answers
    assert "GPL" not in data.licence
    assert all(answer.source for answer in data.answers.values())


@pytest.mark.parametrize(
    ("name", "key"), [(n, k) for n in SHAPES for k in datasets.load(n).answers]
)
def test_answers_hold(loaded, name, key):
    data = loaded[name]
    answer = data.answers[key]
    what, _, part = key.partition("|")
    if part:
        data = data.where(*part.split("="))
    assert recompute(data, what) == pytest.approx(answer.value, rel=1e-12, abs=answer.tolerance)


def test_every_score_has_its_area_among_the_answers(loaded):
    for name in set(SHAPES) - {"groc_table3", "remission"}:
        told = {key.partition("|")[0] for key in loaded[name].answers}
        assert {f"auc:{score}" for score in loaded[name].scores} <= told


def test_the_two_classifiers_of_the_granular_paper_have_equal_areas(loaded):
    data = loaded["groc_table3"]
    assert [auc(data.y_true, data.columns[s]) for s in data.scores] == [0.69, 0.69]


def test_hanley_mcneil_has_the_printed_counts(loaded):
    data = loaded["hanley_mcneil"]
    for positive, counts in [(False, [33, 6, 6, 11, 2]), (True, [3, 2, 2, 11, 33])]:
        assert np.bincount(data.y_score[data.y_true == positive])[1:].tolist() == counts


def test_columns_keep_the_order_of_the_file(loaded):
    assert list(loaded["adult_scores"].columns) == ["label", "sex", "race", "logreg", "hgb"]


@pytest.mark.parametrize("name", SHAPES)
def test_arrays_are_read_only(loaded, name):
    data = loaded[name]
    for array in [*data.columns.values(), data.y_true]:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]


def test_loading_twice_shares_nothing():
    one, other = datasets.load("fawcett4"), datasets.load("fawcett4")
    for mapping in (one.answers, one.columns):
        with pytest.raises(TypeError, match="cannot be changed"):
            mapping.clear()
    assert len(other.answers) == 3
    assert len(datasets.load("fawcett4").answers) == 3


def test_paths_are_csv_and_small():
    files = [datasets.path(name) for name in datasets.names()]
    assert all(file.name.endswith((".csv", ".csv.gz")) for file in files)
    assert sum(file.stat().st_size for file in files) < 2**20
    folder = files[0].parent
    assert {file.name for file in folder.iterdir()} == {"README.md", *(f.name for f in files)}
    notes = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"`{file.name}`" in notes for file in files)


def test_loaded_set_knows_its_path(loaded):
    assert loaded["wdbc"].path == datasets.path("wdbc")
    path = str(loaded["wdbc"]).split("Path:")[1].split("\n")[0].strip()
    assert str(datasets.path("wdbc")).startswith(path.removesuffix(" ..."))  # no word of Python


@pytest.mark.parametrize("function", [datasets.load, datasets.path])
def test_unknown_name_names_the_nearest(function):
    with pytest.raises(ValueError, match=r"'fawcet20'. Did you mean 'fawcett20'\?.*adult_scores"):
        function("fawcet20")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("breast_cancer", "It is 'wdbc' here."),
        ("load_breast-cancer", "It is 'wdbc' here."),
        ("Adult", "It is 'adult_scores' here."),
        ("aSAH", "Data of packages under the GPL are not bundled."),
        ("mnist", "no data set 'mnist'. There are: "),
    ],
)
def test_names_of_other_packages_are_understood(name, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        datasets.load(name)


def test_what_is_bundled_by_another_name_is_there():
    known = set(bundled._ELSEWHERE.values()) - {bundled._GPL}
    assert known <= set(datasets.names())
    assert not set(bundled._ELSEWHERE) & set(datasets.names())


@pytest.mark.parametrize("name", ["", "?", 3, None])
def test_any_unknown_name_is_a_value_error(name):
    with pytest.raises(ValueError, match="no data set"):
        datasets.load(name)


def test_y_score_of_a_set_with_one_score(loaded):
    assert loaded["fawcett20"].y_score is loaded["fawcett20"].columns["score"]


def test_y_score_of_a_set_with_several_scores(loaded):
    with pytest.raises(ValueError, match=r"2 columns of scores: logreg, hgb.*columns\['hgb'\]"):
        _ = loaded["adult_scores"].y_score


def test_where_keeps_rows_and_their_answers(loaded):
    women = loaded["adult_scores"].where("sex", "Female")
    assert (len(women), int(women.y_true.sum())) == (10771, 1179)
    assert set(women.answers) == {"auc:logreg", "auc:hgb"}
    assert women.name == "adult_scores[sex=Female]"
    assert not women.columns["hgb"].flags.writeable


def test_where_on_a_number(loaded):
    folds = [loaded["uci_scores"].where("fold", fold) for fold in range(10)]
    assert sum(map(len, folds)) == len(loaded["uci_scores"])


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("gender", "Female", "no column 'gender'. It has: label, sex"),
        ("sex", "female", "no row whose sex is 'female'. Values are: 'Female', 'Male'"),
        ("sex", 1, "no row whose sex is 1"),
    ],
)
def test_where_nothing(loaded, column, value, message):
    with pytest.raises(ValueError, match=message):
        loaded["adult_scores"].where(column, value)


def test_repr_is_one_line(loaded):
    for data in loaded.values():
        assert "\n" not in repr(data)
        assert repr(data).startswith(f"<Dataset {data.name}: {len(data)} cases")


ORACLES = Path(__file__).parents[1] / "oracles"


def test_reference_answers_are_listed_and_small():
    files = sorted(ORACLES.glob("*.json"))
    notes = (ORACLES / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(.+?)`", notes, flags=re.MULTILINE) == [file.name for file in files]
    assert sum(file.stat().st_size for file in files) < 1.5 * 2**20


@pytest.mark.parametrize("file", sorted(ORACLES.glob("*__*.json")), ids=lambda file: file.stem)
def test_reference_answers_are_about_bundled_data(loaded, file):
    told = json.loads(file.read_text(encoding="utf-8"))
    about = told.get("dataset", told.get("name", ""))
    assert told["_meta"]["tool"]
    if "n_pos" not in told:
        return
    name, _, sex = about.partition("_") if about.startswith("adult") else (about, "", "")
    if name == "adult":
        data = loaded["adult_scores"]
        data = data.where("sex", sex) if sex else data
    elif name in SHAPES:
        data = loaded[name]
    else:
        data = loaded["uci_scores"].where("dataset", name.rpartition("_")[0])
    assert int(data.y_true.sum()) == told["n_pos"]


@pytest.mark.parametrize(("name", "score"), [("sonar", "knn15"), ("vehicle", "tree5")])
def test_rows_are_in_the_order_the_weights_suppose(loaded, name, score):
    told = json.loads((ORACLES / f"weighted__{name}__{score}.json").read_text(encoding="utf-8"))
    data = loaded["uci_scores"].where("dataset", name)
    weight = 1 + np.arange(1, len(data) + 1) % 5
    copies = np.repeat(np.arange(len(data)), weight)  # a weight of 3 is the case three times
    got = auc(data.y_true[copies], data.columns[score][copies])
    assert got == pytest.approx(told["auc"], rel=1e-12)
    assert auc(data.y_true, data.columns[score]) == pytest.approx(told["auc_unweighted"], rel=1e-12)
