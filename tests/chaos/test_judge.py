"""The judge finds each kind of damage in side logs in which it was planted, and none in good ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

import pytest
from tests.chaos.judge import Alone, Evidence, Exemption, Verdict, digests_of, judge
from tests.chaos.pauses import Disturbance, longest_pause
from tests.chaos.side_log import Row

Logs = dict[str, list[Row]]
TEXTS = ["m0.1.1 w 7 5", "m1.1.1 x", "m0.1.2 x", "m1.1.2 r 7"]


def good() -> Logs:
    """Return the side logs of two programs with two operations each, one after another."""
    logs: Logs = {"m0.1": [], "m1.1": []}
    digests = digests_of(TEXTS)
    for log in logs.values():
        log.append({"kind": "begin", "t": 0.0, "count": 0, "digest": ""})
    for place, text in enumerate(TEXTS):
        name, _, words = text.partition(" ")
        log = logs[name.rpartition(".")[0]]
        log.append({"kind": "submit", "t": place + 0.1, "op": name, "words": words})
        for each in logs.values():
            each.append({"kind": "got", "t": place + 0.5, "place": place, "text": text})
        value = 5 if words == "r 7" else None
        facts = {"op": name, "place": place, "digest": digests[place], "value": value}
        log.append({"kind": "ack", "t": place + 0.6, **facts})
    for log in logs.values():
        log.append({"kind": "state", "t": 9.0, "texts": list(TEXTS)})
    return logs


def judged(
    logs: Logs,
    exempt: tuple[Exemption, ...] = (),
    branches: Mapping[str, Collection[int]] = MappingProxyType({}),
    accountable: Collection[str] = (),
    alone: Collection[Alone] = (),
) -> Verdict:
    evidence = Evidence()
    for name, log in logs.items():
        evidence.add(name, log)
    for log in logs.values():
        evidence.add_acknowledgements(log)
    return judge(evidence, exempt, branches=branches, accountable=accountable, alone=alone)


def of_kind(logs: Logs, kind: str) -> list[Row]:
    return [row for log in logs.values() for row in log if row["kind"] == kind]


def without(logs: Logs, name: str) -> None:
    """Remove an operation from all states."""
    for row in of_kind(logs, "state"):
        row["texts"] = [text for text in row["texts"] if not text.startswith(f"{name} ")]


@pytest.mark.parametrize(
    "what", ["sent an unreadable message: x", "runs another version of Liven, whose messages"]
)
def test_a_message_that_was_not_read_is_found(what: str) -> None:
    logs = good()
    logs["m1.1"].append({"kind": "problem", "t": 5.0, "what": f"channels / c: member 4 {what}"})
    assert list(judged(logs).faults()) == ["unread"]


def test_good_logs_have_no_fault() -> None:
    verdict = judged(good())
    assert verdict.faults() == {}
    assert (verdict.operations, verdict.acknowledged, verdict.registers) == (4, 4, 1)


def test_an_acknowledged_operation_that_is_missing_is_lost() -> None:
    logs = good()
    without(logs, "m1.1.2")
    assert [each.split(",")[0] for each in judged(logs).lost] == ["m1.1.2"]


def test_a_loss_that_a_restore_explains_is_given_up() -> None:
    logs = good()
    without(logs, "m1.1.2")
    verdict = judged(logs, (Exemption(3.0, 4.0),))
    assert verdict.lost == [] and verdict.given_up == 1
    assert judged(logs, (Exemption(0.0, 3.0),)).lost != []


@pytest.mark.parametrize(
    ("members", "alone", "kinds"),
    [
        (1, Alone("m1", 3.0, 4.0), []),
        (2, Alone("m1", 3.0, 4.0), ["lost"]),
        (1, Alone("m0", 3.0, 4.0), ["lost"]),
        (1, Alone("m1", 0.0, 3.0), ["lost"]),
    ],
)
def test_what_one_program_confirmed_alone_may_go_with_its_disk(
    members: int, alone: Alone, kinds: list[str]
) -> None:
    logs = good()
    without(logs, "m1.1.2")
    logs["m1.1"].insert(0, {"kind": "view", "t": 0.0, "main": True, "members": members})
    verdict = judged(logs, alone=(alone,))
    assert list(verdict.faults()) == kinds
    assert (verdict.given_up, verdict.branched) == (1 - len(kinds), 0)


def test_an_operation_in_a_branch_is_not_lost() -> None:
    logs = good()
    without(logs, "m1.1.2")
    verdict = judged(logs, branches={"m1.1.2": {3}})
    assert verdict.faults() == {} and verdict.branched == 1


def test_an_operation_of_a_branch_may_come_again_later() -> None:
    logs = good()
    for row in of_kind(logs, "state"):
        row["texts"] = [*TEXTS[:2], TEXTS[3], TEXTS[2]]
    both = {"m0.1.2": {2}, "m1.1.2": {3}}
    verdict = judged(logs, branches=both)
    assert verdict.faults() == {}
    assert (verdict.acknowledged, verdict.branched) == (4, 2)
    assert "reordered" in judged(logs, branches={**both, "m1.1.2": {2}}).faults()


def test_what_was_stored_must_not_be_forgotten() -> None:
    logs = good()
    logs["m1.1"].append({"kind": "submit", "t": 1.0, "op": "m1.1.3", "words": "x"})
    logs["m1.1"].append({"kind": "tick", "t": 9.0, "waiting": 1})
    assert judged(logs).faults() == {}  # its disk may have been full
    assert judged(logs, accountable={"m1"}).faults() == {"forgotten": ["m1.1.3, submitted at 1.00"]}
    logs["m1.1"][-2]["t"] = 8.0
    assert judged(logs, accountable={"m1"}).faults() == {}  # it had no time to be stored


def double(logs: Logs) -> None:
    for row in of_kind(logs, "state"):
        row["texts"].append(TEXTS[0])


def double_receipt(logs: Logs) -> None:
    logs["m1.1"].append({"kind": "got", "t": 8.0, "place": 4, "text": TEXTS[0]})


def swap(logs: Logs) -> None:
    for row in of_kind(logs, "state"):
        row["texts"][0:2] = reversed(row["texts"][0:2])


def leave_out_of_author(logs: Logs) -> None:
    without(logs, "m0.1.1")


def invent(logs: Logs) -> None:
    for row in of_kind(logs, "state"):
        row["texts"].append("m9.1.1 x")


def submit_late(logs: Logs) -> None:
    """Let the first operation begin after the last one was confirmed."""
    next(row for row in of_kind(logs, "submit") if row["op"] == "m0.1.1")["t"] = 5.0
    next(row for row in of_kind(logs, "ack") if row["op"] == "m0.1.1")["t"] = 6.0


def read_an_old_value(logs: Logs) -> None:
    next(row for row in of_kind(logs, "ack") if row["op"] == "m1.1.2")["value"] = 0


def differ(logs: Logs) -> None:
    of_kind(logs, "state")[0]["texts"][3] = "m1.1.2 r 8"


def fall_back(logs: Logs) -> None:
    """Let a program begin again with less than it told before."""
    logs["m1.2"] = [{"kind": "state", "t": 10.0, "texts": TEXTS[:2]}]


@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        (double, "doubled"),
        (double_receipt, "doubled"),
        (swap, "reordered"),
        (leave_out_of_author, "reordered"),
        (invent, "reordered"),
        (submit_late, "not_linear"),
        (read_an_old_value, "not_linear"),
        (differ, "disagreement"),
        (fall_back, "disagreement"),
    ],
)
def test_planted_damage_is_found(plant: Callable[[Logs], None], kind: str) -> None:
    logs = good()
    plant(logs)
    assert kind in judged(logs).faults()


def test_a_program_that_is_started_again_continues_what_it_told() -> None:
    logs = good()
    texts = [*TEXTS, "m1.2.1 x"]
    logs["m1.2"] = [{"kind": "submit", "t": 10.0, "op": "m1.2.1", "words": "x"}]
    logs["m0.2"] = []
    for name in ("m0.2", "m1.2"):
        logs[name].append({"kind": "state", "t": 11.0, "texts": texts})
    assert judged(logs).faults() == {}


def test_a_pause_counts_for_healthy_programs_only() -> None:
    evidence = Evidence()
    log: list[Row] = [{"kind": "tick", "t": float(at), "waiting": 1} for at in range(3)]
    log += [{"kind": "ack", "t": 20.0, "op": "m0.1.1", "place": 0, "digest": "", "value": None}]
    evidence.add("m0.1", log)
    assert longest_pause(evidence, (), 3).seconds == 20.0
    assert longest_pause(evidence, [Disturbance("m1", 5.0, 6.0)], 3).seconds == 20.0
    assert longest_pause(evidence, [Disturbance("m0", 5.0, 6.0)], 3).seconds == 2.0
    both = [Disturbance("m1", 5.0, 6.0), Disturbance("m2", 4.0, 5.5)]
    assert longest_pause(evidence, both, 5).seconds == 20.0
    assert longest_pause(evidence, both, 3).seconds == 2.0  # it was alone, of three
