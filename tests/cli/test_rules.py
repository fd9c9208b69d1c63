"""Decision rules as text."""

import re

import numpy as np

import rocspace as rs
from rocspace import cli


def test_thresholds_are_short_and_decide_alike(tmp_path, capsys):
    rng = np.random.default_rng(8)
    score, label = rng.random(200), rng.random(200) < 0.5
    file = tmp_path / "s.csv"
    rows = "".join(
        f"{int(y)},{s!r}\n" for y, s in zip(label, (score + label).tolist(), strict=True)
    )
    file.write_text("y,s\n" + rows, encoding="utf-8")
    table = rs.tabulate(label, score + label)
    best = rs.optimal_points(table, criterion="kappa")[0]
    assert len(str(best.threshold)) > 12
    assert cli.run(["choose", str(file), "--label", "y", "--criterion", "kappa"]) == 0
    short = float(capsys.readouterr().out.splitlines()[0].removeprefix("s >= "))
    assert len(str(short)) < 9
    assert rs.point_at(table, short).tp == best.tp
    assert rs.point_at(table, short).fp == best.fp
    assert cli.run(["hull", str(file), "--label", "y"]) == 0
    shown = re.findall(r"s >= (\S+) ", capsys.readouterr().out)
    assert max(map(len, shown)) < 10
    for text in shown:
        point = rs.point_at(table, float(text))
        assert any((point.tp, point.fp) == (t, f) for t, f in zip(table.tp, table.fp, strict=True))
    assert cli.run(["at", str(file), "--label", "y", "--youden"]) == 0
    assert len(capsys.readouterr().out.split()[2]) < 10
    assert cli.run(["at", str(file), "--label", "y", "--threshold", "0.123456789012"]) == 0
    assert "s >= 0.123456789012" in capsys.readouterr().out
