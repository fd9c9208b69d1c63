"""The checks find what is wrong, and nothing in curves that are right."""

import re
from dataclasses import dataclass

import numpy as np
import pytest

import rocspace as rs
from rocspace import curves, datasets, hull, simulate
from rocspace.models import check_curve, fit_binormal, fit_summary_roc
from rocspace.results import Curve

F3 = datasets.load("fawcett20")
TABLE = rs.tabulate(F3.y_true, F3.y_score)
SOUND: dict[str, Curve] = {
    "empirical": rs.roc_curve(TABLE),
    "tied": rs.roc_curve(rs.ScoreTable.from_counts([1, 2, 3], [1, 2, 5], [6, 1, 1])),
    "perfect": rs.roc_curve(rs.tabulate_classes([3, 4], [1, 2])),
    "hull": hull.roc_hull(TABLE),
    "normal": simulate.binormal(0.8),
    "hooked": simulate.binormal(0.7, sd_ratio=3),
    "exponential": simulate.exponential(0.7),
    "gamma": simulate.gamma(2, 3),
    "hidden": simulate.mixture(0.2, 3),
    "ratings": simulate.ratings(),
    "fit": fit_binormal(TABLE),
    "degenerate": fit_binormal(rs.tabulate_classes([3, 3], [1, 2])),
    "studies": fit_summary_roc([20, 45, 18], [5, 20, 1], [5, 5, 7], [45, 30, 49]),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_curves(name: str) -> None:
    found = check_curve(SOUND[name])
    assert found.problems == ()
    assert found
    assert found.name == SOUND[name].name


def test_concavity_and_depth() -> None:
    assert check_curve(simulate.exponential(0.7)).concave
    assert check_curve(SOUND["hull"]).concave
    hooked = check_curve(SOUND["hooked"])
    assert not hooked.concave
    # Phi(a + b z) with b = 1/3 falls below the diagonal where a + b z < z, z > a / (1 - b).
    assert hooked.below > 0.01
    assert hooked.rise_at > 0.5
    assert check_curve(SOUND["normal"]).below == 0


@dataclass
class Wrong:
    """The curve fpr^c, with one thing wrong at a time."""

    name: str = "wrong"
    auc: float = 2 / 3
    bend: float = 0.0
    top: float = 1.0
    slope: float = 1.0
    shift: float = 0.0
    ratio: float = 1.0

    def tpr_at(self, f):  # type: ignore[no-untyped-def]
        f = np.asarray(f, dtype=float)
        return self.top * (np.sqrt(f) + self.bend * np.sin(40 * f) * f * (1 - f))

    def fpr_at(self, t):  # type: ignore[no-untyped-def]
        return np.asarray(t) ** 2 - self.shift

    def slope_at(self, f):  # type: ignore[no-untyped-def]
        return self.slope / (2 * np.sqrt(f))

    def threshold_at(self, f):  # type: ignore[no-untyped-def]
        return f

    def likelihood_ratio_at(self, c):  # type: ignore[no-untyped-def]
        return self.ratio / (2 * np.sqrt(c))

    def partial_auc(self, *, fpr=None, tpr=None):  # type: ignore[no-untyped-def]
        return 0.0


@pytest.mark.parametrize(
    ("curve", "said"),
    [
        (Wrong(auc=0.68), "auc differs from the sum"),
        (Wrong(bend=0.2), "The curve falls"),
        (Wrong(top=0.9, auc=0.6), "ends at tpr 0.9"),
        (Wrong(top=1.2, auc=0.8), r"outside \[0, 1\]"),
        (Wrong(slope=1.01), "differs from the change of tpr_at"),
        (Wrong(shift=1e-3), "not the inverse"),
        (Wrong(ratio=1.1), "the ratio of the densities"),
    ],
)
def test_what_is_wrong_is_named(curve: Wrong, said: str) -> None:
    assert check_curve(Wrong()).problems == ()
    found = check_curve(curve)
    assert not found
    assert any(re.search(said, each) for each in found.problems)


def test_errors_of_a_power_by_hand() -> None:
    found = check_curve(Wrong(slope=1.01, ratio=1.1), grid=50)
    assert found.slope_error == pytest.approx(0.01 / 1.01, rel=1e-2)
    assert found.ratio_error == pytest.approx(1.1 / 1.01 - 1)
    assert found.concave
    assert np.isnan(check_curve(simulate.binormal(0.8)).ratio_error)
    with pytest.raises(ValueError, match="grid"):
        check_curve(simulate.binormal(0.8), grid=0)
    assert curves.auc(TABLE) == check_curve(SOUND["empirical"]).area_error + curves.auc(TABLE)
