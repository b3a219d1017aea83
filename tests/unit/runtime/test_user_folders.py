"""The folders of the user's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.runtime.user_folders import NoHomeError, UserFolders


def test_one_variable_puts_all_folders_below_one(tmp_path: Path) -> None:
    folders = UserFolders.of_user({"LIVEN_HOME": str(tmp_path)})
    assert folders == UserFolders.below(tmp_path)
    assert all(path.is_relative_to(tmp_path) for _, path in folders.items())


def test_a_relative_home_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert UserFolders.of_user({"LIVEN_HOME": "here"}).data == tmp_path / "here" / "data"


def test_a_home_of_an_unknown_user_is_refused() -> None:
    with pytest.raises(NoHomeError, match="names a user that does not exist"):
        UserFolders.of_user({"LIVEN_HOME": "~no-such-user-here"})


def test_a_blank_home_is_ignored() -> None:
    assert UserFolders.of_user({"LIVEN_HOME": "  "}) == UserFolders.of_user({})


def test_the_error_for_a_user_without_a_home_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(_self: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "expanduser", homeless)
    monkeypatch.setattr(Path, "home", lambda: homeless(Path()))
    monkeypatch.setattr("os.path.expanduser", lambda path: homeless(Path(path)))
    with pytest.raises(NoHomeError, match="set LIVEN_HOME"):
        UserFolders.of_user({})


def test_the_five_folders_differ_and_none_is_made() -> None:
    paths = [path for _, path in UserFolders.of_user({}).items()]
    assert len(set(paths)) == 5
    assert all("liven" in str(path) for path in paths)


def test_sockets_are_in_the_login_session_s_folder_if_there_is_one(tmp_path: Path) -> None:
    assert UserFolders.of_user({"XDG_RUNTIME_DIR": str(tmp_path)}).runtime == tmp_path / "liven"


def test_sockets_are_in_the_user_s_cache_otherwise() -> None:
    folders = UserFolders.of_user({})
    assert folders.runtime == folders.cache / "run"
