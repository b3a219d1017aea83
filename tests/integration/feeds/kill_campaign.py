"""A campaign of kills: a feed is recorded and ingested while the processes of both are killed, one by one.

Whatever is killed, the tables must in the end have each record of the log once. Victims are the driver
(`liven feeds ingest`), its Java, the Python workers and planners that Spark starts, and the recorder."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pyarrow.parquet as pq
from tests.integration.feeds.point_writer import is_again, is_good, point

from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.commits.layout import Layout
from liven.liveobjects.feeds.table.commits.manifest import Manifest

ROOT = Path(__file__).resolve().parents[3]
FEED = "f"
DRIVER, JAVA, WORKER, PLANNER, RECORDER = "driver", "java", "worker", "planner", "recorder"
_MARKS = {
    JAVA: "org.apache.spark.deploy.SparkSubmit",
    WORKER: "worker_daemon pyspark.worker",
    PLANNER: "pyspark.daemon pyspark.sql.worker",
}
"""Words of the command lines. A daemon and the workers that it forks have the same; any of them is killed.
Workers whose daemon was killed go on for Java, and are below nobody then."""
_PATIENCE = 600.0
_LAST_WORDS = 3000
INTERRUPTED = 130
_LOOK_EVERY = 0.003


@dataclass
class Campaign:
    """The processes of one campaign, in folders of its own."""

    home: Path
    seed: int
    rate: int = 300
    """Records a second."""
    master: tuple[str, ...] = ()
    """The words that name a cluster to the driver."""
    others: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    """Victims that are not below the driver, each with a function that kills it."""
    killed: Counter[str] = field(default_factory=Counter)
    driver: subprocess.Popen[bytes] | None = None
    recorder: subprocess.Popen[bytes] | None = None
    chance: random.Random = field(init=False)
    _log: IO[bytes] | None = None

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    def run(self, victims: Iterable[str]) -> None:
        """Kill the victims in this order, then let the ingest come to its end."""
        self.home.mkdir(parents=True, exist_ok=True)
        with (self.home / "output").open("wb") as self._log:
            try:
                for victim in victims:
                    self._keep_running()
                    self._wait_for_commits(1 + self.chance.randrange(2))
                    time.sleep(
                        self.chance.random() * 0.2
                    )  # any moment will do: the outcome must not depend on it
                    self._kill(victim)
                self._end(self.recorder)
                self._finish()
            finally:
                self._end(self.recorder)
                self._end(self.driver)

    def demand_each_record_once(self) -> None:
        """Fail unless the tables have the records of the log, each once, with their values."""
        log = Log(self.feed / "a")
        expected = [_row(sequence) for sequence in range(log.end) if not is_again(sequence)]
        assert [record.payload for _, record in log.records()] == [
            point(sequence).payload for sequence in range(log.end)
        ]
        found = sorted(self.rows())
        assert len(found) == len(expected), f"{len(found)} rows of {len(expected)} records"
        assert _digest(found) == _digest(expected)

    def rows(self) -> Iterator[tuple[int, int, str, str]]:
        """Return the rows of the table and of the quarantine, by the manifest."""
        layout = Layout(self.home / "state" / "tables")
        for file in Manifest(layout, FEED).state().files.values():
            for row in pq.ParquetFile(layout.root / file.path).read().to_pylist():
                at = round(row["received"].timestamp() * 1_000_000)
                value = row["payload"].hex() if file.table == "quarantine" else f"{row['name']} {row['x']!r}"
                yield row["seq"], at, row["object"], value

    @property
    def feed(self) -> Path:
        """The folder of the feed."""
        return self.home / "state" / "feeds" / FEED

    def _keep_running(self) -> None:
        if self.recorder is None or self.recorder.poll() is not None:
            words = ["-m", "tests.integration.feeds.point_writer", str(self.feed / "a"), str(self.rate)]
            self.recorder = self._start(words)
        while not (self.feed / "a" / "durable").exists():
            time.sleep(_LOOK_EVERY)
        self._keep_ingesting()

    def _keep_ingesting(self) -> None:
        if self.driver is None or self.driver.poll() is not None:
            self.driver = self._start([*_INGEST, *self.master])

    def _start(self, words: list[str]) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "LIVEN_HOME": str(self.home), "PYTHONPATH": str(ROOT)}
        return subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, env=environment, stdout=self._log, stderr=self._log
        )

    def _commits(self) -> int:
        folder = Layout(self.home / "state" / "tables").commits(FEED)
        return sum(1 for _ in folder.glob("*.json")) if folder.is_dir() else 0

    def _wait_for_commits(self, count: int) -> None:
        """Wait until the driver has made some more commits; start it again if it ended meanwhile."""
        wanted = self._commits() + count
        limit = time.monotonic() + _PATIENCE
        while self._commits() < wanted:
            assert time.monotonic() < limit, self._stood_still("no commit")
            self._keep_running()
            time.sleep(_LOOK_EVERY)

    def _kill(self, victim: str) -> None:
        if victim == RECORDER:
            assert self.recorder is not None
            self.recorder.kill()
            self.recorder.wait()
        elif victim in self.others:
            self.others[victim]()
        elif victim == DRIVER:
            assert self.driver is not None
            self.driver.kill()
            self.driver.wait()
        else:
            with suppress(ProcessLookupError):  # it ended in this moment
                os.kill(self._awaited(_MARKS[victim]), signal.SIGKILL)
        self.killed[victim] += 1

    def _awaited(self, mark: str) -> int:
        """Return one of the processes of the ingest whose commands have `mark`, waiting for one."""
        limit = time.monotonic() + _PATIENCE
        while time.monotonic() < limit:
            self._keep_running()
            found = [process for process in self._processes() if mark in command(process)]
            if found:
                # Between fork and exec, a child of Java has its command line, too: Java itself is the oldest.
                return found[0] if mark == _MARKS[JAVA] else self.chance.choice(found)
            time.sleep(_LOOK_EVERY)
        raise AssertionError(self._stood_still(f"no process with {mark}"))

    def _processes(self) -> list[int]:
        """Return the processes of this campaign's home, the oldest first."""
        own = f"LIVEN_HOME={self.home}".encode()
        return sorted((each for each in _all_processes() if own in _environment(each)), key=_begun)

    def _stood_still(self, what: str) -> str:
        """Return the sentence for a campaign that does not go on, with all that tells why."""
        processes = "".join(f"\n  {process} {command(process)[-120:]}" for process in self._processes())
        words = (self.home / "output").read_text(errors="replace")[-_LAST_WORDS:]
        killed = dict(self.killed)
        return f"{what} for {_PATIENCE:.0f} s after {killed}; processes:{processes}\noutput:\n{words}"

    def _finish(self) -> None:
        """Wait until the rest is in the tables, and stop the driver as a person would."""
        manifest = Manifest(Layout(self.home / "state" / "tables"), FEED)
        before, limit = -1, 0.0
        while list((state := manifest.state()).ends.values()) != [Log(self.feed / "a").end]:
            if state.number > before:
                before, limit = state.number, time.monotonic() + _PATIENCE
            assert time.monotonic() < limit, self._stood_still("no commit")
            self._keep_ingesting()
            time.sleep(_LOOK_EVERY)
        assert self.driver is not None
        self.driver.send_signal(signal.SIGINT)
        assert self.driver.wait(_PATIENCE) == INTERRUPTED, (self.home / "output").read_text()[-2000:]

    def _end(self, process: subprocess.Popen[Any] | None) -> None:
        if process is not None:
            process.kill()
            process.wait()


