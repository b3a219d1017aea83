"""Checkpoints that replace the log, and late ones for a log that holds another history by then."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liven.liveobjects.channel.history import BEGINNING
from liven.liveobjects.channel.replica import Persistence
from liven.liveobjects.channel.replica.disk.checkpointing import Checkpointing
from liven.liveobjects.channel.replica.state_position import StatePosition
from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.member import Verifier
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.simulation.replica_schedule import NAME, ReplicaMember

ANN = b"a" * 16


def test_a_checkpoint_has_the_position_of_its_request() -> None:
    folding, state_position = Checkpointing(), StatePosition(marks={ANN: 1})
    request = folding.begin(state_position)
    state_position.marks[ANN] = 2
    assert folding.is_under_way
    assert folding.end(request) == StatePosition(BEGINNING, BEGINNING, (), {ANN: 1})
    assert not folding.is_under_way
    assert folding.end(request) is None


def test_a_late_checkpoint_of_another_log_is_recognized_by_its_number() -> None:
    folding = Checkpointing()
    late = folding.begin(StatePosition())
    folding.forget()
    assert not folding.is_under_way
    wanted = folding.begin(StatePosition(marks={ANN: 7}))
    assert folding.end(late) is None
    assert folding.is_under_way, "what came late ends nothing"
    assert folding.end(wanted) == StatePosition(marks={ANN: 7})


def test_checkpoint_numbers_differ_from_those_of_states_for_others() -> None:
    folding = Checkpointing()
    assert [folding.begin(StatePosition()) for _ in range(3)] == [-1, -2, -3]


def test_a_checkpoint_of_a_lost_history_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world, verifier = World(1), Verifier()
    ann, bob, cy = (
        ReplicaMember.on(world, verifier, name, SimulatedStorage(world)) for name in ("ann", "bob", "cy")
    )
    for member in (ann, bob, cy):
        world.join(member.host)
    world.run(1.0)
    world.cut([cy.host], 1)
    world.run(0.2)
    late: list[Callable[[], None]] = []
    with monkeypatch.context() as patch:
        taken = cy.replica.taken
        patch.setattr(cy.replica, "taken", lambda *said: late.append(lambda: taken(*said)))
        patch.setattr(
            Persistence, "wants_checkpoint", property(lambda persistence: persistence is cy.persistence)
        )
        cy.submit(b"cy")
        world.run(1.0)
    assert len(late) == 1, "a worker has the state of cy's side"
    ann.submit(*(b"ann%d" % number for number in range(20)))
    world.run(1.0)
    world.heal(1)
    world.run(2.0)
    assert cy.done == ann.done
    late[0]()
    cy.submit(b"after")
    world.run(2.0)
    assert cy.storage is not None
    kept = Persistence(cy.storage.open(NAME), None, reading=True)
    assert kept.trouble == ""
    assert kept.returned is not None
    assert kept.returned.tip.number == len(cy.done) == len(ann.done)
    assert verifier.breaches == []
