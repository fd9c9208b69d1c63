"""Messages made of parts: Python's wording, another skin's wording, and copies."""

import pickle

from rocspace._base.errors import Argument, ArgumentError, Caller, InPython, keyword, spelled

ERROR = ArgumentError(
    Caller("auc"),
    " has no label. Say ",
    Argument("pos_label", "ill"),
    ", ",
    keyword("score"),
    " or ",
    Argument("missing", "omit", 'missing="omit"'),
    InPython(", or kinds={}"),
    ".",
)


def test_text_is_python_s_wording():
    assert str(ERROR) == (
        "auc has no label. Say pos_label='ill', score= or missing=\"omit\", or kinds={}."
    )
    assert str(ArgumentError("plain")) == "plain"


def test_a_skin_spells_the_parts():
    def spell(part):
        return f"<{part.name}>" if isinstance(part, Argument | Caller) else ""

    assert spelled(ERROR, spell) == "<auc> has no label. Say <pos_label>, <score> or <missing>."
    assert spelled(KeyError("x"), spell) == "'x'"


def test_copies_keep_their_parts():
    copied = pickle.loads(pickle.dumps(ERROR))
    assert str(copied) == str(ERROR)
    assert copied.args == ERROR.args
