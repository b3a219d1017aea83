"""Names for authors to use in annotations: sizes of numbers, references, endpoints, constraints.

To a type checker all of them are ordinary types: `Int32` *is* `int`, `Exports[Sender]` is a class with a
parameter, and `provides(…)` is an argument of `Annotated`, which checkers ignore.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from liven.types.declare.errors import DeclarationError

E = TypeVar("E")
I = TypeVar("I")  # noqa: E741  the imported interface, as the model names it
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds of an integer: `Annotated[int, Range(0, 255)]`. Both ends are included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        written = f"Range({self.low!r}, {self.high!r})"
        if not all(type(bound) is int for bound in (self.low, self.high)):
            raise DeclarationError(written, "its bounds are not whole numbers", "write two: Range(0, 255)")
        if self.low > self.high:
            raise DeclarationError(written, "it contains no number", "write the lower bound first")


@dataclass(frozen=True, slots=True)
class Bits:
    """The width of a float: `Annotated[float, Bits(32)]`."""

    count: Literal[32, 64]


Int8: TypeAlias = Annotated[int, Range(-(2**7), 2**7 - 1)]
Int16: TypeAlias = Annotated[int, Range(-(2**15), 2**15 - 1)]
Int32: TypeAlias = Annotated[int, Range(-(2**31), 2**31 - 1)]
Int64: TypeAlias = Annotated[int, Range(-(2**63), 2**63 - 1)]
UInt8: TypeAlias = Annotated[int, Range(0, 2**8 - 1)]
UInt16: TypeAlias = Annotated[int, Range(0, 2**16 - 1)]
UInt32: TypeAlias = Annotated[int, Range(0, 2**32 - 1)]
UInt64: TypeAlias = Annotated[int, Range(0, 2**64 - 1)]
Float32: TypeAlias = Annotated[float, Bits(32)]


@dataclass(frozen=True)  # no slots: `Ref[X](…)` marks the instance, and a slotted one cannot refuse that
class Ref(Generic[T]):
    """A reference to a live object of type `T`, as the XML text that is sent."""

    xml: str


@dataclass(frozen=True)
class EndpointRef(Generic[T]):
    """A reference to an external endpoint: its receiver may connect to the endpoint that `address` names."""

    address: str


class Endpoint:
    """The base of every endpoint annotation."""


class Exports(Endpoint, Generic[E]):
    """An endpoint that receives the events of `E`."""


class Imports(Endpoint, Generic[I]):
    """An endpoint that sends the events of `I`, by calling `peer`."""

    @property
    def peer(self) -> I:
        """The other side, which looks like a local `I`; the runtime gives it to the endpoint of a proxy."""
        raise NotImplementedError("an annotation has no other side; only a proxy's endpoint does")


class Dual(Imports[I], Generic[E, I]):
    """An endpoint that receives the events of `E` and sends those of `I`: exported first, imported
    second."""


class ExportedUI(Endpoint):
    """An endpoint that shows the object in a window; its opposite is `ImportedUI`."""


class ImportedUI(Endpoint):
    """An endpoint that shows another object's view inside this one."""


class ExportedUI_X(Endpoint):  # noqa: N801  the original's name
    """An endpoint that draws the object in a 3-D space; its opposite is `ImportedUI_X`."""


class ImportedUI_X(Endpoint):  # noqa: N801  the original's name
    """An endpoint that takes the drawing of another object into a 3-D space."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One constraint as its author wrote it: its formalism, its text, and the side that it binds."""

    side: Literal["provides", "requires"]
    formalism: str
    text: str


if TYPE_CHECKING:

    def provides(formalism: str, text: str) -> Clause:
        """Return a promise, kept by the owner of the endpoint or object: `provides("guarantee", "fifo")`."""

    def requires(formalism: str, text: str) -> Clause:
        """Return a demand on the other side of a connection."""

else:

    def provides(*given: Any) -> Clause:
        """Return a promise, kept by the owner of the endpoint or object: `provides("guarantee", "fifo")`."""
        return _clause("provides", given)

    def requires(*given: Any) -> Clause:
        """Return a demand on the other side of a connection."""
        return _clause("requires", given)


def _clause(side: Literal["provides", "requires"], given: tuple[Any, ...]) -> Clause:
    """Return the constraint; its arguments are checked here, since annotations run before any type
    checker."""
    if len(given) == 2 and all(isinstance(part, str) for part in given):
        return Clause(side, *given)
    raise DeclarationError(
        f"{side}({', '.join(map(repr, given))})",
        "a constraint is a formalism and a formula, both texts",
        f'write {side}("guarantee", "fifo")',
    )
