"""Long lines in a chat."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest

from liven.app.chat.command import _LINE_MOST, _Chat


@pytest.mark.parametrize("length", [1, _LINE_MOST, _LINE_MOST + 1, 65_000, 200_000])
def test_a_long_line_is_sent_completely(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    """It arrives in pieces of a pipe's size, and its end together with the next line."""
    ours, theirs = os.pipe()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(fileno=lambda: ours))
    sent: list[bytes] = []

    def send(text: bytes) -> int:
        sent.append(text)
        return len(sent)

    group: Any = SimpleNamespace(send=send)
    chat = _Chat(SimpleNamespace(), group, "ann", 1, repeat=False)  # type: ignore[arg-type]
    chat._joined = True
    line = bytes(ord("a") + at % 26 for at in range(length))
    text = line + b"\n\nnext\n"
    for at in range(0, len(text), 65_000):
        os.write(theirs, text[at : at + 65_000])
        chat._read()
    os.close(theirs)
    chat._read()
    chat._say()
    os.close(ours)
    said = [each.removeprefix(b"ann\0") for each in sent]
    assert b"".join(said) == line + b"next"
    assert all(0 < len(each) <= _LINE_MOST for each in said)
    assert said[-1] == b"next"
