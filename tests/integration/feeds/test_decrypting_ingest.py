"""`liven feeds ingest --decrypt` as a person runs it: rows in clear, and the key on no command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Self

import pytest
from tests.unit.liveobjects.feeds.sealed_feed import (
    KEY,
    Sender,
    channel_key,
    clear_record,
    describe,
    key_file,
)

from liven.liveobjects.feeds.segment.writer import LogWriter

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("pyspark") is None, reason="needs the extra `spark`"),
]
SECRETS = [KEY.encode(), channel_key().key.encode()]


def secret_feed(home: Path) -> None:
    feed, ann = home / "state" / "feeds" / "till", Sender()
    describe(feed)
    with LogWriter(feed / "ann") as writer:
        writer.extend([ann.record(number, f"{number} euros") for number in range(1, 201)])
        writer.extend([clear_record(number, f"notice {number}") for number in range(1, 101)])


def command_lines() -> set[bytes]:
    """Return the command lines of all processes."""
    found = set()
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                found.add((place / "cmdline").read_bytes())
            except OSError:  # it ended
                continue
    return found


class Watch:
    """Collects the command lines of all processes while a command runs."""

    def __init__(self) -> None:
        self.seen: set[bytes] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        while not self._over.wait(0.05):
            self.seen |= command_lines()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


def liven(home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "liven.app.main", "feeds", *map(str, words)]
    env = {**os.environ, "LIVEN_HOME": str(home)}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def test_a_person_reads_an_encrypted_channel_with_the_file_of_its_object(tmp_path: Path) -> None:
    home, objects = tmp_path / "home", tmp_path / "objects"
    objects.mkdir()
    secret_feed(home)
    before = liven(home, "ingest", "till", "--no-prepare")
    assert before.returncode == 0, before.stderr
    assert before.stdout.startswith("till: ingested 100 records in ")
    assert "records that stayed sealed: 200 (channel home/f/secret)" in before.stderr
    with Watch() as watch:
        after = liven(home, "ingest", "till", "--decrypt", "--key", key_file(objects), "--no-prepare")
    assert after.returncode == 0, after.stderr
    assert after.stdout.startswith("till: ingested 200 records in ")
    assert "sealed" not in after.stderr
    assert any(b"org.apache.spark" in line or b"py4j" in line for line in watch.seen)
    assert not any(secret in line for secret in SECRETS for line in watch.seen)
    query = "select channel, count(*), max(value) from text group by channel order by channel"
    asked = liven(home, "sql", query, "--json")
    rows = [json.loads(line) for line in asked.stdout.splitlines()]
    assert [list(row.values()) for row in rows if "event" not in row] == [
        ["home/f/open", 100, "notice 99"],
        ["home/f/secret", 200, "99 euros"],
    ], asked.stderr
    files = [path for path in home.rglob("*") if path.is_file()]
    assert {"spark-ingest.log"} <= {path.name for path in files}
    assert not [path for path in files if "feed-keys" in path.name]
    for path in files:
        assert not any(secret in path.read_bytes() for secret in SECRETS), path
        assert not path.stat().st_mode & 0o077, path
