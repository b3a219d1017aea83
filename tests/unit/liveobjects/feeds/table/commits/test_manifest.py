"""Commits, their sum, and damaged ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from liven.liveobjects.feeds.errors import FutureVersionError
from liven.liveobjects.feeds.table.columns import Column
from liven.liveobjects.feeds.table.commits.commit import (
    Commit,
    DamagedCommitError,
    DataFile,
    Skipped,
    decode_commit,
)
from liven.liveobjects.feeds.table.commits.layout import Layout, day_of, partition_of
from liven.liveobjects.feeds.table.commits.manifest import (
    BASE_EVERY,
    ConflictError,
    Manifest,
    State,
    all_states,
)
from liven.liveobjects.feeds.table.commits.staged_files import set_unlisted_aside
from liven.liveobjects.feeds.table.schema import TableSchema


def data_file(number: int, rows: int = 10) -> DataFile:
    return DataFile("t", f"t/feed=f/day=2026-01-01/{number}.parquet", rows, 100, "2026-01-01")


def commit_of(number: int, **more: object) -> Commit:
    values = {"ends": {"a/1": number * 10}, "add": (data_file(number),), **more}
    return Commit(0, "ingest", 1_000_000 + number, **values)  # type: ignore[arg-type]


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    return Manifest(Layout(tmp_path), "f")


def put(manifest: Manifest, number: int) -> Path:
    """Make the file that a commit names."""
    path = manifest.layout.root / data_file(number).path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def filled(manifest: Manifest, commits: int) -> State:
    state = manifest.state()
    for number in range(commits):
        put(manifest, number)
        state = manifest.commit(state, commit_of(number))
    return state


def test_an_empty_manifest_has_no_tables(manifest: Manifest) -> None:
    assert manifest.state() == State()


def test_the_sum_of_commits_is_read_back(manifest: Manifest) -> None:
    state = manifest.state()
    schema = TableSchema("t", (Column("x", "DOUBLE"),))
    state = manifest.commit(state, commit_of(1, schemas={"t": schema}, marks={"c\x1fa": 7}))
    state = manifest.commit(state, commit_of(2, skipped=(Skipped("a", 3, 4, "why"),), late=("2026-01-01",)))
    assert manifest.state() == state
    assert state.ends == {"a/1": 20}
    assert state.tables() == ["t"]
    assert state.rows_of("t") == 20
    assert state.late == {"2026-01-01"}
    assert state.files_of("t", ["2026-01-02"]) == []
    assert all_states(manifest.layout) == {"f": state}


def test_a_compaction_replaces_files_in_one_step(manifest: Manifest) -> None:
    state = filled(manifest, 3)
    old = tuple(state.files)
    late = commit_of(3, late=("2026-01-01",))
    state = manifest.commit(state, late)
    whole = Commit(0, "compact", 9, add=(data_file(99, 30),), remove=old, settled=("2026-01-01",))
    manifest.commit(state, whole)
    state = manifest.state()
    assert sorted(state.files) == sorted([data_file(99).path, data_file(3).path])
    assert set(state.removed) == set(old)
    assert state.late == set()


def test_two_writers_cannot_make_the_same_commit(manifest: Manifest) -> None:
    first, second = manifest.state(), manifest.state()
    manifest.commit(first, commit_of(1))
    with pytest.raises(ConflictError, match="try again"):
        manifest.commit(second, commit_of(2))
    assert manifest.state().ends == {"a/1": 10}


def test_a_long_history_is_read_from_its_last_base(manifest: Manifest) -> None:
    state = filled(manifest, BASE_EVERY * 2 + 5)
    assert manifest.drop_history(2**62) == BASE_EVERY * 2
    assert manifest.state() == state
    assert len(manifest.state().files) == BASE_EVERY * 2 + 5


def test_a_draft_of_a_commit_is_not_one(manifest: Manifest) -> None:
    state = filled(manifest, 2)
    folder = manifest.layout.commits("f")
    (folder / ".liven-0123").write_bytes(b"{half")
    assert manifest.state() == state


@pytest.mark.parametrize("size", [0, 1, 40, -1])
def test_a_damaged_commit_is_said_and_set_aside(manifest: Manifest, size: int) -> None:
    filled(manifest, 5)
    path = manifest.layout.commits("f") / f"{3:016d}.json"
    whole = path.read_bytes()
    path.write_bytes(whole[:size])
    with pytest.raises(DamagedCommitError, match="--repair"):
        manifest.state()
    assert [each.name for each in manifest.set_damage_aside()] == [f"{3:016d}.json", f"{4:016d}.json"]
    state = manifest.state()
    assert state.number == 2
    assert state.ends == {"a/1": 20}
    assert manifest.commit(state, commit_of(3)).number == 3


def test_a_repair_goes_back_to_a_commit_whose_files_are_there(manifest: Manifest) -> None:
    state = filled(manifest, 4)
    removed = (data_file(2).path, data_file(3).path)
    state = manifest.commit(state, commit_of(4, add=(data_file(9),), remove=removed))
    for number in (2, 3):
        (manifest.layout.root / data_file(number).path).unlink()
    kept = put(manifest, 9)
    (manifest.layout.commits("f") / f"{4:016d}.json").write_bytes(b"")
    names = [path.name for path in manifest.set_damage_aside()]
    assert names == [f"{number:016d}.json" for number in (4, 3, 2)]
    state = manifest.state()
    assert (state.number, state.ends) == (1, {"a/1": 10})
    (moved,) = set_unlisted_aside(manifest.layout, "f", state)
    assert (moved.name, moved.exists(), kept.exists()) == (kept.name, True, False)
    assert set_unlisted_aside(manifest.layout, "f", state) == []


def test_a_repair_begins_anew_where_older_commits_are_gone(manifest: Manifest) -> None:
    filled(manifest, BASE_EVERY + 2)
    folder = manifest.layout.commits("f")
    for number in range(BASE_EVERY):
        (folder / f"{number:016d}.json").unlink()
    (folder / f"{BASE_EVERY:016d}.json").write_bytes(b"")
    assert len(manifest.set_damage_aside()) == 2
    assert manifest.state() == State()


def test_a_missing_commit_is_said(manifest: Manifest) -> None:
    filled(manifest, 5)
    (manifest.layout.commits("f") / f"{2:016d}.json").unlink()
    with pytest.raises(DamagedCommitError, match="missing"):
        manifest.state()


def test_every_changed_byte_of_a_commit_is_noticed() -> None:
    data = commit_of(1).encode()
    whole = decode_commit(data, Path("c"))
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        try:
            found = decode_commit(bytes(changed), Path("c"))
        except DamagedCommitError:
            continue
        assert found == whole, place  # nothing but the checksum's own text could be written otherwise


def test_a_commit_of_a_later_version_is_refused_and_kept(manifest: Manifest) -> None:
    import json
    import zlib

    body = json.dumps({"format": 2}).encode()
    data = b'{"crc":%d,"commit":%s}\n' % (zlib.crc32(body), body)
    with pytest.raises(FutureVersionError, match="format 2, which this version of Liven does not know"):
        decode_commit(data, Path("c"))
    filled(manifest, 2)
    path = manifest.layout.commits("f") / f"{1:016d}.json"
    path.write_bytes(data)
    with pytest.raises(FutureVersionError):
        manifest.set_damage_aside()
    assert path.read_bytes() == data


def test_a_full_disk_leaves_the_manifest_as_it_was(
    manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(manifest, 2)
    before = manifest.state()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        manifest.commit(manifest.state(), commit_of(9))
    assert manifest.state() == before
    assert [path.name for path in manifest.layout.commits("f").iterdir() if path.name.startswith(".")] == []


def test_places_of_feeds_with_odd_names_are_read_back(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    place = layout.partition("t", "a=b c%/é", "2026-01-01")
    assert partition_of(f"{place}/x.parquet") == ("a=b c%/é", "2026-01-01")
    assert "/" not in place.split("/feed=")[1].split("/day=")[0]
    layout.commits("a=b c%/é").mkdir(parents=True)
    assert layout.feeds() == ["a=b c%/é"]


def test_days_are_those_of_utc() -> None:
    assert day_of(0) == "1970-01-01"
    assert day_of(-1) == "1969-12-31"
