"""Messages between a client and the order."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.session.typed_messages import TypedMessages
from liven.runtime.objects.context import Context
from liven.types.codec import Codec
from liven.types.terms.value_types import INT64


class Place:
    """The functions of an object's context that messages use."""

    def __init__(self) -> None:
        self.reports: list[str] = []

    def report(self, what: str, _advice: str = "") -> None:
        self.reports.append(what)


def made() -> tuple[Place, TypedMessages]:
    place = Place()
    return place, TypedMessages(
        cast(Context, place), "the channel", Codec(INT64), cast(ChannelSystem, SimpleNamespace(rates=None))
    )


def test_a_sent_message_is_received() -> None:
    place, messages = made()
    payloads: list[bytes] = []
    for value in (1, -7, 1 << 40):
        messages.send(value, payloads.append)
    received: list[Any] = []
    messages.receive(payloads, received.append)
    assert received == [1, -7, 1 << 40]
    assert place.reports == []


@pytest.mark.parametrize("error", [ChannelBusyError("9 wait"), ValueError("too long")])
def test_a_message_that_cannot_be_sent_is_reported(error: Exception) -> None:
    place, messages = made()

    def refuse(_: bytes) -> None:
        raise error

    messages.send(1, refuse)
    assert place.reports == [f"the channel: a message could not be sent: {error}"]


def test_an_invalid_message_is_dropped_and_reported_and_the_rest_is_received() -> None:
    place, messages = made()
    codec = Codec(INT64)
    received: list[Any] = []
    messages.receive([codec.encode_compact(1), b"\xc1", codec.encode_compact(2)], received.append)
    assert received == [1, 2]
    assert len(place.reports) == 1
    assert place.reports[0].startswith("the channel: ")


def test_an_error_of_the_client_is_not_blamed_on_the_message() -> None:
    place, messages = made()

    def fail(_: Any) -> None:
        raise RuntimeError("the client's own")

    with pytest.raises(RuntimeError):
        messages.receive([Codec(INT64).encode_compact(1)], fail)
    assert place.reports == []
