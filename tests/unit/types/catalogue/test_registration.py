"""Authors' declarations in a catalogue, and conflicting ids."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from liven.types.catalogue import AliasTakenError, AmbiguousClassError, Catalogue, ConflictError, register
from liven.types.declare import DeclarationError, scan
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import ObjectType
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import TEXT

Write = Callable[[str], ModuleType]
Load = Callable[[str], ModuleType]
CHANNEL = (
    "M = TypeVar('M')\nC = TypeVar('C')\n"
    "@interface\nclass Up(Protocol, Generic[M, C]):\n    def send(self, message: M) -> None: ...\n"
    "@interface\nclass Down(Protocol, Generic[M, C]):\n"
    "    def checkpoint(self) -> C: ...\n"
    "    def initialize(self, checkpoint: C | None) -> None: ...\n"
    "    def receive(self, message: M) -> None: ...\n"
    "@object_type(id='0806C71E88E749AA879E52F960F4B881', alias='own:channel')\n"
    "class Channel(Generic[M, C]):\n"
)


def test_what_a_module_declares_is_found_by_its_names(
    catalogue: Catalogue, matcher: Matcher, load: Load
) -> None:
    learned = register(catalogue, scan(load("wall")), matcher)
    assert len(learned) == 12
    wall = catalogue.find("demo:wall")
    assert wall.origin == "wall"
    assert catalogue.find("5B0E17B6F2C44D1B8E3C2B6E44A0D001", "object") is wall
    paper = catalogue.find("demo:paper-wall")
    assert paper.kind == "component"
    assert paper.view == "demo.wall.view:PaperView"
    assert [(one.name, one.written) for one in paper.source.value_parameters()] == [
        ("channel", "rec WallObject. ref<demo:wall>"),
        ("title", "text"),
    ]


def test_learned_classes_stand_in_written_types(catalogue: Catalogue, matcher: Matcher, load: Load) -> None:
    register(catalogue, scan(load("wall")), matcher)
    assert spell(catalogue.value("list<Pair<Unpin>>")) == (
        "list<{left: {place: int32}, right: {place: int32}}>"
    )
    assert spell(catalogue.object("liven:value-stream<Unpin>")).count("{place: int32}") == 3


def test_learning_the_same_module_again_changes_nothing(
    catalogue: Catalogue, matcher: Matcher, load: Load
) -> None:
    register(catalogue, scan(load("wall")), matcher)
    wall = catalogue.find("demo:wall")
    register(catalogue, scan(load("wall")), matcher)
    assert catalogue.find("demo:wall") is wall


def test_two_authors_may_share_an_id_for_one_structure(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    register(catalogue, scan(write("@value(id='0A')\nclass Point:\n    x: float\n    y: float\n")), matcher)
    register(catalogue, scan(write("@value(id='0A')\nclass Spot:\n    y: float\n    x: float\n")), matcher)
    assert catalogue.find("0A", "value").alias == "Point"


def test_one_id_with_two_structures_is_an_error_that_shows_both(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    register(catalogue, scan(write("@value(id='0A')\nclass Point:\n    x: float\n    y: float\n")), matcher)
    with pytest.raises(ConflictError) as caught:
        register(catalogue, scan(write("@value(id='0A')\nclass Spot:\n    x: float\n    y: int\n")), matcher)
    said = str(caught.value)
    assert "value 0000000000000000000000000000000A is declared twice with different structures" in said
    assert "{x: float64, y: float64}" in said
    assert "{x: float64, y: int64}" in said
    assert "give one of them another id, or a new version (id`2)" in said


def test_another_version_of_an_id_is_another_class(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    register(catalogue, scan(write("@value(id='0A`1', alias='p1')\nclass P:\n    x: float\n")), matcher)
    register(catalogue, scan(write("@value(id='0A`2', alias='p2')\nclass P:\n    x: int\n")), matcher)
    assert (catalogue.find("0A`1", "value").alias, catalogue.find("0A`2", "value").alias) == ("p1", "p2")


def test_a_class_known_by_name_gets_its_structure_from_a_declaration(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    author = write(
        "@value(id='BE02D391402D436EB62473CC4E04E7F4', alias='liven:desktop-state')\n"
        "class State:\n    labels: list[str]\n"
    )
    register(catalogue, scan(author), matcher)
    state = catalogue.find("liven:desktop-state")
    assert state.typed
    assert state.used
    assert spell(catalogue.value("liven:desktop-state")) == "{labels: list<text>}"
    assert "{labels: list<text>}" in spell(catalogue.object("liven:value-stream<liven:desktop-state>"))


def test_a_class_of_the_original_may_be_declared_as_it_is(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    register(catalogue, scan(write(CHANNEL + "    Channel: Dual[Up[M, C], Down[M, C]]\n")), matcher)
    assert catalogue.find("own:channel") is catalogue.find("liven:checkpointed-channel", "object")
    made = catalogue.object("liven:checkpointed-channel<text, liven:color>")
    assert made.tag is not None
    assert made.tag.alias == "own:channel"
    assert "receive({message: text})" in spell(made)


def test_promises_may_be_added_to_a_class_of_the_original(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    author = write(
        CHANNEL + "    Channel: Annotated[Dual[Up[M, C], Down[M, C]], provides('guarantee', 'total')]\n"
    )
    register(catalogue, scan(author), matcher)
    [(_, channel)] = catalogue.object("liven:checkpointed-channel<text, text>").endpoints
    assert [one.text for one in channel.provides] == ["total"]


def test_a_class_of_the_original_cannot_become_another(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    with pytest.raises(ConflictError, match="liven:checkpointed-channel of core") as caught:
        register(catalogue, scan(write(CHANNEL + "    Channel: Dual[Up[C, M], Down[M, C]]\n")), matcher)
    assert "give one of them another id" in str(caught.value)
    assert catalogue.find("object/liven:checkpointed-channel").origin == "core"


def test_templates_of_one_id_take_the_same_kinds_of_parameters(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    with pytest.raises(ConflictError, match="they do not take the same kinds of parameters"):
        register(
            catalogue,
            scan(write("@object_type(id='D111EEF8754D4EB98ABD90B0260AEF93')\nclass Folder:\n    pass\n")),
            matcher,
        )


def test_a_refused_module_leaves_the_catalogue_as_it_was(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    before = len(catalogue)
    author = write(
        "@value(alias='fine')\nclass Fine:\n    x: int\n"
        "@value(id='2E5E63EE344A4F709DA9766CDC73CEF2')\nclass Colour:\n    red: float\n"
    )
    with pytest.raises(ConflictError):
        register(catalogue, scan(author), matcher)
    assert len(catalogue) == before


def test_a_constraint_that_cannot_be_read_refuses_the_module(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    author = write(
        "@interface\nclass I(Protocol):\n    def f(self) -> None: ...\n"
        "@object_type\nclass O:\n    x: Annotated[Exports[I], provides('unheard-of', 'x')]\n"
    )
    with pytest.raises(DeclarationError, match="no formalism is called 'unheard-of'"):
        register(catalogue, scan(author), matcher)


@pytest.mark.parametrize("kind", ["interface", "endpoint", "object"])
def test_templates_over_every_kind_are_compared(
    catalogue: Catalogue, matcher: Matcher, write: Write, kind: str
) -> None:
    body = {
        "interface": "    door: Exports[T]\n",
        "endpoint": "    door: T\n",
        "object": "    door: Exports[Shows[T]]\n",
    }[kind]
    text = (
        "T = TypeVar('T')\n@interface\nclass Shows(Protocol, Generic[T]):\n    def show(self, "
        "it: Ref[T]) -> None: ...\n"
        "@object_type(id='0B')\nclass O(Generic[T]):\n" + body
    )
    register(catalogue, scan(write(text)), matcher)
    register(catalogue, scan(write(text.replace("Shows", "Presents"))), matcher)
    with pytest.raises(ConflictError):
        register(catalogue, scan(write(text.replace("door", "gate"))), matcher)


def test_classes_without_ids_live_side_by_side(catalogue: Catalogue, matcher: Matcher, write: Write) -> None:
    register(catalogue, scan(write("@value(alias='one')\nclass N:\n    x: int\n")), matcher)
    register(catalogue, scan(write("@value(alias='two')\nclass N:\n    x: str\n")), matcher)
    assert catalogue.value("two") != catalogue.value("one")


def test_a_generic_proxy_says_what_its_values_must_be(
    catalogue: Catalogue, matcher: Matcher, load: Load
) -> None:
    register(catalogue, scan(load("wall")), matcher)
    repeater = catalogue.find("demo:repeater")
    seed, times = repeater.source.value_parameters()
    assert seed.type_with((TEXT,)) is TEXT
    assert spell(times.type_with((TEXT,))) == "int64"
    assert (seed.written, times.written) == ("depends on the classes given", "int64")
    made = catalogue.term(repeater, (TEXT,))
    assert isinstance(made, ObjectType)
    assert repeater.source.lines() == ("a template in wall.Repeater",)


def test_an_alias_with_a_prefix_belongs_to_one_class(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    before = len(catalogue)
    for text in (
        "@value(alias='liven:text')\nclass Mine:\n    x: int\n",
        "@value(id='0B', alias='liven:text')\nclass Mine:\n    x: str\n",
    ):
        with pytest.raises(AliasTakenError, match="use a prefix of your own") as caught:
            register(catalogue, scan(write(text)), matcher)
        assert caught.value.known.alias == "liven:text"
    assert len(catalogue) == before
    assert catalogue.find("liven:text", "value").origin == "core"


def test_classes_of_one_plain_name_are_told_apart_by_their_modules(
    catalogue: Catalogue, matcher: Matcher, load: Load, write: Write
) -> None:
    register(catalogue, scan(load("wall")), matcher)
    register(catalogue, scan(write("@value\nclass Point:\n    other: str\n")), matcher)
    with pytest.raises(AmbiguousClassError, match=r"write one of value/wall\.Point, value/author\.Point"):
        catalogue.find("Point")
    assert spell(catalogue.value("author.Point")) == "{other: text}"
    assert spell(catalogue.value("wall.Point")) == "{x: float64, y: float32}"


def test_a_class_without_id_that_is_declared_twice_alike_is_one(
    catalogue: Catalogue, matcher: Matcher, load: Load
) -> None:
    register(catalogue, scan(load("wall")), matcher)
    number = len(catalogue)
    register(catalogue, scan(load("stranger")), matcher)
    shared = {"Pin", "Unpin"}
    assert len(catalogue) == number + len(scan(load("stranger"))) - len(shared)
    assert catalogue.find("Unpin").origin == "wall"


def test_a_second_alias_of_an_id_finds_the_same_class(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    register(catalogue, scan(write("@value(id='0A', alias='a:point')\nclass P:\n    x: float\n")), matcher)
    register(catalogue, scan(write("@value(id='0A', alias='b:spot')\nclass Q:\n    x: float\n")), matcher)
    assert catalogue.find("b:spot") is catalogue.find("a:point")


def test_an_alias_means_the_newest_version(catalogue: Catalogue, matcher: Matcher, write: Write) -> None:
    for version, kind in ((1, "int"), (3, "str"), (2, "float")):
        text = f"@value(id='0A`{version}', alias='a:point')\nclass P:\n    x: {kind}\n"
        register(catalogue, scan(write(text)), matcher)
    assert catalogue.find("a:point").id.version == 3
    assert spell(catalogue.value("a:point")) == "{x: text}"


def test_an_object_with_an_original_id_may_add_endpoints_but_not_drop_any(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    head = "@interface\nclass I(Protocol):\n    def f(self) -> None: ...\n"
    text = "@proxy(id='E3EA16F4ECC84B3B998E01F3B78E9AC9', alias='liven:text')\nclass Text:\n"
    register(catalogue, scan(write(head + text + "    UI: ExportedUI\n    more: Imports[I]\n")), matcher)
    assert [name for name, _ in catalogue.term(catalogue.find("component/liven:text")).endpoints] == [
        "UI",
        "more",
    ]
    other = text.replace("E3EA16F4ECC84B3B998E01F3B78E9AC9", "88D82BF52EA1496696002257989DE3D3")
    other = other.replace("liven:text", "liven:image")
    with pytest.raises(ConflictError, match="UI: liven:image has no such endpoint"):
        register(catalogue, scan(write(head + other + "    more: Imports[I]\n")), matcher)


def test_an_original_object_type_of_which_nothing_is_known_may_be_given_endpoints(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    assert not catalogue.find("object/liven:window").typed
    text = (
        "@object_type(id='A41B721B2BF84AE9913DA9EDB6696AED', alias='liven:window')\nclass W:\n"
        "    UI: ImportedUI\n"
    )
    register(catalogue, scan(write(text)), matcher)
    assert spell(catalogue.object("liven:window")) == "object {UI: endpoint {local ~UI}}"
    root = (
        "@object_type(id='F5225FA26F7C4F6D93C9E5A1A45FCF45', alias='liven:object')\nclass O:\n"
        "    UI: ExportedUI\n"
    )
    with pytest.raises(ConflictError):
        register(catalogue, scan(write(root)), matcher)


BASE = (
    "@interface\nclass I(Protocol):\n    def f(self) -> None: ...\n    def g(self) -> None: ...\n"
    "@interface\nclass J(Protocol):\n    def f(self) -> None: ...\n"
    "@object_type\nclass Base:\n    door: Annotated[Exports[I], provides('guarantee', 'fifo')]\n"
)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("    door: Exports[J]\n", "it does not receive all that is expected"),
        ("    door: Exports[I]\n", "it promises less"),
        (
            "    door: Annotated[Exports[I], provides('guarantee', 'fifo'),"
            " requires('count', 'at most 3')]\n",
            "it demands more",
        ),
    ],
)
def test_an_object_type_that_is_built_on_another_fits_it(
    catalogue: Catalogue, matcher: Matcher, write: Write, body: str, said: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        register(catalogue, scan(write(BASE + "@object_type\nclass Derived(Base):\n" + body)), matcher)
    assert caught.value.where == "author.Derived"
    assert "it is built on Base and does not fit it" in caught.value.problem
    assert said in caught.value.problem


def test_an_object_type_may_promise_more_than_its_base(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    more = "    door: Annotated[Exports[I], provides('guarantee', 'causal')]\n    other: Imports[J]\n"
    register(catalogue, scan(write(BASE + "@object_type\nclass Derived(Base):\n" + more)), matcher)
    assert [name for name, _ in catalogue.object("Derived").endpoints] == ["door", "other"]


def test_two_modules_classes_without_ids_never_share_an_alias(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    register(catalogue, scan(write("@value(alias='q:a')\nclass A:\n    x: int\n")), matcher)
    again = scan(write("@value(alias='q:a')\nclass Twin:\n    x: int\n"))
    assert [entry.alias for entry in register(catalogue, again, matcher)] == ["q:a"]
    other = scan(write("@value(alias='q:a')\nclass B:\n    y: int\n"))
    with pytest.raises(AliasTakenError, match="use a prefix of your own"):
        register(catalogue, other, matcher)
