"""The requirements that concern formalisms; each test carries the name of its row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import pytest

from liven.types.explanation import Explanation
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.count import COUNT
from liven.types.formalism.guarantee import GUARANTEE, SECURE, SECURE_TOO, GuaranteeFormalism, builtin_table
from liven.types.formalism.plugin import Formalism, FormulaError, Monitor, Vocabulary
from liven.types.formalism.timing import TIMING
from liven.types.formalism.trace import TRACE, TraceFormalism
from liven.types.ids import ClassId

STOCK: dict[ClassId, Formalism[Any]] = {formalism.id: formalism for formalism in builtin_formalisms()}


class Capacity:
    """A user's own formalism: the bytes a second that an endpoint carries.

    It extends `guarantee`: an endpoint that carries anything makes a best effort.
    """

    id = ClassId(0x1234)
    name = "capacity"

    def parse(self, text: str, vocabulary: Vocabulary) -> int:
        if not text.isdecimal():
            raise FormulaError(f"{text!r} is not a number of bytes a second")
        return int(text)

    def conjoin(self, predicates: Sequence[int]) -> int:
        return max(predicates, default=0)

    def implies(self, provided: int, required: int) -> Explanation:
        return Explanation(provided >= required, f"{provided} against {required} bytes a second")

    def mirror(self, predicate: int) -> int:
        return predicate

    def trivial(self, predicate: int) -> bool:
        return predicate == 0

    def translate(self, predicate: int) -> Iterable[tuple[ClassId, Hashable]]:
        yield GUARANTEE, frozenset({"best-effort"})

    def monitor(self, predicate: int) -> Monitor | None:
        return None


def covers(provided: Iterable[tuple[ClassId, Hashable]], language: ClassId, required: Hashable) -> bool:
    """True if the promise, with its translations into other formalisms, implies the demand."""
    known: dict[ClassId, Formalism[Any]] = {**STOCK, Capacity.id: Capacity()}
    meant, todo = set(), list(provided)
    while todo:
        told = todo.pop()
        if told not in meant:
            meant.add(told)
            todo.extend(known[told[0]].translate(told[1]))
    formalism = known[language]
    return bool(
        formalism.implies(formalism.conjoin([one for key, one in meant if key == language]), required)
    )


def test_b8_a_user_defines_a_constraint_kind() -> None:
    kind: Formalism[int] = Capacity()
    here = Vocabulary()
    assert kind.implies(kind.parse("1000", here), kind.parse("100", here))
    assert not kind.implies(kind.parse("100", here), kind.parse("1000", here))
    with pytest.raises(FormulaError):
        kind.parse("fast", here)


def test_b8_a_library_extends_the_names_and_rules_of_guarantees() -> None:
    text = '[[name]]\nid = "signed"\nsays = "s"\n[[rule]]\nif = ["signed"]\nthen = ["authenticated"]\n'
    wider = GuaranteeFormalism(builtin_table().extended(text))
    here = Vocabulary()
    assert wider.implies(wider.parse("signed", here), wider.parse("integral", here))
    assert not wider.implies(wider.parse("integral", here), wider.parse("signed", here))


ONE_WAY = [
    ("guarantee", "atomic and causal", "fifo, at most once"),
    ("trace", "at most one Close, and nothing after it", "at most two Close"),
    ("trace", "no Send before Open; no Receive before Send", "no Receive before Open"),
    ("count", "exactly 2 instances connected", "at most 5 instances connected"),
    ("timing", "Ack within 200 ms after Send", "at least 95% of the time, Ack within 1 s after Send"),
    ("Secure", "total", ""),
]


@pytest.mark.parametrize(("name", "stronger", "weaker"), ONE_WAY)
def test_of_each_formalism_what_is_provided_implies_what_is_required_and_not_the_other_way(
    name: str, stronger: str, weaker: str, channel: Vocabulary
) -> None:
    for formalism in (one for one in STOCK.values() if one.name == name):
        strong, weak = formalism.parse(stronger, channel), formalism.parse(weaker, channel)
        assert formalism.implies(strong, weak)
        assert not formalism.implies(weak, strong)


def test_every_formalism_has_a_pair_that_holds_one_way() -> None:
    assert {name for name, _, _ in ONE_WAY} == {formalism.name for formalism in STOCK.values()}


def test_b8_every_builtin_formalism_has_an_id_of_its_own_and_its_name() -> None:
    names = {formalism.id: formalism.name for formalism in builtin_formalisms()}
    assert names == {
        GUARANTEE: "guarantee",
        TRACE: "trace",
        COUNT: "count",
        TIMING: "timing",
        SECURE: "Secure",
        SECURE_TOO: "Secure",
    }
    assert len(builtin_formalisms()) == len(names)


def test_f1_behaviour_is_compared_and_not_only_event_lists(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    """Two endpoints with the same events promise different orders."""
    orderly = trace.parse("every Receive follows a Send; nothing after Close", channel)
    wanted = trace.parse("no Receive before Send", channel)
    assert trace.implies(orderly, wanted)
    assert not trace.implies(wanted, orderly)


def test_f1_a_refusal_shows_behaviour_that_would_break_the_demand(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    loose = trace.parse("at most two Close", channel)
    answer = trace.implies(loose, trace.parse("at most one Close", channel))
    assert "connect, in.Close, in.Close" in answer.render()


def test_f1_a_document_that_needs_total_order_is_refused_by_a_fifo_channel_until_one_orders() -> None:
    here = Vocabulary()
    guarantee = STOCK[GUARANTEE]
    document = guarantee.parse("total, reliable", here)
    channel = guarantee.parse("reliable, fifo", here)
    refused = guarantee.implies(channel, document)
    assert [path for path, _ in refused.failures()] == [("total",)]
    assert guarantee.implies(guarantee.conjoin([channel, guarantee.parse("total", here)]), document)


def test_f3_a_type_may_be_live_given_a_failure_detector_of_a_class(
    trace: TraceFormalism, whole: Vocabulary
) -> None:
    """Liveness given a weak detector is stronger than given a strong one, and weaker than liveness
    itself."""

    def live(given: str) -> Any:
        return trace.parse(f"{given} at least one channel.Receive", whole)

    weakly = live("given detector is eventually-strong-detector,")
    strongly = live("given detector is perfect-detector,")
    assert trace.implies(weakly, strongly)
    assert not trace.implies(strongly, weakly)
    assert trace.implies(live(""), weakly)
    assert not trace.implies(weakly, live(""))


def test_f3_a_type_may_be_live_given_what_happens_on_an_endpoint(
    trace: TraceFormalism, whole: Vocabulary
) -> None:
    """An object that does nothing breaks the promise once the condition comes true."""
    promise = trace.parse(
        "given at least one detector.Suspect, every channel.Send is answered by channel.Ack", whole
    )
    idle = trace.parse("no channel.Ack", whole)
    assert not trace.implies(idle, promise)
    against = trace.counterexample(idle, promise)
    assert against is not None
    assert {str(atom) for atom in against.trace} >= {"detector.in.Suspect", "channel.in.Send"}


def test_f3_a_condition_that_is_not_met_excuses(trace: TraceFormalism, channel: Vocabulary) -> None:
    monitor = trace.monitor(trace.parse("given at least one Open, eventually Ack", channel))
    for now, atom in enumerate(["connect", "in.Send", "disconnect"]):
        monitor.feed(atom, float(now))
    assert monitor.violation is None


def test_f3_a_condition_that_is_met_and_an_answer_that_is_not_is_seen_at_the_end(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    monitor = trace.monitor(trace.parse("given at least one Open, eventually Ack", channel))
    monitor.feed("connect", 0.0)
    monitor.feed("in.Open", 1.0)
    assert monitor.violation is None
    monitor.feed("disconnect", 2.0)
    assert monitor.violation is not None


def test_f4_a_formula_of_one_formalism_satisfies_a_demand_of_another() -> None:
    assert covers([(Capacity.id, 100)], GUARANTEE, frozenset({"best-effort"}))
    assert not covers([(Capacity.id, 100)], GUARANTEE, frozenset({"reliable"}))


def test_f4_inheritance_goes_one_way_only() -> None:
    assert not covers([(GUARANTEE, frozenset({"best-effort"}))], Capacity.id, 100)


def test_f4_the_original_constraint_and_guarantees_imply_each_other() -> None:
    secure, halves = frozenset({"secure"}), frozenset({"encrypted", "authenticated"})
    assert covers([(SECURE, secure)], GUARANTEE, frozenset({"encrypted"}))
    assert covers([(GUARANTEE, halves)], SECURE_TOO, secure)
    assert covers([(SECURE, secure)], SECURE_TOO, secure)
    assert not covers([(GUARANTEE, frozenset({"encrypted"}))], SECURE, secure)


def test_f4_a_timing_is_timed_and_a_single_instance_exclusive() -> None:
    names = Vocabulary(frozenset({"Send"}), frozenset({"Ack"}))
    soon = STOCK[TIMING].parse("Ack within 1 s after Send", names)
    single = STOCK[COUNT].parse("at most one instance connected", names)
    assert covers([(TIMING, soon), (COUNT, single)], GUARANTEE, frozenset({"timed", "exclusive"}))
    assert not covers([(TIMING, soon)], GUARANTEE, frozenset({"exclusive"}))


def test_f4_an_endpoint_that_never_connects_has_no_instances(whole: Vocabulary) -> None:
    never = STOCK[TRACE].parse("never detector.connect", whole)
    at_most = STOCK[COUNT].parse("at most 3 instances of detector connected", whole)
    assert covers([(TRACE, never)], COUNT, at_most)
    once = STOCK[TRACE].parse("at most one detector.connect", whole)
    assert not covers([(TRACE, once)], COUNT, at_most)
