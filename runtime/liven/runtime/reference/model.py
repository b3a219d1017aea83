"""The content of a reference: plain frozen values, one class for each element of the file.

A reference is a recipe: it carries no state, and two equal ones build the same object. Hexadecimal ids are
kept in their one canonical spelling and aliases as written (`ids.normal` gives it, also for references made
by hand). Comments and unknown attributes, which have no meaning here, are kept in a `Margin`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from liven.runtime.foreign_text import shown_line

NAME = "9F4C608A9A6D44FFAD8A2FDC662E185B"
"""The attribute that names an object for people."""
COMMENT = "07EC27D89CBD410DADE60463E4D46985"
"""The attribute that describes an object to people."""
OWN_ID = "9F64B7ABB95245F28596BFFD1F549558"
"""The attribute that repeats an object's own id."""

Path: TypeAlias = tuple[str, ...]
"""Steps from the root of a recipe to one of its elements: `("Object", "Parameter[channel]", "Value")`."""
Kind: TypeAlias = Literal["provided", "required"]
PlainType: TypeAlias = Literal[
    "string",
    "boolean",
    "unsignedByte",
    "short",
    "int",
    "long",
    "unsignedInt",
    "unsignedLong",
    "float",
    "double",
]
TokenType: TypeAlias = Literal[
    "Address", "Identifier", "ID", "Name", "Incarnation", "Index", "UINT32", "UINT64", "UINT128"
]
ClassKind: TypeAlias = Literal["ValueClass", "InterfaceClass", "EndpointClass"]


@dataclass(frozen=True, slots=True)
class Margin:
    """The parts of an element without meaning to us; kept, so that nothing in a file is lost."""

    comments: tuple[str, ...] = ()
    unknown: tuple[tuple[str, str], ...] = ()
    """Attributes that we do not know, by name in `{namespace}local` form, sorted."""


BLANK = Margin()


