"""The abilities of the original program that concern declarations: one test for each part of a row."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from liven.types.catalogue import Catalogue, builtin_catalogue, register
from liven.types.declare import TermBuilder, scan
from liven.types.declare.annotation.reader import ATTACHED
from liven.types.explanation import Explanation
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.plugin import FormulaError, Monitor, Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.fronts import Fronts
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import ObjectType
from liven.types.terms.hashing import structural_hash
from liven.types.terms.value_types import RefTo

Load = Callable[[str], ModuleType]
Write = Callable[[str], ModuleType]


# B2: strong typing independent of the host language


def test_b2_a_type_is_metadata_of_our_own_without_anything_of_the_host_in_it(
    load: Load, formalisms: Formalisms
) -> None:
    def walk(part: Any) -> Iterable[Any]:
        yield part
        if isinstance(part, tuple):
            for inner in part:
                yield from walk(inner)
        elif hasattr(part, "__dataclass_fields__"):
            for name in part.__dataclass_fields__:
                yield from walk(getattr(part, name))

    author = load("wall")
    term = TermBuilder(formalisms).object_of(author.WallObject)
    parts = list(walk(term))
    assert len(parts) > 50
    assert not [part for part in parts if isinstance(part, type) or callable(part)]
    modules = {type(part).__module__ for part in parts}
    assert author.__name__ not in modules


def test_b2_the_same_type_written_without_python_is_the_same_type(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    author = write(
        "@interface\nclass Log(Protocol):\n    def log(self, message: str) -> None: ...\n"
        "@object_type\nclass Logger:\n    Logging: Imports[Log]\n"
    )
    declared = TermBuilder(Formalisms()).object_of(author.Logger)
    assert matcher.same(declared, catalogue.object("liven:logging"))


def test_b2_what_is_dropped_on_a_window_is_asked_for_a_suitable_interface(
    catalogue: Catalogue, matcher: Matcher, load: Load
) -> None:
    register(catalogue, scan(load("wall")), matcher)
    window_takes = catalogue.endpoint("liven:imported-ui")
    wall = dict(catalogue.term(catalogue.find("demo:paper-wall")).endpoints)
    assert [name for name, endpoint in wall.items() if matcher.matches(endpoint, window_takes)] == ["ui"]
    space_takes = catalogue.endpoint("liven:imported-ui-x")
    refusal = matcher.matches(wall["ui"], space_takes)
    assert not refusal
    assert "connects only to its opposite" in refusal.claim


def test_b2_a_mismatch_is_explained_down_to_the_field(matcher: Matcher, write: Write) -> None:
    author = write(
        "@value\nclass A:\n    x: float\n@value\nclass B:\n    x: int\n"
        "@interface\nclass Up(Protocol):\n    def go(self, what: list[B]) -> None: ...\n"
        "@interface\nclass Down(Protocol):\n    def go(self, what: list[A]) -> None: ...\n"
        "@object_type\nclass Taker:\n    door: Exports[Up]\n@object_type\nclass Giver:\n"
        "    door: Imports[Down]\n"
    )
    terms = TermBuilder(Formalisms())
    taker, giver = (dict(terms.object_of(cls).endpoints)["door"] for cls in (author.Taker, author.Giver))
    answer = matcher.matches(giver, taker)
    [(path, reason)] = list(answer.failures())
    assert path[0] == "go"
    assert path[-1] == "x"
    assert "float64 does not fit int64" in reason.claim


# B6: incremental deployment: ordinary types are aliases of distributed ones


def test_b6_a_declared_class_is_the_ordinary_class_it_was(write: Write) -> None:
    author = write(
        "class Plain:\n    def __init__(self) -> None:\n        self.seen = []\n"
        "    def send(self, text: str) -> None:\n        self.seen.append(text)\n"
        "@interface\nclass Sender(Protocol):\n    def send(self, text: str) -> None: ...\n"
        "declared = proxy(id='0A', delegates=())(Plain)\n"
    )
    assert author.declared is author.Plain
    served = author.Plain()
    served.send("x")
    assert served.seen == ["x"]
    assert vars(author.Plain)[ATTACHED].cls is author.Plain


def test_b6_an_authors_module_needs_only_the_interpreter(tmp_path: Path) -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import wall\n"
        "print(wall.Note('a', wall.Point(1.0), wall.Colour.RED, []).likes)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(Path(__file__).parent / "authors")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "0\n"


def test_b6_two_aliases_of_one_type_have_one_structural_hash(load: Load, formalisms: Formalisms) -> None:
    terms = TermBuilder(formalisms)
    wall, stranger = load("wall"), load("stranger")
    for own, other in (("Point", "Where"), ("Colour", "Paint"), ("Unpin", "Unpin")):
        assert structural_hash(terms.value_of(getattr(wall, own))) == structural_hash(
            terms.value_of(getattr(stranger, other))
        )


def test_b6_an_alias_of_an_original_class_is_found_under_the_originals_id(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    author = write(
        "@value(id='2E5E63EE344A4F709DA9766CDC73CEF2', alias='mine:paint')\n"
        "class Paint:\n    r: UInt8\n    g: UInt8\n    b: UInt8\n    a: UInt8 = 255\n"
    )
    register(catalogue, scan(author), matcher)
    assert catalogue.find("liven:color", "value") is catalogue.find("mine:paint")
    assert author.Paint(1, 2, 3).a == 255


# B8: extensible: users define events, endpoints, objects, and kinds of constraint


class Depth:
    """A formalism of a library: `depth 3` promises that much; more implies less."""

    id = ClassId(0xD0D0)
    name = "depth"

    def parse(self, text: str, vocabulary: Vocabulary) -> int:
        if not text.startswith("depth "):
            raise FormulaError(f"{text!r}: write depth and a number")
        return int(text.removeprefix("depth "))

    def print(self, predicate: int) -> str:
        return f"depth {predicate}"

    def conjoin(self, predicates: Sequence[int]) -> int:
        return max(predicates, default=0)

    def implies(self, provided: int, required: int) -> Explanation:
        return Explanation(provided >= required, f"depth {provided} against depth {required}")

    def mirror(self, predicate: int) -> int:
        return predicate

    def trivial(self, predicate: int) -> bool:
        return predicate == 0

    def translate(self, predicate: int) -> tuple[()]:
        return ()

    def monitor(self, predicate: int) -> Monitor | None:
        return None


DIVERS = (
    "@interface\nclass Dive(Protocol):\n    def dive(self) -> None: ...\n"
    "@object_type(alias='boat')\nclass Boat:\n    rope: Annotated[Exports[Dive], provides('depth', "
    "'depth 20')]\n"
    "@object_type(alias='shallow')\nclass Shallow:\n    rope: Annotated[Imports[Dive], "
    "requires('depth', 'depth 10')]\n"
    "@object_type(alias='deep')\nclass Deep:\n    rope: Annotated[Imports[Dive], requires('depth', "
    "'depth 30')]\n"
)


def test_b8_a_library_brings_a_kind_of_constraint_and_matching_uses_it(write: Write) -> None:
    formalisms = Formalisms([*builtin_formalisms(), Depth()])
    catalogue, matcher = builtin_catalogue(formalisms), Matcher(formalisms)
    register(catalogue, scan(write(DIVERS)), matcher)
    boat, shallow, deep = (
        dict(catalogue.object(name).endpoints)["rope"] for name in ("boat", "shallow", "deep")
    )
    assert matcher.matches(boat, shallow)
    refusal = matcher.matches(boat, deep)
    assert not refusal
    assert "depth 20 against depth 30" in refusal.render()


def test_b8_a_formula_of_a_librarys_kind_is_read_by_that_library(write: Write) -> None:
    formalisms = Formalisms([*builtin_formalisms(), Depth()])
    author = write(DIVERS.replace("'depth 20'", "'twenty'"))
    with pytest.raises(
        TypeError, match=r"Boat\.rope provides depth `twenty`: 'twenty': write depth and a number"
    ):
        TermBuilder(formalisms).object_of(author.Boat)


def test_b8_what_users_define_joins_what_is_there(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    author = write(
        "@value\nclass Shout:\n    words: list[str]\n"
        "@interface\nclass Crier(Protocol):\n    def cry(self, shout: Shout) -> None: ...\n"
        "@object_type(alias='town:square')\nclass Square:\n    middle: Exports[Crier]\n"
        "@proxy(id='0C')\nclass Market(Square):\n    def cry(self, shout: Shout) -> None: ...\n"
    )
    register(catalogue, scan(author), matcher)
    square = catalogue.object("town:square")
    assert matcher.object_subtype(square, catalogue.object("liven:object"))
    assert catalogue.value("ref<town:square>") == RefTo(square)
    assert isinstance(catalogue.term(catalogue.find("Market")), ObjectType)
    assert catalogue.object("liven:folder<text, town:square>").endpoints


# B11: composition without inheritance: glue between endpoints of incompatible classes


def test_b11_classes_without_a_common_ancestor_are_joined_by_generated_code(load: Load) -> None:
    wall, stranger = load("wall"), load("stranger")
    shared = set(wall.Note.__mro__) & set(stranger.Leaf.__mro__)
    assert shared == {object}

    class Server:
        def __init__(self) -> None:
            self.changes: list[Any] = []

        def change(self, change: Any) -> None:
            self.changes.append(change)

        def find(self, text: str, most: int) -> Any:
            return tuple(change.note for change in self.changes)[:most]

        def borders(self) -> Any:
            return stranger.Two(stranger.Where(0.0, 0.0), stranger.Where(0.0, 9.0))

    server = Server()
    caller = Fronts().bridge(wall.Wall, stranger.Surface, server)
    note = wall.Note("hi", wall.Point(1.0), wall.Colour.RED, ["t"])
    caller.change(wall.Pin(note))
    assert type(server.changes[0].note) is stranger.Leaf
    assert caller.find("hi") == [note]
    assert caller.borders().right == wall.Point(9.0)


def test_b11_event_types_are_converted_where_nothing_is_lost(write: Write, matcher: Matcher) -> None:
    author = write(
        "@value\nclass Fine:\n    x: Int32\n    name: str\n    extra: bool\n"
        "@value\nclass Coarse:\n    x: float\n    name: str | None\n"
        "@interface\nclass Out(Protocol):\n    def go(self, it: Fine) -> None: ...\n"
        "@interface\nclass In(Protocol):\n    def go(self, it: Coarse) -> None: ...\n"
    )
    terms = TermBuilder(Formalisms())
    assert matcher.value_subtype(terms.value_of(author.Fine), terms.value_of(author.Coarse))
    seen: list[Any] = []

    class Server:
        def go(self, it: Any) -> None:
            seen.append(it)

    Fronts().bridge(author.Out, author.In, Server()).go(author.Fine(3, "a", True))
    assert seen == [author.Coarse(3.0, "a")]
    assert type(seen[0].x) is float
