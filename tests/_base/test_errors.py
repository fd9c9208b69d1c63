"""Messages made of parts: Python's wording, another skin's wording, and copies."""

import pickle
import sys
from importlib.util import find_spec

import pytest

import rocspace as rs
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


ONCE = [
    ("rocspace.auc_scor", "'auc_score'?"),
    ("rocspace.inference.delonge", "'delong'?"),
    ("rocspace.tabulate([0, 1], [1, 2]).scor", "'score'?"),
    ("rocspace.delong(rocspace.tabulate([0, 1], [1, 2])).auc", "Use value."),
    ("rocspace.Tabulator().tables", "'table'?"),  # Python's own
    ("rocspace.multiclas", "'multiclass'?"),
]


@pytest.mark.parametrize(("line", "end"), ONCE)
def test_a_terminal_shows_one_guess_for_an_attribute(line, end, capsys):
    with pytest.raises(AttributeError) as caught:
        eval(line, {"rocspace": rs})
    sys.__excepthook__(type(caught.value), caught.value, None)
    shown = capsys.readouterr().err.strip()
    assert shown.endswith(end)
    assert shown.count("Did you mean") <= 1
    assert shown.count("Use ") <= 1


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("from rocspace import auc_scor", "auc_score"),
        ("from rocspace.inference import delonge", "delong"),
        ("import rocspace.inferenc", "inference"),
    ],
)
def test_imports_of_slips_say_the_name(line, name):
    with pytest.raises(ImportError, match=f"Did you mean '{name}'"):
        exec(line, {})


def test_imports_of_unknown_names_fail_as_python_s():
    assert find_spec("rocspace.nothing_like_it") is None
    with pytest.raises(ImportError, match="cannot import name 'nothing_like_it' from 'rocspace'"):
        exec("from rocspace import nothing_like_it", {})
