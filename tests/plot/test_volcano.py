"""The volcano plot draws the ranking as it is."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from rocspace import plot
from rocspace.compare import rank_features


def _ranked(m=200):
    label = np.arange(40) % 2
    genes = np.random.default_rng(1).normal(size=(40, m))
    genes[:, 3] += 3 * label
    genes[:, 5] -= 3 * label
    return rank_features(genes, label)


def test_points_are_areas_and_p_values():
    ranked = _ranked()
    ax = plot.plot_volcano(ranked, ax=Figure().subplots(), color="red")
    found = next(line for line in ax.lines if line.get_label() == "_found")
    others = next(line for line in ax.lines if line.get_label() == "_others")
    n = len(ranked.found())
    assert found.get_color() == "red"
    np.testing.assert_array_equal(found.get_xdata(), ranked.auc[:n])
    np.testing.assert_allclose(found.get_ydata(), -np.log10(ranked.pvalue[:n]))
    assert len(others.get_xdata()) == 200 - n
    said = [text.get_text() for text in ax.texts]
    assert {"feature_4", "feature_6", f"{n} of 200 found"} <= set(said)
    assert ax.get_xlim() == (-0.02, 1.02)


def test_nothing_found_and_wrong_arguments():
    label = np.arange(40) % 2
    ranked = rank_features(np.random.default_rng(1).normal(size=(40, 3)), label)
    ax = plot.plot_volcano(ranked, ax=Figure().subplots(), at=1e-9)
    assert [text.get_text() for text in ax.texts] == ["0 of 3 found"]
    with pytest.raises(TypeError, match="rank_features"):
        plot.plot_volcano({"a": 1}, ax=Figure().subplots())
    with pytest.raises(ValueError, match="at is"):
        plot.plot_volcano(ranked, ax=Figure().subplots(), at=2)
