"""A journal's style holds for its block only."""

import pytest

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib import pyplot as plt  # noqa: E402

from rocspace import plot  # noqa: E402


def test_style_is_for_the_block_only():
    before = dict(matplotlib.rcParams)
    with plot.style("double", font_size=6.5):
        figure = plt.figure()
        assert figure.get_figwidth() == 7
        assert matplotlib.rcParams["font.size"] == 6.5
    plt.close(figure)
    assert dict(matplotlib.rcParams) == before
    with pytest.raises(ValueError, match="columns"), plot.style("triple"):
        pass
    with pytest.raises(ValueError, match="font_sise"), plot.style(font_sise=3):
        pass


def test_a_wrong_style_is_refused_at_the_call():
    with pytest.raises(ValueError, match="'grey'"):
        plot.style("grey")
    with pytest.raises(ValueError, match="font_sise"):
        plot.style(font_sise=3)
    with pytest.raises(ValueError, match=r"font\.size"):
        plot.style(font_size="large type")
