"""The program: finds the verb, runs it, words what went wrong, and returns the exit status."""

from __future__ import annotations

import os
import re
import signal
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from inspect import getdoc
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from rocspace._base.errors import Argument, Caller, Part, spelled
from rocspace._base.optional import require
from rocspace.cli.guesses import option_meant, too_many, verb_meant
from rocspace.cli.misfits import (
    lacking,
    no_number,
    numbers_apart,
    repeated,
    unknown,
    without_value,
)
from rocspace.cli.outcome import TOO_LOW, AreaTooLowError
from rocspace.cli.tokens import STDIN, UNNAMED
from rocspace.cli.verbs import VERBS

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError

# The command line's names for what has other names in the library.
_OPTIONS = {
    "pos_label": "positive",
    "y_true": "label",
    "null_values": "null",
    "sample_weight": "weight",
    "higher_is_positive": "lower-is-positive",
    "fp": "cost-fp",
    "fn": "cost-fn",
}
_CHOICES = ("missing", "method", "weight_type", "scale", "variance", "ties")  # without quotes
RETIRED = {
    "--samples": "--grid",
    "--no-lots": "--no-mixture",
    "--rounds": "--max-rounds",
    "--positives": "--n-pos",
}
_NO_NUMBER = re.compile(r'unable to convert "(.*)" into float\.')  # as the parser says it
_TWO = re.compile(r'Command ".*" parameter (--\S+) requires 2 positional .*')
_MADE = ("html", "md", "json", "pdf-figures")


