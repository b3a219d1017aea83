"""The requirements that matching and codecs fulfil; each test carries the name of its row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import pytest

from liven.types.codec import Codec
from liven.types.explanation import Explanation
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.guarantee import SECURE
from liven.types.formalism.plugin import Formalism, Monitor, Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.hashing import structural_hash
from liven.types.terms.template import Arguments, Kind, Parameter, Template, TemplateError
from liven.types.terms.value_types import (
    FLOAT64,
    INT32,
    TEXT,
    ClassTag,
    Integer,
    ListOf,
    RefTo,
    ValueType,
    optional,
    record,
    union,
)

SHOWN = EndpointType(local="UI")
SPACE = EndpointType(local="UI_X")


@pytest.fixture
def formalisms() -> Formalisms:
    return Formalisms(builtin_formalisms())


@pytest.fixture
def matcher(formalisms: Formalisms) -> Matcher:
    return Matcher(formalisms)


def said(formalisms: Formalisms, name: str, text: str, end: EndpointType) -> Constraint:
    """Return a constraint of a built-in formalism, read over the events of an endpoint."""
    words = Vocabulary(frozenset(n for n, _ in end.inputs), frozenset(n for n, _ in end.outputs))
    formalism = next(one for one in formalisms if one.name == name)
    return Constraint(formalism.id, formalism.parse(text, words), text)


def test_b2_typing_stands_on_its_own_and_a_drop_asks_for_a_suitable_ui(matcher: Matcher) -> None:
    """A desktop accepts 2-D views, a 3-D space 3-D ones, and each explains a refusal."""
    desktop = ObjectType((("UI", SHOWN),))
    note, airplane = ObjectType((("Log", EndpointType()), ("UI", SHOWN))), ObjectType((("UI", SPACE),))
    assert matcher.cast(note, desktop)
    refused = matcher.cast(airplane, desktop)
    assert not refused
    assert "a local kind (`UI_X`) can be used only as its own kind" in refused.render()


def test_b2_a_static_check_gives_its_reasons_as_a_tree_to_walk(matcher: Matcher) -> None:
    document = EndpointType(outputs=(("Send", record(at=ListOf(record(x=TEXT)))),))
    channel = EndpointType(inputs=(("Send", record(at=ListOf(record(x=FLOAT64)))),))
    [(path, failure)] = matcher.matches(document, channel).failures()
    assert path == ("Send", "at", "[]", "x")
    assert (failure.left, failure.right) == ("text", "float64")


def test_b6_two_independent_declarations_are_one_distributed_type(matcher: Matcher) -> None:
    """Ordinary types are aliases: names, ids and spelling do not make a type another one."""

    def declared(tag: ClassTag, number: ValueType) -> ObjectType:
        point = record(tag, x=number, y=optional(TEXT))
        return ObjectType(
            (("Channel", EndpointType((("Send", point),), (("Receive", point),), tag=tag)),), tag=tag
        )

    ours = declared(ClassTag(ClassId(1), "a:Point"), INT32)
    theirs = declared(ClassTag(ClassId(2), "b:Punkt"), Integer(-(2**31), 2**31 - 1))
    assert matcher.same(ours, theirs)
    assert structural_hash(ours) == structural_hash(theirs)
    assert not matcher.same(ours, declared(ClassTag(ClassId(1), "a:Point"), FLOAT64))


def test_b7_endpoints_are_checked_when_connected(matcher: Matcher) -> None:
    sends, takes = EndpointType(outputs=(("m", INT32),)), EndpointType(inputs=(("m", FLOAT64),))
    assert matcher.matches(sends, takes)
    assert not matcher.matches(EndpointType(outputs=(("m", TEXT),)), takes)


def test_b7_an_object_kept_in_an_object_is_checked_against_what_is_asked(matcher: Matcher) -> None:
    """A folder returns references; each is a reference to a subtype or is refused."""
    shown, bare = ObjectType((("UI", SHOWN),)), ObjectType()
    assert matcher.value_subtype(RefTo(shown), RefTo(bare))
    assert not matcher.value_subtype(RefTo(bare), RefTo(shown))
    folder = EndpointType(outputs=(("item", record(ref=RefTo(bare))),))
    desktop = EndpointType(inputs=(("item", record(ref=RefTo(shown))),))
    assert [path for path, _ in matcher.matches(folder, desktop).failures()] == [("item", "ref", "UI")]


def test_b7_a_template_takes_types_and_objects_and_is_no_type_before(matcher: Matcher) -> None:
    def build(given: Arguments) -> ObjectType:
        return ObjectType(
            (("Channel", EndpointType((("Send", given["Message"]),))), ("Under", given["Under"]))
        )

    parameters = (Parameter("Message", Kind.VALUE_CLASS), Parameter("Under", Kind.ENDPOINT_CLASS))
    template = Template(ClassTag(ClassId(5), "stack"), parameters, build)
    partly = template.assign(Message=TEXT)
    assert not matcher.subtype(partly, partly)
    whole = partly.assign(Under=SHOWN)
    assert matcher.subtype(whole, ObjectType((("Under", SHOWN),)))
    with pytest.raises(TemplateError, match="expected a type of kind endpoint class, got a value class"):
        partly.assign(Under=TEXT)


class AtLeast:
    """A user's own formalism of grades, in which a higher grade implies a lower one."""

    id = ClassId(0xFEED)
    name = "grade"

    def parse(self, text: str, vocabulary: Vocabulary) -> int:
        return int(text)

    def conjoin(self, predicates: Sequence[int]) -> int:
        return max(predicates)

    def implies(self, provided: int, required: int) -> Explanation:
        return Explanation(provided >= required, f"grade {provided} against {required}")

    def mirror(self, predicate: int) -> int:
        return predicate

    def trivial(self, predicate: int) -> bool:
        return predicate == 0

    def translate(self, predicate: int) -> Iterable[tuple[ClassId, Hashable]]:
        return ()

    def monitor(self, predicate: int) -> Monitor | None:
        return None


