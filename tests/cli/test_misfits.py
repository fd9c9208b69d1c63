"""What is said of options that do not fit their verb."""

from rocspace.cli.misfits import lacking, repeated, unknown

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


def test_what_is_lacking_is_described():
    assert lacking("rocspace a", "FILE", "The file.").endswith("FILE, or - for standard input.")
    assert lacking("rocspace a", "--at", "The times, in days. Or not.") == (
        "rocspace a needs --at: the times, in days."
    )
    assert lacking("rocspace a", "STATE", "") == "rocspace a needs STATE."
