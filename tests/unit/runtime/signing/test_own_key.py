"""The person's own key is made once, stays private, and signs under its name."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from liven.runtime.signing.own_key import OwnKeyError, ensure_key, key_path, make_key, read_key
from liven.runtime.signing.signature import Signed


def test_the_key_is_made_at_the_first_need_and_stays_the_same(tmp_path: Path) -> None:
    assert read_key(tmp_path / "config") is None
    made = ensure_key(tmp_path / "config")
    assert ensure_key(tmp_path / "config").signer == made.signer
    assert stat.S_IMODE(key_path(tmp_path / "config").stat().st_mode) == 0o600
    assert made.sign(Signed.OBJECT, "ab" * 32).holds(Signed.OBJECT, "ab" * 32)


def test_the_secret_is_in_no_text_of_the_key(tmp_path: Path) -> None:
    made = make_key(tmp_path, "Ann")
    assert bytes(made.secret).hex() not in f"{made!r} {made} {made.sign(Signed.OBJECT, 'ab').file()!r}"


def test_programs_that_start_at_once_use_one_key(tmp_path: Path) -> None:
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(ensure_key(tmp_path).signer)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_a_key_is_not_made_over_another(tmp_path: Path) -> None:
    make_key(tmp_path)
    with pytest.raises(OwnKeyError, match="exists already; `liven key show`"):
        make_key(tmp_path)


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    make_key(tmp_path)
    key_path(tmp_path).chmod(0o640)
    with pytest.raises(OwnKeyError, match="anybody may have signed with it: move it away"):
        read_key(tmp_path)


@pytest.mark.parametrize("text", ["", "{}", '{"name": "x", "secret": "ab"}', "[" * 9999, "\udcff"])
def test_a_damaged_key_is_an_error_and_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = key_path(tmp_path)
    path.write_bytes(text.encode(errors="surrogateescape"))
    path.chmod(0o600)
    with pytest.raises(OwnKeyError, match="move it away"):
        ensure_key(tmp_path)
    assert path.read_bytes() == text.encode(errors="surrogateescape")


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OwnKeyError, match="cannot be"):
        ensure_key(tmp_path / "file" / "config")
