"""Ctrl-C while C extension modules load."""

from __future__ import annotations

import os
import signal

import pytest

from liven.app.cli.deferred_sigint import deferred_sigint


def test_ctrl_c_is_raised_after_the_block_which_runs_to_its_end() -> None:
    before = signal.getsignal(signal.SIGINT)
    done = []
    with pytest.raises(KeyboardInterrupt), deferred_sigint():
        os.kill(os.getpid(), signal.SIGINT)
        done.append("all of it")
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is before


def test_without_ctrl_c_the_block_runs_and_the_handler_is_restored() -> None:
    before = signal.getsignal(signal.SIGINT)
    done = []
    with deferred_sigint():
        assert signal.getsignal(signal.SIGINT) is not before
        done.append("all of it")
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is before
