"""Long work shows how far it has come, once it is long, where somebody watches; and wipes it."""

import time

import numpy as np
import pytest

import rocspace as rs
from rocspace._base import progress as _progress
from rocspace.combine.boolean import boolean_search
from rocspace.costs import resample_cost, resample_cost_difference
from rocspace.inference import best_permutation_test, unlearnability_test
from rocspace.operating import threshold_bootstrap
from rocspace.stream import refine_auc

RNG = np.random.default_rng(3)
LABEL = np.arange(160) % 2 == 0
SCORE = RNG.normal(size=(2, 160)) + LABEL
PAIR = rs.pair_scores(LABEL, {"a": SCORE[0], "b": SCORE[1]})
TABLE = PAIR.table("a")

LONG = {
    "resampled cost": (lambda p: resample_cost(TABLE, 0.5, n_boot=9, progress=p), "bootstrap: "),
    "difference of costs": (
        lambda p: resample_cost_difference(PAIR, 0.5, n_boot=9, progress=p),
        "bootstrap: ",
    ),
    "thresholds": (lambda p: threshold_bootstrap(TABLE, n_boot=9, progress=p), "9 of 9"),
    "best of many": (
        lambda p: best_permutation_test(PAIR, n_perm=9, progress=p),
        "permutations: 9 of 9",
    ),
    "unlearnability": (
        lambda p: unlearnability_test(lambda y: y[:50].mean(), LABEL, progress=p),
        "permutations: 99 of 99, 0 s left",
    ),
    "search": (lambda p: boolean_search(PAIR, max_rounds=1, progress=p), "combining"),
    "refinement": (
        lambda p: refine_auc(
            lambda: [(LABEL[i::2], SCORE[0][i::2]) for i in (0, 1)] * 20, memory=1 << 12, progress=p
        ),
        "refining",
    ),
}


def begun_and_shown(self):
    """Begin as `Elapsed` does, and wait for its first line, however short the work is."""
    if self.show:
        self._thread.start()
        until = time.monotonic() + 120
        while not self._written:
            assert time.monotonic() < until
            time.sleep(0.001)
    return self


@pytest.mark.parametrize("what", LONG)
def test_it_is_shown_where_asked_for_and_wiped(what, monkeypatch, capsys):
    call, said = LONG[what]
    assert _progress._PATIENCE == 2  # seconds; a busy machine may take longer
    monkeypatch.setattr(_progress, "_PATIENCE", 1000.0)
    call(True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(_progress, "_INTERVAL", 0.0)
    monkeypatch.setattr(_progress.Elapsed, "__enter__", begun_and_shown)
    for progress in (None, False):  # no terminal
        call(progress)
        assert capsys.readouterr().err == ""
    call(True)
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.endswith("\r" + " " * 60 + "\r")


def test_it_is_wiped_after_an_interrupt(monkeypatch, capsys):
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)

    def score(labels):
        if not np.array_equal(labels, LABEL) and capsys.readouterr().err:
            raise KeyboardInterrupt
        return 0.0

    with pytest.raises(KeyboardInterrupt):
        unlearnability_test(score, LABEL, progress=True)
    assert capsys.readouterr().err == "\r" + " " * 60 + "\r"
