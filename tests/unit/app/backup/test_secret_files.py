"""Every secret key that Liven makes stays out of a backup, unless it is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from liven.app.backup.archive import Archive
from liven.app.backup.home_files import SECRET_FILES, is_key
from liven.app.cli.dispatch import dispatch
from liven.app.network.settings import KEY_FILE
from liven.liveobjects.channel.process import user_keys
from liven.multicast.key_file import add_key, ensure_keys
from liven.runtime.signing.own_key import make_key

ROOT = Path(__file__).parents[4]
ROOMS = ("app", "liveobjects", "runtime", "multicast", "types")
KEY_NAME = re.compile(r"""["']([\w.-]*\.keys?)["']""")


def make_every_key(config: Path) -> list[bytes]:
    """Make all keys with the code that users run, and return the secret bytes as they are in the files."""
    ensure_keys(config / KEY_FILE)
    keys = add_key(config / KEY_FILE)
    ours = user_keys.UserKeys.of_file(config / user_keys.NAME)
    signing = make_key(config)
    shared = [form for _, key in keys.keys for form in (key, key.hex().encode())]
    return [*shared, bytes(ours.sign), bytes(ours.box), bytes(signing.secret).hex().encode()]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    (home / "config").mkdir(parents=True)
    (home / "config" / "config.toml").write_text("[multicast]\n")
    monkeypatch.setenv("LIVEN_HOME", str(home))
    return home


def secrets_in(archive: Path, secrets: list[bytes]) -> list[bytes]:
    data = archive.read_bytes()
    return [each for each in secrets if each in data]


def test_a_backup_without_keys_has_no_byte_of_any_key(home: Path, tmp_path: Path) -> None:
    secrets = make_every_key(home / "config")
    assert {each.name for each in (home / "config").iterdir()} == {*SECRET_FILES, "config.toml"}
    assert dispatch(["backup", str(tmp_path / "b")]) == 0
    assert secrets_in(tmp_path / "b", secrets) == []
    assert dispatch(["backup", str(tmp_path / "all"), "--with-keys"]) == 0
    assert len(secrets_in(tmp_path / "all", secrets)) >= 5, "the search finds them where they are"


@pytest.mark.parametrize(
    "name",
    [".cluster.key.0a1b2c3d4e5f", "cluster.key~", "cluster.key.old", "signing.key.bak", "old/user.keys"],
)
def test_a_copy_or_a_draft_of_a_key_stays_out_too(home: Path, tmp_path: Path, name: str) -> None:
    secrets = make_every_key(home / "config")
    copy = home / "config" / name
    copy.parent.mkdir(exist_ok=True)
    copy.write_bytes(b"\n".join(secrets))
    assert dispatch(["backup", str(tmp_path / "b")]) == 0
    assert secrets_in(tmp_path / "b", secrets) == []


@pytest.mark.parametrize("by", ["file", "environment"])
def test_a_key_of_the_cluster_with_another_name_stays_out(
    home: Path, tmp_path: Path, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = home / "config" / "office"
    (_, secret) = ensure_keys(own).keys[0]
    if by == "file":
        (home / "config" / "config.toml").write_text(f'[multicast]\nkey_file = "{own}"\n')
    else:
        monkeypatch.setenv("LIVEN_KEY_FILE", str(own))
    assert dispatch(["backup", str(tmp_path / "b")]) == 0
    assert secrets_in(tmp_path / "b", [secret.hex().encode()]) == []
    archive = Archive(tmp_path / "b")
    assert [each.name for each in archive.files] == ["config/config.toml"]
    archive.close()
    assert dispatch(["restore", "--replace", str(tmp_path / "b")]) == 0
    assert ensure_keys(own).keys[0][1] == secret, "this computer keeps its own"


def test_each_key_file_that_the_code_names_is_listed() -> None:
    found = {
        name
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for name in KEY_NAME.findall(path.read_text())
        if name not in (".key", ".keys")
    }
    assert found == set(SECRET_FILES), "a new file with a secret belongs into SECRET_FILES"
    assert all(is_key(f"config/{each}") for each in SECRET_FILES)
