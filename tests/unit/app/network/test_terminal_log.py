"""The log messages that a terminal shows."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator

import pytest

from liven.app.network.terminal_log import TerminalLog, install
from liven.multicast import event_log
from liven.multicast.group import Evicted


@pytest.fixture(autouse=True)
def logger() -> Iterator[logging.Logger]:
    logger = logging.getLogger("liven.multicast")
    before = list(logger.handlers)
    yield logger
    logger.handlers = before


def test_only_events_that_no_command_prints_are_shown(
    capsys: pytest.CaptureFixture[str], logger: logging.Logger
) -> None:
    logger.handlers = []
    install()
    install()
    assert [type(handler) for handler in logger.handlers] == [TerminalLog]
    event_log.EventLog().tell("", Evicted(-9))
    assert capsys.readouterr().err == ""
    event_log.service_strange("192.0.2.1:28199", "cluster.key", "1:abcd")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("liven: the membership service at 192.0.2.1:28199 does not have the key 1:abcd of")
    event_log.service_of_another_version("192.0.2.1:28199")
    event_log.unreadable(3, "cluster.key", "1:abcd")
    version, unreadable = capsys.readouterr().err.splitlines()
    assert version.endswith("install the same version on both machines")
    assert unreadable.startswith("liven: 3 datagrams of other members cannot be read with the key 1:abcd of")


@pytest.mark.parametrize("error", [BrokenPipeError(32, "Broken pipe"), None])
def test_a_closed_terminal_does_not_stop_the_program(
    monkeypatch: pytest.MonkeyPatch, logger: logging.Logger, error: OSError | None
) -> None:
    asked: list[str] = []

    class Closed:
        def write(self, words: str) -> int:
            asked.append(words)
            raise error or AssertionError

    monkeypatch.setattr(sys, "stderr", Closed() if error else None)
    logger.handlers = [TerminalLog()]
    event_log.service_strange("192.0.2.1:28199", "cluster.key", "1:abcd")
    assert len(asked) == bool(error)
