"""Conversion of events between modules that each declare the same type in their own classes.

The types room generates a front that looks like a declaration and a back that drives it; they are put between
two endpoints here. If both endpoints use the same declaration, nothing is between them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from liven.runtime.errors import UnfitValueError
from liven.runtime.objects.event_queue import Handler
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import InterfaceUse
from liven.types.fronts import Fronts, Neutral, ValueMismatchError


class ValueBridges:
    """The bridges of a node, over one cache of generated fronts and backs."""

    def __init__(self, fronts: Fronts | None = None) -> None:
        self.fronts = fronts or Fronts()
        self._signatures: dict[InterfaceUse, dict[str, inspect.Signature]] = {}
        self._makes: dict[tuple[InterfaceUse, str], Callable[[Neutral], Any]] = {}

    def cross(
        self, sends: object, receives: object, event: str, handler: Callable[[str], Handler]
    ) -> Handler:
        """Return a handler for `event` as `sends` declares it; both may be the neutral form, None."""
        if receives is None:
            assert isinstance(sends, InterfaceUse)
            return self._to_neutral(sends, event, handler(event))
        assert isinstance(receives, InterfaceUse)
        if sends is None:
            return self.fronts.taker(receives, event, handler(event))
        return _blaming_the_sender(event, self.fronts.crossing(sends, receives, event, handler(event)))

    def answer(self, caller: object, server: object, event: str, handler: Handler) -> Handler:
        """Return a handler for answers: neutral from a neutral server, else as the caller declares them."""
        if server is not None or not isinstance(caller, InterfaceUse):
            return handler

        def local(call: int, value: Neutral, error: str | None = None) -> object:
            if error is None:
                value = self._makes[caller, event](value)
            return handler(call, value, error)

        return local

    def arity(self, sends: object, event: str) -> int | None:
        """Return the number of parameters of the method."""
        if not isinstance(sends, InterfaceUse) or event not in self._signatures_of(sends):
            return None
        return len(self._signatures_of(sends)[event].parameters)

    def bound(
        self, sends: object, event: str, args: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[object, ...]:
        """Return the values in the order of the parameters, with defaults filled in."""
        if not isinstance(sends, InterfaceUse) or event not in self._signatures_of(sends):
            if named:
                raise UnfitValueError(f"{event} has no declaration here; give its values in order")
            return args
        try:
            given = self._signatures_of(sends)[event].bind(*args, **named)
        except TypeError as error:
            raise UnfitValueError(f"{sends.cls.__name__}.{event}: {error}") from None
        given.apply_defaults()
        return given.args

    def _to_neutral(self, sends: InterfaceUse, event: str, handler: Handler) -> Handler:
        if event not in self._signatures_of(sends):
            return handler
        key = (sends, event + ".reply")

        def sent(record: Neutral, make: Callable[[Neutral], Any] | None = None) -> object:
            if make is not None:
                self._makes[key] = make
            return handler(record)

        return _blaming_the_sender(event, self.fronts.sender(sends, event, sent))

    def _signatures_of(self, use: InterfaceUse) -> dict[str, inspect.Signature]:
        known = self._signatures.get(use)
        if known is None:
            known = self._signatures[use] = _signatures(use)
        return known


def _signatures(use: InterfaceUse) -> dict[str, inspect.Signature]:
    found = {}
    for member in declaration_of(use.cls).members:
        defaults = dict(member.defaults)
        parameters = [
            inspect.Parameter(
                one.name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=defaults.get(one.name, inspect.Parameter.empty),
            )
            for one in member.parameters
        ]
        found[member.name] = inspect.Signature(parameters)
    return found


def _blaming_the_sender(event: str, crossing: Handler) -> Handler:
    """Wrap `crossing` so that its error about a sent value differs from errors in the receiver's code."""

    def cross(*args: object) -> object:
        try:
            return crossing(*args)
        except ValueMismatchError as misfit:
            if str(misfit).startswith(f"{event} -> "):
                raise  # the value that does not fit is the receiver's answer
            raise UnfitValueError(str(misfit)) from None

    return cross
