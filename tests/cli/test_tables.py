"""Tables that several verbs print."""

from pathlib import Path

from commands import ILL, Run


def test_an_area_below_one_half_is_told_of_by_auc_and_compare(run: Run, file: Path) -> None:
    turned = ("--lower-is-positive", "new")
    for verb in ("auc", "compare"):
        told = run(verb, file, *ILL, *turned).err
        assert "new: the area is below 1/2. If higher values are more positive" in told
