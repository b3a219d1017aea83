from __future__ import annotations

import uuid
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.image.model import SLICE
from liven.liveobjects.image.object import ImageObject
from liven.liveobjects.image.picture_header import NoPictureError
from liven.liveobjects.image.state import Change, Slice
from liven.liveobjects.image.upload import AT_ONCE
from liven.liveobjects.image.wire import Frame, operation
from liven.runtime.fold import Gesture
from liven.runtime.testing import Bench

HEADER = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03"


def picture(size: int, mark: bytes = b"p") -> bytes:
    return HEADER + mark * (size - len(HEADER))


def join(bench: Bench, channel: Any) -> Any:
    built = bench.build(ImageObject)
    channel.join(built.handle.endpoint("channel"))
    return built.instance


def digests(*objects: Any) -> set[bytes]:
    return {one.editor.model.digest(one.editor.confirmed) for one in objects}


def test_everybody_gets_a_picture_also_a_late_joiner() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        data = picture(5 * SLICE + 7)
        done = ann.put(data, "cat.png")
        bench.advance(0.01)
        assert done.settled and done.error is None
        late = join(bench, channel)
        assert bob.editor.state.seen.data == late.editor.state.seen.data == data
        assert bob.editor.state.seen.about.name == "cat.png"
        assert len(digests(ann, bob, late)) == 1


def test_few_slices_are_in_flight_and_everybody_sees_the_progress() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        channel.hold()
        ann.put(picture(20 * SLICE), "cat.png")
        bench.advance(0.01)
        assert channel.held == AT_ONCE
        channel.release(3)
        bench.advance(0.01)
        assert channel.held <= AT_ONCE
        assert bob.editor.state.arriving.got == 2 * SLICE
        channel.release()
        bench.advance(0.1)
        assert bob.editor.state.seen.whole


def test_two_pictures_of_one_person_are_sent_one_after_the_other() -> None:
    with Bench() as bench:
        ann = join(bench, bench.channel())
        first, second = ann.put(picture(3 * SLICE), "a"), ann.put(picture(3 * SLICE, b"q"), "b")
        bench.advance(0.1)
        assert first.settled and second.settled
        assert ann.editor.state.seen.about.name == "b"
        assert ann.editor.undo() == "Show b"
        assert ann.editor.state.seen.about.name == "a"
        assert ann.editor.redo() == "Show b"
        ann.editor.undo()
        ann.editor.undo()
        assert ann.editor.state.seen is None
        assert ann.editor.undo() is None


def test_a_cancelled_picture_disappears_for_everybody() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        channel.hold()
        done = ann.put(picture(20 * SLICE), "cat.png")
        channel.release(3)
        done.cancel()
        channel.release()
        bench.advance(0.1)
        assert "cancelled" in str(done.error)
        assert bob.editor.state.arriving is None
        assert ann.sending is None
        assert len(digests(ann, bob)) == 1


def test_a_picture_added_before_the_channel_is_ready_is_sent_later() -> None:
    with Bench() as bench:
        built = bench.build(ImageObject)
        done = built.instance.put(picture(100), "a")
        assert not done.settled
        bench.channel().join(built.handle.endpoint("channel"))
        bench.advance(0.01)
        assert built.instance.editor.state.seen is not None


def test_an_upload_fails_when_the_image_ends() -> None:
    with Bench() as bench:
        built = bench.build(ImageObject)
        done = built.instance.put(picture(100), "cat.png")
        built.close()
        assert "cat.png was not added: the image ended" in str(done.error)


def test_bytes_that_are_not_a_picture_are_refused_before_sending() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann = join(bench, channel)
        with pytest.raises(NoPictureError):
            ann.put(b"not a picture", "x")
        bomb = HEADER[:16] + b"\0\0\xff\xff\0\0\xff\xff"
        with pytest.raises(NoPictureError, match="65,535 by 65,535"):
            ann.put(bomb, "x")
        assert channel.order == []


def test_an_empty_frame_is_reported_and_skipped() -> None:
    with Bench() as bench:
        ann = join(bench, bench.channel())
        ann.receive(Frame(None, None))
        assert "was skipped" in bench.problems.pop().what


DEEDS = st.sampled_from(["put", "undo", "redo", "stray", "some", "all"])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), DEEDS), max_size=10))
def test_replicas_are_equal_in_any_order_of_changes(steps: list[tuple[str, str]]) -> None:
    with Bench() as bench:
        channel = bench.channel()
        people = {name: join(bench, channel) for name in "ab"}
        channel.hold()
        for name, what in steps:
            one = people[name]
            if what == "put":
                one.put(picture(2 * SLICE + 1, name.encode()), name)
            elif what in ("undo", "redo"):
                getattr(one.editor, what)()
            elif what == "stray":
                known = [*one.editor.state.pictures, "none"]
                gesture: Gesture[Change] = Gesture(
                    uuid.uuid4(), 1, "", "stray", (Slice(known[0], 0, b"stray"),)
                )
                one.channel.peer.send(operation(gesture))
            else:
                channel.release(2 if what == "some" else None)
                channel.hold()
            bench.advance(0.01)
        channel.release()
        bench.advance(1)
        assert len(digests(*people.values())) == 1
        assert all(one.editor.state == one.editor.confirmed and not one.sending for one in people.values())
