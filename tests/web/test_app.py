"""The application for a server of one's own: where it keeps files, what it needs."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest

from rocspace._base import optional
from rocspace.web import Limits, web_app
from rocspace.web.app import require_packages, temporary
from rocspace.web.guard import LOOPBACK


def test_what_is_given_is_what_all_addresses_share(tmp_path: Path) -> None:
    limits = Limits(size=1000)
    app = web_app(limits=limits, hosts=["mine"], token="a-long-token", folder=str(tmp_path))
    house = app.state.house
    assert (house.limits, house.hosts, house.token) == (limits, ("mine",), "a-long-token")
    assert house.folder == tmp_path
    assert not house.local
    plain = web_app(folder=tmp_path).state.house
    assert (plain.limits, plain.hosts, plain.token) == (Limits(), LOOPBACK, None)
    assert plain.local


def test_its_own_folder_is_private_and_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folders = [web_app().state.house.folder for _ in range(2)]
    assert len(set(folders)) == 2
    for each in folders:
        assert each.parent == tmp_path
        assert each.stat().st_mode & 0o777 == 0o700


def test_temporary_files_stay_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    temporary(tmp_path)
    assert Path(tempfile.mkdtemp()).parent == tmp_path


@pytest.mark.parametrize(
    ("package", "extra"),
    [("fastapi", "web"), ("python_multipart", "web"), ("uvicorn", "web"), ("jinja2", "app"),
     ("pyarrow", "app"), ("vl_convert", "app")],
)  # fmt: skip
def test_each_package_that_is_missing_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, package: str, extra: str
) -> None:
    def lacking(name: str) -> Any:
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(name=package)

    monkeypatch.setattr(optional, "import_module", lacking)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install 'rocspace\[{extra}\]'"):
        require_packages()