def main() -> None:
    """Run the command line with the arguments of the process, and exit.

    Raises
    ------
    SystemExit
        Always, with the exit code: 0 if all went well.

    References
    ----------
    No source: the program itself.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
        sys.unraisablehook = _interrupt_again
    sys.exit(run(sys.argv[1:]))


class _Interrupted(KeyboardInterrupt):
    """Ctrl-C. After a plain KeyboardInterrupt inside an exec Python ends by the signal, not by 130.

    It does so although the exception was caught.
    """


def _interrupt(*_: object) -> NoReturn:
    raise _Interrupted


def _interrupt_again(ignored: sys.UnraisableHookArgs) -> None:
    """Repeat a Ctrl-C that came while Python ran a callback of its own, which drops exceptions."""
    if isinstance(ignored.exc_value, KeyboardInterrupt):
        from _thread import interrupt_main
        from threading import Timer

        Timer(0.01, interrupt_main).start()
    else:
        sys.__unraisablehook__(ignored)


def run(arguments: Sequence[str]) -> int:
    """Run one command.

    Parameters
    ----------
    arguments : sequence of str
        What follows ``rocspace`` on the command line.

    Returns
    -------
    int
        The exit status.

    References
    ----------
    No source: the program itself.

    Examples
    --------
    >>> run(["--version"])
    rocspace 0.2.0
    0
    """
    try:
        for package in ("cyclopts", "rich"):
            require(package, extra="app")
    except ModuleNotFoundError as error:
        return _fail(error, 2)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = _show_warning
            _execute(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stderr.write("rocspace: interrupted\n")
        return 130
    except BrokenPipeError:
        # The rest goes nowhere, so that nothing complains when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except AreaTooLowError as error:
        _say(f"rocspace: {error}")
        return TOO_LOW
    except (ValueError, OSError, ModuleNotFoundError) as error:
        return _fail(error, 2)
    except Exception as error:
        return _fail(error, 1)
    return 0


def _execute(arguments: Sequence[str]) -> None:
    from cyclopts import CycloptsError, UnknownCommandError, UnusedCliTokensError

    words = [STDIN if word == "-" else word for word in _meant(arguments)]
    try:
        program(words)(words, exit_on_error=False, print_error=False, result_action="return_value")
    except UnusedCliTokensError as error:
        unused = list(error.unused_tokens or ())
        if words[:1] == ["data"]:
            msg = f"rocspace data lists all sets. What is in one: rocspace columns {words[1]}"
            raise ValueError(msg) from error
        msg = too_many(words, unused, _options(words)) or (
            f"Unexpected argument {', '.join(map(repr, unused))}. Name files first, and repeat "
            "--score for each column."
        )
        raise ValueError(msg) from error
    except CycloptsError as error:
        if isinstance(error, UnknownCommandError) and (told := _meant_verb(arguments[0])):
            raise ValueError(told) from error
        if told := _misfit(error, words):
            raise ValueError(told) from error
        command = " ".join(["rocspace", *(error.command_chain or ())])
        said = _NO_NUMBER.sub(lambda found: no_number(found[1]), str(error).strip())
        said = _TWO.sub(r"\1 takes two numbers, as in \1 0 0.1.", said)
        msg = f"{said} See: {command} --help"
        raise ValueError(msg) from error


def _misfit(error: CycloptsError, words: Sequence[str]) -> str:
    """Return what is said of options that do not fit the verb; nothing of other errors."""
    from cyclopts import MissingArgumentError, UnknownOptionError
    from cyclopts.exceptions import CoercionError, RepeatArgumentError

    if not error.command_chain:
        return ""
    verb, options = error.command_chain[0], _options(words)
    if isinstance(error, UnknownOptionError):
        return _stranger(verb, error.token.keyword or error.token.value, words)
    if isinstance(error, RepeatArgumentError) and (option := error.token.keyword):
        return repeated(option, words, options[option][2])
    token = error.token if isinstance(error, CoercionError) else None
    if token and token.keyword in options and options[token.keyword][1]:
        return numbers_apart(token.keyword, token.value)
    missing = error.argument if isinstance(error, MissingArgumentError) else None
    if missing is None:
        return ""
    if missing.name in words:
        n, _, says = options.get(missing.name, (0, False, ""))
        see = f" See: rocspace {verb} --help"
        return without_value(missing.name, words, says) + see if n == 1 else ""
    given = [word.partition("=")[0] for word in words if word.startswith("--")]
    if strangers := [name for name in given if name not in options]:
        return _stranger(verb, strangers[0], words)
    says = options[missing.name][2] if missing.name in options else ""
    return f"{lacking(f'rocspace {verb}', missing.name, says)} See: rocspace {verb} --help"


def _stranger(verb: str, option: str, words: Sequence[str]) -> str:
    """Return what is said of an option that a verb does not have."""
    options = _options(words)
    whole = next((word for word in words if word.startswith(option)), option)
    if f"-{whole.partition('=')[0]}" in options:
        return f"An option has two dashes: -{whole}"
    if told := option_meant(verb, option):
        return told
    others = {name: _options([name]) for name in VERBS if name != verb}
    said = unknown(verb, option.partition("=")[0], options, others)
    return f"{said} See: rocspace {verb} --help"


def _options(words: Sequence[str]) -> dict[str, tuple[int, bool, str]]:
    """Return of each option how many words it takes, whether it can be repeated, and its help.

    Of an argument without a name, as SHELL, the same.
    """
    if not words or words[0] not in VERBS:
        return {}
    known = program(words)[words[0]].assemble_argument_collection(parse_docstring=True)
    facts = ((each.names, (*each.token_count(), each.parameter.help or "")) for each in known)
    return {name: fact for names, fact in facts for name in names if name != "*"}


def _meant_verb(word: str) -> str:
    """Return what to write in place of a verb that there is not; nothing if nobody knows."""
    from rocspace import datasets

    if Path(word).is_file() or word in datasets.names():
        what = "a file" if Path(word).is_file() else "a bundled data set"
        return f"{word!r} is {what}. Say what to do with it, as in: rocspace report FILE"
    return verb_meant(word)


def program(words: Sequence[str]) -> App:
    """Return the program with the verb that was given; of the others it lists only the names."""
    from cyclopts import App
    from cyclopts.help import DefaultFormatter, PanelSpec
    from rich.box import ASCII

    import rocspace

    # The help is framed in ASCII unless a terminal shows it.
    frame = PanelSpec(box=None if sys.stdout.isatty() else ASCII)
    app = App(
        name="rocspace",
        help=(
            "ROC analysis of a file with a column of labels and columns of scores.\n\n"
            "FILE is csv (also .gz), tsv, parquet, arrow or ndjson, the name of a bundled data "
            "set (rocspace data), or - for standard input. Several files, a folder or a pattern in "
            "quotes count as one."
        ),
        help_epilogue=_examples(
            "rocspace report adult_scores          # a bundled data set",
            "rocspace columns mine.csv             # what is in the file",
            "rocspace report mine.csv --label ill --positive yes",
            title="Start with",
        ),
        version=lambda: f"rocspace {rocspace.__version__}",
        version_flags=["--version", "-V"],
        help_format="markdown",
        help_formatter=DefaultFormatter(panel_spec=frame),
        suppress_keyboard_interrupt=False,
    )
    for name, summary in VERBS.items():
        if name in words:
            verb = getattr(import_module(f"rocspace.cli.verbs.{name}"), name)
            examples = (getdoc(verb) or "").partition("Examples\n--------\n")[2]
            app.command(verb, help_epilogue=_examples(*examples.splitlines()))
        else:
            app.command(_not_asked_for, name=name, help=summary)
    return app


def _not_asked_for() -> None:
    """Stand for a verb in the list of commands."""


def _examples(*lines: str, title: str = "Examples") -> str:
    return "\n".join([f"{title}:\n", "```", *lines, "```"])


def _meant(arguments: Sequence[str]) -> list[str]:
    """Rewrite arguments that do not have the form of options.

    ``help`` asks for help. ``report --format md`` says what to make, as ``--to md`` does; of other
    values --format says how the file is read. ``--lower-is-positive`` may lack its name.
    """
    words = list(arguments)
    for i, word in enumerate(words):
        name = word.partition("=")[0]
        if name in RETIRED:
            msg = f"{name} is {RETIRED[name]} now."
            raise ValueError(msg)
        if word == "--lower-is-positive" and "".join(words[i + 1 : i + 2])[:2] in ("", "--"):
            words[i] = f"{word}={UNNAMED}"
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    said = dict(pairwise(words)).get("--format", "")
    if words[:1] != ["report"] and (said == "json" or "--format=json" in words):
        msg = "--format says how the file is read (--format ndjson). To print JSON say --json."
        raise ValueError(msg)
    if words[:1] == ["report"]:
        for i, word in enumerate(words):
            name, equals, value = word.partition("=")
            value = value if equals else "".join(words[i + 1 : i + 2])
            if name == "--format" and value in _MADE:
                words[i] = f"--to{equals}{value if equals else ''}"
    return words


def _fail(error: Exception, status: int) -> int:
    """Print what is wrong on one line, and return the exit status."""
    if os.environ.get("ROCSPACE_TRACEBACK"):
        raise error
    text = spelled(error, _in_shell) or type(error).__name__
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        text = f"{error.filename}: {error.strerror}"
    if status == 1:
        text = (
            f"{type(error).__name__}: {text}. This is a fault of rocspace; please report it. "
            "ROCSPACE_TRACEBACK=1 shows where it is"
        )
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    _say(f"rocspace: error: {line}")
    return status


def _say(line: str) -> None:
    """Write a line on standard error, as notes are, if what they need is installed."""
    try:
        from rocspace.cli.console import say
    except ModuleNotFoundError:
        sys.stderr.write(f"{line}\n")
    else:
        say(line)


def _in_shell(part: Part) -> str:
    """Spell a part of a message for those who call the command line."""
    if isinstance(part, Argument):
        option = f"--{_OPTIONS.get(part.name, part.name).removeprefix('--').replace('_', '-')}"
        if part.value is None:
            return option
        return f"{option} {part.value if part.name in _CHOICES else repr(part.value)}"
    return "This" if isinstance(part, Caller) else ""


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    from rocspace.cli.console import note

    note(str(message))
