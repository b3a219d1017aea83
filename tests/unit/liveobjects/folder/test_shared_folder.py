from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.folder.object import SharedFolder
from liven.liveobjects.folder.state import Put, Rename, Take
from liven.runtime.fold import RefusedError
from liven.runtime.testing import Bench
from liven.types.declare import Ref

ONE = (
    '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    '<Object xsi:type="ReferenceObject" id="a:b"/></Root>'
)


def join(bench: Bench, channel: Any) -> Any:
    built = bench.build(SharedFolder)
    channel.join(built.handle.endpoint("channel"))
    return built


def test_everybody_gets_an_added_item_also_a_late_joiner() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        probe = bob.probe("Endpoint")
        ann.instance.change("put", Put("list", ONE), Put("plan", ONE))
        ann.instance.change("rename", Rename("plan", "plans"))
        ann.instance.change("take", Take("list"))
        assert [heard[:2] for heard in probe.heard] == [
            ("connect",),
            ("ready",),
            ("added", "list"),
            ("added", "plan"),
            ("removed", "plan"),
            ("added", "plans"),
            ("removed", "list"),
        ]
        late = join(bench, channel).probe("Endpoint")
        assert late.call("keys").value() == ["plans"]
        assert late.call("try_get_object", "plans").value().object.xml == ONE
        assert late.call("count").value() == 1
        assert late.call("is_read_only").value() is False


def test_other_objects_add_and_remove_items_through_the_folder_protocol() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        probe = ann.probe("Endpoint")
        probe.send("add", "list", Ref(ONE))
        assert dict(bob.instance.content.items) == {"list": ONE}
        probe.send("remove", "list")
        assert not bob.instance.content.items
        probe.send("remove", "list")
        assert "no longer in the folder" in bench.problems.pop().what


def test_a_folder_answers_once_its_channel_is_ready() -> None:
    with Bench() as bench:
        built = bench.build(SharedFolder)
        probe = built.probe("Endpoint")
        assert probe.heard == [("connect",)]
        assert "Loading" in built.instance.state_in_words
        with pytest.raises(RefusedError, match="not ready"):
            built.instance.change("put", Put("a", ONE))
        bench.channel().join(built.handle.endpoint("channel"))
        assert probe.heard == [("connect",), ("ready",)]
        assert built.instance.state_in_words == ""


def test_undo_is_each_persons_own() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = (join(bench, channel).instance for _ in range(2))
        channel.hold()
        ann.change("put", Put("a", "<ann/>"))
        bob.change("put", Put("a", "<bob/>"))
        channel.release()
        assert dict(ann.content.items) == {"a": "<ann/>", "a (2)": "<bob/>"}
        assert bob.undo() == "put"
        assert dict(ann.content.items) == {"a": "<ann/>"}
        assert (bob.undo(), bob.redo()) == (None, "put")
        assert dict(bob.content.items) == {"a": "<ann/>", "a (2)": "<bob/>"}


NAMES = st.sampled_from("ab")
DEEDS = st.one_of(
    st.builds(Put, NAMES, NAMES),
    st.builds(Take, NAMES),
    st.builds(Rename, NAMES, NAMES),
    st.sampled_from("urs"),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), DEEDS), max_size=20))
def test_replicas_are_equal_in_any_order_of_changes(steps: list[tuple[bool, Any]]) -> None:
    with Bench() as bench:
        channel = bench.channel()
        people = [join(bench, channel).instance for _ in range(2)]
        channel.hold()
        for who, deed in steps:
            if deed == "s":
                channel.release(2)
            elif deed in ("u", "r"):
                people[who].undo() if deed == "u" else people[who].redo()
            else:
                try:
                    people[who].change("deed", deed)
                except RefusedError:
                    continue
        channel.release()
        assert dict(people[0].content.items) == dict(people[1].content.items)
        assert all(one.editor.state == one.editor.confirmed for one in people)
