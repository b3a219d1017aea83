"""The codec of one value type, and a table of them.

A neutral value is made of None, bool, int, float, str, bytes (an id is 16 of them), lists, and dicts: a
record is a dict of its fields, a union a dict of one case, a reference its canonical XML as text. The wire is
MessagePack of just that, record fields and map keys in order, an absent optional as nil.

The compact form writes records as arrays. It is for two ends that announced the same structural hash; the
other form is read by every supertype: unknown fields are skipped, numbers and optionals widen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn, Protocol, TypeVar

from liven.types.codec.codegen import compile_form
from liven.types.codec.codegen_scope import Form
from liven.types.codec.depth_limit import demand_shallow
from liven.types.codec.duplicate_keys import unpacker_for
from liven.types.codec.errors import CodecError, NoWireFormError
from liven.types.codec.mixed_floats import packer_for
from liven.types.codec.prescan import (
    TRUSTED,
    demand_few_items,
    demand_honest_headers,
    empty_substitute,
    outer_container,
    refusal_of,
)
from liven.types.codec.scalar_fallback import unpaired
from liven.types.terms.hashing import structural_hash
from liven.types.terms.serializable import is_serializable
from liven.types.terms.value_types import ValueType

Given = TypeVar("Given", contravariant=True)
Made = TypeVar("Made", covariant=True)


class Operation(Protocol[Given, Made]):
    """A generated function of one type."""

    def __call__(self, given: Given, name: str = "", /) -> Made: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on the size and depth of one value, and on the memory that reading it needs."""

    most_bytes: int = 16 * 2**20
    deepest: int = 100
    """The most levels of a recursive value."""
    most_items: int = 16 * 2**20
    """The most items of all its lists and maps together, when it is read; an item has a byte at least."""


DEFAULT_LIMITS = Limits()


class Codec:
    """Checks, encodes and decodes values of one type. Faults are CodecError with the path to the value.

    The operations are generated functions, called as `codec.encode(value, name="")`; `name` begins the
    path in a fault. Most types are only ever written, or only ever read, so each function is made when it
    is first used.
    """

    def __init__(self, type_: ValueType, limits: Limits = DEFAULT_LIMITS) -> None:
        """Raise NoWireFormError if values of the type cannot be serialized."""
        demand_shallow(type_)
        refused = next(is_serializable(type_).failures(), None)
        if refused is not None:
            raise NoWireFormError(refused[1].claim)
        self.type = type_
        self.limits = limits
        self.check: Operation[Any, Any] = self._compile(Form(reading=False, packed=False))
        """Returns the value in neutral form, without fields that the type does not have."""

    @cached_property
    def encode(self) -> Operation[Any, bytes]:
        """The function that writes bytes for readers of this type or of a supertype."""
        return self._writer(arrays=False)

    @cached_property
    def encode_compact(self) -> Operation[Any, bytes]:
        """The function that writes bytes for readers whose type has the same structural hash."""
        return self._writer(arrays=True)

    @cached_property
    def decode(self) -> Operation[bytes, Any]:
        """The function that reads a value of this type or of a subtype."""
        return self._reader(arrays=False)

    @cached_property
    def decode_compact(self) -> Operation[bytes, Any]:
        """The function that reads the compact form of a type with the same structural hash."""
        return self._reader(arrays=True)

    @cached_property
    def hash(self) -> bytes:
        """The structural hash that both ends must share to use the compact form."""
        return structural_hash(self.type)

    def _compile(self, form: Form, **scope: Any) -> Any:
        return compile_form(self.type, form, self.limits.deepest, formless=self._formless, **scope)

    def _writer(self, *, arrays: bool) -> Operation[Any, bytes]:
        writer: Operation[Any, bytes] = self._compile(
            Form(reading=False, arrays=arrays),
            pack=packer_for(self.type, arrays=arrays),
            most_bytes=self.limits.most_bytes,
            too_long=self._too_long,
        )
        return writer

    def _reader(self, *, arrays: bool) -> Operation[bytes, Any]:
        form = Form(reading=True, arrays=arrays)
        expected, unpack = outer_container(self.type, arrays=arrays), unpacker_for(self.type, arrays=arrays)

        def unpack_long(data: bytes) -> Any:
            demand_honest_headers(data)
            demand_few_items(data, self.limits.most_items)
            stranger = empty_substitute(data, expected)
            return unpack(data) if stranger is None else stranger

        long = self._compile(
            form, unpack=unpack_long, plain_bytes=self.limits.most_bytes, long=self._too_long
        )
        reader: Operation[bytes, Any] = self._compile(
            form, unpack=unpack, plain_bytes=min(TRUSTED, self.limits.most_bytes), long=long
        )
        return reader

    def _too_long(self, data: bytes, name: str) -> NoReturn:
        raise CodecError(name, f"{len(data)} bytes are more than the {self.limits.most_bytes} allowed")

    def _formless(self, value: Any, name: str, problem: ValueError) -> CodecError:
        """Return the fault behind an error of the packer or the unpacker."""
        if isinstance(problem, UnicodeEncodeError):
            return unpaired(self.check(value), name) or CodecError(
                name, "contains a text without a UTF-8 form"
            )
        said = str(problem) or refusal_of(problem)
        if isinstance(value, bytes | bytearray | memoryview):
            return CodecError(name, f"these bytes are not one MessagePack value: {said}")
        return CodecError(name, f"has no wire form: {said}")


class Codecs:
    """Codecs by the identity of their type, made on demand; bounded."""

    def __init__(self, limits: Limits = DEFAULT_LIMITS, *, most: int = 4096) -> None:
        self._limits = limits
        self._most = most
        self._known: dict[int, Codec] = {}  # by id(): a codec keeps its type alive

    def of(self, type_: ValueType) -> Codec:
        """Return the codec of the type; raise NoWireFormError if its values cannot be serialized."""
        codec = self._known.get(id(type_))
        if codec is None:
            codec = Codec(type_, self._limits)
            if len(self._known) >= self._most:
                self._known.clear()
            self._known[id(type_)] = codec
        return codec
