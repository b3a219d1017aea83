"""Fixtures for the tests of formalisms."""

from __future__ import annotations

import pytest

from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import TraceFormalism


@pytest.fixture(scope="session")
def trace() -> TraceFormalism:
    return TraceFormalism()


@pytest.fixture(scope="session")
def channel() -> Vocabulary:
    """An endpoint that receives Send, Open, Close, Both and sends Receive, Ack, Both."""
    return Vocabulary(frozenset({"Send", "Open", "Close", "Both"}), frozenset({"Receive", "Ack", "Both"}))


@pytest.fixture(scope="session")
def whole(channel: Vocabulary) -> Vocabulary:
    """An object with that endpoint and one for a failure detector."""
    detector = Vocabulary(frozenset({"Suspect"}), frozenset({"Watch"}))
    return Vocabulary(endpoints=(("channel", channel), ("detector", detector)))