_INGEST = [
    *("-m", "liven.app.main", "feeds", "ingest", FEED, "--json", "--no-prepare", "--alone"),
    *("--follow", "0.05", "--first-rows", "500", "--most-rows", "20000"),
]


def descendants(process: int) -> list[int]:
    """Return the children of a process, and theirs."""
    found: list[int] = []
    with suppress(OSError):  # it ended meanwhile
        for thread in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):  # Java's threads come and go; the others may have children
                found += [int(word) for word in (thread / "children").read_text().split()]
    return [*found, *(each for child in found for each in descendants(child))]


def _all_processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _environment(process: int) -> list[bytes]:
    try:
        return Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:  # it ended meanwhile, or is somebody else's
        return []


def _begun(process: int) -> int:
    """Return when a process began, in ticks of the system; numbers of processes are used again."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return sys.maxsize


def command(process: int) -> str:
    """Return the command line of a process; empty if it ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _row(sequence: int) -> tuple[int, int, str, str]:
    record = point(sequence)
    good = f"point {sequence} {sequence / 7!r}"
    return sequence, record.received, record.object, good if is_good(sequence) else record.payload.hex()


def _digest(rows: Iterable[tuple[int, int, str, str]]) -> str:
    found = hashlib.sha256()
    for row in rows:
        found.update(repr(row).encode())
    return found.hexdigest()
