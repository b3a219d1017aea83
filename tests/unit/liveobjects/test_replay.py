"""The rules alone reproduce the state that every replicated object shows its channel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from liven.liveobjects.chat.object import ChatObject
from liven.liveobjects.colour.object import Colour, ColourObject
from liven.liveobjects.folder.object import SharedFolder
from liven.liveobjects.folder.state import Put
from liven.liveobjects.image.object import ImageObject
from liven.liveobjects.image.wire import Frame, operation
from liven.liveobjects.vote.object import VoteObject
from liven.liveobjects.window.model import Put as WindowPut
from liven.liveobjects.window.object import WindowObject
from liven.runtime.fold.state_proof import Proof
from liven.runtime.reference.model import Parameter, Reference
from liven.runtime.reference.xml import write
from liven.runtime.testing import Bench

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03" + bytes(200_000)
RED = Colour(200, 0, 0, 255)
BOX = Reference("liven:window", tuple(Parameter(name) for name in ("caption", "loader", "ui")))
DEEDS: dict[type, Callable[[Any], object]] = {
    ColourObject: lambda colour: colour.choose(RED),
    ChatObject: lambda chat: chat.say("hello"),
    SharedFolder: lambda folder: folder.change("put", Put("a", "<a/>")),
    ImageObject: lambda image: image.put(PNG, "a.png"),
    VoteObject: lambda vote: vote.offer("tea"),
    WindowObject: lambda window: window.editor.edit("put", WindowPut(write(BOX).decode(), "a")),
}


@pytest.mark.parametrize("kind", DEEDS, ids=lambda kind: kind.__name__)
def test_the_rules_alone_reproduce_the_state_of_the_object(kind: type) -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = bench.build(kind), bench.build(kind)
        for one in (ann, bob):
            channel.join(one.handle.endpoint("channel"))
        DEEDS[kind](ann.instance)
        bench.advance(1)
        proof = ann.handle.endpoint("channel").internal().payload
        assert isinstance(proof, Proof)
        assert proof.fold is not None
        fold = proof.fold()
        empty = fold.digest()
        fold.initialize(bob.instance.checkpoint())
        assert fold.digest() == proof.digest() != empty
        again = proof.fold()
        again.initialize(None)
        assert again.digest() == empty


def test_an_invalid_message_is_skipped_as_the_object_skips_it() -> None:
    with Bench() as bench:
        image = bench.build(ImageObject)
        bench.channel().join(image.handle.endpoint("channel"))
        proof = image.handle.endpoint("channel").internal().payload
        assert isinstance(proof, Proof)
        assert proof.fold is not None
        fold = proof.fold()
        before = fold.digest()
        fold.receive(Frame(None, None))
        assert fold.digest() == before


def test_messages_one_by_one_give_the_same_state_as_a_checkpoint() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann = bench.build(ImageObject)
        received: list[Any] = []
        receive = ann.instance.editor.receive

        def hear(gesture: Any) -> object:
            received.append(gesture)
            return receive(gesture)

        ann.instance.editor.receive = hear
        channel.join(ann.handle.endpoint("channel"))
        ann.instance.put(PNG, "a.png")
        bench.advance(1)
        proof = ann.handle.endpoint("channel").internal().payload
        assert isinstance(proof, Proof)
        assert proof.fold is not None
        fold = proof.fold()
        fold.initialize(None)
        for gesture in received:
            fold.receive(operation(gesture))
        assert fold.digest() == proof.digest()
