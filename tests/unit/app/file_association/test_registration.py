"""Registering file types, checked with the desktop's own tools where they are installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.app import main as front
from liven.app.doctor.association import examine_association
from liven.app.doctor.finding import State
from liven.app.file_association.desktop_entries import ICON, MIME, MIME_PACKAGE, SCHEME, desktop_entry, quoted
from liven.app.file_association.mimeapps_list import SECTION, with_defaults, without
from liven.app.file_association.registration import DesktopFolders, register, unregister
from liven.runtime.user_folders import UserFolders

LOOK = """
import sys
from PySide6.QtCore import QMimeDatabase
found = QMimeDatabase().mimeTypeForFile(sys.argv[1])
print(found.name(), found.comment(), "application/xml" in found.allAncestors())
"""


@pytest.fixture
def places(tmp_path: Path) -> DesktopFolders:
    return DesktopFolders(tmp_path / "share", tmp_path / "config")


def look(places: DesktopFolders, file: Path) -> str:
    environment = {**os.environ, "XDG_DATA_HOME": str(places.data)}
    answer = subprocess.run(
        [sys.executable, "-c", LOOK, str(file)], env=environment, capture_output=True, text=True, check=True
    )
    return answer.stdout.strip()


def test_qt_knows_the_file_type_until_it_is_unregistered(places: DesktopFolders, tmp_path: Path) -> None:
    file = tmp_path / "x.liveobject"
    file.write_text("<Root/>")
    register(places)
    assert look(places, file) == f"{MIME} live object True"
    unregister(places)
    assert not look(places, file).startswith(MIME)


@pytest.mark.skipif(shutil.which("xdg-mime") is None, reason="xdg-mime is not on this machine")
def test_xdg_mime_names_the_program(places: DesktopFolders, tmp_path: Path) -> None:
    register(places)
    environment = {
        **os.environ,
        "XDG_DATA_HOME": str(places.data),
        "XDG_CONFIG_HOME": str(places.config),
    }
    answer = subprocess.run(
        ["xdg-mime", "query", "default", MIME], env=environment, capture_output=True, text=True, check=False
    )
    assert answer.stdout.strip() == "liven.desktop"


def test_the_doctor_reports_the_registration(places: DesktopFolders) -> None:
    environment = {
        "XDG_DATA_HOME": str(places.data),
        "XDG_CONFIG_HOME": str(places.config),
        "XDG_DATA_DIRS": "/no",
    }
    assert examine_association(environment, UserFolders.below(places.data)).fix == "liven register-files"
    register(places)
    found = examine_association(environment, UserFolders.below(places.data))
    assert found.state is State.OK
    assert "liven.desktop" in found.detail


def test_undoing_restores_the_earlier_files(places: DesktopFolders) -> None:
    other = "[Default Applications]\ntext/plain=kate.desktop\n"
    places.config.mkdir(parents=True)
    places.defaults.write_text(other)
    written = register(places)
    assert all(path.is_file() for path in written)
    assert f"{SCHEME}=liven.desktop" in places.defaults.read_text()
    assert set(unregister(places)) == set(written)
    assert places.defaults.read_text() == other
    assert unregister(places) == []


def test_undoing_leaves_no_files_behind(places: DesktopFolders) -> None:
    register(places)
    unregister(places)
    assert not places.defaults.exists()


def test_registering_twice_changes_nothing(places: DesktopFolders) -> None:
    register(places)
    first = places.defaults.read_text()
    register(places)
    assert places.defaults.read_text() == first


def test_another_chosen_program_stays_the_default(places: DesktopFolders) -> None:
    register(places)
    chosen = places.defaults.read_text().replace(f"{MIME}=liven.desktop", f"{MIME}=other.desktop")
    places.defaults.write_text(chosen)
    unregister(places)
    assert f"{MIME}=other.desktop" in places.defaults.read_text()


def test_the_command_writes_for_this_user_alone_and_says_what(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert front.main(["register-files", "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert len(files) == 5
    assert all(Path(one).is_relative_to(tmp_path) for one in files)
    assert front.main(["register-files", "--undo"]) == 0
    assert ".liveobject files are no longer opened by Liven." in capsys.readouterr().out
    assert front.main(["register-files", "--undo"]) == 0
    assert "Nothing was registered." in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_exit_code_three(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert front.main(["register-files"]) == 3
    assert str(tmp_path / "file") in capsys.readouterr().err


def test_the_registered_files_are_well_formed() -> None:
    for text in (MIME_PACKAGE, ICON):
        ElementTree.fromstring(text)
    assert "Exec=liven open --from-icon %U\n" in desktop_entry("liven")


@pytest.mark.parametrize(
    ("argument", "line"),
    [
        ("/usr/bin/python3.11", "/usr/bin/python3.11"),
        ("/home/Ann Smith/bin", '"/home/Ann Smith/bin"'),
        ("50%", '"50%%"'),
        ('say "x"', '"say \\\\"x\\\\""'),
    ],
)
def test_an_argument_is_quoted_for_the_exec_line(argument: str, line: str) -> None:
    assert quoted(argument) == line


@given(st.text(alphabet="ab=[]; \n", max_size=60))
def test_adding_and_removing_defaults_restores_the_list(text: str) -> None:
    types = (MIME, SCHEME)
    once = with_defaults(text, types, "liven.desktop")
    assert with_defaults(once, types, "liven.desktop") == once
    assert [line for line in without(once, types).splitlines() if line.strip() not in ("", SECTION)] == [
        line for line in text.splitlines() if line.strip() not in ("", SECTION)
    ]
