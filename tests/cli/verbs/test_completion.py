"""`rocspace completion`: the script knows every verb and option, and the shell runs it."""

import shutil
import subprocess

import pytest

from commands import Run
from rocspace.cli.verbs import VERBS


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_verb_is_in_the_script(run: Run, shell):
    script = run("completion", shell).out
    assert all(verb in script for verb in VERBS)
    assert "fail-below" in script
    assert "hanley-mcneil" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("rocspace co", {"columns", "combine", "compare", "completion"}),
        ("rocspace auc --vari", {"--variance"}),
        ("rocspace auc s.csv --variance o", {"obuchowski"}),
    ],
)
def test_bash_completes(run: Run, tmp_path, words, expected):
    run("completion", "bash", "--output", tmp_path / "script")
    n = len(words.split()) - 1
    lines = f"COMP_WORDS=({words}); COMP_CWORD={n}; _rocspace; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(
        ["bash", "-c", f"source {tmp_path / 'script'}; complete -p rocspace; {lines}"],
        capture_output=True,
        text=True,
        check=True,
    )
    registered, found = done.stdout.splitlines()
    assert "-o default" in registered  # files
    assert set(found.split()) == expected


def test_files_are_completed_in_zsh(run: Run):
    script = run("completion", "zsh").out
    assert "a folder or a pattern count as one.:_files'" in script
    assert ":output:_files'" in script


def test_a_script_is_not_json(run: Run):
    assert "Leave out --json" in run("completion", "bash", "--json", fails=True).err
