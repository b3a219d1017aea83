"""The keys of `liven top`, in a pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE = 60.0


@dataclass
class Terminal:
    """`liven top` in a terminal of 80 columns and 24 lines."""

    keyboard: int
    process: subprocess.Popen[bytes]
    shown: bytes = b""

    def until(self, words: bytes) -> None:
        """Read the output until it contains the words; fail if the program ends first."""
        while words not in self.shown:
            try:
                self.shown += os.read(self.keyboard, 4096)
            except OSError:
                raise AssertionError(f"it ended, having shown {self.shown!r}") from None

    def type(self, keys: bytes) -> None:
        os.write(self.keyboard, keys)

    def ended(self) -> int:
        """Return the exit status. Output is read meanwhile, because a full terminal would block the
        program."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end, f"it goes on, having shown {self.shown!r}"
            if select.select([self.keyboard], [], [], 0.05)[0]:
                os.read(self.keyboard, 4096)
        return self.process.returncode

    def is_echoing(self) -> bool:
        return bool(termios.tcgetattr(self.keyboard)[3] & termios.ECHO)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    keyboard, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "liven.app.main", "top", "--interval", "0.1"],
        env={**os.environ, "LIVEN_HOME": str(tmp_path)},
        stdin=far,
        stdout=far,
        start_new_session=True,
    )
    yield Terminal(keyboard, process)
    process.kill()
    process.wait()
    os.close(far)
    os.close(keyboard)


def test_q_quits_and_other_keys_are_ignored(terminal: Terminal) -> None:
    terminal.until(b"q ends")
    assert not terminal.is_echoing()
    terminal.type(b"xyz\n")
    terminal.shown = b""
    terminal.until(b"q ends")
    assert b"xyz" not in terminal.shown
    terminal.type(b"q")
    assert terminal.ended() == 0
    assert terminal.is_echoing()


def test_ctrl_c_restores_the_terminal(terminal: Terminal) -> None:
    terminal.until(b"q ends")
    terminal.process.send_signal(2)
    assert terminal.ended() == 130
    assert terminal.is_echoing()


@pytest.mark.parametrize(("number", "code"), [(15, 143), (1, 129)])
def test_a_signal_restores_the_terminal(terminal: Terminal, number: int, code: int) -> None:
    terminal.until(b"q ends")
    terminal.process.send_signal(number)
    assert terminal.ended() == code
    assert terminal.is_echoing()


def test_ctrl_z_restores_the_terminal_and_fg_returns_to_the_table(terminal: Terminal) -> None:
    """The kernel does not stop an orphaned process group; everything before and after the stop is tested."""
    terminal.until(b"\x1b[?1049h")
    terminal.until(b"q ends")
    terminal.shown = b""
    terminal.process.send_signal(signal.SIGTSTP)
    terminal.until(b"\x1b[?1049l")
    terminal.until(b"\x1b[?1049h")
    terminal.shown = b""
    terminal.until(b"q ends")
    assert not terminal.is_echoing()
    terminal.type(b"q")
    assert terminal.ended() == 0
    assert terminal.is_echoing()


def test_resizing_redraws_the_table(terminal: Terminal) -> None:
    terminal.until(b"explains the columns")
    fcntl.ioctl(terminal.keyboard, termios.TIOCSWINSZ, struct.pack("4H", 4, 20, 0, 0))
    terminal.process.send_signal(signal.SIGWINCH)
    terminal.until(b"too small")


def test_a_terminal_without_a_size_shows_the_table(terminal: Terminal) -> None:
    """Such as a serial line."""
    terminal.until(b"explains the columns")
    fcntl.ioctl(terminal.keyboard, termios.TIOCSWINSZ, struct.pack("4H", 0, 0, 0, 0))
    terminal.process.send_signal(signal.SIGWINCH)
    for _ in range(3):
        terminal.shown = b""
        terminal.until(b"explains the columns")


def test_without_a_terminal_no_key_is_read(tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "liven.app.main", "top", "--interval", "0.1", "--looks", "2"],
        env={**os.environ, "LIVEN_HOME": str(tmp_path)},
        input="q",
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.count("no program uses the network") == 2
    assert "q ends" not in answer.stdout
