"""A window with a channel: its object is for everybody, is stored, and can be undone."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.liveobjects.delayed_replicas import edit_out_of_step

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.window.content import DEEPEST
from liven.liveobjects.window.model import LONGEST_NAME, Inside, Put, WindowModel
from liven.liveobjects.window.object import UnseenError, WindowObject, WindowState
from liven.runtime.fold import RefusedError, applied
from liven.runtime.objects.context import Context
from liven.runtime.testing import Bench
from liven.types.catalogue import register
from liven.types.declare import ExportedUI, proxy, scan

MODEL = WindowModel()
PUTS = st.builds(Put, st.sampled_from(["a", "b", ""]), st.sampled_from(["A", "B", ""]))
RAN: list[str] = []


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B23", alias="test:sheet", view="some.view:make")
class Sheet:
    UI: ExportedUI

    def __init__(self, context: Context, text: str = "") -> None:
        self.context = context
        self.text = text


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B24", alias="test:engine")
class Engine:
    """An object without a view."""

    def __init__(self) -> None:
        RAN.append("engine")


def recipe(name: str, text: str = "") -> str:
    said = (
        f'<Parameter id="text"><Value xsi:type="xsd:string">{text}</Value></Parameter>'
        if name == "sheet"
        else ""
    )
    return (
        '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xmlns:xsd="http://www.w3.org/2001/XMLSchema">'
        f'<Object xsi:type="ReferenceObject" id="test:{name}">{said}</Object></Root>'
    )


SHEET, OTHER, ENGINE = recipe("sheet", "one"), recipe("sheet", "two"), recipe("engine")


@pytest.fixture
def bench() -> Bench:
    made = Bench()
    register(made.known.catalogue, scan(sys.modules[__name__]), made.known.matcher)
    RAN.clear()
    return made


def join(bench: Bench, channel: Any, person: str) -> Any:
    bench.node.person = person
    built = bench.build(WindowObject, caption="Box")
    channel.join(built.handle.endpoint("channel"))
    return built.instance


def text(window: Any) -> str | None:
    return None if window.content is None else window.content.model.text


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (Put("a", "other"), "in it already"),
        (Put("x" * (LONGEST_REFERENCE + 1), ""), "too long"),
        (Put("b", "x" * (LONGEST_NAME + 1)), "limit is 1,000"),
        (Put("b", "B"), "“A” was put in first"),
    ],
)
def test_an_invalid_change_is_refused_with_the_reason(change: Put, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        MODEL.apply(Inside("a", "A"), change)
    with pytest.raises(RefusedError, match="out already"):
        MODEL.apply(Inside(), Put("", ""))


@given(st.lists(PUTS, max_size=10), PUTS)
def test_undoing_a_change_restores_the_content(before: list[Put], change: Put) -> None:
    state, _, _ = applied(MODEL, Inside(), tuple(before))
    after, back, _ = applied(MODEL, state, (change,))
    assert applied(MODEL, after, back)[0] == state


def test_everybody_sees_the_object_in_a_window_also_a_late_joiner(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        ann, bob = join(bench, channel, "ann"), join(bench, channel, "bob")
        ann.put(SHEET, "Sheet")
        bench.advance(0.01)
        assert [text(one) for one in (ann, bob)] == ["one", "one"]
        assert ann.content.model is not bob.content.model
        bob.put(OTHER, "Other")
        bench.advance(0.01)
        late = join(bench, channel, "cyn")
        bench.advance(0.01)
        assert [text(one) for one in (ann, bob, late)] == ["two"] * 3
        assert late.inside.name == "Other"
        late.take_out()
        bench.advance(0.01)
        assert [text(one) for one in (ann, bob, late)] == [None] * 3
        with pytest.raises(RefusedError, match="nothing was put in"):
            ann.take_out()


class Heard:
    """A view that records the messages."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def changed(self, before: Inside, after: Inside) -> None:
        pass

    def notify(self, message: str) -> None:
        self.words.append(message)


def test_when_two_people_fill_an_empty_window_the_second_is_refused(
    bench: Bench,
) -> None:
    with bench:
        channel = bench.channel()
        ann, bob = join(bench, channel, "ann"), join(bench, channel, "bob")
        heard = Heard()
        bob.editor.listen(heard)
        channel.hold()
        ann.put(SHEET, "Sheet")
        bob.put(OTHER, "Other")
        assert bob.inside.name == "Other"
        channel.release()
        bench.advance(0.01)
        assert [text(one) for one in (ann, bob)] == ["one", "one"]
        assert heard.words == ["Put Other in the window: “Sheet” was put in first"]
        assert not bob.editor.undo(), "it did nothing"
        assert [text(one) for one in (ann, bob)] == ["one", "one"]


