"""`@proxy` on classes."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from liven.types.declare import DeclarationError, TermBuilder
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import GivenUse, ParameterUse
from liven.types.declare.declaration import ProxyDeclaration
from liven.types.formalism.registry import Formalisms
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import TEXT

HEAD = (
    "@interface\nclass S(Protocol):\n    def send(self, text: str) -> None: ...\n"
    "@object_type\nclass Hub:\n    door: Exports[S]\n"
)
Write = Callable[[str], ModuleType]
Load = Callable[[str], ModuleType]


def proxy_of(author: ModuleType, name: str = "P") -> ProxyDeclaration:
    declaration = declaration_of(getattr(author, name))
    assert isinstance(declaration, ProxyDeclaration)
    return declaration


def test_the_constructors_parameters_are_those_of_the_template(load: Load) -> None:
    parameters = proxy_of(load("wall"), "PaperWall").values(())
    assert [(one.name, one.required, one.default) for one in parameters] == [
        ("channel", True, None),
        ("title", False, "wall"),
    ]


def test_the_kind_of_a_type_parameter_follows_from_its_place(load: Load) -> None:
    repeater = proxy_of(load("wall"), "Repeater")
    assert repeater.kinds() == {"Item": "value"}
    assert repeater.values((GivenUse(TEXT),))[0].shape == GivenUse(TEXT)
    assert isinstance(repeater.values(repeater.open())[0].shape, ParameterUse)


def test_a_proxy_has_the_endpoints_of_its_object_types(load: Load, formalisms: Formalisms) -> None:
    author = load("wall")
    terms = TermBuilder(formalisms)
    assert terms.of(author.PaperWall) == terms.of(author.WallObject)


def test_nothing_is_constructed_by_declaring(write: Write) -> None:
    author = write(
        HEAD + "@proxy(id='0A')\nclass P(Hub):\n    def __init__(self) -> None:\n"
        "        raise AssertionError\n    def send(self, text: str) -> None: ...\n"
    )
    assert proxy_of(author).values(()) == ()


def test_a_proxy_may_annotate_other_attributes(write: Write) -> None:
    author = write(
        HEAD + "@proxy(id='0A')\nclass P(Hub):\n    title: object\n    later: Nowhere\n    own: Imports[S]\n"
        "    def send(self, text: str) -> None: ...\n"
    )
    assert spell(TermBuilder(Formalisms()).of(author.P)) == (
        "object {door: endpoint {in send({text: text})}; own: endpoint {out send({text: text})}}"
    )


def test_every_spelling_of_an_endpoint_is_recognised(write: Write) -> None:
    author = write(
        "import liven.types.declare as d\nMine = Exports\n"
        "@interface\nclass Go(Protocol):\n    def go(self, door: EndpointRef[Exports[Go]]) -> None: ...\n"
        "@proxy(id='0A', delegates=('a', 'b', 'c', 'e'))\nclass P:\n"
        "    a: Mine[Go]\n    b: d.Exports[Go]\n    c: Annotated[d.Exports[Go], 3]\n    u: ExportedUI\n"
        "    ref: EndpointRef[Exports[Go]]\n    text: str\n    some: list[Exports[Go]]\n"
        "    @property\n    def e(self) -> Exports[Go]: ...\n"
        "    @property\n    def plain(self): ...\n    @property\n    def number(self) -> int: ...\n"
    )
    assert [name for name, _ in TermBuilder(Formalisms()).object_of(author.P).endpoints] == [
        "a",
        "b",
        "c",
        "e",
        "u",
    ]


def test_an_endpoint_that_names_what_comes_later_is_still_one(write: Write) -> None:
    author = write(
        "@proxy(id='0A')\nclass P:\n    a: Annotated[Imports[Later], 3]\n    b: Later\n    c: list[Later]\n"
        "@interface\nclass Later(Protocol):\n    def go(self) -> None: ...\n"
    )
    assert [name for name, _ in TermBuilder(Formalisms()).object_of(author.P).endpoints] == ["a"]


def test_the_view_is_named_as_text_in_either_place(write: Write, load: Load) -> None:
    assert proxy_of(load("wall"), "PaperWall").view == "demo.wall.view:PaperView"
    author = write("@proxy(id='0A')\nclass P:\n    view = 'a.b:C'\n")
    assert proxy_of(author).view == "a.b:C"


def test_events_that_others_handle_need_no_method(write: Write) -> None:
    author = write(HEAD + "@proxy(id='0A', delegates=('door',))\nclass P(Hub):\n    pass\n")
    assert proxy_of(author).delegates == {"door"}


def test_a_constructor_may_be_inherited(write: Write) -> None:
    author = write(
        "class Base:\n    def __init__(self, context: object, size: int) -> None: ...\n"
        "@proxy(id='0A')\nclass P(Base):\n    pass\n"
    )
    assert [one.name for one in proxy_of(author).values(())] == ["size"]


REFUSED = [
    (
        "@proxy(id='')\nclass P:\n    pass\n",
        "author.P: a proxy needs an id, by which references name it",
    ),
    (
        "@proxy(id='0A')\nclass P(Hub):\n    pass\n",
        "author.P.door: nothing handles its event `send`; write def send(self, text)",
    ),
    (
        "@proxy(id='0A')\nclass P(Hub):\n    def send(self, note: str) -> None: ...\n",
        "author.P.door: P.send cannot handle its event: missing a required argument: 'note'; "
        "write def send(self, text)",
    ),
    (
        "@proxy(id='0A')\nclass P:\n    def __init__(self, x) -> None: ...\n",
        "author.P.__init__(x): it has no type; write x: type",
    ),
    (
        "@proxy(id='0A')\nclass P:\n    def __init__(self, *x: int) -> None: ...\n",
        "author.P.__init__(x): a template's parameters have names",
    ),
    (
        "@proxy(id='0A')\nclass P:\n    def __init__(self, x: object) -> None: ...\n",
        "author.P.__init__(x): object cannot be sent",
    ),
    (
        "@proxy(id='0A', view='here')\nclass P:\n    pass\n",
        "author.P.view: 'here' does not name a view",
    ),
    ("@proxy(id='0A')\nclass P:\n    view = 3\n", "author.P.view: 3 does not name a view"),
    ("@proxy(id='nohex')\nclass P:\n    pass\n", "author.P: id: 'nohex' is not an id"),
    ("@proxy('x', id='0A')\nclass P:\n    pass\n", "object_type: 'x' is not a constraint"),
    ("@proxy(id='0A')\nclass P:\n    door: Exports[int]\n", "author.P.door: an endpoint exports and imports"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_a_malformed_proxy_is_refused_at_import(write: Write, text: str, said: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        write(HEAD + text)
    assert str(caught.value).startswith(said)
    assert caught.value.fix


def test_a_refused_proxy_carries_no_declaration_of_its_own(write: Write) -> None:
    author = write(
        HEAD + "class P(Hub):\n    pass\ntry:\n    proxy(id='0A')(P)\nexcept DeclarationError:\n    pass\n"
    )
    assert declaration_of(author.P) is None


def test_a_proxy_may_name_what_comes_later_and_is_read_at_the_scan(write: Write) -> None:
    author = write(
        "@proxy(id='0A')\nclass P:\n    door: Exports[Later]\n    def go(self) -> None: ...\n"
        "@interface\nclass Later(Protocol):\n    def go(self) -> None: ...\n    def stop(self) -> None: ...\n"
    )
    from liven.types.declare import scan

    with pytest.raises(DeclarationError, match="nothing handles its event `stop`"):
        scan(author)
