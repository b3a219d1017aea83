"""Ingest: records become rows of typed tables, each once.

A feed is taken in batches of sequences, a small one first so that rows are seen soon. Each batch is surveyed,
decoded in Spark's workers into files (`batches`), and committed in one step together with the sequence up to
which it went. Whatever is killed, the next run goes on at the last commit."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, read_description
from liven.liveobjects.feeds.feed_folder import FeedPlace, listed_feeds, resolve
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.spark.jobs.attempts import attempted
from liven.liveobjects.feeds.spark.jobs.batches.batch import QUARANTINE_SCHEMA, Batch, Draft
from liven.liveobjects.feeds.spark.jobs.batches.direct import direct_draft
from liven.liveobjects.feeds.spark.jobs.batches.searched import searched_draft
from liven.liveobjects.feeds.spark.jobs.job import Arguments, JobContext
from liven.liveobjects.feeds.spark.jobs.sealed_channels import SealedChannels, sealed_text
from liven.liveobjects.feeds.table.commits.commit import Commit, Skipped
from liven.liveobjects.feeds.table.commits.layout import NO_DAY
from liven.liveobjects.feeds.table.commits.manifest import BASE_EVERY, Manifest
from liven.liveobjects.feeds.table.commits.staged_files import (
    Staging,
    delete_removed,
    delete_staging,
    delete_unlisted,
    set_unlisted_aside,
)
from liven.liveobjects.feeds.table.quarantine import write_damage
from liven.liveobjects.feeds.table.schema import DAMAGED, QUARANTINE
from liven.liveobjects.feeds.table.survey import Survey, survey
from liven.liveobjects.feeds.table.typed_tables import Plan, tables_for

NAME: Final = "ingest"
FIRST_ROWS: Final = 20_000
MOST_ROWS: Final = 1_000_000
GROWTH: Final = 4
DELETED_AFTER: Final = 86_400_000_000
"""Microseconds for which removed files stay, for readers that still have their names."""


def run(context: JobContext, arguments: Arguments) -> None:
    """Ingest the feeds named in `feeds`, or all; raise JobError, CancelledError, FeedError or OSError.

    With `follow`, go on with what is recorded from then on, each so many seconds, until somebody cancels.
    With `keys`, the path of a file of `key_file`, open the records of encrypted channels.
    """
    delete_staging(context.layout)
    named = [str(name) for name in arguments.get("feeds", ())]
    ingests: dict[Path, _Ingest] = {}
    seconds = float(arguments.get("follow") or 0)
    while True:
        places = [resolve(name, context.feeds) for name in named] if named else _all_places(context.feeds)
        for place in places:
            key = place.recorder or place.feed.path
            if key in ingests:
                ingests[key].go_on()
            else:
                ingests[key] = _Ingest(context, place, arguments)
                ingests[key].run()
        if not seconds:
            return
        context.cancelled.wait(seconds)
        context.check()


def _all_places(root: Path) -> list[FeedPlace]:
    return [FeedPlace(feed) for feed in listed_feeds(root)] if root.is_dir() else []


class _Ingest:
    """The ingest of one feed."""

    def __init__(self, context: JobContext, place: FeedPlace, arguments: Arguments) -> None:
        self._context = context
        self._place = place
        self._feed = place.feed.name
        self._layout = context.layout
        self._manifest = Manifest(context.layout, self._feed)
        aside = self._manifest.set_damage_aside() if arguments.get("repair") else []
        for path in aside:
            context.tell("warning", text=f"{path} was set aside; its records are ingested again")
        self._state = self._manifest.state()
        if aside:
            files = set_unlisted_aside(context.layout, self._feed, self._state)
            context.tell("warning", text=f"their files are below {context.layout.damaged}: {len(files)}")
        self._first = int(arguments.get("first_rows") or FIRST_ROWS)
        self._most = int(arguments.get("most_rows") or MOST_ROWS)
        self._keys = Path(arguments["keys"]) if arguments.get("keys") else None
        self._sealed = SealedChannels.of(FeedDescription(), None)
        self._total = self._done = self._ingested = 0
        self._rows = self._first

    def run(self) -> None:
        """Take everything that is on the disk now."""
        delete_unlisted(self._layout, self._feed, self._state)
        self._delete_old()
        logs = self._logs()
        self._total = sum(log.end - low for _, log, low, _ in logs)
        self._context.tell("plan", feed=self._feed, rows=self._total, number=self._state.number + 1)
        begun = time.monotonic()
        self._take_all(logs)
        seconds = time.monotonic() - begun
        self._context.tell("done", feed=self._feed, rows=self._ingested, seconds=round(seconds, 3))
        self._tell_sealed(logs)
        self._first = self._most

    def _tell_sealed(self, logs: Iterable[tuple[str, Log, int, str]]) -> None:
        """Say how many records nobody can read, and what reads them."""
        left: Counter[str] = Counter()
        for _, log, _, key in logs:
            left += self._sealed.left(log, key, self._state.ends, self._state.ends.get(key, 0))
        if left:
            text = sealed_text(self._feed, left, has_keys=self._keys is not None)
            self._context.tell("sealed", feed=self._feed, rows=left.total(), channels=sorted(left), text=text)

    def go_on(self) -> None:
        """Take what came since."""
        logs = self._logs()
        self._total = self._done + sum(log.end - low for _, log, low, _ in logs)
        self._take_all(logs)

    def _take_all(self, logs: Iterable[tuple[str, Log, int, str]]) -> None:
        for batch in self._batches(logs):
            self._context.check()
            attempted(self._context, lambda one=batch: self._take(one))  # type: ignore[misc]
            if self._state.number % BASE_EVERY == 0:
                self._delete_old()

    def _delete_old(self) -> None:
        """Delete files and commits that nobody needs any more."""
        old = _now() - DELETED_AFTER
        delete_removed(self._layout, self._state, old)
        self._manifest.drop_history(old)

    def _logs(self) -> list[tuple[str, Log, int, str]]:
        """Return each recorder with its log, the sequence to go on with, and its key in the manifest."""
        found = []
        for folder in self._place.recorders():
            log = Log(folder)
            key = f"{folder.name}/{log.log or 0:016x}"
            low = self._state.ends.get(key, 0)
            found.append((folder.name, log, low, key))
        return found

    def _batches(self, logs: Iterable[tuple[str, Log, int, str]]) -> Iterator[Batch]:
        self._rows = self._first
        for recorder, log, start, key in logs:
            end = log.end
            sealed = self._look_at_description()  # later than the end: it names a channel before its records
            yield from self._cut(Batch(recorder, log, start, end, (key,), sealed.clear))
            for opened in sealed.opened(log, key, self._state.ends, end):
                self._total += end - opened.low
                yield from self._cut(
                    Batch(recorder, log, opened.low, end, opened.ends, opened.choice, opened)
                )

    def _cut(self, whole: Batch) -> Iterator[Batch]:
        low = whole.low
        while low < whole.high:
            high = min(whole.high, low + self._rows)
            yield replace(whole, low=low, high=high)
            low, self._rows = high, min(self._most, self._rows * GROWTH)

    def _look_at_description(self) -> SealedChannels:
        """Return the encrypted channels, of which a recording may have got more; raise BadKeysError."""
        found = self._sealed.found
        self._sealed = SealedChannels.of(read_description(self._place.feed.path), self._keys)
        self._sealed.found.update(found)
        return self._sealed

    def _take(self, batch: Batch) -> None:
        """Ingest one batch, whole or not at all."""
        begun = time.monotonic()
        begin = batch.log.begin
        gone = (
            [Skipped(batch.recorder, batch.low, min(begin, batch.high), _GONE)] if batch.low < begin else []
        )
        low = min(max(batch.low, begin), batch.high)
        batch.prefix = f"{self._state.number + 1:08d}-{batch.low:x}"
        marks, forks = self._state.marks, self._state.forks
        found = survey(batch.log, batch.recorder, low, batch.high, marks, forks, batch.choice)
        draft = self._drafted(batch, found)
        quarantined = draft.quarantined
        duplicates = max(0, draft.read - draft.rows_of_tables() - quarantined)
        skipped = (
            [] if batch.opened else [*gone, *found.skipped]
        )  # damage was noted with the records in clear
        for one in skipped:
            self._context.tell("warning", feed=self._feed, text=_skipped_text(one))
        if skipped:
            self._add_damage(draft, batch, found, skipped)
        self._state = self._manifest.commit(
            self._state, self._commit(batch, found, draft, skipped, duplicates)
        )
        self._done += batch.high - batch.low
        self._ingested += found.rows if batch.opened else batch.high - batch.low - found.left_out
        self._context.tell(
            "batch",
            feed=self._feed,
            rows=batch.high - batch.low,
            done=self._done,
            total=self._total,
            seconds=round(time.monotonic() - begun, 3),
            duplicates=duplicates,
            quarantined=quarantined,
        )

    def _drafted(self, batch: Batch, found: Survey) -> Draft:
        plan = self._plan(batch, found)
        if found.fresh:
            draft = direct_draft(self._context, self._feed, batch, found, plan)
        else:
            draft = searched_draft(self._context, self._feed, batch, found, plan, self._state)
        for table in plan.tables:
            if table.schema != self._state.schemas.get(table.name):
                draft.schemas[table.name] = table.schema
        if draft.quarantined:
            self._know_quarantine(draft)
        self._tell_quarantined(found, draft, plan.unknown)
        return draft

    def _plan(self, batch: Batch, found: Survey) -> Plan:
        if batch.opened is not None:
            return batch.opened.plan(self._state.schemas)
        described: Mapping[str, TypeEntry] = {}
        if found.types:
            described = read_description(self._place.feed.path).types
        return tables_for(found.types, described, self._state.schemas)

    def _tell_quarantined(self, found: Survey, draft: Draft, unknown: Mapping[str, str]) -> None:
        texts = []
        if draft.undecodable:
            texts.append(f"records that could not be decoded are in the quarantine: {draft.undecodable}")
        for type_, why in unknown.items():
            if not type_:
                continue  # notes of the channel itself, such as who records: no values of an object
            count = found.types[type_]
            texts.append(
                f"records of the type {type_} are in the quarantine, as it is not known: {count} ({why})"
            )
        if found.far:
            texts.append(
                f"records with a time before the year 1 or after 9999 are in the quarantine: {found.far}"
            )
        for text in texts:
            self._context.tell("warning", feed=self._feed, text=text)

    def _know_quarantine(self, draft: Draft) -> None:
        if QUARANTINE not in self._state.schemas:
            draft.schemas[QUARANTINE] = QUARANTINE_SCHEMA

    def _add_damage(self, draft: Draft, batch: Batch, found: Survey, skipped: list[Skipped]) -> None:
        staging = Staging.make(self._layout, QUARANTINE, self._feed)
        write_damage(staging.folder, batch.recorder, skipped, DAMAGED, _now())
        files = staging.adopt(f"{batch.prefix}-damage", max(found.days, default=None) or _today())
        self._know_quarantine(draft)
        draft.files += files

    def _commit(
        self, batch: Batch, found: Survey, draft: Draft, skipped: list[Skipped], duplicates: int
    ) -> Commit:
        days = [file.day for file in self._state.files.values() if file.day != NO_DAY]
        latest = max(days, default="")
        return Commit(
            number=self._state.number + 1,
            job=NAME,
            at=_now(),
            ends=dict.fromkeys(batch.ends, batch.high),
            add=tuple(draft.files),
            schemas=draft.schemas,
            marks=found.marks,
            forks=found.forks,
            skipped=tuple(skipped),
            late=tuple(sorted(day for day in found.days if day < latest)),
            duplicates=duplicates,
        )


_GONE: Final = "the limits of the recording deleted them before they were ingested"


def _skipped_text(one: Skipped) -> str:
    return f"{one.recorder}: records {one.first} to {one.end - 1} were skipped: {one.why}"


def _now() -> int:
    return time.time_ns() // 1000


def _today() -> str:
    from liven.liveobjects.feeds.table.commits.layout import day_of

    return day_of(_now())
