"""The sender and the receiver of files, with a simulated group."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from liven.app.cp.messages import Data, Need, Offer, Offered, pack, unpack
from liven.app.cp.partial_file import digest_of
from liven.app.cp.progress import ProgressLine
from liven.app.cp.receiver import FileReceiver
from liven.app.cp.sender import FileSender, _Receiver
from liven.multicast.group import Delivery, Evicted, Member, Sent, View

_TRANSFER = b"12345678"


class Group:
    """A group with the messages to receive and those that were sent."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.incoming: list[Delivery] = []
        self.told: list[Any] = []
        self.sent: list[bytes] = []

    def send(self, payload: bytes) -> int:
        self.sent.append(payload)
        return len(self.sent)

    def receive(self) -> list[Delivery]:
        taken, self.incoming = self.incoming, []
        return taken

    def events(self) -> list[Any]:
        taken, self.told = self.told, []
        return taken

    def hear(self, message: Offer | Need | Data, sender: int = 2) -> None:
        """Let a message arrive."""
        self.incoming.append(Delivery(sender, 1, pack(message), 0.0))


class Engine:
    """An engine that joins simulated groups."""

    def __init__(self) -> None:
        self.groups: list[Group] = []

    def join(self, name: str, _policy: object) -> Group:
        self.groups.append(Group(name))
        return self.groups[-1]

    def rejoin(self) -> None:
        pass


def receiving(folder: Path, engine: Any, group: Any) -> FileReceiver:
    return FileReceiver(engine, group, folder, replace=False, bar=ProgressLine("received"))


def test_a_removed_receiver_repeats_its_last_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine, group = Engine(), Group("files")
    made = receiving(tmp_path, engine, group)
    (tmp_path / "empty").write_bytes(b"")
    offer = Offer(_TRANSFER, (Offered("empty", 0, digest_of(tmp_path / "empty")),), 0)
    group.hear(offer)
    made._process_messages()
    assert made._is_settled()
    assert not made._is_done(), "its word has not left"
    group.told.append(Evicted(0))
    made._process_messages()
    assert not made._is_done(), "and nobody may have heard it"
    assert "stalled for too long, so the others went on without it" in capsys.readouterr().err
    (again,) = engine.groups
    again.hear(offer)
    made._process_messages()
    again.told.append(Sent(1, 1))
    made._process_messages()
    assert made._is_done()
    assert isinstance(unpack(again.sent[0]), Need)


def test_an_answer_about_one_file_does_not_complete_the_others(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one", "two")]
    for path in paths:
        path.write_bytes(b"0123456789")
    group = Group("files")
    engine: Any = Engine()
    sender: Any = group
    made = FileSender(engine, sender, paths, ProgressLine("sent"))
    group.told.append(View(1, (Member(2, 1, 1),)))

    def say(passed: int, file: int, *missing: tuple[int, int]) -> None:
        group.hear(Need(made._transfer, b"receiver", passed, file, missing, ""))

    say(0, 0)
    say(0, 1, (0, 10))
    made._process_messages()
    assert made._complete() == 0
    say(0, 0)  # asked again, it says the same; the rest of its answer is not there yet
    made._process_messages()
    assert made._complete() == 0
    assert made._receivers[b"receiver"].missing == 10
    say(0, 1)
    made._process_messages()
    assert made._complete() == 1


def test_a_silent_receiver_has_nothing() -> None:
    assert not _Receiver().complete
