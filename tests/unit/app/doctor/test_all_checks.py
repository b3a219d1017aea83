"""The findings of `liven doctor` on machines that lack something."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from liven.app.doctor import Finding, State, all_checks, association, display, examine, network
from liven.app.main import main
from liven.runtime.sandbox import Protection
from liven.runtime.user_folders import UserFolders

SUBJECTS = [
    "Python",
    "C core",
    "Window",
    "Multicast",
    "Interfaces",
    "Network",
    "Confinement",
    "Folders",
    "Log file",
    "Spark",
    "File association",
]


@pytest.fixture
def folders(tmp_path: Path) -> UserFolders:
    return UserFolders.below(tmp_path / "user")


def find(subject: str, environment: dict[str, str], folders: UserFolders) -> Finding:
    examination = dict(all_checks._ROUNDS)[subject]
    return examination(environment, folders)


def test_each_subject_is_reported_once_in_order(folders: UserFolders) -> None:
    assert [finding.subject for finding in examine(os.environ, folders)] == SUBJECTS


def test_this_machine_is_not_broken(folders: UserFolders) -> None:
    broken = [finding for finding in examine(os.environ, folders) if finding.state is State.BROKEN]
    assert broken == []


def test_every_failed_check_has_advice(folders: UserFolders) -> None:
    for finding in examine({"PATH": "/nowhere"}, folders):
        assert finding.state is State.OK or finding.fix


def test_json_is_one_object_with_the_result(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["doctor", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] is True
    assert [finding["subject"] for finding in answer["findings"]] == SUBJECTS


def test_a_broken_check_is_exit_code_three(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf(_interface: str) -> None:
        raise TimeoutError

    monkeypatch.setattr(network, "try_multicast", deaf)
    assert main(["doctor"]) == 3
    shown = capsys.readouterr().out
    assert "broken  does not work on loopback: nothing came back" in shown
    assert "→ ip link set lo multicast on" in shown


def test_a_check_that_raises_is_a_finding(folders: UserFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    def faint(_environment: object, _folders: object) -> Finding:
        raise RuntimeError("out of ether")

    monkeypatch.setattr(all_checks, "_ROUNDS", (("Heart", faint),))
    (finding,) = examine({}, folders)
    assert finding.state is State.BROKEN
    assert "out of ether" in finding.detail


def test_unusable_folders_are_named(tmp_path: Path) -> None:
    wall = tmp_path / "wall"
    wall.write_text("a file where a folder should be")
    finding = find("Folders", {}, UserFolders.below(wall))
    assert finding.state is State.BROKEN
    assert str(wall) in finding.detail
    assert "LIVEN_HOME" in finding.fix


def test_each_folder_is_named_by_what_is_in_it(folders: UserFolders) -> None:
    detail = find("Folders", {}, folders).detail
    assert all(f"{name} {path}" in detail for name, path in folders.items())


def test_without_spark_one_line_says_what_does_not_work(
    folders: UserFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    finding = find("Spark", {}, folders)
    assert "feeds are not archived" in finding.detail
    assert "only the archive of feeds needs it" in finding.fix
    assert "not need it yet" not in finding.fix


def test_checking_folders_leaves_nothing_behind(folders: UserFolders, tmp_path: Path) -> None:
    assert find("Folders", {}, folders).state is State.OK
    assert list(tmp_path.iterdir()) in ([], [tmp_path / "home"])


def test_without_a_display_a_window_is_missing_and_qt_is_still_tried(
    folders: UserFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM")
    finding = find("Window", {"PATH": "/usr/bin"}, folders)
    assert finding.state is State.MISSING
    assert "offscreen" in finding.detail


def test_an_unreachable_display_is_broken_with_the_message_of_qt(folders: UserFolders) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "QT_QPA_PLATFORM"}
    finding = find("Window", {**environment, "DISPLAY": ":987", "QT_QPA_PLATFORM": "xcb"}, folders)
    assert finding.state is State.BROKEN
    assert "qt.qpa" in finding.detail or "xcb" in finding.detail
    assert finding.fix


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("qt.qpa.xcb: could not connect to display :99", "check that DISPLAY"),
        ('Could not find the Qt platform plugin "nosuch" in ""', "unset QT_QPA_PLATFORM"),
        ("ImportError: libEGL.so.1: cannot open shared object file", "apt install libegl1 libgl1"),
    ],
)
def test_each_message_of_qt_has_fitting_advice(words: str, remedy: str) -> None:
    assert display.remedy(words).startswith(remedy)


def test_of_a_traceback_only_the_cause_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_TRY", "raise ImportError('libEGL.so.1: cannot open')")
    assert display.try_window(os.environ) == (False, "ImportError: libEGL.so.1: cannot open")


def test_modules_in_the_current_folder_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "PySide6.py").write_text("raise SystemExit('run')")
    monkeypatch.chdir(tmp_path)
    good, words = display.try_window(os.environ)
    assert good, words


def test_a_qt_that_never_answers_is_aborted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_TRY", "import time; time.sleep(60)")
    monkeypatch.setattr(display, "_WITHIN", 0.2)
    good, words = display.try_window(os.environ)
    assert not good
    assert "did not answer" in words


def test_multicast_works_on_loopback(folders: UserFolders) -> None:
    assert find("Multicast", {}, folders).state is State.OK


def test_multicast_that_is_refused_is_broken(folders: UserFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_LOOPBACK", "203.0.113.9")  # no interface here has it
    finding = find("Multicast", {}, folders)
    assert finding.state is State.BROKEN
    assert "No such device" in finding.detail


def test_loopback_is_among_the_interfaces(folders: UserFolders) -> None:
    assert "lo 127.0.0.1 (multicast)" in find("Interfaces", {}, folders).detail


def test_a_machine_without_interfaces_is_broken(
    folders: UserFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "if_nameindex", list)
    assert find("Interfaces", {}, folders).state is State.BROKEN


def test_a_registered_program_is_named(folders: UserFolders, tmp_path: Path) -> None:
    config = tmp_path / ".config"
    config.mkdir()
    (config / "mimeapps.list").write_text(f"[Default Applications]\n{association.MIME}=liven.desktop;\n")
    finding = find("File association", {"HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path)}, folders)
    assert finding.state is State.OK
    assert "liven.desktop" in finding.detail


def test_an_uninstalled_program_does_not_count(folders: UserFolders, tmp_path: Path) -> None:
    config = tmp_path / ".config"
    config.mkdir()
    (config / "mimeapps.list").write_text(f"[Removed Associations]\n{association.MIME}=other.desktop;\n")
    finding = find("File association", {"HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path)}, folders)
    assert finding.state is State.MISSING


def test_an_unreadable_home_is_not_broken(folders: UserFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    def barred(_environment: object, _launchers: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("liven.liveobjects.feeds.spark.java.find_java", barred)
    assert find("Spark", {}, folders).state is State.MISSING


def test_lists_that_are_unreadable_or_name_others_are_skipped(folders: UserFolders, tmp_path: Path) -> None:
    applications = tmp_path / "applications"
    applications.mkdir()
    (applications / "mimeinfo.cache").write_bytes(b"\xff\xfe text/plain=editor.desktop;\n")
    (tmp_path / ".config" / "mimeapps.list").mkdir(parents=True)
    finding = find("File association", {"HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path)}, folders)
    assert finding.state is State.MISSING


def test_the_readme_names_the_packages_that_the_doctor_names(root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert display.QT_PACKAGES in readme


def test_kernel_that_cannot_confine_is_reported_with_what_it_lacks(
    folders: UserFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Protection, "of_this_kernel", lambda: Protection(0, syscall_filter=True))
    found = find("Confinement", {}, folders)
    assert found.state is State.MISSING
    assert "Landlock" in found.detail and "do not run" in found.detail
    monkeypatch.setattr(Protection, "of_this_kernel", lambda: Protection(4, syscall_filter=True))
    assert find("Confinement", {}, folders).state is State.OK
