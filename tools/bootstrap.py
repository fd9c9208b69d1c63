"""Make a virtual environment and install rocspace into it, with nothing but Python.

Used by the Makefile. It starts on any Python 3.8 or newer, to be able to say which one
is needed; it mends a half-made environment; and it knows the ways to get pip on systems
whose Python comes without ensurepip (a fresh Debian or Ubuntu).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

OLDEST = (3, 11)
NEWEST_TRIED = 20
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv")
    parser.add_argument("--extra", default="dev", help="which extra of rocspace to install")
    parser.add_argument(
        "--exact", action="store_true", help="use this very Python, look for no other"
    )
    options = parser.parse_args()
    python = options.venv / "bin" / "python"

    wanted = sys.version_info[:2] if options.exact else None
    if not is_sound(python, wanted):
        make_environment(options.venv, python, find_python(exact=options.exact))
    say(f"installing rocspace[{options.extra}] into {options.venv}")
    # Not compiled: half of the time, for thousands of modules that are never imported.
    install = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--no-compile"]
    done = run([*install, "--quiet", "--editable", f"{ROOT}[{options.extra}]"])
    if not done:
        fail("pip could not install rocspace; its message is above.")


def find_python(*, exact: bool) -> str:
    """A Python that is new enough: this one, or one on PATH."""
    if sys.version_info[:2] >= OLDEST:
        return sys.executable
    here = ".".join(map(str, sys.version_info[:3]))
    need = ".".join(map(str, OLDEST))
    if not exact:
        for minor in range(NEWEST_TRIED, OLDEST[1] - 1, -1):
            found = shutil.which(f"python3.{minor}")
            if found and version_of(found) == (3, minor):  # a pyenv shim may be hollow
                say(f"{sys.executable} is {here}; using {found}")
                return found
    return fail(
        f"this is Python {here}, and rocspace needs {need} or newer. Install one, then try again."
    )


def version_of(python: str | Path, module: str = "sys") -> tuple[int, ...] | None:
    """Version of a working interpreter that can import `module`, else None.

    Ask for `pip.__main__`, not `pip`: a folder left behind empty imports as well.
    """
    code = f"import sys, {module}; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run(
            [str(python), "-c", code], capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return tuple(map(int, answer.split()))


def is_sound(python: Path, wanted: tuple[int, ...] | None = None) -> bool:
    """Whether the environment is whole: it runs, is new enough, and has pip."""
    version = version_of(python, "pip.__main__")
    return version is not None and version >= OLDEST and wanted in (None, version)


def make_environment(venv: Path, python: Path, base: str) -> None:
    """Try each way to make an environment with pip, the plainest first."""
    say(f"making {venv} with {base}")
    for way in (with_ensurepip, with_system_pip, with_virtualenv, with_uv, with_apt):
        if way(str(venv), base) and is_sound(python):
            return
    name = "python{}.{}-venv".format(*(version_of(base) or OLDEST))
    fail(f"{base} cannot make an environment with pip. Install {name} (or virtualenv), try again.")


def with_ensurepip(venv: str, base: str) -> bool:
    if version_of(base, "ensurepip.__main__") is None:
        return False
    return run([base, "-m", "venv", "--clear", venv])


def with_system_pip(venv: str, base: str) -> bool:
    if version_of(base, "venv, pip.__main__") is None:
        return False
    make = [base, "-m", "venv", "--clear", "--without-pip", venv]
    fill = [base, "-m", "pip", "--python", venv, "install", "--quiet", "pip"]
    return run(make) and run(fill)


def with_virtualenv(venv: str, base: str) -> bool:
    tool = shutil.which("virtualenv")
    return tool is not None and run([tool, "--quiet", "--clear", "--python", base, venv])


def with_uv(venv: str, base: str) -> bool:
    tool = shutil.which("uv")
    return tool is not None and run([tool, "venv", "--clear", "--seed", "--python", base, venv])


def with_apt(venv: str, base: str) -> bool:
    if shutil.which("apt-get") is None:
        return False
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if sudo and not (shutil.which("sudo") and run([*sudo, "true"], quiet=True)):
        return False
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    package = "python{}.{}-venv".format(*(version_of(base) or OLDEST))
    say(f"installing the system package {package}")
    run([*apt, "update"])
    return run([*apt, "install", "-y", package]) and with_ensurepip(venv, base)


def run(command: list[str], *, quiet: bool = False) -> bool:
    """Run a command; whether it went well."""
    sink = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, stdout=sink, stderr=sink, check=False).returncode == 0


def say(text: str) -> None:
    print(f"bootstrap: {text}", flush=True)


def fail(text: str) -> NoReturn:
    sys.exit(f"bootstrap: {text}")


if __name__ == "__main__":
    main()
