"""The judge: it reads the side logs of one schedule and says what was broken.

The *final history* is the state on which all programs agree in the end. Against it are checked:

    lost          an acknowledged operation is not in the final history
    doubled       an operation is there twice, or a program received it twice
    reordered     an acknowledged operation is at another place than it was acknowledged at, or what comes
                  before it differs; an author's operations are not in its order or one in between is missing
    not linear    an operation that began after another one had been confirmed comes before it; or no
                  sequence explains the reads of a register
    forgotten     an operation that its program had stored is nowhere, though its disk was not restored
    disagreement  programs end with different states
    stuck         something waits without end, though every fault has ended
    unread        a program could not read a message of another one, though all are of one version
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.chaos.side_log import Row, rows
from tests.sim.channels.linearizability import NEVER, Act, UndecidedError, is_linearisable

STATES_MOST: Final = 20_000
"""States up to which a sequence for a register is searched."""
STORED_AFTER: Final = 5.0
"""Seconds after which an operation must have been stored; it is on disk after a quarter of one."""
_SHOWN_MOST: Final = 12
_NO_BRANCHES: Final[Mapping[str, Collection[int]]] = {}
_UNREAD: Final = ("sent an unreadable message", "runs another version of Liven")
"""Problems that no fault of a campaign may lead to."""


@dataclass
class Operation:
    """One operation, as its submitter logged it."""

    name: str
    words: str
    begun: float
    ended: float = NEVER
    place: int = -1
    digest: str = ""
    value: int | None = None
    branched: bool = False
    """True if it is in a branch, and not in the final history."""
    alone: bool = False
    """True if it was confirmed in a view of one program."""
    given_up: bool = False
    """True if it was in a history of one program, whose disk was put back, or never came back."""

    @property
    def is_elsewhere(self) -> bool:
        """True if it was confirmed in another history than the final one."""
        return self.branched or self.given_up

    @property
    def author(self) -> str:
        """The program and its incarnation."""
        return self.name.rpartition(".")[0]

    @property
    def number(self) -> int:
        """Its number among the operations of that incarnation."""
        return int(self.name.rpartition(".")[2])


@dataclass
class Incarnation:
    """Everything in one side log."""

    name: str
    lists: list[list[tuple[int, str]]] = field(default_factory=list)
    """The received operations with their places, one list for each beginning."""
    final: list[str] | None = None
    acknowledged: list[float] = field(default_factory=list)
    waiting: list[tuple[float, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    last: float = 0.0
    """The time of its last sign of life."""


@dataclass(frozen=True, slots=True)
class Exemption:
    """A time whose acknowledged operations may be lost: all disks that had them were put back."""

    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class Alone:
    """A time in which a program may have confirmed operations alone that are lost: only its disk had them,
    and was put back, or never came back."""

    program: str
    begin: float
    end: float


@dataclass
class Verdict:
    """The result of one schedule."""

    operations: int = 0
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    reordered: list[str] = field(default_factory=list)
    not_linear: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    disagreement: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    branched: int = 0
    """Acknowledged operations in a branch."""
    given_up: int = 0
    """Acknowledged operations that were lost as promised, because all disks that had them were restored."""
    registers: int = 0
    """Registers for which a sequence was searched."""
    problems: Counter[str] = field(default_factory=Counter)

    FAULTS = ("lost", "doubled", "reordered", "not_linear", "forgotten", "disagreement", "stuck", "unread")

    @property
    def is_good(self) -> bool:
        """True if nothing was broken."""
        return not any(getattr(self, name) for name in self.FAULTS)

    def faults(self) -> dict[str, list[str]]:
        """Return what was broken, with a bounded number of examples each."""
        found: dict[str, list[str]] = {}
        for name in self.FAULTS:
            cases: list[str] = getattr(self, name)
            if cases:
                more = [f"… and {len(cases) - _SHOWN_MOST} more"] if len(cases) > _SHOWN_MOST else []
                found[name] = [*cases[:_SHOWN_MOST], *more]
        return found


class Evidence:
    """All side logs of a schedule."""

    def __init__(self) -> None:
        self.operations: dict[str, Operation] = {}
        self.incarnations: list[Incarnation] = []

    @classmethod
    def of_folder(cls, folder: Path) -> Evidence:
        """Read all side logs of a folder."""
        made = cls()
        for path in sorted(folder.glob("*.jsonl")):
            made.add(path.stem, rows(path))
        for acknowledged in sorted(folder.glob("*.jsonl")):
            made.add_acknowledgements(rows(acknowledged))
        return made

    def add(self, name: str, log: Iterable[Row]) -> None:
        """Add the side log of one incarnation."""
        one = Incarnation(name)
        self.incarnations.append(one)
        for row in log:
            one.last = row["t"]
            match row["kind"]:
                case "submit":
                    self.operations[row["op"]] = Operation(row["op"], row["words"], row["t"])
                case "begin":
                    one.lists.append([])
                case "got":
                    if not one.lists:
                        one.lists.append([])
                    one.lists[-1].append((row["place"], row["text"]))
                case "state":
                    one.final = row["texts"]
                case "ack":
                    one.acknowledged.append(row["t"])
                case "tick":
                    one.waiting.append((row["t"], row["waiting"]))
                case "problem":
                    one.problems.append(row["what"])

    def add_acknowledgements(self, log: Iterable[Row]) -> None:
        """Add the acknowledgements in a side log. A later incarnation may log those of an earlier one."""
        members = 0
        for row in log:
            if row["kind"] == "view":
                members = row["members"]
            operation = self.operations.get(row.get("op", ""))
            if operation is None:
                continue
            if row["kind"] == "ack" and row["t"] < operation.ended:
                operation.ended, operation.place = row["t"], row["place"]
                operation.digest, operation.value = row["digest"], row["value"]
                operation.alone = members == 1


def judge(
    evidence: Evidence,
    exempt: Sequence[Exemption] = (),
    stuck: Sequence[str] = (),
    branches: Mapping[str, Collection[int]] = _NO_BRANCHES,
    accountable: Collection[str] = (),
    alone: Collection[Alone] = (),
) -> Verdict:
    """Return the verdict. `stuck` are waits without end that the director saw, `branches` the operations in
    branches with their places, `accountable` the programs whose disk was always good and still has what they
    stored, and `alone` those whose disk was not there any more when they met the others."""
    verdict = Verdict(stuck=list(stuck))
    verdict.operations = len(evidence.operations)
    for one in evidence.incarnations:
        verdict.problems.update(one.problems)
        verdict.unread += [
            f"{one.name}: {what}" for what in one.problems if any(map(what.__contains__, _UNREAD))
        ]
    final = _agreed(evidence, verdict)
    _check_received(evidence, verdict)
    if final is None:
        verdict.acknowledged = sum(each.ended < NEVER for each in evidence.operations.values())
        return verdict
    names = [text.split(" ")[0] for text in final]
    places = {name: place for place, name in reversed(list(enumerate(names)))}
    _set_aside_confirmations(evidence, final, places, branches, verdict)
    for each in evidence.operations.values():
        each.branched = each.name in branches and each.name not in places
        each.given_up = each.name not in places and not each.branched and _was_alone(each, alone)
    _check_acknowledged(evidence, final, places, exempt, verdict)
    _check_authors(evidence, names, exempt, verdict)
    _check_stored(evidence, places, accountable, verdict)
    if not exempt:
        _check_real_time(evidence, names, verdict)
        _check_registers(evidence, places, verdict)
    return verdict


def _set_aside_confirmations(
    evidence: Evidence,
    final: list[str],
    places: Mapping[str, int],
    branches: Mapping[str, Collection[int]],
    verdict: Verdict,
) -> None:
    """Count operations that were confirmed in a history which became a branch, where they are at that place,
    and sent again in the final one by an author that had not stored their confirmation."""
    digests = digests_of(final)
    for each in evidence.operations.values():
        place = places.get(each.name)
        if each.ended == NEVER or place is None or each.place not in branches.get(each.name, ()):
            continue
        if (place, digests[place]) != (each.place, each.digest):
            verdict.acknowledged += 1
            verdict.branched += 1
            each.ended = NEVER


def _was_alone(operation: Operation, alone: Collection[Alone]) -> bool:
    """Return whether an operation was in a history of its own that nobody has any more."""
    program = operation.author.partition(".")[0]
    return operation.alone and any(
        one.program == program and one.begin <= operation.ended <= one.end for one in alone
    )


def _agreed(evidence: Evidence, verdict: Verdict) -> list[str] | None:
    """Return the final history, or None if the programs disagree or nobody told one. The state before all
    were killed and started again must be a beginning of it."""
    told = {one.name: one.final for one in evidence.incarnations if one.final is not None}
    last: dict[str, tuple[int, list[str]]] = {}
    for name, texts in told.items():
        member, _, incarnation = name.partition(".")
        last[member] = max(last.get(member, (0, texts)), (int(incarnation), texts), key=lambda each: each[0])
    if not last:
        return None
    final = max((texts for _, texts in last.values()), key=len)
    for name, texts in told.items():
        is_last = texts is last[name.partition(".")[0]][1]
        if texts != final[: len(texts)] or (is_last and len(texts) < len(final)):
            verdict.disagreement.append(f"{name} ends with {_first_difference(texts, final)}")
    return None if verdict.disagreement else final


def _first_difference(ours: list[str], theirs: list[str]) -> str:
    for place, (own, other) in enumerate(zip(ours, theirs, strict=False)):
        if own != other:
            return f"{own!r} at {place}, where another has {other!r}"
    return f"{len(ours)} operations, where another has {len(theirs)}"


def _check_received(evidence: Evidence, verdict: Verdict) -> None:
    """Check that no program received an operation twice, or at a place that does not follow."""
    for one in evidence.incarnations:
        for received in one.lists:
            seen: set[str] = set()
            for _, text in received:
                name = text.split(" ")[0]
                if name in seen:
                    verdict.doubled.append(f"{one.name} received {name} twice")
                seen.add(name)


def _check_acknowledged(
    evidence: Evidence,
    final: list[str],
    places: Mapping[str, int],
    exempt: Sequence[Exemption],
    verdict: Verdict,
) -> None:
    for name, times in Counter(text.split(" ")[0] for text in final).items():
        if times > 1:
            verdict.doubled.append(f"{name} is {times} times in the final history")
    digests = digests_of(final)
    restored = bool(exempt)
    for each in evidence.operations.values():
        if each.ended == NEVER:
            continue
        verdict.acknowledged += 1
        place = places.get(each.name)
        if place is None:
            if each.branched:
                verdict.branched += 1
            elif each.given_up or any(one.begin <= each.ended <= one.end for one in exempt):
                verdict.given_up += 1
            else:
                verdict.lost.append(f"{each.name}, acknowledged at {each.ended:.2f} at place {each.place}")
        elif not restored and (place != each.place or digests[place] != each.digest):
            verdict.reordered.append(f"{each.name} was acknowledged at {each.place} and is at {place}")


def digests_of(texts: Iterable[str]) -> list[str]:
    """Return the digest of a list of operations after each of them."""
    found, digest = [], ""
    for text in texts:
        digest = hashlib.blake2b((digest + text).encode(), digest_size=8).hexdigest()
        found.append(digest)
    return found


def _check_authors(
    evidence: Evidence, names: list[str], exempt: Sequence[Exemption], verdict: Verdict
) -> None:
    """Check that each incarnation's operations are in its order, and that none in between is missing."""
    last: dict[str, int] = defaultdict(int)
    elsewhere = {each.name for each in evidence.operations.values() if each.is_elsewhere}
    for name in names:
        author, _, number = name.rpartition(".")
        expected = last[author] + 1
        while f"{author}.{expected}" in elsewhere:
            expected += 1
        if int(number) != expected and not exempt:
            verdict.reordered.append(f"{name} comes where {author}.{expected} is next")
        last[author] = int(number)
    known = set(names)
    for name in known - set(evidence.operations):
        verdict.reordered.append(f"{name} is in the final history, and nobody submitted it")


