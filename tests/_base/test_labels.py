"""The positive one of two labels is proposed by its word."""

import pytest

from rocspace._base.labels import positive_by_word


@pytest.mark.parametrize(
    ("values", "meant"),
    [
        (["n", "p"], "p"),
        (["ill", "well"], "ill"),
        (["No", "Yes"], "Yes"),
        ([False, True], True),
        (["a", "b"], None),
        ([1, 2], None),
        (["p", "yes"], None),  # both
        (["ill", "maybe"], "ill"),
        (["no", "yes", "other"], None),
        (["yes"], None),
    ],
)
def test_the_word_of_one_of_two_labels_says_that_it_is_positive(values, meant):
    assert positive_by_word(values) == meant
