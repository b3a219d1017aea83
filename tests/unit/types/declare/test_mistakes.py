"""Authors' mistakes: each is reported with the class, the member, and a remedy."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from liven.types.declare import DeclarationError, scan

I = "@interface\nclass I(Protocol):\n    def a(self, x: int) -> None: ...\n"  # noqa: E741  as authors name it
ENDPOINT = I + "@object_type\nclass O:\n    e: "
PROXY = I + '@proxy(id="5B0E17B6F2C44D1B8E3C2B6E44A0D009")\nclass P:\n    e: Exports[I]\n'

MISTAKES = {
    "class U(Protocol):\n    def a(self) -> None: ...\n@object_type\nclass O:\n    e: Exports[U]\n": (
        "author.O.e: an endpoint exports and imports interfaces, and U is not declared; "
        "put @interface above class U"
    ),
    "class U: ...\n@value\nclass A:\n    x: Ref[U]\n": (
        "author.A.x: a reference points to an object, and U is not declared; put @object_type above class U"
    ),
    ENDPOINT + "Exports[I] | None\n": (
        "author.O.e: an endpoint always exists, connected or not; write Exports[author.I], without | None"
    ),
    ENDPOINT + "list[Exports[I]]\n": (
        "author.O.e: an endpoint cannot be part of a collection; write e: Exports[author.I]"
    ),
    ENDPOINT + "Dual[I]\n": "write Dual[I, J]: the interface that is exported, then the one that is imported",
    ENDPOINT + "Exports[I, I]\n": "write Exports[I], with one interface",
    ENDPOINT + 'Annotated[Exports[I], provides("fifo")]\n': (
        "author.O.e: provides('fifo'): a constraint is a formalism and a formula, both texts; "
        'write provides("guarantee", "fifo")'
    ),
    ENDPOINT + 'Annotated[Exports[I], requires("guarantee", 3)]\n': "author.O.e: requires('guarantee', 3)",
    ENDPOINT + 'Annotated[Exports[I], "fifo"]\n': "author.O.e: fifo means nothing beside an endpoint",
    ENDPOINT + "Annotated[Exports[I], provides]\n": "author.O.e: provides means nothing beside an endpoint",
    ENDPOINT + 'provides("guarantee", "fifo")\n': (
        "author.O.e: this is a constraint, but a type is expected; "
        'write Annotated[Exports[I], provides("guarantee", "fifo")]'
    ),
    I + '@object_type(requires("trace"))\nclass O:\n    e: Exports[I]\n': (
        "requires('trace'): a constraint is a formalism and a formula, both texts"
    ),
    ENDPOINT + 'Annotated[Exports[I], provides("trace", "at most one a"), requires("trace", "a")]\n': (
        "author.O.e requires trace `a`: no connection can meet it; did you mean `at least one a`?"
    ),
    ENDPOINT + 'Annotated[Exports[I], requires("trace", "(no a) and (eventually a)")]\n': (
        "no connection can meet it; require something that can happen"
    ),
    "T = TypeVar('T')\n@value\nclass A:\n    x: T\n": (
        "author.A.x: the type variable T is not a parameter of its class; "
        "write class …(Generic[T]), or a definite type"
    ),
    "T = TypeVar('T')\n@interface\nclass J(Protocol):\n    def a(self, x: T) -> None: ...\n": (
        "author.J.a(x): the type variable T is not a parameter of its class"
    ),
    "@interface\nclass J(Protocol):\n    def a() -> None: ...\n": (
        "author.J.a: its first parameter is not self; write def name(self, …) -> None"
    ),
    "@interface\nclass J(Protocol):\n    def a(x: int) -> None: ...\n": "author.J.a: its first parameter",
    "@interface\nclass J(Protocol):\n    def a(*x: int) -> None: ...\n": "author.J.a: its first parameter",
    "@interface\nclass J(Protocol):\n    x: int\n": (
        "author.J.x: an interface has methods only, and this is a value; write def x(self) -> type"
    ),
    "@value\nclass A:\n    x: Callable[[], None]\n": (
        "author.A.x: Callable[[], NoneType] is a function, which cannot be sent; declare an interface"
    ),
    "@value\nclass A:\n    x: Literal['a', 'b']\n": (
        "author.A.x: Literal['a', 'b'] names values, not a type; write an Enum of them, with @value above it"
    ),
    "import numpy as np\n@value\nclass A:\n    x: np.float32\n": (
        "author.A.x: float32 cannot be sent; write float, Float32, int, Int32"
    ),
    "@value(id=3)\nclass A:\n    x: int\n": "author.A: id: 3 is not an id; write 32 hexadecimal digits",
    "@value(id='0')\nclass A:\n    x: int\n": "author.A: id: '0' is not an id; write 32 hexadecimal digits",
    "@value(alias='a b')\nclass A:\n    x: int\n": "author.A: alias: 'a b' is not a valid name for a",
    "@object_type(alias=3)\nclass O:\n    ui: ExportedUI\n": "author.O: alias: 3 is not a valid name",
    "@value\nclass A:\n    x: Annotated[int, Range('a', 'b')]\n": (
        "author.A.x: Range('a', 'b'): its bounds are not whole numbers; write two: Range(0, 255)"
    ),
    "@value\nclass A:\n    x: Annotated[int, Range(5, 1)]\n": (
        "author.A.x: Range(5, 1): it contains no number; write the lower bound first"
    ),
    "@value\ndef a(): ...\n": "author.a: @value belongs above a class, and this is not one",
    "@interface\ndef a(): ...\n": "author.a: @interface belongs above a class, and this is not one",
    "@object_type\ndef a(): ...\n": "author.a: @object_type belongs above a class, and this is not one",
    "@proxy(id='5B0E')\ndef a(): ...\n": "author.a: @proxy belongs above a class, and this is not one",
    "@proxy\nclass P:\n    ui: ExportedUI\n": (
        'author.P: a proxy needs an id, by which references name it; write @proxy(id="…")'
    ),
    PROXY + "    def a(self, x: str) -> None: ...\n": (
        "author.P.e: P.a(x): the event carries int and the method takes str"
    ),
    "class B:\n    x: int\n@value\nclass A(B):\n    y: int\n": (
        "author.A.x: it is a field of the base B, which is not a value class; put @value above class B"
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_reported_with_class_member_and_remedy(
    write: Callable[[str], ModuleType], text: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        scan(write(text))
    assert MISTAKES[text] in str(caught.value)


@pytest.mark.parametrize(
    "handler",
    [
        "def a(self, x: int) -> None: ...",
        "def a(self, x: Int32) -> None: ...",
        "def a(self, x: float) -> None: ...",
        "def a(self, x: object) -> None: ...",
        "def a(self, x: int | None) -> None: ...",
        "def a(self, x: NotHere) -> None: ...",
        "def a(self, x) -> None: ...",
        "async def a(self, x: int) -> None: ...",
    ],
)
def test_a_method_may_take_more_than_its_event_carries(
    write: Callable[[str], ModuleType], handler: str
) -> None:
    assert scan(write(f"{PROXY}    {handler}\n")).proxies


def test_a_base_may_have_attributes_that_are_not_fields(write: Callable[[str], ModuleType]) -> None:
    module = write("class B:\n    kinds: ClassVar[int] = 3\n    _own: int\n@value\nclass A(B):\n    y: int\n")
    assert module.A(3).kinds == 3


@pytest.mark.parametrize("alias", ["tower", "weather:tower", "weather:paper-wall", "wetter:türme.2", "a_b"])
def test_an_alias_is_a_word_with_or_without_a_prefix(write: Callable[[str], ModuleType], alias: str) -> None:
    [declaration] = scan(write(f"@value(alias={alias!r})\nclass A:\n    x: int\n"))
    assert declaration.tag.alias == alias
