"""What a codec says when a value does not have its type: where in the value, what was expected, what came."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgpack import ExtType, Timestamp  # type: ignore[import-untyped]  # it has no stubs

Steps: TypeAlias = tuple[str | int, ...]


class NoWireFormError(TypeError):
    """A type that cannot travel; the text names the part that cannot, and why."""


class CodecError(ValueError):
    """A value or bytes that do not have the type. `path` leads to the part, `problem` says what is wrong."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}" if self.path else self.problem

    def under(self, outer: str) -> CodecError:
        """The same fault seen from outside, where the value stands at `outer`."""
        self.path = outer + self.path
        return self


def path_of(steps: Steps) -> str:
    """The steps that generated code knows, literal text and indices, as one text."""
    return "".join(map(str, steps))


def bad(steps: Steps, expected: str, value: Any) -> CodecError:
    """The value at `steps` is of another kind."""
    return CodecError(path_of(steps), f"expected {expected}, got {kind_of(value)}")


def missing(steps: Steps, fields: tuple[tuple[str, str], ...], value: dict[str, Any]) -> CodecError:
    """The record at `steps` lacks one of the fields, given with what is expected in them."""
    name, wanted = next(field for field in fields if field[0] not in value)
    return CodecError(f"{path_of(steps)}.{name}", f"expected {wanted}, and the field is missing")


def too_deep(steps: Steps, most: int) -> CodecError:
    """The value goes on nesting."""
    return CodecError(path_of(steps), f"nested more than {most} levels deep")


def kind_of(value: Any) -> str:
    """What a value is, in the words of the type system; a number is shown: its size may be the fault."""
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
    (ExtType, "an extension of MessagePack, which no type has"),  # a tuple, to Python
    (Timestamp, "a timestamp of MessagePack, which no type has"),
    (float, "float64"),
    (str, "text"),
    (dict, "record or map"),
    (list, "list"),
    (tuple, "list"),
)
