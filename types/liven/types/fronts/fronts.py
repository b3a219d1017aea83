"""Fronts and backs, through which two modules that declare one type call each other.

A front looks like an interface of its caller's module and turns each call into a neutral event; a back
reads neutral events and calls an object of its own module. Each is generated once for a declaration, so
their number is linear in declarations, however they are connected.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias
from uuid import UUID

from liven.types.declare.annotation.markers import EndpointRef, Ref
from liven.types.declare.annotation.reader import Reader
from liven.types.declare.annotation.shapes import InterfaceUse, ValueShape
from liven.types.fronts import value_errors
from liven.types.fronts.compatibility import Compatibility
from liven.types.fronts.compile_cache import CompileCache
from liven.types.fronts.conversion_codegen import Inward, Outward
from liven.types.fronts.wrapper_codegen import back_function, front_class, sender_attribute, taker_function

Neutral: TypeAlias = Any
"""A value in neutral form: None, bool, int, float, str, bytes, list or dict."""
Post: TypeAlias = Callable[[str], Callable[[Neutral], None]]
"""Returns the function that sends the event of this name."""
Ask: TypeAlias = Callable[[str], Callable[[Neutral, Callable[[Neutral], Any]], Any]]
"""For the name of an operation, what calls it: with its parameters and with what makes the answer local,
it gives the reply."""
Takers: TypeAlias = dict[str, Callable[[Neutral], Any]]
"""The handlers of events and operations by name; an operation returns its answer, or a reply with `map`."""


@dataclass(frozen=True, slots=True)
class References:
    """The local form of references: four functions that convert them to and from neutral text."""

    ref_out: Callable[[Any], str]
    ref_in: Callable[[str], Any]
    endpoint_out: Callable[[Any], str]
    endpoint_in: Callable[[str], Any]


def _ref_out(ref: Any) -> str:
    return ref.xml if isinstance(ref, Ref) else value_errors.refuse()


def _endpoint_out(endpoint: Any) -> str:
    return endpoint.address if isinstance(endpoint, EndpointRef) else value_errors.refuse()


PLAIN_REFERENCES = References(_ref_out, Ref, _endpoint_out, EndpointRef)


@dataclass(frozen=True, slots=True)
class Conversion:
    """Functions that convert between a local type and its neutral form."""

    outward: Callable[[Any], Neutral]
    """Raises ValueMismatchError."""
    inward: Callable[[Neutral], Any]


class Fronts:
    """Makes fronts and backs, and caches them."""

    def __init__(self, references: References = PLAIN_REFERENCES) -> None:
        self._cache = CompileCache(
            UUID=UUID,
            int=int,
            float=float,
            str=str,
            bool=bool,
            bytes=bytes,
            list=list,
            tuple=tuple,
            dict=dict,
            isinstance=isinstance,
            hasattr=hasattr,
            Mismatch=value_errors.Mismatch,
            mismatch_error=value_errors.mismatch_error,
            too_deep=value_errors.too_deep,
            RecursionError=RecursionError,
            refuse=value_errors.refuse,
            as_float=value_errors.as_float,
            new=object.__new__,
            put=object.__setattr__,
            ref_out=references.ref_out,
            ref_in=references.ref_in,
            endpoint_out=references.endpoint_out,
            endpoint_in=references.endpoint_in,
        )
        self._conversions: dict[ValueShape, Conversion] = {}
        self._senders: dict[tuple[InterfaceUse, str], tuple[str, bool]] = {}
        self._fits = Compatibility()

    @property
    def made(self) -> int:
        """The number of generated functions and classes."""
        return len(self._cache)

    def front(self, interface: Any) -> Callable[[Post, Ask], Any]:
        """Return the class that looks like `interface`: `Sender`, or `Sender[Note]` if it takes a class."""
        made: Callable[[Post, Ask], Any] = self._cache.get(front_class(self._cache, _use(interface)))
        return made

    def back(self, interface: Any) -> Callable[[Any], Takers]:
        """Return a function that gives, for an object with the methods of `interface`, the handlers of its
        neutral events."""
        made: Callable[[Any], Takers] = self._cache.get(back_function(self._cache, _use(interface)))
        return made

    def conversion(self, annotation: Any) -> Conversion:
        """Return the conversion between values of this annotation and their neutral form."""
        shape = Reader(str(annotation), {}).value(annotation)
        if shape not in self._conversions:
            self._conversions[shape] = self._conversion(shape, str(annotation))
        return self._conversions[shape]

    def bridge(self, caller: Any, server: Any, target: Any, ask: Ask | None = None) -> Any:
        """Return an object that looks like the interface `caller` and calls `target`, which serves `server`.

        Both are in this process. An operation returns the result of `target`, made local; a runtime that
        wants replies passes an `ask` of its own. Raise ValueMismatchError, with the explanation, if an
        object with the methods of `server` cannot handle every call of `caller`.
        """
        self._fits.demand(_use(caller), _use(server))
        takers = self.back(server)(target)
        return self.front(caller)(takers.__getitem__, ask or _ask_at_once(takers))

    def crossing(
        self, caller: Any, server: Any, event: str, method: Callable[..., Any]
    ) -> Callable[..., Any]:
        """Return one method of `bridge` alone, which calls `method` of the target. A connection uses few
        methods of an interface, and a program has thousands of connections."""
        self._fits.demand(_use(caller), _use(server))
        taker = self.taker(server, event, method)
        return self.sender(
            caller, event, _asking(taker) if self._sender_attribute(_use(caller), event)[1] else taker
        )

    def sender(self, interface: Any, event: str, send: Callable[..., Any]) -> Callable[..., Any]:
        """Return one method of a front alone. `send` takes the neutral event and, for an operation, also the
        function that makes the answer local; it returns the answer, or a reply."""
        use = _use(interface)
        made: Any = self.front(use)
        front = made.__new__(made)
        setattr(front, self._sender_attribute(use, event)[0], send)
        sending: Callable[..., Any] = getattr(front, event)
        return sending

    def taker(self, interface: Any, event: str, method: Callable[..., Any]) -> Callable[[Neutral], Any]:
        """Return one handler of a back alone, for the method that handles the event."""
        make = self._cache.get(taker_function(self._cache, _use(interface), event))
        taker: Callable[[Neutral], Any] = make(method)
        return taker

    def _sender_attribute(self, use: InterfaceUse, event: str) -> tuple[str, bool]:
        known = self._senders.get((use, event))
        if known is None:
            known = self._senders[use, event] = sender_attribute(use, event)
        return known

    def _conversion(self, shape: ValueShape, said: str) -> Conversion:
        outward, inward = Outward(self._cache), Inward(self._cache)
        out, into = outward.of(shape, "v"), inward.of(shape, "n")
        told = self._cache.bind("parameters", ((said, shape),))
        body = (
            f"    try: return {out}\n"
            f"    except _Mismatch: raise _mismatch_error('', {told}, (v,)) from None\n"
            f"    except _RecursionError: raise _too_deep({said!r}) from None\n"
        )
        make = self._cache.function
        names = (
            make(("value out", shape), "value_out", lambda name: f"def {name}(v):\n{body}"),
            make(("value in", shape), "value_in", lambda name: f"def {name}(n):\n    return {into}\n"),
        )
        return Conversion(*map(self._cache.get, names))


def _ask_at_once(takers: Takers) -> Ask:
    return lambda name: _asking(takers[name])


def _asking(taker: Callable[[Neutral], Any]) -> Callable[[Neutral, Callable[[Neutral], Any]], Any]:
    def call(parameters: Neutral, make: Callable[[Neutral], Any]) -> Any:
        answer = taker(parameters)
        return answer.map(make) if hasattr(answer, "map") else make(answer)

    return call


def _use(interface: Any) -> InterfaceUse:
    if isinstance(interface, InterfaceUse):
        return interface
    use = Reader(str(interface), {}).interface(interface)
    if not isinstance(use, InterfaceUse):
        raise TypeError(f"{interface} is not a declared interface; put @interface above the class")
    return use