def _check_stored(
    evidence: Evidence, places: Mapping[str, int], accountable: Collection[str], verdict: Verdict
) -> None:
    """Check that what was submitted some time before a program ended was not forgotten, confirmed or not."""
    ends = {one.name: one.last for one in evidence.incarnations}
    for each in evidence.operations.values():
        kept = each.name in places or each.is_elsewhere or each.ended < NEVER
        if kept or each.author.partition(".")[0] not in accountable:
            continue
        if each.begun + STORED_AFTER < ends.get(each.author, 0.0):
            verdict.forgotten.append(f"{each.name}, submitted at {each.begun:.2f}")


def _check_real_time(evidence: Evidence, names: list[str], verdict: Verdict) -> None:
    """Check that what was confirmed comes before everything that was submitted later."""
    earliest_end, by = NEVER, ""
    for name in reversed(names):
        each = evidence.operations.get(name)
        if each is None:
            continue
        if earliest_end < each.begun:
            verdict.not_linear.append(f"{by} was confirmed before {name} was submitted, and comes after it")
        if each.ended < earliest_end:
            earliest_end, by = each.ended, name


def _check_registers(evidence: Evidence, places: Mapping[str, int], verdict: Verdict) -> None:
    for register, operations in _registers(evidence).items():
        acts = list(_acts(operations, places))
        with suppress(UndecidedError):
            if not is_linearisable(acts, STATES_MOST):
                verdict.not_linear.append(f"no sequence explains the reads of register {register}")
            verdict.registers += 1


def _registers(evidence: Evidence) -> dict[str, list[Operation]]:
    found: dict[str, list[Operation]] = defaultdict(list)
    for each in evidence.operations.values():
        words = each.words.split(" ")
        if words[0] in ("r", "w") and not each.is_elsewhere:
            found[words[1]].append(each)
    return found


def _acts(operations: Iterable[Operation], places: Mapping[str, int]) -> Iterator[Act]:
    for each in operations:
        words = each.words.split(" ")
        if words[0] == "w" and (each.ended < NEVER or each.name in places):
            yield Act(each.begun, each.ended, True, int(words[2]))
        elif words[0] == "r" and each.ended < NEVER:
            assert each.value is not None
            yield Act(each.begun, each.ended, False, each.value)
