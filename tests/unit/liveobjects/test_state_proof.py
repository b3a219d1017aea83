"""A state proof covers the confirmed state and not the pending gestures."""

from __future__ import annotations

from typing import Any

from liven.liveobjects.vote.model import VoteModel
from liven.liveobjects.vote.object import VoteObject
from liven.runtime.fold import Editor, ReplayedState, proof_of
from liven.runtime.testing import Bench


def replayed() -> ReplayedState[Any, Any]:
    return ReplayedState(VoteModel(), lambda state: state, lambda message: message)


def alone() -> Editor[Any, Any]:
    editor: Editor[Any, Any] = Editor(VoteModel(), "ann", lambda _: None)
    editor.start(None)
    return editor


def test_the_digest_covers_the_confirmed_state_and_the_rules_alone() -> None:
    proof = proof_of(alone(), replayed)
    assert proof.fold is not None
    assert proof.digest() == proof.fold().digest()


def test_a_snapshot_stays_unchanged_while_the_digest_follows() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann = bench.build(VoteObject)
        channel.join(ann.handle.endpoint("channel"))
        editor = ann.instance.editor
        proof = proof_of(editor, replayed, lambda state: state)
        assert proof.snapshot is not None
        before, taken = proof.digest(), proof.snapshot()
        ann.instance.offer("tea")
        bench.advance(1)
        assert proof.digest() != before
        assert editor.model.digest(taken.checkpoint()) == before


def test_without_a_packer_the_object_is_asked_for_its_checkpoint() -> None:
    assert proof_of(alone(), replayed).snapshot is None
