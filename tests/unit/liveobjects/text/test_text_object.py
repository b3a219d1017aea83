from __future__ import annotations

from base64 import b64decode
from typing import Any

from liven.liveobjects.text.model import Note, typed
from liven.liveobjects.text.object import TextObject, note_state
from liven.liveobjects.text.recipe import note, plain_text
from liven.liveobjects.text.wire import MARK, packed
from liven.runtime.reference.model import Plain, Reference
from liven.runtime.testing import Bench
from liven.types.codec import Codec
from liven.types.terms.value_types import TEXT


def notes(bench: Bench, count: int) -> tuple[Any, list[Any]]:
    channel = bench.channel()
    return channel, [join(bench, channel) for _ in range(count)]


def join(bench: Bench, channel: Any) -> Any:
    built = bench.build(TextObject)
    channel.join(built.handle.endpoint("channel"))
    return built.instance


def test_typed_text_appears_in_other_and_later_windows() -> None:
    with Bench() as bench:
        channel, (ann, bob) = notes(bench, 2)
        ann.note.edit("typing", typed(0, "héllo"))
        bob.note.edit("typing", typed(5, " there"))
        late = join(bench, channel)
        assert ann.note.text == bob.note.text == late.note.text == "héllo there"
        assert ann.ready and late.ready


def test_typed_text_shows_before_it_is_ordered() -> None:
    with Bench() as bench:
        channel, (ann, bob) = notes(bench, 2)
        channel.hold()
        ann.note.edit("typing", typed(0, "one"))
        bob.note.edit("typing", typed(0, "two"))
        assert (ann.note.text, bob.note.text) == ("one", "two")
        channel.release()
        assert ann.note.text == bob.note.text
        assert ann.note.digest() == bob.note.digest()


def test_a_plain_text_of_the_original_replaces_the_note_everywhere() -> None:
    with Bench() as bench:
        channel, (ann, bob) = notes(bench, 2)
        ann.note.edit("typing", typed(0, "ours"))
        channel.send("the original's")
        channel.send("")
        channel.send("again")
        bob.note.edit("typing", typed(5, "!"))
        assert ann.note.text == bob.note.text == "again!"
        assert ann.note.digest() == bob.note.digest()


def test_an_invalid_edit_is_reported_and_skipped() -> None:
    with Bench() as bench:
        channel, (ann, bob) = notes(bench, 2)
        ann.note.edit("typing", typed(0, "kept"))
        channel.send(MARK + "???")
        channel.send(packed(b"\xff\xff\xff"))
        assert ann.note.text == bob.note.text == "kept"
        said = [problem.what for problem in bench.problems]
        bench.problems.clear()
        assert len(said) == 4
        assert all("was skipped" in what for what in said)


def test_a_checkpoint_of_the_original_is_read_as_text() -> None:
    with Bench() as bench:
        built = bench.build(TextObject)
        probe = built.probe("channel")
        probe.send("initialize", "what was there")
        assert built.instance.note.text == "what was there"
        assert probe.call("checkpoint").value().startswith(MARK)


def test_recipes_carry_a_paper_and_a_size() -> None:
    for recipe, expected in (
        (note("a", paper="mint", size="large"), ("mint", "large")),
        (plain_text("a"), ("clear", "medium")),
    ):
        assert isinstance(recipe, Reference)
        on = recipe.parameters[0].value
        assert isinstance(on, Reference)
        seed = next(one.value for one in on.parameters if one.id == "seed")
        assert isinstance(seed, Plain)
        state = Codec(TEXT).decode(b64decode(seed.text))
        made = Note(lambda _: None)
        made.start(note_state(state))
        assert (made.paper, made.size, made.text) == (*expected, "")
