"""`rocspace completion`: the script knows every verb and option, and the shell runs it."""

import shutil
import subprocess

import pytest

from commands import Run
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