def test_replacing_an_object_is_one_undo_step(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        ann, bob = join(bench, channel, "ann"), join(bench, channel, "bob")
        ann.put(SHEET, "Sheet")
        bench.advance(0.01)
        with pytest.raises(RefusedError, match="in it already"):
            ann.put(SHEET, "Sheet")
        bob.put(OTHER, "Other")
        bench.advance(0.01)
        assert [text(one) for one in (ann, bob)] == ["two", "two"]
        assert bob.editor.undo() == "Put Other in the window"
        bench.advance(0.01)
        assert [text(one) for one in (ann, bob)] == ["one", "one"]
        assert bob.editor.redo() == "Put Other in the window"
        bench.advance(0.01)
        assert [text(one) for one in (ann, bob)] == ["two", "two"]


def test_the_object_is_there_when_the_window_is_opened_again(bench: Bench) -> None:
    with bench:
        window = join(bench, bench.channel(), "ann")
        window.put(SHEET, "Sheet")
        bench.advance(0.01)
        kept = window.checkpoint()
        again = bench.build(WindowObject).instance
        again.initialize(kept)
        bench.advance(0.01)
        assert text(again) == "one"
        again.initialize(WindowState("", ""))
        assert text(again) is None


def test_undo_takes_out_only_my_own_object(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        ann, bob = join(bench, channel, "ann"), join(bench, channel, "bob")
        ann.put(SHEET, "Sheet")
        bench.advance(0.01)
        assert ann.editor.undo() == "Put Sheet in the window"
        bench.advance(0.01)
        assert (text(ann), text(bob)) == (None, None)
        ann.editor.redo()
        bench.advance(0.01)
        assert text(bob) == "one"
        bob.put(OTHER, "Other")
        bench.advance(0.01)
        assert not ann.editor.undo()
        bench.advance(0.01)
        assert (text(ann), text(bob)) == ("two", "two")
        again = bench.build(WindowObject).instance
        again.restore_undo(bob.undo_data())
        assert again.editor.undo_list.undo_names == ("Put Other in the window",)


def test_an_object_of_others_without_a_view_does_not_run(bench: Bench) -> None:
    with bench:
        ann = join(bench, bench.channel(), "ann")
        with pytest.raises(UnseenError):
            ann.put(ENGINE, "Engine")
        ann.editor.edit("as another program may", Put(ENGINE, "Engine"))
        bench.advance(0.01)
        assert ann.trouble == "it has nothing to show, so it does not run here"
        assert RAN == []
        ann.put(SHEET, "Sheet")
        bench.advance(0.01)
        assert (ann.trouble, text(ann)) == ("", "one")


def test_a_failed_object_shows_the_reason_and_restarts_on_request(bench: Bench) -> None:
    with bench:
        ann = join(bench, bench.channel(), "ann")
        ann.put(SHEET, "Sheet")
        bench.advance(0.01)

        def fail() -> None:
            raise RuntimeError("planted")

        ann.content.model.context.call_soon(fail)
        bench.advance(0.01)
        assert (ann.content, ann.trouble) == (None, "it has ended")
        bench.problems.clear()
        ann.again()
        bench.advance(0.01)
        assert (text(ann), ann.trouble) == ("one", "")


def test_a_window_takes_nothing_before_its_channel_is_ready(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        ann = join(bench, channel, "ann")
        ann.ready = False
        for deed in (lambda: ann.put(SHEET, "Sheet"), ann.take_out):
            with pytest.raises(RefusedError, match="not ready yet"):
                deed()


def test_a_window_inside_itself_does_not_start_again(bench: Bench) -> None:
    with bench:
        channel = bench.channel()
        outer = join(bench, channel, "ann")
        outer.put(SHEET, "Sheet")
        bench.advance(0.01)
        content = outer._content
        nest = content._nest()
        path = content._context.path
        assert nest.around((*path, "Sheet")) == [SHEET]
        assert nest.around(path) == []
        inner = join(bench, bench.channel(), "ann")
        nest.running[object()] = (inner.context.path[:0], SHEET)
        with pytest.raises(RefusedError, match="contain itself"):
            inner.put(SHEET, "Sheet")
        inner.editor.edit("as another may", Put(SHEET, "Sheet"))
        assert "contain itself" in inner.trouble
        for number in range(DEEPEST):
            nest.running[object()] = ((), str(number))
        with pytest.raises(RefusedError, match="windows are nested"):
            inner.put(OTHER, "Other")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1), PUTS), max_size=12))
def test_replicas_are_equal_in_any_order_of_changes(steps: list[tuple[int, Put]]) -> None:
    with Bench() as bench:
        channel = bench.channel()
        people = [join(bench, channel, name) for name in ("ann", "bob")]
        edit_out_of_step(channel, people, steps)
        late = join(bench, channel, "late")
        bench.advance(0.01)
        assert len({MODEL.digest(one.editor.confirmed) for one in (*people, late)}) == 1
        assert len({one.inside.reference for one in (*people, late)}) == 1
        bench.problems.clear()
