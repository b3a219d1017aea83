"""The invitation of another computer."""

from __future__ import annotations

from pathlib import Path

from liven.app.network.invitation import invitation
from liven.runtime.user_folders import UserFolders


def test_a_computer_that_is_alone_is_connected_first(tmp_path: Path) -> None:
    folders = UserFolders.below(tmp_path)
    made = invitation(folders, {})
    assert "not connected" in made.sentence
    assert str(folders.config / "config.toml") in made.text
    assert str(folders.config / "cluster.key") in made.text
    assert "ADDRESS:28199" in made.text


def test_a_connected_computer_names_its_service(tmp_path: Path) -> None:
    made = invitation(
        UserFolders.below(tmp_path), {"LIVEN_INTERFACE": "192.168.1.8", "LIVEN_SERVICE_PORT": "30000"}
    )
    assert "not connected" not in made.sentence
    assert "On this computer" not in made.text
    assert 'service = "192.168.1.8:30000"' in made.text


def test_the_key_itself_is_never_in_it(tmp_path: Path) -> None:
    folders = UserFolders.below(tmp_path)
    folders.config.mkdir(parents=True)
    (folders.config / "cluster.key").write_text("secretsecret")
    assert "secretsecret" not in invitation(folders, {}).text


def test_settings_that_cannot_be_read_count_as_none(tmp_path: Path) -> None:
    assert "not connected" in invitation(UserFolders.below(tmp_path), {"LIVEN_INTERFACE": "here"}).sentence
