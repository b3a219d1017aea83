from __future__ import annotations

import os
import signal

import pytest

from liven.app.cli.deferred_sigint import deferred_sigint


def test_an_interruption_waits_until_it_can_be_heard() -> None:
    before = signal.getsignal(signal.SIGINT)
    done = []
    with pytest.raises(KeyboardInterrupt), deferred_sigint():
        os.kill(os.getpid(), signal.SIGINT)
        done.append("all of it")
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is before


def test_without_one_nothing_happens() -> None:
    with deferred_sigint():
        pass
