from __future__ import annotations

import os
import signal

import pytest

from liven.app.cli.deferred_sigint import held_back


def test_an_interruption_waits_until_it_can_be_heard() -> None:
    before = signal.getsignal(signal.SIGINT)
    done = []
    with pytest.raises(KeyboardInterrupt), held_back():
        os.kill(os.getpid(), signal.SIGINT)
        done.append("all of it")
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is before


def test_without_one_nothing_happens() -> None:
    with held_back():
        pass
