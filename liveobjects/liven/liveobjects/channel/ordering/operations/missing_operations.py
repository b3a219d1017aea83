"""Numbered operations that other members send to those who lack them, and the messages that carry them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from liven.liveobjects.channel.ordering.messages import BATCH_MOST, Fill
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog, Run

_SLICE_BYTES: Final = 256 * 1024


class MissingOperations:
    """Received operations: taken in order of their numbers, each once, whoever sent them and how often."""

    def __init__(self) -> None:
        self._runs: dict[int, tuple[bytes, int, list[bytes]]] = {}

    def put(self, fill: Fill) -> None:
        """Store received operations."""
        number = fill.number
        for author, first, payloads in fill.runs:
            known = self._runs.get(number)
            if payloads and (known is None or len(known[2]) < len(payloads)):
                self._runs[number] = author, first, payloads
            number += len(payloads)

    def take(self, past: DeliveredLog) -> Iterator[Run]:
        """Append those that come next to a history."""
        while (found := self._next(past.number + 1)) is not None:
            yield past.add(*found)

    def _next(self, number: int) -> tuple[bytes, int, list[bytes]] | None:
        if (exact := self._runs.pop(number, None)) is not None:
            return exact
        for start, (author, first, payloads) in list(self._runs.items()):
            skip = number - start
            if skip > 0:
                del self._runs[start]
                if skip < len(payloads):
                    return author, first + skip, payloads[skip:]
        return None


def slices(view_id: bytes, past: DeliveredLog, first: int, last: int) -> Iterator[Fill]:
    """Return the operations from `first` to `last` as messages of bounded size."""
    number, runs, size = first, list[tuple[bytes, int, list[bytes]]](), 0
    for run in past.since(first):
        if run.number > last:
            break
        for author, start, payloads in _pieces(run, last):
            full = size + sum(map(len, payloads)) > _SLICE_BYTES or len(runs) >= BATCH_MOST
            if runs and full:
                yield _fill(view_id, past, number, runs)
                number, runs, size = number + sum(len(each[2]) for each in runs), [], 0
            runs.append((author, start, payloads))
            size += sum(map(len, payloads))
    if runs:
        yield _fill(view_id, past, number, runs)


def _pieces(run: Run, last: int) -> Iterator[tuple[bytes, int, list[bytes]]]:
    """Return a run up to `last`, in pieces of bounded size."""
    payloads, first = run.payloads[: last + 1 - run.number], run.first
    piece: list[bytes] = []
    size = 0
    for payload in payloads:
        if piece and (size + len(payload) > _SLICE_BYTES or len(piece) >= BATCH_MOST // 4):
            yield run.author, first, piece
            first, piece, size = first + len(piece), [], 0
        piece.append(payload)
        size += len(payload)
    if piece:
        yield run.author, first, piece


def _fill(
    view_id: bytes, past: DeliveredLog, number: int, runs: list[tuple[bytes, int, list[bytes]]]
) -> Fill:
    last = number + sum(len(each[2]) for each in runs) - 1
    epochs = tuple(epoch for epoch in past.epochs if number - 1 <= epoch.parent.number < last)
    return Fill(view_id, number, tuple(runs), epochs)


def loose(view_id: bytes, number: int, author: bytes, first: int, payloads: list[bytes]) -> Iterator[Fill]:
    """Return one author's operations, which get the numbers from `number` on, as messages."""
    for author_, start, piece in _pieces(Run(number, author, first, payloads, []), number + len(payloads)):
        yield Fill(view_id, number, ((author_, start, piece),))
        number += len(piece)
