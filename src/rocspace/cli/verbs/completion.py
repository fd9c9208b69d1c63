"""rocspace completion: what the shell needs to complete verbs, options and their values."""

from __future__ import annotations

import re
from typing import Any, Literal

from rocspace.cli.console import write
from rocspace.cli.options import PRINTING, Printing

_FILES = ("output", "figure", "save-state", "cost-matrix")  # options whose values are files

# Completes at once where the script is in a folder of $fpath, and where it is read by `source`.
_ZSH_START = """

if [[ ${funcstack[1]} == _rocspace ]]; then
  _rocspace "$@"
else
  compdef _rocspace rocspace
fi
"""


def completion(shell: Literal["bash", "zsh", "fish"], /, *, printing: Printing = PRINTING) -> None:
    """Print a script by which the shell completes verbs, options, values and files.

    Parameters
    ----------
    shell
        The shell that reads the script: bash, zsh or fish.

    Examples
    --------
    rocspace completion bash > ~/.local/share/bash-completion/completions/rocspace
    rocspace completion zsh > "${fpath[1]}/_rocspace"
    source <(rocspace completion zsh)
    rocspace completion fish | source
    """
    from rocspace.cli.app import program
    from rocspace.cli.verbs import VERBS

    printing.check([])
    if printing.as_json:
        msg = "A script is not JSON. Leave out --json and --brief."
        raise ValueError(msg)
    app: Any = program(list(VERBS))
    if not hasattr(app, "generate_completion"):
        msg = "Completion needs cyclopts 4 or later. Run: pip install -U cyclopts"
        raise ModuleNotFoundError(msg)
    write(
        _with_files(app.generate_completion(prog_name="rocspace", shell=shell), shell),
        printing.output,
    )


def _with_files(script: str, shell: str) -> str:
    """Complete names of files, too, where nothing else is meant."""
    if shell == "bash":
        return script.replace("complete -F ", "complete -o bashdefault -o default -F ")
    if shell == "zsh":
        named = "|".join(_FILES)
        # zsh calls the function that is named like the file; what it defines has to be called, too.
        script = script.replace("_cyclopts_rocspace", "_rocspace").rstrip() + _ZSH_START
        script = re.sub(rf":({named})'", r":\1:_files'", script)
        return re.sub(r"^( +'\*:[^':]*)'", r"\1:_files'", script, flags=re.MULTILINE)
    return script
