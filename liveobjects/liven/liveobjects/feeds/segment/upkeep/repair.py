"""Repairing a damaged log: damaged bytes are set aside, every good record stays under its number, and the
numbers of lost ones are marked as gone, so that nobody waits for them and nobody gets them again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.errors import UnrepairableError
from liven.liveobjects.feeds.segment.block_format import HEAD_SIZE, parse_head
from liven.liveobjects.feeds.segment.durable_mark import MarkFile, read_mark
from liven.liveobjects.feeds.segment.file_index import load_index
from liven.liveobjects.feeds.segment.log_lock import LogLock
from liven.liveobjects.feeds.segment.recovery import log_number, recover
from liven.liveobjects.feeds.segment.segment_files import (
    SegmentFile,
    opened,
    read_at,
    segment_files,
    segment_name,
)
from liven.liveobjects.feeds.segment.upkeep.segment_draft import SegmentDraft
from liven.liveobjects.feeds.segment.upkeep.verification import Finding, Kind, examine
from liven.runtime.files import PRIVATE, sync_folder, write_file

SET_ASIDE: Final = "damaged"
"""The folder in a log for bytes that were set aside; a person may delete it."""
_STRETCH: Final = 1 << 20
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Repaired:
    """The work of a repair."""

    findings: list[Finding] = field(default_factory=list)
    lost: int = 0
    """Records that are gone for good."""
    aside: list[Path] = field(default_factory=list)
    """Files with the bytes that were set aside."""
    cut: int = 0
    """Bytes of an unfinished block that were cut off."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A file with what is wrong with it. `stop` is the sequence after its records."""

    file: SegmentFile
    stop: int
    is_last: bool
    damage: list[Finding]


def repair(folder: Path, progress: Progress | None = None) -> Repaired:
    """Repair a log; raise LockedError, UnrepairableError, or OSError. A log without damage stays as it is.

    Each file is replaced in one step, so an interrupted repair can be done again.
    """
    done = Repaired()
    with LogLock(folder):
        log = log_number(folder)
        if log is not None:
            _repair_files(folder, log, done, progress)
            found = recover(folder, log)
            done.cut = found.cut
            _mark(folder, log, found.end)
    return done


def _repair_files(folder: Path, log: int, done: Repaired, progress: Progress | None) -> None:
    plans = _plans(folder, log, progress)
    if any(_is_foreign(plan) for plan in plans):
        for plan in filter(_is_foreign, plans):
            done.findings += plan.damage
            _move_aside(plan.file.path, done)
        plans = _plans(folder, log, progress)
    at = plans[0].file.first if plans else 0
    for plan in plans:
        if plan.file.first > at:
            _write_hole(folder, log, at, plan.file.first, done)
        done.findings += plan.damage
        if plan.damage:
            _rewrite(plan, folder, log, done)
        at = max(at, plan.stop)
    if plans:
        _mark(folder, log, at)


def _plans(folder: Path, log: int, progress: Progress | None) -> list[_Plan]:
    """Examine every file before anything is changed; raise UnrepairableError for one of a later version."""
    files = segment_files(folder)
    mark = read_mark(folder)
    plans = []
    for number, file in enumerate(files):
        is_last = number + 1 == len(files)
        promised = mark.end if mark else 0
        stop = max(promised, _end_by_heads(file, log)) if is_last else files[number + 1].first
        findings = [
            part
            for part in examine(file, stop, log, folder, is_last=is_last)
            if isinstance(part, Finding) and part.kind.is_damage
        ]
        if any(each.kind is Kind.FUTURE for each in findings):
            raise UnrepairableError(findings[0].text)
        plans.append(_Plan(file, stop, is_last, findings))
        if progress is not None:
            progress(number + 1, len(files))
    return plans


def _end_by_heads(file: SegmentFile, log: int) -> int:
    """Return the sequence after the last block of a file, readers were promised it or not."""
    with opened(file.path) as fd:
        start = read_at(fd, HEAD_SIZE, 0)
    head = parse_head(start)
    if head is not None and (head.log != log or not head.is_known):
        return file.first
    return load_index(file, log).end


def _is_foreign(plan: _Plan) -> bool:
    return any(each.kind is Kind.FOREIGN for each in plan.damage)


def _rewrite(plan: _Plan, folder: Path, log: int, done: Repaired) -> None:
    """Write a file anew without its damage."""
    for each in plan.damage:
        _save_bytes(plan.file, each, folder, done)
    draft = SegmentDraft(folder, log, plan.file.first)
    try:
        for part in examine(plan.file, plan.stop, log, folder, is_last=plan.is_last):
            if not isinstance(part, Finding):
                draft.add(part.block)
            elif part.kind is not Kind.UNFINISHED:
                draft.add_hole(part.first, part.end)
        draft.put(plan.file.path, sealed=not plan.is_last)
    finally:
        draft.drop()
    done.lost += sum(each.end - each.first for each in plan.damage)


def _write_hole(folder: Path, log: int, first: int, end: int, done: Repaired) -> None:
    """Write a file that says that the records of a missing one are gone."""
    draft = SegmentDraft(folder, log, first)
    path = folder / segment_name(first)
    try:
        draft.add_hole(first, end)
        draft.put(path, sealed=True)
    finally:
        draft.drop()
    done.findings.append(
        Finding(Kind.MISSING, path, 0, 0, first, end, "the file of these records is missing")
    )
    done.lost += end - first


def _save_bytes(file: SegmentFile, finding: Finding, folder: Path, done: Repaired) -> None:
    if not finding.length:
        return
    place = _aside_folder(folder) / f"{file.path.stem}-{finding.offset:x}.bin"
    with opened(file.path) as fd:
        ends = range(finding.offset, finding.offset + finding.length, _STRETCH)
        last = finding.offset + finding.length
        write_file(place, (read_at(fd, min(_STRETCH, last - at), at) for at in ends), PRIVATE)
    done.aside.append(place)


def _move_aside(path: Path, done: Repaired) -> None:
    place = _aside_folder(path.parent) / path.name
    number = 0
    while place.exists():
        number += 1
        place = place.with_name(f"{path.name}.{number}")
    path.rename(place)
    sync_folder(path.parent)
    done.aside.append(place)


def _aside_folder(folder: Path) -> Path:
    place = folder / SET_ASIDE
    place.mkdir(mode=0o700, exist_ok=True)
    return place


def _mark(folder: Path, log: int, end: int) -> None:
    """Keep the numbers before `end` from being given again."""
    mark = read_mark(folder)
    if mark is None or mark.end < end:
        marks = MarkFile(folder, log)
        marks.write(end)
        marks.close()
