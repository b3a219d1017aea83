"""The atoms that names in formulas stand for."""

from __future__ import annotations

import pytest

from liven.types.formalism.atoms import Atom, parse_atom, resolve
from liven.types.formalism.plugin import FormulaError, Vocabulary


def named(name: str, vocabulary: Vocabulary) -> list[str]:
    return [str(atom) for atom in resolve(name, vocabulary)]


@pytest.mark.parametrize(
    ("name", "atoms"),
    [
        ("Send", ["in.Send"]),
        ("Receive", ["out.Receive"]),
        ("in.Both", ["in.Both"]),
        ("out.Both", ["out.Both"]),
        ("connect", ["connect"]),
        ("Disconnect", ["disconnect"]),
        ("in.*", ["in.*"]),
        ("*", ["in.*", "out.*"]),
    ],
)
def test_a_name_at_an_endpoint_is_found(name: str, atoms: list[str], channel: Vocabulary) -> None:
    assert named(name, channel) == atoms


def test_an_event_named_connect_hides_the_built_in_one() -> None:
    assert named("Connect", Vocabulary(frozenset({"Connect"}))) == ["in.Connect"]


def test_the_reply_of_an_operation_has_a_dot_in_its_name() -> None:
    vocabulary = Vocabulary(frozenset({"get"}), frozenset({"get.reply"}))
    assert named("get.reply", vocabulary) == ["out.get.reply"]
    assert named("out.get.reply", vocabulary) == ["out.get.reply"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Both", "both received and sent; write in.Both or out.Both"),
        ("Recieve", "did you mean Receive"),
        ("out.Send", "not sent here; did you mean in.Send"),
        ("in.Ack", "not received here; did you mean out.Ack"),
        ("in.Sent", "did you mean Send"),
        ("channel.in.Send", "is not an event here"),
    ],
)
def test_an_unknown_name_is_refused_with_a_suggestion(name: str, complaint: str, channel: Vocabulary) -> None:
    with pytest.raises(FormulaError, match=complaint):
        resolve(name, channel)


def test_a_name_at_an_object_begins_with_its_endpoint(whole: Vocabulary) -> None:
    assert named("channel.in.Send", whole) == ["channel.in.Send"]
    assert named("detector.Suspect", whole) == ["detector.in.Suspect"]
    assert named("detector.connect", whole) == ["detector.connect"]
    assert named("channel.*", whole) == ["channel.in.*", "channel.out.*"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Send", "does not begin with an endpoint"),
        ("detecter.Suspect", "did you mean detector"),
        ("channel", "as in channel.connect"),
        ("detector.Send", "is not an event here"),
    ],
)
def test_a_name_without_a_known_endpoint_is_refused(name: str, complaint: str, whole: Vocabulary) -> None:
    with pytest.raises(FormulaError, match=complaint):
        resolve(name, whole)


def test_of_two_endpoints_the_longer_name_wins() -> None:
    inner = Vocabulary(frozenset({"E"}))
    vocabulary = Vocabulary(endpoints=(("a", inner), ("a.b", inner)))
    assert resolve("a.b.E", vocabulary) == (Atom("a.b", "in", "E"),)


def test_mirroring_twice_changes_nothing() -> None:
    for atom in (Atom("", "in", "E"), Atom("x", "out", "E"), Atom("", "connect"), Atom("", "disconnect")):
        assert atom.mirrored().mirrored() == atom
    assert Atom("", "in", "E").mirrored() == Atom("", "out", "E")


@pytest.mark.parametrize("text", ["in.E", "out.get.reply", "connect", "disconnect"])
def test_printing_an_atom_and_reading_it_are_inverse(text: str) -> None:
    assert str(parse_atom(text)) == text


@pytest.mark.parametrize("text", ["", "in.", "E", "inE", "connected"])
def test_a_text_that_is_not_an_atom_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an event"):
        parse_atom(text)
