"""A screen reader's side of the accessibility bus (AT-SPI): elements by role and name, their text, their
actions, keys, and what is announced.

The bus is a D-Bus of its own beside the session's. Everything goes over it: what is not there cannot be
reached with a screen reader.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from tests.e2e.driven_program import PATIENCE

try:
    from jeepney import DBusAddress, MatchRule, MessageType, Properties, message_bus, new_method_call
    from jeepney.io.blocking import DBusConnection, open_dbus_connection
except ImportError:
    pytest.skip("the package jeepney is not here; `make build` installs it", allow_module_level=True)

T = TypeVar("T")
_REGISTRY: Final = "org.a11y.atspi.Registry"
_ROOT: Final = "/org/a11y/atspi/accessible/root"
_CALL: Final = 10.0
"""Seconds for the answer to one question. A program that takes longer is stuck."""
_PRESS, _RELEASE, _SYMBOL = 0, 1, 3
_CODES: Final = {"Control": 37, "Alt": 64, "Shift": 50}
"""Codes of the keys of an X server that are held while others are pressed."""
_SYMBOLS: Final = {
    "Return": 0xFF0D,
    "Escape": 0xFF1B,
    "Tab": 0xFF09,
    "Left": 0xFF51,
    "Up": 0xFF52,
    "Right": 0xFF53,
    "Down": 0xFF54,
    "Home": 0xFF50,
    "End": 0xFF57,
    "F10": 0xFFC7,
    "F6": 0xFFC3,
}
"""X's numbers of keys without a letter. A letter's number is that of the letter."""
_STATES: Final = {1: "active", 4: "checked", 11: "focusable", 12: "focused", 24: "sensitive", 25: "showing"}


@dataclass(frozen=True)
class Element:
    """One thing that a screen reader knows: where it is on the bus."""

    bus: AccessibilityBus
    program: str
    path: str

    def _ask(self, interface: str, method: str, signature: str = "", *values: Any) -> Any:
        address = DBusAddress(self.path, self.program, f"org.a11y.atspi.{interface}")
        return self.bus.call(address, method, signature, *values)

    def _property(self, interface: str, name: str) -> Any:
        address = DBusAddress(self.path, self.program, f"org.a11y.atspi.{interface}")
        [(_, value)] = self.bus.reply(Properties(address).get(name))
        return value

    @property
    def name(self) -> str:
        return str(self._property("Accessible", "Name"))

    @property
    def description(self) -> str:
        return str(self._property("Accessible", "Description"))

    @property
    def role(self) -> str:
        return str(self._ask("Accessible", "GetRoleName"))

    @property
    def interfaces(self) -> frozenset[str]:
        return frozenset(one.rpartition(".")[2] for one in self._ask("Accessible", "GetInterfaces"))

    @property
    def states(self) -> frozenset[str]:
        low, high = self._ask("Accessible", "GetState")
        bits = low | high << 32
        return frozenset(name for bit, name in _STATES.items() if bits >> bit & 1)

    @property
    def children(self) -> list[Element]:
        return [Element(self.bus, *one) for one in self._ask("Accessible", "GetChildren")]

    @property
    def text(self) -> str:
        """Return the words inside, by the Text interface."""
        return str(self._ask("Text", "GetText", "ii", 0, -1))

    @property
    def actions(self) -> list[str]:
        """Return what can be done, by the Action interface."""
        return [name for name, *_ in self._ask("Action", "GetActions")]

    def act(self, name: str) -> None:
        """Do one of the actions."""
        assert self._ask("Action", "DoAction", "i", self.actions.index(name)), f"{self.told()} refused {name}"

    def take_focus(self) -> None:
        assert self._ask("Component", "GrabFocus"), f"{self.told()} takes no focus"

    def told(self) -> str:
        return f"{self.role} {self.name!r}"

    def below(self) -> Iterator[Element]:
        """Go through everything below that is shown."""
        waiting = deque(self.children)
        while waiting:
            one = waiting.popleft()
            if "showing" in one.states:
                yield one
                waiting += one.children


class GoneError(Exception):
    """Raised for an element or a program that ended while it was asked."""


class AccessibilityBus:
    """The bus of one screen, with what was announced on it."""

    def __init__(self, display: str, folder: Path) -> None:
        self.environment = {"DISPLAY": display, "XDG_RUNTIME_DIR": str(folder)}
        self._session = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"],
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._session.stdout is not None
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self._session.stdout.readline().strip()
        with open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"]) as session:
            launcher = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
            answer = session.send_and_get_reply(new_method_call(launcher, "GetAddress"), timeout=_CALL)
        self._line: DBusConnection = open_dbus_connection(answer.body[0].partition(",guid")[0])
        self._said: deque[Any] = deque(maxlen=1000)
        rule = MatchRule(type="signal", interface="org.a11y.atspi.Event.Object", member="Announcement")
        self._filter = self._line.filter(rule, queue=self._said)
        self.reply(message_bus.AddMatch(rule))
        registry = DBusAddress("/org/a11y/atspi/registry", _REGISTRY, _REGISTRY)
        self.call(registry, "RegisterEvent", "s", "object:announcement")

    def close(self) -> None:
        self._line.close()
        self._session.terminate()
        self._session.wait(PATIENCE)
        assert self._session.stdout is not None
        self._session.stdout.close()

    def reply(self, message: Any) -> Any:
        """Send a question, and return the answer's values."""
        answer = self._line.send_and_get_reply(message, timeout=_CALL)
        if answer.header.message_type is MessageType.error:
            raise GoneError(f"{message.header.fields}: {answer.body}")
        return answer.body

    def call(self, address: DBusAddress, method: str, signature: str = "", *values: Any) -> Any:
        body = self.reply(new_method_call(address, method, signature or None, values))
        return body[0] if body else None

    def programs(self) -> list[Element]:
        """Return the programs that a screen reader can read."""
        return Element(self, _REGISTRY, _ROOT).children

    def announced(self) -> list[str]:
        """Return what was announced since the last time."""
        self.programs()  # what was announced before this answer has come before it
        told = [str(one.body[3][1]) for one in self._said]
        self._said.clear()
        return told

    def type(self, words: str) -> None:
        """Press the key of each letter."""
        for letter in words:
            self._strike(0x01000000 + ord(letter) if ord(letter) > 255 else ord(letter), _SYMBOL)

    def press(self, keys: str) -> None:
        """Press a key, with others held: `Control+Return`."""
        *held, key = keys.split("+")
        for one in held:
            self._strike(_CODES[one], _PRESS)
        self._strike(_SYMBOLS.get(key) or ord(key), _SYMBOL)
        for one in reversed(held):
            self._strike(_CODES[one], _RELEASE)

    def _strike(self, number: int, kind: int) -> None:
        place = "/org/a11y/atspi/registry/deviceeventcontroller"
        keyboard = DBusAddress(place, _REGISTRY, "org.a11y.atspi.DeviceEventController")
        self.call(keyboard, "GenerateKeyboardEvent", "isu", number, "", kind)


def wait_for(ask: Callable[[], T | None], told: Callable[[], str] = lambda: "") -> T:
    """Ask until the answer is not empty."""
    end = time.monotonic() + 3 * PATIENCE  # each answer is many small ones
    while True:
        try:
            if found := ask():
                return found
        except GoneError:
            pass  # a thing that was removed while it was read
        assert time.monotonic() < end, told()
        time.sleep(0.1)


def screen_reader_environment(bus: AccessibilityBus, home: Path) -> Mapping[str, str]:
    """Return the environment of a program that a screen reader reads."""
    kept = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
    told = {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QPA_PLATFORM": "xcb", "LIVEN_HOME": str(home)}
    return {**kept, **bus.environment, **told}
