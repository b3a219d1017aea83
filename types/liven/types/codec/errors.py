"""Errors of codecs: the place in the value, the expected type, and the kind of value found there."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgpack import ExtType, Timestamp  # type: ignore[import-untyped]  # it has no stubs

Steps: TypeAlias = tuple[str | int, ...]


class NoWireFormError(TypeError):
    """A type that cannot be serialized; the text names the part at fault and the reason."""


class CodecError(ValueError):
    """A value, or bytes, that do not have the type. `path` leads to the part, `problem` says what is
    wrong."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}" if self.path else self.problem

    def under(self, outer: str) -> CodecError:
        """Return the same fault seen from outside, where the value is found at `outer`."""
        self.path = outer + self.path
        return self


def path_of(steps: Steps) -> str:
    """Return the steps known to generated code, literal text and indices, as one path."""
    return "".join(map(str, steps))


def bad(steps: Steps, expected: str, value: Any) -> CodecError:
    """Return the fault of a value at `steps` that is of another kind."""
    return CodecError(path_of(steps), f"expected {expected}, got {kind_of(value)}")


def missing(steps: Steps, fields: tuple[tuple[str, str], ...], value: dict[str, Any]) -> CodecError:
    """Return the fault of a record at `steps` that lacks one of the fields; each field comes with its
    type."""
    name, wanted = next(field for field in fields if field[0] not in value)
    return CodecError(f"{path_of(steps)}.{name}", f"expected {wanted}, and the field is missing")


def too_deep(steps: Steps, most: int) -> CodecError:
    """Return the fault of a value that nests beyond `most` levels."""
    return CodecError(path_of(steps), f"nested more than {most} levels deep")


def kind_of(value: Any) -> str:
    """Return the kind of a value in the words of the type system; a number is shown, since its size may be
    the fault."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 128 else f"a number of {value.bit_length()} bits"
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    for kind, name in _NAMES:
        if isinstance(value, kind):
            return name
    return f"a Python {type(value).__name__}"


_NAMES: tuple[tuple[type, str], ...] = (
    (ExtType, "an extension of MessagePack, which no type allows"),  # before tuple, its base class
    (Timestamp, "a timestamp of MessagePack, which no type allows"),
    (float, "float64"),
    (str, "text"),
    (dict, "record or map"),
    (list, "list"),
    (tuple, "list"),
)
