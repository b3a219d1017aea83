"""Driving a program for its picture: a home with a person of fixed name and colour, and orders in a row."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from liven.app.demo.headless import WRITE, DrivenProgram
from liven.runtime.user_folders import UserFolders

PERSON = 'key = "5e0b1c1f6e5a4c0b9d0c4a1f3b7d2e90"\nname = "Ada"\n'
UNKNOWN = (
    '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    '<Object xsi:type="ReferenceObject" id="weather:tower"/></Root>'
)
"""A recipe of an object that only a newer program knows."""


def prepare(home: Path) -> None:
    """Give the user of that home a fixed name and colour."""
    config = UserFolders.below(home).config
    config.mkdir(parents=True)
    (config / "person.toml").write_text(PERSON)


def obey(guest: DrivenProgram, orders: Sequence[str]) -> None:
    """Have a program carry out orders; `rest SECONDS` waits until what it heard before is done, and longer,
    and an order with a question mark is waited for."""
    for order in orders:
        word, _, what = order.partition(" ")
        if word == "rest":
            guest.ask(f"tell {WRITE}")
            time.sleep(float(what))  # what is counted by the second is counted
        elif order.endswith("?"):
            guest.ask(order.removesuffix("?"))
        else:
            guest.tell(order)
