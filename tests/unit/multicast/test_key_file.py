"""The key file: made once, private, and either complete or refused with advice."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from liven.multicast.engine.keyring import held_keyring
from liven.multicast.key_file import (
    ClusterKeys,
    KeyFileError,
    add_key,
    drop_key,
    ensure_keys,
    fingerprint,
    read_keys,
    switch_keys,
)

_ONE, _TWO = "11" * 32, "22" * 32


def write(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text, encoding="ascii")
    path.chmod(mode)
    return path


def test_the_first_start_makes_a_key_that_others_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "config" / "cluster.key"
    made = ensure_keys(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(made.keys) == 1
    assert len(made.keys[0][1]) == 32
    assert ensure_keys(path) == made
    assert list(path.parent.iterdir()) == [path]


def test_each_machine_makes_another_key(tmp_path: Path) -> None:
    assert ensure_keys(tmp_path / "one") != ensure_keys(tmp_path / "two")


def test_processes_that_start_at_once_share_one_key(tmp_path: Path) -> None:
    path = tmp_path / "cluster.key"
    together = threading.Barrier(8)
    seen: list[ClusterKeys] = []

    def start() -> None:
        together.wait()
        seen.append(ensure_keys(path))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert len({each.keys for each in seen}) == 1


def test_the_first_line_is_the_sealing_key(tmp_path: Path) -> None:
    path = write(tmp_path / "key", f"# ours\n7 {_ONE}  # until Monday\n\n3 {_TWO}\n")
    assert read_keys(path).keys == ((7, bytes.fromhex(_ONE)), (3, bytes.fromhex(_TWO)))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has 0 keys"),
        ("# nothing\n", "has 0 keys"),
        (f"1 {_ONE}\n2 {_TWO}\n3 {_TWO}\n", "has 3 keys"),
        (f"1 {_ONE}\n1 {_TWO}\n", "different ids"),
        (f"256 {_ONE}\n", "from 0 to 255"),
        (f"-1 {_ONE}\n", "from 0 to 255"),
        (f"1 {_ONE[2:]}\n", "64 hexadecimal digits"),
        (f"1 {_ONE} more\n", "64 hexadecimal digits"),
        (f"{_ONE}\n", "from 0 to 255"),
        ("1 secret\n", "64 hexadecimal digits"),
    ],
)
def test_a_malformed_key_file_is_refused_with_the_expected_format(
    tmp_path: Path, text: str, complaint: str
) -> None:
    with pytest.raises(KeyFileError, match=complaint):
        read_keys(write(tmp_path / "key", text))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o602])
def test_a_file_that_others_can_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(KeyFileError, match="chmod 600"):
        read_keys(write(tmp_path / "key", f"1 {_ONE}\n", mode))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "key", f"1 {_ONE}\n")
    os.chown(path, 12_345, -1)
    with pytest.raises(KeyFileError, match="another user"):
        read_keys(path)


def test_a_missing_or_binary_key_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="none: No such file"):
        read_keys(tmp_path / "none")
    path = tmp_path / "key"
    path.write_bytes(b"\xff\xfe")
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="not a text file"):
        read_keys(path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "wall").touch()
    with pytest.raises(KeyFileError, match="cannot be made"):
        ensure_keys(tmp_path / "wall" / "cluster.key")


def test_no_key_is_ever_shown() -> None:
    keys = ClusterKeys(((1, bytes.fromhex(_ONE)), (2, bytes.fromhex(_TWO))))
    assert _ONE[:8] not in repr(keys)
    assert "1111" not in fingerprint(keys)
    assert fingerprint(keys) != fingerprint(ClusterKeys(((1, bytes.fromhex(_TWO)),)))


def test_a_keyring_takes_one_key_or_two() -> None:
    key = bytes(32)
    held_keyring([(1, key)])
    held_keyring([(1, key), (2, key)])
    for bad in ([], [(1, key), (1, key)], [(1, key), (2, key), (3, key)]):
        with pytest.raises(ValueError, match="one key or two"):
            held_keyring(bad)
    for number, wrong in ((1, b"short"), (256, key), (-1, key)):
        with pytest.raises(ValueError, match="32 bytes"):
            held_keyring([(number, wrong)])


def test_a_key_is_replaced_in_three_steps(tmp_path: Path) -> None:
    path = write(tmp_path / "cluster.key", f"7 {_ONE}\n")
    old = read_keys(path).keys[0]
    added = add_key(path)
    assert added.keys[0] == old
    assert added.keys[1][0] == 8
    fresh = added.keys[1]
    assert switch_keys(path).keys == (fresh, old)
    assert drop_key(path).keys == (fresh,)
    assert read_keys(path).keys == (fresh,)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_the_id_after_the_last_is_zero(tmp_path: Path) -> None:
    assert add_key(write(tmp_path / "cluster.key", f"255 {_ONE}\n")).keys[1][0] == 0


def test_a_refused_step_changes_no_key(tmp_path: Path) -> None:
    path = write(tmp_path / "cluster.key", f"1 {_ONE}\n")
    for step in (switch_keys, drop_key):
        with pytest.raises(KeyFileError, match="has one key; add a second first"):
            step(path)
    add_key(path)
    before = path.read_bytes()
    with pytest.raises(KeyFileError, match="has two keys already"):
        add_key(path)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="No such file"):
        add_key(tmp_path / "missing" / "cluster.key")


def test_each_key_has_a_fingerprint_of_its_own(tmp_path: Path) -> None:
    keys = add_key(write(tmp_path / "cluster.key", f"1 {_ONE}\n"))
    assert fingerprint(keys) == fingerprint(keys, 0) != fingerprint(keys, 1)
    assert fingerprint(keys, 1).startswith("2:")
