"""The receiver of files: it answers offers with what is missing, and writes the parts that arrive."""

from __future__ import annotations

import secrets
import time
from pathlib import Path

from liven.app.cp.messages import RANGES_MOST, Data, Need, Offer, pack, unpack
from liven.app.cp.partial_file import PartialFile
from liven.app.cp.progress import ProgressLine
from liven.app.cp.rejoin import rejoin
from liven.app.cp.sender import TransferError
from liven.multicast.group import Evicted, Expelled, Refused, Sent
from liven.multicast.socket_engine import Engine
from liven.multicast.socket_group import SocketGroup


class FileReceiver:
    """The receiver's side of the first transfer that is offered."""

    def __init__(
        self,
        engine: Engine,
        group: SocketGroup,
        folder: Path,
        *,
        replace: bool,
        bar: ProgressLine,
    ) -> None:
        self._engine = engine
        self._group = group
        self._folder = folder
        self._replace = replace
        self._bar = bar
        self._name = secrets.token_bytes(8)
        self._transfer = b""
        self._reported_missing: int | None = None
        self._unsent: set[int] = set()
        self.files: list[PartialFile] = []

    def run(self, seconds: float) -> None:
        """Wait up to `seconds` for an offer, and as long again whenever a transfer stalls."""
        limit = time.monotonic() + seconds
        try:
            while not self._is_done():
                if self._engine.wait(0.05) and self._process_messages():
                    limit = time.monotonic() + seconds
                if time.monotonic() > limit:
                    if self._is_settled():
                        return  # only the answer could not be sent
                    raise TransferError(self._lack(seconds))
        finally:
            for file in self.files:
                file.close()

    def _lack(self, seconds: float) -> str:
        if not self.files:
            return f"nobody offered files within {seconds:g} s; to send, run: liven cp FILE… GROUP"
        return (
            f"missing parts did not arrive within {seconds:g} s; to resume, run this again in the same folder"
            " when the sender is there"
        )

    def _is_done(self) -> bool:
        """Return True if nothing is missing and the sender knows it."""
        return self._is_settled() and self._reported_missing == 0 and not self._unsent

    def _is_settled(self) -> bool:
        """Return True if nothing is missing."""
        return bool(self.files) and all(file.done or file.problem for file in self.files)

    def _process_messages(self) -> bool:
        """Process messages; return True if any was for us."""
        moved = False
        deliveries = self._group.receive()
        for (
            event
        ) in self._group.events():  # before the messages, because an answer needs a current membership
            match event:
                case Sent(ticket=ticket):
                    self._unsent.discard(ticket)
                case Refused(reason=reason):
                    raise TransferError(reason)
                case Evicted() | Expelled():
                    self._group = rejoin(self._engine, self._group, event, self._bar.say)
                    self._unsent.clear()
                    self._reported_missing = None  # the last answer may have reached nobody
                    moved = True
        for delivery in deliveries:
            message = unpack(delivery.payload)
            if isinstance(message, Offer):
                moved |= self._take_offer(message)
            elif isinstance(message, Data) and message.transfer == self._transfer:
                moved |= self._take_data(message)
        return moved

    def _take_offer(self, offer: Offer) -> bool:
        if not self._transfer:
            self._transfer = offer.transfer
            self.files = [PartialFile(self._folder, each, replace=self._replace) for each in offer.files]
        if offer.transfer != self._transfer:
            return False
        self._reported_missing = 0
        for index, file in enumerate(self.files):
            missing = file.missing()
            self._reported_missing += missing.size()
            ranges = tuple(missing.ranges()[:RANGES_MOST])
            need = Need(self._transfer, self._name, offer.passed, index, ranges, file.problem)
            self._unsent.add(self._group.send(pack(need)))
        return True

    def _take_data(self, data: Data) -> bool:
        if data.file >= len(self.files):
            return False
        self.files[data.file].write(data.offset, data.content)
        whole = sum(file.offered.size for file in self.files)
        self._bar.show(whole - sum(file.missing().size() for file in self.files), whole)
        return True