def test_b8_users_bring_kinds_of_constraint_of_their_own(formalisms: Formalisms, matcher: Matcher) -> None:
    grade: Formalism[int] = AtLeast()

    def graded(mark: int) -> Constraint:
        return Constraint(grade.id, mark, str(mark))

    good, demanding = EndpointType(provides=(graded(3),)), EndpointType(requires=(graded(2),))
    assert not matcher.matches(good, demanding)
    formalisms.register(grade)
    assert matcher.matches(good, demanding)
    answer = matcher.matches(good, EndpointType(requires=(graded(4),)))
    assert [failure.claim for _, failure in answer.failures()] == ["grade 3 against 4"]


def test_b8_users_define_events_and_endpoints_that_travel() -> None:
    event = record(op=union(add=record(label=TEXT), remove=INT32))
    codec = Codec(event)
    value = {"op": {"add": {"label": "note"}}}
    assert codec.decode(codec.encode(value)) == value


def test_b11_events_convert_between_endpoints_that_differ_without_inheritance(matcher: Matcher) -> None:
    """The decoder of the receiving side carries out the conversions that matching allows."""
    written = record(x=INT32, y=INT32, colour=TEXT)
    read = record(x=FLOAT64, y=optional(INT32))
    assert matcher.matches(EndpointType(outputs=(("m", written),)), EndpointType(inputs=(("m", read),)))
    received = Codec(read).decode(Codec(written).encode({"x": 1, "y": 2, "colour": "red"}))
    assert received == {"x": 1.0, "y": 2}
    assert isinstance(received["x"], float)


CHANNEL = EndpointType((("Send", TEXT),), (("Receive", TEXT),))
EDITOR = EndpointType((("Receive", TEXT),), (("Send", TEXT),))


def test_f1_formulas_decide_a_match_where_the_events_agree(formalisms: Formalisms, matcher: Matcher) -> None:
    """The document demands an order of events, from its own point of view."""
    demand = said(formalisms, "trace", "every Receive follows a Send", EDITOR)
    promise = said(formalisms, "trace", "always (Receive implies previously Send)", CHANNEL)
    document = EndpointType(EDITOR.inputs, EDITOR.outputs, requires=(demand,))
    assert matcher.matches(CHANNEL, EDITOR)
    assert not matcher.matches(CHANNEL, document)
    assert matcher.matches(EndpointType(CHANNEL.inputs, CHANNEL.outputs, (promise,)), document)


def test_f1_formulas_decide_subtyping_too(formalisms: Formalisms, matcher: Matcher) -> None:
    strong = said(formalisms, "guarantee", "total, fifo", CHANNEL)
    weak = said(formalisms, "guarantee", "fifo", CHANNEL)
    better, worse = EndpointType(provides=(strong,)), EndpointType(provides=(weak,))
    assert matcher.endpoint_subtype(better, worse)
    refused = matcher.endpoint_subtype(worse, better)
    assert not refused
    assert "total" in refused.render()


def test_f4_a_stronger_annotation_meets_a_demand_in_the_formalism_it_extends(
    formalisms: Formalisms, matcher: Matcher
) -> None:
    """A channel with the original's `Secure` serves a document that demands encryption by name."""
    secure = Constraint(SECURE, formalisms.get(SECURE).parse("", Vocabulary()), "Secure")
    demand = said(formalisms, "guarantee", "encrypted", EDITOR)
    channel, document = EndpointType(provides=(secure,)), EndpointType(requires=(demand,))
    assert matcher.matches(channel, document)
    assert matcher.endpoint_subtype(channel, EndpointType(provides=(demand,)))


def test_f4_inheritance_is_between_formalisms_and_goes_one_way(
    formalisms: Formalisms, matcher: Matcher
) -> None:
    class Sworn(AtLeast):
        id = ClassId(0xFACE)
        name = "sworn grade"

        def translate(self, predicate: int) -> Iterable[tuple[ClassId, Hashable]]:
            return ((AtLeast.id, predicate),)

    formalisms.register(AtLeast())
    formalisms.register(Sworn())
    plain, sworn = Constraint(AtLeast.id, 2, "2"), Constraint(Sworn.id, 3, "3")
    assert matcher.matches(EndpointType(provides=(sworn,)), EndpointType(requires=(plain,)))
    assert not matcher.matches(EndpointType(provides=(plain,)), EndpointType(requires=(sworn,)))
