"""What is said of options that do not fit their verb."""

import pytest

from commands import LABEL, NEW, OLD, Run, make
from rocspace.cli.misfits import lacking, no_number, numbers_apart, repeated, unknown

OWN = ["--label", "--level", "--lower-is-positive", "-V"]


def test_a_slip_is_mended_and_nothing_unlike_suggested():
    assert (
        unknown("auc", "--lable", OWN, {}) == "rocspace auc has no --lable. Did you mean --label?"
    )
    assert unknown("auc", "--table", OWN, {}) == "rocspace auc has no --table."
    assert unknown("auc", "--verified", OWN, {}) == "rocspace auc has no --verified."
    assert unknown("auc", "-v", OWN, {}) == "rocspace auc has no -v."


def test_an_option_of_other_verbs_names_them():
    others = {"b": ["--labels"], "a": ["--labels"], "c": ["--labels", "--one"], "d": ["--labels"]}
    assert unknown("auc", "--one", OWN, others).endswith(" --one. rocspace c has it.")
    said = unknown("auc", "--labels", OWN, others)
    assert said.endswith(". rocspace a, rocspace b, rocspace c and rocspace d have it.")
    said = unknown("auc", "--labels", OWN, others | {"e": ["--labels"]})
    assert said.endswith("Other commands have it, such as rocspace a and rocspace b.")


def test_a_value_that_is_given_again():
    words = ["survival", "a.csv", "--at", "1", "--at=2 days", "--level", "0.9"]
    assert repeated("--at", words, "Times, with commas between.") == (
        "Give --at several values with commas between: --at '1,2 days'"
    )
    assert repeated("--at", words, "") == (
        "--at is given 2 times, and takes one value. Leave out all but one."
    )


def test_a_number_in_other_letters_is_written_as_one():
    assert no_number("90%") == '"90%" is not a number. 90% is 0.9.'
    assert no_number("2.5 %").endswith(" 2.5 % is 0.025.")
    assert no_number("0,5").endswith(" Write a point: 0.5.")
    assert no_number("x") == '"x" is not a number.'
    assert numbers_apart("--t", "-.3,1e-5") == (
        "Repeat --t for each of several values: --t -.3 --t 1e-5"
    )
    assert numbers_apart("--t", "0,5") == numbers_apart("--t", "a,b") == ""


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("at --threshold 0.3,0.5", "Repeat --threshold for each of several values: --threshold"),
        ("fit --model binormal,proper", "Repeat --model for each of several values: --model bin"),
        ("bootstrap --statistic auc,youden", "--statistic auc --statistic youden"),
        ("select --measure auc,h_measure", "--measure auc --measure h_measure"),
        ("choose --min-tpr 90%", "90% is 0.9. See: rocspace choose --help"),
    ],
)
def test_several_values_in_one_are_taken_apart(run: Run, tmp_path, typed: str, said: str):
    make(tmp_path / "s.csv", {"y": LABEL, "new": NEW, "old": OLD})
    verb, *options = typed.split()
    assert said in run(verb, "s.csv", "--label", "y", *options, fails=True).err


def test_what_is_lacking_is_described():
    assert lacking("rocspace a", "FILE", "The file.").endswith("FILE, or - for standard input.")
    assert lacking("rocspace a", "--at", "The times, in days. Or not.") == (
        "rocspace a needs --at: the times, in days."
    )
    assert lacking("rocspace a", "STATE", "") == "rocspace a needs STATE."
