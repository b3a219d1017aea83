"""Files on their way from a draft into a table."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from liven.liveobjects.feeds.table.commits.commit import Skipped
from liven.liveobjects.feeds.table.commits.layout import Layout
from liven.liveobjects.feeds.table.commits.manifest import State
from liven.liveobjects.feeds.table.commits.staged_files import (
    StagedFile,
    Staging,
    adopt_files,
    delete_removed,
    delete_staging,
    delete_unlisted,
)
from liven.liveobjects.feeds.table.quarantine import write_damage


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path / "tables")


def write(path: Path, rows: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"x": list(range(rows))}), path)


def test_files_with_rows_come_into_their_days(layout: Layout) -> None:
    staging = Staging.make(layout, "t", "f")
    write(staging.folder / "day=2026-01-01" / "part-0.parquet", 3)
    write(staging.folder / "day=2026-01-02" / "part-0.parquet", 4)
    write(staging.folder / "day=2026-01-02" / "part-1.parquet", 0)
    write(staging.folder / "_temporary" / "0" / "stray.parquet", 9)
    files = staging.adopt("p", None)
    assert [(file.day, file.rows) for file in files] == [("2026-01-01", 3), ("2026-01-02", 4)]
    assert all((layout.root / file.path).stat().st_size == file.size for file in files)
    assert not staging.folder.exists()


def test_a_draft_of_one_day_needs_no_folders(layout: Layout) -> None:
    staging = Staging.make(layout, "t", "f")
    write(staging.folder / "part-0.parquet", 3)
    (file,) = staging.adopt("p", "2026-01-01")
    assert file.path == "t/feed=f/day=2026-01-01/p-0000.parquet"


def test_files_of_tasks_come_into_their_tables_and_others_do_not(layout: Layout) -> None:
    draft = layout.draft()
    for name in (
        "t/day=2026-01-01/part-a.parquet",
        "q/day=none/part-a.parquet",
        "t/day=2026-01-01/killed.parquet",
    ):
        write(draft / name, 3)
    listed = [
        StagedFile("t", "2026-01-01", "t/day=2026-01-01/part-a.parquet", 3),
        StagedFile("q", "none", "q/day=none/part-a.parquet", 3),
        StagedFile("t", "2026-01-02", "t/day=2026-01-02/elsewhere.parquet", 3),
    ]
    files = adopt_files(layout, "f", draft, "p", listed)
    assert [(file.path, file.rows) for file in files] == [
        ("t/feed=f/day=2026-01-01/p-0000.parquet", 3),
        ("q/feed=f/day=none/p-0001.parquet", 3),
    ]
    assert all((layout.root / file.path).stat().st_size == file.size for file in files)
    assert not draft.exists()


def test_files_that_no_commit_names_are_deleted(layout: Layout) -> None:
    write(layout.root / "t/feed=f/day=2026-01-01/listed.parquet", 1)
    write(layout.root / "t/feed=f/day=2026-01-01/stray.parquet", 1)
    write(layout.root / "t/feed=g/day=2026-01-01/others.parquet", 1)
    staging = Staging.make(layout, "t", "f")
    write(staging.folder / "part-0.parquet", 3)
    state = State(removed={"t/feed=f/day=2026-01-01/listed.parquet": 5})
    assert delete_unlisted(layout, "f", state) == 1
    delete_staging(layout)
    left = sorted(path.name for path in layout.root.rglob("*.parquet"))
    assert left == ["listed.parquet", "others.parquet"]
    assert delete_removed(layout, state, 5) == 0
    assert delete_removed(layout, state, 6) == 1


def test_damage_becomes_rows(tmp_path: Path) -> None:
    write_damage(tmp_path / "d", "r", [Skipped("r", 3, 9, "a block is damaged")], "damaged", 7)
    (row,) = pq.read_table(tmp_path / "d").to_pylist()
    assert (row["seq"], row["recorder"], row["reason"]) == (3, "r", "damaged")
    assert row["detail"] == "records 3 to 8: a block is damaged"


def test_a_file_is_on_the_disk_before_it_is_in_its_place(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    staging = Staging.make(layout, "t", "f")
    write(staging.folder / "part-0.parquet", 3)
    steps: list[str] = []
    sync, rename = os.fsync, Path.rename

    def noted_sync(descriptor: int) -> None:
        steps.append(f"sync {Path(f'/proc/self/fd/{descriptor}').readlink().name}")
        sync(descriptor)

    def noted_rename(path: Path, target: Path) -> Path:
        steps.append(f"rename {path.name}")
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(Path, "rename", noted_rename)
    staging.adopt("p", "2026-01-01")
    assert steps[:3] == ["sync part-0.parquet", "rename part-0.parquet", "sync day=2026-01-01"]
    assert {"sync feed=f", "sync t"} < set(steps)
