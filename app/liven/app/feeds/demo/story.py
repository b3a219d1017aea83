"""The steps of the demo of feeds. Each says what it does, does it with the commands that people type, and
checks the result."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from liven.app.demo.headless import DemoError, DrivenProgram, wait_for_text
from liven.app.feeds.demo.companions import Commands, end
from liven.app.welcome_desktop.content import NOTES
from liven.app.welcome_desktop.location import home_desktop
from liven.liveobjects.feeds.feed_folder import feeds_root
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.user_folders import UserFolders

BOARD: Final = "board"
AIRSPACE: Final = "airspace"
NOTE: Final = NOTES[0].title
LINES: Final = ("Ann: the release is on Thursday.", " Ben: then the tests first!", " Ann: agreed.")
PER_OBJECT: Final = (
    "select object, count(*) as events from records where feed = 'board' group by object order by 2 desc, 1"
)
PER_MINUTE: Final = (
    "select date_format(window.start, 'HH:mm') as minute, count(distinct icao) as aircraft, "
    "round(avg(altitude)) as mean_altitude from aircraft group by window(received, '1 minute') order by 1"
)
_HASH: Final = re.compile(r": ([0-9a-f]{64})$", re.MULTILINE)
_PATIENCE: Final = 60.0
_CLEAR: Final = "\r\x1b[K"
_GOES_ON: Final = "\u2026"
_SECONDS: Final = re.compile("\u2026( \\d+ s)?$")


@dataclass(slots=True)
class Story:
    """The demo in one home."""

    home: Path
    picture: Path
    with_spark: bool
    say: Callable[[str], object]
    commands: Commands = field(init=False)
    _number: int = 0

    def __post_init__(self) -> None:
        self.commands = Commands(self.home)

    def tell(self) -> None:
        """Go through all steps; raise DemoError at the first that fails."""
        try:
            self._record()
            self._generate()
            if self.with_spark:
                self._query()
            self._replay()
            self._look_back()
        finally:
            end(self.commands.start("serve", "--stop"), at_once=False)

    @property
    def steps(self) -> int:
        """The number of steps."""
        return 5 if self.with_spark else 4

    @contextmanager
    def _step(self, text: str) -> Iterator[Callable[[str], object]]:
        """Announce a step, show its seconds and its progress on a terminal, and say how long it took."""
        self._number += 1
        title = f"[{self._number}/{self.steps}] {text}"
        self.say(f"{title} …")
        began = time.monotonic()
        last = ""

        def waiting(line: str) -> None:
            nonlocal last
            if not sys.stderr.isatty():
                if line.endswith(_GOES_ON) and line != last:
                    last = line
                    self.say(f"      {line}")
            else:
                seconds = f"{time.monotonic() - began:.0f} s"
                doing = _SECONDS.sub("", line)
                sys.stderr.write(f"{_CLEAR}      {f'{doing}, ' if doing else ''}{seconds}")
                sys.stderr.flush()

        yield waiting
        if sys.stderr.isatty():
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
        self.say(f"      done in {time.monotonic() - began:.1f} s")

    def _record(self) -> None:
        """Record a desktop while two people write on it."""
        file = home_desktop(UserFolders.below(self.home))
        with self._step("Two people write on a board, which is recorded"):
            programs: list[DrivenProgram] = []
            recorder: subprocess.Popen[bytes] | None = None
            try:
                for name in ("left", "right"):
                    programs.append(DrivenProgram(name, file, self.home))
                    programs[-1].ask(f"wait {NOTE}")
                recorder = self.commands.start("feeds", "record", str(file), "--feed", BOARD)
                self._wait_for_records(recorder, 1)
                self._write(programs)
                self._wait_for_records(recorder, len("".join(LINES)) // 4)
                for program in programs:
                    if program.close():
                        raise DemoError(f"the {program.name} program ended with an error")
            finally:
                for program in programs:
                    program.kill()
                if recorder is not None:
                    end(recorder)
        self.say(f"      {self._records():,} events are in the feed “{BOARD}”")

    def _write(self, programs: list[DrivenProgram]) -> None:
        left, right = programs
        for number, line in enumerate(LINES):
            writer, reader = (right, left) if number % 2 else (left, right)
            writer.tell(f"write {NOTE}: {line}")
            wait_for_text(reader, line.strip(), NOTE)
        left.tell("lay Decided at 840 154")
        right.ask("wait Decided")

    def _wait_for_records(self, recorder: subprocess.Popen[bytes], least: int) -> None:
        limit = time.monotonic() + _PATIENCE
        while self._records() < least:
            if recorder.poll() is not None:
                raise DemoError(f"liven feeds record ended too early, with exit code {recorder.returncode}")
            if time.monotonic() > limit:
                raise DemoError(f"only {self._records()} events were recorded within {_PATIENCE:.0f} s")
            time.sleep(0.1)

    def _records(self) -> int:
        """Return the number of events of the board that are on the disk."""
        folder = feeds_root(UserFolders.below(self.home)) / BOARD / "recorder"
        return Log(folder).end if folder.is_dir() else 0

    def _generate(self) -> None:
        with self._step("An airspace is made up: ten minutes of a hundred aircraft, heard by two recorders"):
            self.say("      " + self.commands.answer("feeds", "generate", AIRSPACE, "--into", AIRSPACE))

    def _query(self) -> None:
        """Ingest both feeds, and ask two questions in the same session of Spark."""
        title = "Spark starts, and turns both recordings into tables"
        with self._step(title) as waiting, tempfile.TemporaryFile() as words:
            server = self.commands.start("feeds", "serve", output=words)
            try:
                self._wait_for_socket(server, waiting)
                self._ask("ingest", waiting=waiting, beside=words)
                for question in (PER_OBJECT, PER_MINUTE):
                    self.say("")
                    self._ask("sql", question, waiting=waiting, beside=words)
            finally:
                end(server)

    def _ask(self, *words: str, waiting: Callable[[str], object], beside: IO[bytes]) -> None:
        """Have a job done by the process that has Spark, and show its answer."""
        answer = self.commands.answer("feeds", *words, "--no-prepare", waiting=waiting, beside=beside)
        for line in answer.splitlines():
            self.say(f"      {line}")

    def _wait_for_socket(self, server: subprocess.Popen[bytes], waiting: Callable[[str], object]) -> None:
        socket = UserFolders.below(self.home).runtime / "feeds.sock"
        limit = time.monotonic() + _PATIENCE
        while not socket.exists() and server.poll() is None and time.monotonic() < limit:
            waiting("")
            time.sleep(0.1)

    def _replay(self) -> None:
        """Play the board in a copy, ten times as fast and then at once; both end in the same state."""
        with self._step("The board is played again in a copy, ten times as fast") as waiting:
            hashes = {self._hash("--speed", "10", waiting=waiting), self._hash("--max", waiting=waiting)}
            if len(hashes) != 1:
                raise DemoError(f"two replays of one recording ended in different states: {sorted(hashes)}")
        self.say(f"      the state is the same as when it is played at once: {hashes.pop()[:16]}…")

    def _hash(self, *words: str, waiting: Callable[[str], object]) -> str:
        options = ("--no-keys", "--until-end", "--digest")
        text = self.commands.answer("feeds", "replay", BOARD, *words, *options, waiting=waiting)
        found = _HASH.search(text)
        if found is None:
            raise DemoError(f"liven feeds replay printed no hash of the state: {text}")
        return found[1]

    def _look_back(self) -> None:
        """Open the board, go back in time in its window, and save a picture of that."""
        file = home_desktop(UserFolders.below(self.home))
        with self._step("The board is opened, and its window goes back in time"):
            program = DrivenProgram("third", file, self.home)
            try:
                program.ask(f"wait {NOTE}")
                program.ask("wait Decided")
                program.tell("press History")
                program.ask("past")
                if program.ask(f"picture {self.picture}") != "saved":
                    raise DemoError(f"the picture cannot be saved as {self.picture}")
                program.close()
            finally:
                program.kill()
        self.say(f"      picture: {self.picture}")