@dataclass(frozen=True, slots=True)
class Attribute:
    """A remark on an object under an id: its name, its description, or anything else."""

    id: str
    value: str
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Requirement:
    """A library that the object's code comes from; it stays with the part when that is copied."""

    library: str
    version: int = 0
    """This version or a higher one; exactly the pinned bytes where `sha256` is given."""
    sha256: str = ""
    signer: str = ""
    """The public key of whoever signed the library, in hexadecimal."""
    url: str = ""
    signed_as: str = ""
    """The name that the signer claims; part of what is signed."""
    signature: str = ""
    """The signature of the pinned content; without it, a file beside the library has it."""
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Partner:
    """A demand of the object: its endpoint connects to the object with this fingerprint and to no other."""

    endpoint: str
    sha256: str = ""
    """The identity of the partner's recipe, as `liven key show FILE` prints it."""
    signer: str = ""
    """The public key of whoever has to have signed the partner."""
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class ObjectSignature:
    """A signature of the object that it stands in, by its identity; it changes nothing about the object."""

    signer: str
    """The public key, in hexadecimal."""
    name: str
    """The name that the signer claims."""
    proof: str
    """The ed25519 signature, in hexadecimal."""
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class ObjectConstraint:
    """A promise or demand of the whole object, in the formalism `formalism`."""

    kind: Kind
    formalism: str
    text: str
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class EndpointConstraint:
    """A promise or demand of one endpoint."""

    endpoint: str
    kind: Kind
    formalism: str
    text: str
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class ObjectClass:
    """A class of objects, with constraints that add to its own. In an `as` clause, the expected class."""

    id: str = ""
    parameters: tuple[Parameter, ...] = ()
    constraints: tuple[ObjectConstraint, ...] = ()
    endpoint_constraints: tuple[EndpointConstraint, ...] = ()
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class OtherClass:
    """A value, interface or endpoint class given as a parameter."""

    kind: ClassKind
    id: str = ""
    parameters: tuple[Parameter, ...] = ()
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Plain:
    """A value in one of the types of XML Schema. The text is kept; `literals.value` reads it."""

    type: PlainType
    text: str = ""
    nil: bool = False
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Token:
    """A value in one of the original program's own simple types, in an attribute or as text."""

    type: TokenType
    value: str | None = None
    text: str = ""
    nil: bool = False
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of a `Configuration`."""

    name: str
    value: str
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings by name."""

    settings: tuple[Setting, ...] = ()
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Markup:
    """An element that only its reader understands. Text is kept, layout between elements is not."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    content: tuple[Markup | str, ...] = ()
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Properties:
    """Free markup as a value."""

    attributes: tuple[tuple[str, str], ...] = ()
    content: tuple[Markup | str, ...] = ()
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class ParameterUse:
    """Inside a composite: the value of the composite's parameter `id`."""

    id: str
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named value; without one, the parameter is left open."""

    id: str
    value: Value | None = None
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Reference:
    """An object by its id.

    Without a `source` the id names a class known here; with one it is a key, and the folder object `source`
    returns the reference. Without an id, or marked nil, this is the null reference.
    """

    id: str = ""
    parameters: tuple[Parameter, ...] = ()
    source: Object | None = None
    object_class: ObjectClass | None = None
    authority: Object | None = None
    attributes: tuple[Attribute, ...] = ()
    requires: tuple[Requirement, ...] = ()
    partners: tuple[Partner, ...] = ()
    signatures: tuple[ObjectSignature, ...] = ()
    nil: bool = False
    margin: Margin = BLANK

    @property
    def null(self) -> bool:
        """True if it refers to nothing."""
        return self.nil or not self.id


@dataclass(frozen=True, slots=True)
class Component:
    """A named part of a composite."""

    id: str
    object: Object
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Export:
    """An endpoint of the composite, which is `component.endpoint` of one of its parts."""

    id: str
    origin: str
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Connection:
    """Two connected endpoints of parts, each `component.endpoint`."""

    left: str
    right: str
    margin: Margin = BLANK


@dataclass(frozen=True, slots=True)
class Composite:
    """An object made of connected parts, with some of their endpoints exported."""

    id: str = ""
    parameters: tuple[Parameter, ...] = ()
    components: tuple[Component, ...] = ()
    exports: tuple[Export, ...] = ()
    connections: tuple[Connection, ...] = ()
    object_class: ObjectClass | None = None
    authority: Object | None = None
    attributes: tuple[Attribute, ...] = ()
    requires: tuple[Requirement, ...] = ()
    partners: tuple[Partner, ...] = ()
    signatures: tuple[ObjectSignature, ...] = ()
    nil: bool = False
    margin: Margin = BLANK

    @property
    def null(self) -> bool:
        """True if it refers to nothing."""
        return self.nil


@dataclass(frozen=True, slots=True)
class Document:
    """A whole file: at most one object."""

    object: Object | None = None
    comments: tuple[str, ...] = ()
    """The comments that stand before the root element, and after it."""
    margin: Margin = BLANK


Object: TypeAlias = Reference | Composite
Value: TypeAlias = (
    Reference
    | Composite
    | ObjectClass
    | OtherClass
    | Plain
    | Token
    | Configuration
    | Properties
    | ParameterUse
)


def name_of(thing: Object) -> str:
    """Return the object's name as people may see it; empty if it has none."""
    return shown_line(attribute(thing, NAME))


def attribute(thing: Object, id: str) -> str:  # noqa: A002 (the file calls it so)
    """Return the value of the object's attribute `id`, in its canonical spelling; empty if it has none."""
    return next((item.value for item in thing.attributes if item.id == id), "")


def parts(thing: Object) -> Iterator[tuple[Path, Object]]:
    """Yield the objects directly inside `thing`, each with the steps of its path."""
    for parameter in thing.parameters:
        if isinstance(parameter.value, Reference | Composite):
            yield (f"Parameter[{parameter.id}]", "Value"), parameter.value
    if isinstance(thing, Composite):
        for component in thing.components:
            yield (f"Component[{component.id}]", "Object"), component.object
    elif thing.source is not None:
        yield ("From",), thing.source
    if thing.authority is not None:
        yield ("Authority",), thing.authority
