"""The folders of the user's files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from liven.runtime import user_folders
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


@pytest.fixture
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of the session folders."""
    monkeypatch.setattr(user_folders, "SESSIONS", tmp_path / "user")
    return tmp_path / "user"


def test_sockets_are_in_the_session_s_folder_even_if_the_environment_does_not_name_it(sessions: Path) -> None:
    own = sessions / str(os.getuid())
    own.mkdir(parents=True)
    own.chmod(0o700)
    assert UserFolders.of_user({}).runtime == own / "liven"


def test_a_session_folder_that_others_may_enter_is_not_used(sessions: Path) -> None:
    own = sessions / str(os.getuid())
    own.mkdir(parents=True)
    own.chmod(0o755)
    folders = UserFolders.of_user({})
    assert folders.runtime == folders.state / "run"


def test_sockets_are_never_below_the_cache_which_may_be_deleted_at_any_time(sessions: Path) -> None:
    folders = UserFolders.of_user({})
    assert folders.cache not in folders.runtime.parents
    assert folders.runtime == folders.state / "run"


def test_folders_that_others_may_enter_are_closed_to_them(tmp_path: Path) -> None:
    folders = UserFolders.below(tmp_path)
    folders.data.mkdir()
    folders.data.chmod(0o755)
    folders.close_to_others()
    assert folders.data.stat().st_mode & 0o777 == 0o700
    assert not folders.state.exists()


def test_a_folder_of_another_user_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = UserFolders.below(tmp_path)
    folders.data.mkdir()
    folders.data.chmod(0o755)
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    folders.close_to_others()
    assert folders.data.stat().st_mode & 0o777 == 0o755


def test_a_home_that_links_to_itself_is_refused_with_that_reason(tmp_path: Path) -> None:
    (tmp_path / "home").symlink_to(tmp_path / "home")
    with pytest.raises(NoHomeError, match="is a link that leads to itself"):
        UserFolders.of_user({"LIVEN_HOME": str(tmp_path / "home")})
