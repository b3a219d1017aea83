"""Programs of one user, each with its log in a numbered folder, and what they store of a channel."""

from __future__ import annotations

import shutil
from pathlib import Path

from liven.liveobjects.channel.history import (
    BEGINNING,
    FIRST_OWN,
    Epoch,
    Operation,
    Session,
)
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog
from liven.liveobjects.channel.replica.disk.adopted_logs import adopt
from liven.liveobjects.channel.replica.disk.journal import MARK
from liven.liveobjects.channel.replica.disk.persistence import Persistence
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition
from liven.liveobjects.channel.store import Store, Sync
from liven.liveobjects.channel.store.folder_lock import FolderLock, lock_folder
from liven.liveobjects.channel.store.other_processes import OtherProcesses
from liven.liveobjects.channel.store.records import key_of
from liven.liveobjects.channel.store.shared_log import SharedLog
from liven.runtime.problems import Problem
from liven.runtime.testing import HandCranked

NAME = "home/f/notes"
MAIN = Epoch(b"m" * 16, BEGINNING, True)
SIDE = b"s" * 16


class Program:
    """A process with its log in the numbered folder."""

    def __init__(self, root: Path, number: int) -> None:
        self.problems: list[Problem] = []
        self.crank = HandCranked(self.problems.append)
        slot = lock_folder(root / str(number))
        assert slot is not None
        self.slot: FolderLock = slot
        other_processes = OtherProcesses(root, slot.folder, self.crank.now)
        self.store = Store(
            slot.folder,
            self.crank,
            lambda job: job(),
            self.problems.append,
            sync=Sync.EACH,
            other_processes=other_processes,
        )

    def open(self) -> Persistence:
        """Open the channel, after adopting the logs of others."""
        disk, other_processes = self.store.open(NAME), self.store.other_processes
        assert other_processes is not None
        for other_log in other_processes.having(NAME, MARK + NAME):
            self.why = adopt(disk, self.store.open, other_log)
        self.crank.settle()
        return Persistence(disk, self.store.open)

    def end(self) -> None:
        """End the process, in whatever way."""
        self.crank.settle()
        self.store.log.close()
        self.slot.close()


class Desk:
    """The programs of one user."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._running: list[Program] = []

    def start(self, number: int) -> Program:
        self._running.append(Program(self.root, number))
        return self._running[-1]

    def has(self, number: int, name: str = NAME) -> bool:
        """True if the log in a folder has the channel."""
        log = SharedLog(self.root / str(number), reading=True)
        found = key_of(name) in log.channels and log.channels[key_of(name)].name is not None
        log.close()
        return found

    def close(self) -> None:
        for program in self._running:
            program.end()


def write(persistence: Persistence, *payloads: bytes, past: DeliveredLog | None = None) -> DeliveredLog:
    """Write a history from the beginning, by the replica's own author."""
    persistence.start_over(StatePosition(), Parcel(None), lambda _: None)
    return write_on(persistence, past or DeliveredLog(epochs=(MAIN,)), *payloads)


def write_on(persistence: Persistence, past: DeliveredLog, *payloads: bytes) -> DeliveredLog:
    for payload in payloads:
        run = past.add(persistence.author, past.marks.get(persistence.author, FIRST_OWN - 1) + 1, [payload])
        persistence.add(run, past.epochs[-1], lambda _: None)
    return past


def enter(persistence: Persistence, number: int, payload: bytes) -> Operation:
    """Enter an own operation into the journal."""
    operation = Operation(persistence.author, FIRST_OWN - 1 + number, payload)
    persistence.journal.enter([operation], operation.number)
    return operation


def copied(persistence: Persistence, past: DeliveredLog) -> DeliveredLog:
    """Write the same history to another replica."""
    persistence.start_over(StatePosition(), Parcel(None), lambda _: None)
    again = DeliveredLog(epochs=past.epochs[:1])
    for run in past.since(1):
        persistence.add(again.add(run.author, run.first, run.payloads), past.epochs[0], lambda _: None)
    return again


def payloads(persistence: Persistence) -> list[bytes]:
    assert persistence.found is not None
    return [payload for run, _ in persistence.found.runs for payload in run.payloads]


def waiting(persistence: Persistence, former: Persistence) -> list[bytes]:
    """Return the operations of a former life that the replica still has to submit."""
    return [each.payload for each in persistence.inherited if each.author == former.author]


def move(folder: Path) -> None:
    """Replace a folder by a copy of itself, as who restores a backup does."""
    shutil.copytree(folder, folder.with_name("copy"))
    shutil.rmtree(folder)
    folder.with_name("copy").rename(folder)


def lose_history(program: Program) -> None:
    """Remove all that a program stored, except for its vote."""
    disk = program.store.open(NAME)
    notes = disk.kept().notes
    disk.forget()
    disk.note(**{key: notes[key] for key in ("voter", "place")})


class Pair:
    """Two programs of a desk that both voted, Ann in the first folder and Bob in the second."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.first, self.second = desk.start(0), desk.start(1)
        self.ann, self.bob = self.first.open(), self.second.open()
        self.voters = self.ann.voter.identity, self.bob.voter.identity
        self.session = Session(1, self.voters, MAIN.identity)

    def share(self) -> DeliveredLog:
        """Give both one history and one session."""
        past = copied(self.bob, write(self.ann, b"1"))
        self.record(self.session)
        return past

    def record(self, session: Session) -> None:
        """Record a session at both."""
        for persistence in (self.ann, self.bob):
            persistence.sessions(session, (), lambda _: None)

    def end(self) -> None:
        """End both programs."""
        self.first.end()
        self.second.end()

    def restore(self) -> None:
        """End both, and put their folders back from a backup."""
        self.end()
        move(self.desk.root / "0")
        move(self.desk.root / "1")
