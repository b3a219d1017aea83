"""The watch finds what a process stores while the process changes its files all the time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

import pytest

from liven.runtime.confined.watch import EVERY, Watch, Watched
from liven.runtime.dispatcher import HandCranked
from liven.runtime.sandbox.limits import Limits


class _Gone:
    """A file that was deleted after its name was read."""

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        raise FileNotFoundError(follow_symlinks)


class _Files(list[object]):
    """An iterator as `os.scandir` returns it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...


def test_deleted_file_does_not_end_the_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hoard").write_bytes(b"x" * 2000)
    with os.scandir(tmp_path) as found:
        hoard = list(found)
    monkeypatch.setattr(os, "scandir", lambda _: _Files([_Gone(), *hoard]))
    ends: list[str] = []
    crank = HandCranked(lambda _: None)
    watched = Watched(
        os.getpid(), tmp_path, Limits(resident=1 << 40, folder_size=1000), lambda _: None, print, ends.append
    )
    watch = Watch(crank, watched)
    for number in range(1, 7):
        watch.pong(number - 1)
        crank.advance(EVERY)
    watch.close()
    crank.close()
    assert ends and "the limit is 1 kB" in ends[0]
