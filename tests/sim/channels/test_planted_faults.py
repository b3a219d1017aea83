"""The checks detect what they are for: some schedule finds each fault planted in the protocol."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice

import pytest
from tests.sim.channels.campaign import Job
from tests.sim.channels.campaign import run as run_job

from liven.liveobjects.channel.history import MalformedError, Position, Session, Standing
from liven.liveobjects.channel.ordering import channel, message_codec, messages, open_view
from liven.liveobjects.channel.ordering.message_codec import decode
from liven.liveobjects.channel.ordering.messages import Report, Work
from liven.liveobjects.channel.ordering.opening import catch_up, decision, quorum_sessions
from liven.liveobjects.channel.ordering.opening.report_round import ReportRound
from liven.liveobjects.channel.ordering.operations import delivered_log, own_operations
from liven.liveobjects.channel.ordering.orderer import Orderer
from liven.liveobjects.channel.ordering.proven_progress import ProvenProgress
from liven.liveobjects.channel.replica.disk import adopted_logs
from liven.liveobjects.channel.simulation.schedule import BRIEF_FROM, Schedule, Verdict, run

SCHEDULES = 300
Plant = Callable[[pytest.MonkeyPatch], None]


def number_before_all_have_reported(patch: pytest.MonkeyPatch) -> None:
    owners: dict[ReportRound, int] = {}
    gather = channel.OrderedChannel._gather

    def gathering(self: channel.OrderedChannel, of: ReportRound) -> None:
        owners[of] = self._me
        gather(self, of)

    def reports(self: ReportRound) -> dict[int, Report]:
        here = {node: self._reports[node] for node in self._view if node in self._reports}
        enough = 2 * len(here) > len(self._view) and owners.get(self) in here
        return here if enough else {}

    patch.setattr(channel.OrderedChannel, "_gather", gathering)
    patch.setattr(ReportRound, "reports", property(reports))


def open_with_a_hole(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(catch_up.CatchUp, "caught_up", lambda *_: True)


def deliver_old_orders_after_reporting(patch: pytest.MonkeyPatch) -> None:
    end, heard = channel.OrderedChannel._end_view, channel.OrderedChannel.heard
    ghosts: dict[channel.OrderedChannel, tuple[bytes, open_view.OpenView | None]] = {}

    def ending(self: channel.OrderedChannel) -> None:
        ghosts[self] = self._name, self._open_view
        end(self)

    def hearing(self: channel.OrderedChannel, node: int, payload: bytes) -> None:
        message = decode(payload)
        name, ghost = ghosts.get(self, (b"", None))
        if isinstance(message, Work) and message.view_id == name and ghost is not None:
            ghost.work(node, message)
            self._deliver(ghost.past, ghost.deliver())
        heard(self, node, payload)

    patch.setattr(channel.OrderedChannel, "_end_view", ending)
    patch.setattr(channel.OrderedChannel, "heard", hearing)


def every_side_continues(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(decision, "standing", lambda *_: Standing.CONTINUES)


def stable_when_one_has_it(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(open_view.OpenView, "settled", lambda self: max(each.number for each in self.progress))


def send_nothing_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(own_operations.OwnOperations, "begin", lambda _: None)


def drop_what_lost_its_place(patch: pytest.MonkeyPatch) -> None:
    real = own_operations.OwnOperations.turn

    def turn(
        self: own_operations.OwnOperations, mark: int, number: int, *, again: bool
    ) -> tuple[range, range]:
        self._ordered = ()
        return real(self, mark, number, again=again)

    patch.setattr(own_operations.OwnOperations, "turn", turn)


def take_any_history_for_ones_own(patch: pytest.MonkeyPatch) -> None:
    def holds(self: delivered_log.DeliveredLog, position: Position, _: delivered_log.Older) -> bool:
        return bool(position.number <= self.number)

    patch.setattr(delivered_log.DeliveredLog, "holds", holds)


def order_on_after_naming_a_successor(patch: pytest.MonkeyPatch) -> None:
    real = Orderer.order

    def order(self: Orderer, room: int, able: Sequence[bool], began: Session | None) -> object:
        made = real(self, room, able, began)
        self.ended = False
        return made

    patch.setattr(Orderer, "order", order)


def begin_where_others_are_not(patch: pytest.MonkeyPatch) -> None:
    def number_one_too_many(self: open_view.OpenView) -> object:
        for made in real(self):
            yield made
            self.past.chain = bytes(16)

    real = open_view.OpenView.deliver
    patch.setattr(open_view.OpenView, "deliver", number_one_too_many)


PLANTS: list[Plant] = [
    number_before_all_have_reported,
    open_with_a_hole,
    deliver_old_orders_after_reporting,
    every_side_continues,
    stable_when_one_has_it,
    send_nothing_again,
    drop_what_lost_its_place,
    take_any_history_for_ones_own,
    order_on_after_naming_a_successor,
    begin_where_others_are_not,
]


def found(first: int) -> Iterable[int]:
    for seed in range(first, first + SCHEDULES):
        try:
            broken = bool(run(seed).breaches)
        except (AssertionError, IndexError, KeyError, MalformedError, StopIteration, ValueError):
            broken = True
        if broken:
            yield seed


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert list(islice(found(0), 1)) != []


@pytest.mark.slow
@pytest.mark.parametrize(
    "plant",
    [each for each in PLANTS if each is not order_on_after_naming_a_successor],  # it needs much that waits
    ids=lambda plant: plant.__name__,
)
def test_brief_schedules_find_a_planted_fault(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert list(islice(found(BRIEF_FROM + 1000), 1)) != []


class LastWords(Schedule):
    """A member that nobody hears any more submits one operation, and dies with its disk before it is
    missed."""

    def run(self) -> Verdict:
        for _ in range(5):
            self._join()
            self.world.run(0.5)
        first = self.members[0]
        self._submit(first, self._made(1))
        self.world.run(0.5)
        self.world.cut([first.host], 1)
        self._submit(first, self._made(1))
        self.world.run(0.05)
        self._ends(first)
        self._rest()
        self._judge()
        return self._verdict()


@pytest.mark.parametrize("planted", [False, True])
def test_an_operation_that_only_one_member_has_is_not_acknowledged(
    planted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if planted:
        stable_when_one_has_it(monkeypatch)
    breaches = LastWords(1).run().breaches
    assert any("is lost" in each for each in breaches) is planted
    assert bool(breaches) is planted


def carry_no_votes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(adopted_logs, "_carried", lambda *_, **__: None)


def declare_without_a_mark(patch: pytest.MonkeyPatch) -> None:
    def unmarked(session: Session, gone: Collection[bytes], _: bytes) -> Session:
        return Session(
            session.serial, tuple(one for one in session.members if one not in gone), session.founding
        )

    patch.setattr(quorum_sessions, "without", unmarked)


def declare_nobody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(channel.OrderedChannel, "retire", lambda *_: None)


def read_small_names_only(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(message_codec, "_NODE_MOST", 4096)


def read_without_checksum(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(message_codec, "crc32", lambda _: 0)


def believe_every_progress(patch: pytest.MonkeyPatch) -> None:
    def put(self: ProvenProgress, place: int, told: messages.Progress) -> None:
        self.of[place] = told

    patch.setattr(ProvenProgress, "put", put)
    patch.setattr(ProvenProgress, "prove", lambda _: [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "plants"),
    [
        ("shared-homes", [carry_no_votes]),
        ("aged-replicas", [read_small_names_only]),
        ("members-gone", [declare_without_a_mark]),
        ("members-gone", [declare_nobody]),
        ("unsound-flips", [read_without_checksum, believe_every_progress]),
    ],
)
def test_a_planted_fault_is_found_in_its_world(
    world: str, plants: list[Plant], monkeypatch: pytest.MonkeyPatch
) -> None:
    for plant in plants:
        plant(monkeypatch)
    assert any(run_job(Job(world, seed))[1].breaches for seed in range(SCHEDULES))
