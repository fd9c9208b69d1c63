"""`rocspace granular`: areas are the library's."""

import rocspace as rs
from rocspace.granular import granular_areas, rho_integrals
from three_scores import LABEL, NEW


def test_granular_prints_what_the_library_finds(run, scores):
    options = ("--score", "new", "--delta", 0.05, "--delta", 0.2, "--json")
    (found,) = run("granular", scores, *options).json["scores"]
    table = rs.tabulate(LABEL, NEW)
    wanted = granular_areas(table, [0.05, 0.2])
    assert found["auc_low"] == wanted.auc_low.tolist()
    assert found["lambda_auc"] == wanted.lambda_auc.tolist()
    assert found["rho_auc"] == rho_integrals(table).rho_auc
    text = run("granular", scores).out
    assert "lambda" in text
    assert "rho" in text
    assert "zero or more" in run("granular", scores, "--delta", -1, fails=True).err
