"""Small real data sets, each with its source, its licence and a published answer.

Every set is one csv file with one case to a row, so the command line can read it too::

    rocspace report $(python -c "from rocspace import datasets; print(datasets.path('fawcett20'))")

The answers are numbers that somebody else printed or computed: they are there to be checked.
"""

from __future__ import annotations

import csv
import difflib
import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Mask
from rocspace._base.frozen import Result, own

_FOLDER = Path(__file__).resolve().parent / "_data"


class Answer(Result):
    """A published number about a data set.

    Parameters
    ----------
    value : float
        The number as it was printed.
    source : str
        The paper, or the program and its version.
    tolerance : float
        How far a correct result may lie from `value`, beyond rounding error: half a unit of the
        last printed digit, or 0 where the number was given in full.
    """

    value: float
    source: str
    tolerance: float = 0.0


class Dataset(Result):
    """A data set, its positive label, and answers to check.

    Parameters
    ----------
    name, title : str
        The name for `load`, and one line on what the set is.
    columns : mapping of str to ndarray
        Read-only arrays, all of one length, in the order of the file.
    label : str
        The column that holds the true class.
    positive : object
        The value of that column which counts as positive.
    scores : tuple of str
        The columns that score the positive class: higher means more positive.
    source, licence : str
        Source of the numbers, and their licence.
    answers : mapping of str to Answer
        Keys are ``"what:score"``, as in ``"auc:hgb"``; ``"auc:hgb|sex=Female"`` is about those rows
        alone (see `where`).
    path : Path
        The file the set was read from.
    """

    name: str
    title: str
    columns: Mapping[str, Array]
    label: str
    positive: object
    scores: tuple[str, ...]
    source: str
    licence: str
    answers: Mapping[str, Answer]
    path: Path

    def _columns(self) -> dict[str, Any]:
        return dict(self.columns)

    @property
    def y_true(self) -> Mask:
        """Which cases are positive: shape (n,), read-only."""
        return own(np.asarray(self.columns[self.label] == self.positive))

    @property
    def y_score(self) -> Array:
        """The scores, where the set has just one column of them."""
        if len(self.scores) != 1:
            msg = (
                f"{self.name} has {len(self.scores)} columns of scores: {', '.join(self.scores)}. "
                f"Take one by name, as in data.columns[{self.scores[-1]!r}]."
            )
            raise ValueError(msg)
        return self.columns[self.scores[0]]

    def where(self, column: str, value: object) -> Dataset:
        """Return the part of the set whose rows have `value` in `column`.

        Its answers are those about this part. Its path is that of the whole set.

        Raises
        ------
        ValueError
            If there is no such column, or no such row.

        Examples
        --------
        >>> from rocspace import datasets
        >>> sonar = datasets.load("uci_scores").where("dataset", "sonar")
        >>> len(sonar), int(sonar.y_true.sum()), round(sonar.answers["auc:rf"].value, 4)
        (208, 111, 0.9298)
        """
        if column not in self.columns:
            msg = f"{self.name} has no column {column!r}. It has: {', '.join(self.columns)}."
            raise ValueError(msg)
        keep = np.asarray(self.columns[column] == value)
        if not keep.any():
            seen = ", ".join(repr(v) for v in np.unique(self.columns[column])[:8].tolist())
            msg = f"{self.name} has no row whose {column} is {value!r}. Values are: {seen} ..."
            raise ValueError(msg)
        part = f"|{column}={value}"
        return replace(
            self,
            name=f"{self.name}[{column}={value}]",
            columns={name: own(array[keep]) for name, array in self.columns.items()},
            answers={k.removesuffix(part): v for k, v in self.answers.items() if k.endswith(part)},
        )

    def __len__(self) -> int:
        """Count the cases."""
        return len(self.columns[self.label])

    def __repr__(self) -> str:
        """Describe the set in one line."""
        return (
            f"<Dataset {self.name}: {len(self)} cases, {int(self.y_true.sum())} positive "
            f"({self.label} = {self.positive!r}), scores {', '.join(self.scores)}>"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _About:
    """Facts of a set that are known before its file is read."""

    title: str
    file: str
    label: str = "label"
    positive: object = 1
    scores: tuple[str, ...] = ("score",)
    source: str
    licence: str
    answers: dict[str, Answer]


def names() -> tuple[str, ...]:
    """Return the names of the bundled sets, smallest set first.

    Examples
    --------
    >>> from rocspace import datasets
    >>> datasets.names()[:3]
    ('fawcett4', 'fawcett20', 'groc_table3')
    """
    return tuple(_SETS)


def path(name: str) -> Path:
    """Return the file of a bundled set, a csv or a gzipped csv.

    Examples
    --------
    >>> from rocspace import datasets
    >>> datasets.path("adult_scores").name
    'adult_scores.csv.gz'
    """
    return _FOLDER / _about(name).file


def load(name: str) -> Dataset:
    """Read a bundled data set.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Dataset
        Its columns are int64, float64 or strings, none with a missing value.

    Raises
    ------
    ValueError
        If no set has that name.

    Examples
    --------
    >>> from rocspace import datasets
    >>> data = datasets.load("fawcett20")
    >>> data
    <Dataset fawcett20: 20 cases, 10 positive (label = 1), scores score>
    >>> data.y_score[:3]
    array([0.9, 0.8, 0.7])
    >>> data.answers["accuracy@0.54:score"]
    Answer(value=0.7, source='Fawcett (2006), figure 3 and its text', tolerance=0.0)
    """
    about = _about(name)
    file = _FOLDER / about.file
    return Dataset(
        name=name,
        title=about.title,
        columns=_read_csv(file),
        label=about.label,
        positive=about.positive,
        scores=about.scores,
        source=about.source,
        licence=about.licence,
        answers=dict(about.answers),
        path=file,
    )


def _about(name: str) -> _About:
    if name in _SETS:
        return _SETS[name]
    nearest = difflib.get_close_matches(str(name), _SETS, n=1, cutoff=0)[0]
    msg = f"no data set {name!r}. Did you mean {nearest!r}? There are: {', '.join(_SETS)}."
    raise ValueError(msg)


def _read_csv(file: Path) -> dict[str, Array]:
    opener = gzip.open if file.suffix == ".gz" else open
    with opener(file, "rt", encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    return {
        name: own(_parse(cells))
        for name, cells in zip(header, zip(*rows, strict=True), strict=True)
    }


def _parse(cells: Sequence[str]) -> Array:
    for kind in (int, float):
        try:
            return np.array([kind(cell) for cell in cells])
        except ValueError:
            continue
    return np.array(cells)


def _exact(source: str, values: Mapping[str, float]) -> dict[str, Answer]:
    return {key: Answer(value=value, source=source) for key, value in values.items()}


def _printed(source: str, tolerance: float, values: Mapping[str, float]) -> dict[str, Answer]:
    return {
        key: Answer(value=value, source=source, tolerance=tolerance)
        for key, value in values.items()
    }


_FACTS = "numbers printed in a paper, typed here; BSD-3-Clause like rocspace"
_MIT = "MIT (R package modeldata, copyright its authors)"
_UCI = "CC BY 4.0 (UCI Machine Learning Repository); scores made for rocspace"
_FAWCETT = "Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27:861-874"

_SETS: dict[str, _About] = {
    "fawcett4": _About(
        title="Ten cases scored by naive Bayes: ranked perfectly, yet 80 % accurate at 0.5",
        file="fawcett4.csv",
        source=f"{_FAWCETT}, figure 4",
        licence=_FACTS,
        answers=_exact(
            "Fawcett (2006), figure 4 and its text",
            {"auc:score": 1.0, "accuracy@0.5:score": 0.8, "accuracy@0.6:score": 0.9},
        ),
    ),
    "fawcett20": _About(
        title="Twenty cases, the worked example of Fawcett's introduction",
        file="fawcett20.csv",
        source=f"{_FAWCETT}, figure 3",
        licence=_FACTS,
        answers=_exact(
            "Fawcett (2006), figure 3 and its text",
            {"accuracy@0.54:score": 0.7, "accuracy@0.5:score": 0.6},
        )
        | _exact("pROC 1.18.0", {"auc:score": 0.68, "delong_variance:score": 0.016133333333333333}),
    ),
    "groc_table3": _About(
        title="Twenty cases, two classifiers of equal area that granular ROC tells apart",
        file="groc_table3.csv",
        scores=("a", "b"),
        source="Dong, Li and Li, gROC by discernible granularity, Journal of Software "
        "(Ruan Jian Xue Bao), article 4230, table 3",
        licence=_FACTS,
        # At granularity 0.02, in double arithmetic. The paper cuts digits, so .69182 is its .691.
        answers=_printed(
            "Dong, Li and Li, gROC by discernible granularity, table 3",
            1e-3,
            {
                "granular_lower@0.02:a": 0.645,
                "granular_upper@0.02:a": 0.735,
                "granular_lower@0.02:b": 0.674,
                "granular_upper@0.02:b": 0.691,
            },
        ),
    ),
    "hanley_mcneil": _About(
        title="Computed tomography images of 58 normal and 51 abnormal cases, rated 1 to 5",
        file="hanley_mcneil.csv",
        scores=("rating",),
        source="Hanley and McNeil (1982), The meaning and use of the area under a receiver "
        "operating characteristic (ROC) curve, Radiology 143:29-36",
        licence=_FACTS,
        answers=_printed(
            "Hanley and McNeil (1982)",
            5e-4,
            {"auc:rating": 0.893, "hanley_mcneil_se:rating": 0.032},
        ),
    ),
    "pathology": _About(
        title="Liver scans of 344 patients against the diagnosis: a test that only says yes or no",
        file="pathology.csv",
        scores=("scan",),
        source="R package modeldata 1.1.0, pathology; from Altman and Bland (1994), Diagnostic "
        "tests 1: sensitivity and specificity, BMJ 308:1552",
        licence=_MIT,
        answers=_printed(
            "Altman and Bland (1994)",
            5e-3,
            {"sensitivity@1:scan": 0.90, "specificity@1:scan": 0.63},
        )
        | _exact(
            "pROC 1.18.0",
            {"auc:scan": 0.76162790697674421, "delong_variance:scan": 0.000778323073931199},
        ),
    ),
    "two_class_example": _About(
        title="Simulated class probabilities of 500 cases, the example of R's tidymodels",
        file="two_class_example.csv",
        scores=("Class1",),
        source="R package modeldata 1.1.0, two_class_example",
        licence=_MIT,
        answers=_exact(
            "pROC 1.18.0",
            {"auc:Class1": 0.9393138573899673, "delong_variance:Class1": 9.445745887805512e-05},
        ),
    ),
    "wdbc": _About(
        title="Thirty measures of cell nuclei from 569 breast masses, malignant or benign",
        file="wdbc.csv.gz",
        scores=("mean_radius", "mean_texture", "worst_perimeter", "worst_concave_points"),
        source="scikit-learn 1.9.1, load_breast_cancer; from Wolberg, Mangasarian, Street and "
        "Street (1993), Breast Cancer Wisconsin (Diagnostic), doi:10.24432/C5DW2B",
        licence="BSD-3-Clause (scikit-learn's copy); CC BY 4.0 (UCI Machine Learning Repository)",
        answers=_exact(
            "scikit-learn 1.9.1",
            {
                "auc:mean_radius": 0.9375165160403784,
                "auc:mean_texture": 0.7758244807356903,
                "auc:worst_perimeter": 0.9754505575815232,
                "auc:worst_concave_points": 0.9667036625971144,
            },
        ),
    ),
    "uci_scores": _About(
        title="Held-out scores of five classifiers on three sets: use where('dataset', 'sonar')",
        file="uci_scores.csv.gz",
        scores=("logreg", "nb", "knn15", "tree5", "rf"),
        source="made for rocspace with scikit-learn 1.9.1, 10 folds, each case scored by models "
        "that did not see it; from UCI Connectionist Bench (Sonar) doi:10.24432/C5T01Q, Breast "
        "Cancer Wisconsin (Original) doi:10.24432/C5HP4Z, Statlog (Vehicle Silhouettes), positive "
        "is van, archive.ics.uci.edu/dataset/149",
        licence=_UCI,
        answers=_exact(
            "scikit-learn 1.9.1",
            {
                "auc:logreg|dataset=sonar": 0.8499117674375407,
                "auc:nb|dataset=sonar": 0.8005015324602953,
                "auc:knn15|dataset=sonar": 0.8568310578619858,
                "auc:tree5|dataset=sonar": 0.7571747004736695,
                "auc:rf|dataset=sonar": 0.9297854555586514,
                "auc:logreg|dataset=breast_w": 0.9939027704796246,
                "auc:nb|dataset=breast_w": 0.9856130750693073,
                "auc:knn15|dataset=breast_w": 0.9913569733098987,
                "auc:tree5|dataset=breast_w": 0.969654278932396,
                "auc:rf|dataset=breast_w": 0.9921089347514903,
                "auc:logreg|dataset=vehicle": 0.9947108028550791,
                "auc:nb|dataset=vehicle": 0.8188391726794715,
                "auc:knn15|dataset=vehicle": 0.9788237943970238,
                "auc:tree5|dataset=vehicle": 0.9643658788533083,
                "auc:rf|dataset=vehicle": 0.9944855653848842,
            },
        ),
    ),
    "hpc_cv": _About(
        title="Run times of 3467 jobs in four classes (VF, F, M, L), with class probabilities",
        file="hpc_cv.csv.gz",
        label="obs",
        positive="VF",  # one class against the rest; each class's score is the column of its name
        scores=("VF",),
        source="R package modeldata 1.1.0, hpc_cv; from Kuhn and Johnson (2013), Applied "
        "Predictive Modeling",
        licence=_MIT,
        answers=_exact(
            "pROC 1.18.0",
            {"auc:VF": 0.91459776107427948, "hand_till_m:VF,F,M,L": 0.828867472403748},
        ),
    ),
    "adult_scores": _About(
        title="Income above 50,000 dollars: held-out scores of two classifiers on 32,561 people",
        file="adult_scores.csv.gz",
        scores=("logreg", "hgb"),
        source="made for rocspace with scikit-learn 1.9.1, 5 folds, each case scored by a model "
        "that did not see it, rounded to 6 decimals; from Becker and Kohavi (1996), Adult, "
        "training half, doi:10.24432/C5XW20",
        licence=_UCI,
        answers=_exact(
            "pROC 1.18.0",
            {
                "auc:logreg": 0.90388287604488726,
                "auc:hgb": 0.92721588796175114,
                "delong_variance:logreg": 3.162770857065059e-06,
                "delong_variance:hgb": 2.3026171003253868e-06,
                "auc:logreg|sex=Female": 0.9301225805926765,
                "auc:hgb|sex=Female": 0.94474610769081668,
                "auc:logreg|sex=Male": 0.8802018780279988,
                "auc:hgb|sex=Male": 0.9091152427137917,
            },
        ),
    ),
}
