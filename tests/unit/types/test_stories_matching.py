"""Stories of the model as far as types are concerned, each with the explanation that a person reads."""

from __future__ import annotations

import pytest

from liven.types.codec import Codec
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.guarantee import GUARANTEE
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.serializable import can_tunnel
from liven.types.terms.value_types import (
    FLOAT64,
    INT32,
    INT64,
    TEXT,
    ClassTag,
    RefTo,
    ValueType,
    optional,
    record,
    union,
)

FORMALISMS = Formalisms(builtin_formalisms())


def guaranteed(text: str) -> Constraint:
    return Constraint(GUARANTEE, FORMALISMS.get(GUARANTEE).parse(text, Vocabulary()), text)


def tag(name: str) -> ClassTag:
    return ClassTag(ClassId(1), name)


@pytest.fixture
def matcher() -> Matcher:
    return Matcher(FORMALISMS)


def channel(message: ValueType, *provides: Constraint) -> EndpointType:
    return EndpointType((("Send", message),), (("Receive", message),), provides, tag=tag("channel"))


def client(message: ValueType, *requires: Constraint) -> EndpointType:
    return EndpointType((("Receive", message),), (("Send", message),), (), requires, tag=tag("document"))


def test_an_airplane_flies_in_a_space_and_is_refused_on_a_desktop_with_the_reason(matcher: Matcher) -> None:
    airplane = ObjectType((("UI", EndpointType(local="UI_X")),), tag=tag("airplane"))
    space = ObjectType((("UI", EndpointType(local="UI_X")),), tag=tag("3-D object"))
    desktop = ObjectType((("UI", EndpointType(local="UI")),), tag=tag("2-D object"))
    assert matcher.cast(airplane, space)
    assert matcher.cast(airplane, desktop).render().splitlines() == [
        "✗ airplane cannot be used as 2-D object",
        "  ✗ UI: endpoint {local UI_X} cannot be used as endpoint {local UI}: "
        "a local kind (`UI_X`) can be used only as its own kind",
    ]


def test_a_document_that_needs_total_order_is_refused_on_a_fifo_channel(matcher: Matcher) -> None:
    document, fifo = client(TEXT, guaranteed("total")), channel(TEXT, guaranteed("fifo"))
    refused = matcher.matches(document, fifo)
    assert refused.render().splitlines()[:3] == [
        "✗ document does not match channel",
        "  ✗ the second does not promise what the first demands",
        "    ✗ guarantee: `total` does not follow from what is promised",
    ]
    assert matcher.matches(fifo, document).holds is False


def test_an_ordering_object_between_them_makes_both_connections_fit(matcher: Matcher) -> None:
    """It demands the promises of the channel and promises the demands of the document."""
    document, fifo = client(TEXT, guaranteed("total")), channel(TEXT, guaranteed("fifo"))
    below, above = client(TEXT, guaranteed("fifo")), channel(TEXT, guaranteed("total, fifo"))
    assert matcher.matches(fifo, below)
    assert matcher.matches(above, document)


def test_a_reference_that_comes_out_of_a_folder_is_checked_against_what_was_asked(matcher: Matcher) -> None:
    text_channel = ObjectType((("Channel", channel(TEXT, guaranteed("total"))),), tag=tag("text channel"))
    frame_channel = ObjectType((("Channel", channel(record(frame=TEXT))),), tag=tag("frame channel"))
    asked = ObjectType((("Channel", channel(TEXT)),), tag=tag("asked for"))
    assert matcher.cast(text_channel, asked)
    refused = matcher.cast(frame_channel, asked)
    assert {path for path, _ in refused.failures()} == {("Channel", "Receive"), ("Channel", "Send")}


def test_an_airplane_takes_textures_and_streams_of_coordinates_only(matcher: Matcher) -> None:
    place = record(x=FLOAT64, y=FLOAT64, z=FLOAT64)
    wanted = RefTo(ObjectType((("Stream", EndpointType(outputs=(("Set", place),))),)))
    orbit = ObjectType(
        (("Stream", EndpointType(outputs=(("Set", record(x=INT32, y=INT32, z=FLOAT64, t=INT64)),))),)
    )
    ticker = ObjectType((("Stream", EndpointType(outputs=(("Set", record(price=FLOAT64)),))),))
    assert matcher.value_subtype(RefTo(orbit), wanted)
    refused = matcher.value_subtype(RefTo(ticker), wanted)
    assert sorted(path for path, _ in refused.failures()) == [("Stream", "Set", axis) for axis in "xyz"]


OLD = record(label=TEXT, size=INT32)
NEW = record(label=TEXT, size=INT32, colour=optional(TEXT))


def test_a_newer_release_speaks_to_an_older_one_that_reads_less(matcher: Matcher) -> None:
    """Two releases of one library side by side: the newer event carries one more field."""
    assert matcher.matches(EndpointType(outputs=(("Add", NEW),)), EndpointType(inputs=(("Add", OLD),)))
    wire = Codec(NEW).encode({"label": "note", "size": 3, "colour": "red"})
    assert Codec(OLD).decode(wire) == {"label": "note", "size": 3}


def test_an_older_release_is_refused_by_a_newer_one_that_reads_more(matcher: Matcher) -> None:
    refused = matcher.matches(EndpointType(outputs=(("Add", OLD),)), EndpointType(inputs=(("Add", NEW),)))
    assert [path for path, _ in refused.failures()] == [("Add", "colour")]
    assert "has no such field, and optional<text> is expected" in refused.render()
    with pytest.raises(ValueError, match=r"^op\.colour: expected optional<text>, and the field is missing"):
        Codec(NEW).decode(Codec(OLD).encode({"label": "note", "size": 3}), "op")


def test_a_newer_operation_among_the_cases_of_a_union_goes_one_way(matcher: Matcher) -> None:
    old, new = union(add=OLD, remove=INT32), union(add=OLD, rename=TEXT, remove=INT32)
    assert matcher.value_subtype(old, new)
    assert Codec(new).decode(Codec(old).encode({"remove": 3})) == {"remove": 3}
    refused = matcher.value_subtype(new, old)
    assert [path for path, _ in refused.failures()] == [("rename",)]


def test_two_ends_with_one_hash_may_use_the_compact_form(matcher: Matcher) -> None:
    """Two modules declare one type: each has its own codec, and both write the same bytes."""
    theirs = record(tag("theirs"), **dict(reversed(NEW.fields)))
    ours, other = Codec(NEW), Codec(theirs)
    assert ours.hash == other.hash
    value = {"label": "note", "size": 3, "colour": None}
    assert other.decode_compact(ours.encode_compact(value)) == value
    assert len(ours.encode_compact(value)) < len(ours.encode(value))


def test_a_channel_tunnels_and_a_window_does_not() -> None:
    assert can_tunnel(channel(record(at=INT64)))
    assert not can_tunnel(EndpointType(local="UI"))
