"""`rocspace completion`: the script knows every verb and option, and the shell runs it."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from commands import Run
from rocspace.cli.app import program
from rocspace.cli.verbs import VERBS

WORDS = {  # what is typed so far, and what may follow
    "rocspace co": {"columns", "combine", "compare", "completion", "covariates"},
    "rocspace auc --vari": {"--variance"},
    "rocspace auc s.csv --variance o": {"obuchowski"},
}


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes(run: Run, tmp_path):
    run("completion", "bash", "--output", tmp_path / "script")
    lines = [f"source {tmp_path / 'script'}", "complete -p rocspace"]
    for words in WORDS:
        n = len(words.split()) - 1
        lines.append(f"COMP_WORDS=({words}); COMP_CWORD={n}; _rocspace; echo ${{COMPREPLY[@]}}")
    done = subprocess.run(
        ["bash", "-c", "; ".join(lines)], capture_output=True, text=True, check=True
    )
    registered, *found = done.stdout.splitlines()
    assert "-o default" in registered  # files
    assert [set(each.split()) for each in found] == list(WORDS.values())


@pytest.fixture(scope="module")
def options() -> dict[str, set[str]]:
    """The options of each verb, as the program reads them."""
    app: Any = program(list(VERBS))
    found = {}
    for verb in VERBS:
        arguments = app[verb].assemble_argument_collection(parse_docstring=False)
        names = {name for each in arguments if each.show for name in each.names}
        found[verb] = {name for name in names if name.startswith("--")}
    assert "--json" in found["auc"]
    assert "--seed" in found["band"]
    return found


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes_every_option_of_every_verb(run: Run, tmp_path, options):
    run("completion", "bash", "--output", tmp_path / "script")
    lines = [f"source {tmp_path / 'script'}"]
    for verb in VERBS:
        words = f"COMP_WORDS=(rocspace {verb} --); COMP_CWORD=2"
        lines.append(f"{words}; COMPREPLY=(); _rocspace; echo ${{COMPREPLY[@]}}")
    done = subprocess.run(
        ["bash", "-c", "; ".join(lines)], capture_output=True, text=True, check=True
    )
    for verb, completed in zip(VERBS, done.stdout.splitlines(), strict=True):
        assert options[verb] <= set(completed.split()), verb


FILES = {  # a file that is there completes as FILE, and as the value of an option for files
    "rocspace auc ca": {"cases.csv"},
    "rocspace auc cases.csv --output ca": {"cases.csv"},
    "rocspace choose --cost-matrix ca": {"cases.csv"},
}
SHELLS = {"rocspace completion z": {"zsh"}}


def all_options(verbs: Any) -> dict[str, set[str]]:
    return {f"rocspace {verb} --": names for verb, names in verbs.items()}


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish")
def test_fish_completes(run: Run, tmp_path, options):
    run("completion", "fish", "--output", tmp_path / "script")
    (tmp_path / "cases.csv").touch()
    lines = [f"source {tmp_path / 'script'}"]
    for words in (wanted := WORDS | FILES | SHELLS | all_options(options)):
        lines += ["echo ==", f"complete -C '{words}'"]
    done = subprocess.run(
        ["fish", "--no-config", "-c", "; ".join(lines)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stderr == ""
    found = [
        {line.partition("\t")[0] for line in each.splitlines() if line}
        for each in done.stdout.split("==\n")[1:]
    ]
    check_completed(wanted, found)


def check_completed(wanted: dict[str, set[str]], found: list[set[str]]) -> None:
    for (words, expected), each in zip(wanted.items(), found, strict=True):
        if words.endswith(" --"):
            assert expected <= each, words
        else:
            assert each == expected, words


# What `compadd` adds is written to a file; control-X m clears the line, and writes that it is done.
ZSH = r"""
PS1=; autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word; LISTMAX=9999
compadd() {
  if [[ " ${(j: :)@[1,(i)(-|--)]} " != *' '-[a-zA-Z]#[OAD]' '* ]]; then
    local -a _found
    builtin compadd -A _found "$@"
    print -rl -- "${_found[@]}" >> FOUND
  fi
  builtin compadd "$@"
}
done-with() { print -r -- '==' >> FOUND; BUFFER= }
zle-line-init() { print -r -- ready >> FOUND; zle -D zle-line-init }
zle -N done-with; zle -N zle-line-init; bindkey '^Xm' done-with
"""


def typed_in_zsh(folder: Path, lines: list[str], setup: str) -> list[set[str]]:
    """Type lines, each followed by the tab key, and return what zsh would add to each."""
    import pty
    import select

    found = folder / "found"
    found.write_text("", encoding="utf-8")
    (folder / ".zshrc").write_text(f"{setup}{ZSH}".replace("FOUND", str(found)), encoding="utf-8")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        about = {"ZDOTDIR": str(folder), "HOME": str(folder), "TERM": "dumb"}
        os.execvpe("zsh", ["zsh", "-d", "-i"], {**os.environ, **about})
    os.set_blocking(terminal, False)
    said = b""
    for i, typed in enumerate(["", *lines]):
        os.write(terminal, f"{typed}\t\x18m".encode() if i else b"")
        until = time.monotonic() + 120
        while found.read_text(encoding="utf-8").count("==\n") < i or not found.stat().st_size:
            assert time.monotonic() < until, said.decode()
            if select.select([terminal], [], [], 0.02)[0]:
                said += os.read(terminal, 65536)
    os.write(terminal, b"exit\n")
    os.close(terminal)
    os.waitpid(pid, 0)
    parts = found.read_text(encoding="utf-8").partition("ready\n")[2].split("==\n")[:-1]
    return [set(each.split()) for each in parts]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh")
@pytest.mark.parametrize("how", ["fpath", "source"])
def test_zsh_completes(run: Run, tmp_path, options, how):
    (tmp_path / "functions").mkdir()
    run("completion", "zsh", "--output", tmp_path / "functions" / "_rocspace")
    (tmp_path / "cases.csv").touch()
    setup = f"fpath=({tmp_path}/functions $fpath)"
    if how == "source":
        setup = f"autoload -Uz compinit; compinit -u -D; source {tmp_path}/functions/_rocspace"
    wanted = WORDS | FILES | SHELLS | all_options(options)
    check_completed(wanted, typed_in_zsh(tmp_path, list(wanted), setup))


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_option_of_every_verb_is_in_the_script(run: Run, shell, options):
    script = run("completion", shell).out
    for verb, names in options.items():
        if shell == "zsh":
            part = script.partition(f"\n        {verb})\n")[2].partition("\n          ;;\n")[0]
        else:
            part = "\n".join(line for line in script.splitlines() if f" {verb}'" in line)
        known = {word.lstrip("-") for word in re.findall(r"--[a-z-]+|(?<=-l )[a-z-]+", part)}
        assert {name.lstrip("-") for name in names} <= known, verb


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_verb_is_in_the_script(run: Run, shell):
    script = run("completion", shell).out
    assert all(verb in script for verb in VERBS)
    assert "fail-below" in script
    assert "hanley-mcneil" in script
    if shell == "zsh":
        assert "a folder or a pattern count as one.:_files'" in script
        assert ":output:_files'" in script


def test_a_script_is_not_json(run: Run):
    assert "Leave out --json" in run("completion", "bash", "--json", fails=True).err


def test_the_shell_that_lacks_is_told(run: Run) -> None:
    assert "needs SHELL: the shell that reads the script: bash" in run("completion", fails=True).err
