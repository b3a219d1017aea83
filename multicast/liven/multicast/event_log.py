"""The event log: an engine logs views, evictions and the service, one line for each event.

Each record of the logger `liven.multicast` has a message for people, and the same as plain values in
`record.facts`, the first of which is `event`; a handler that writes for programs writes those.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from liven.multicast.group import (
    Demoted,
    Dropped,
    Evicted,
    Expelled,
    GroupEvent,
    Joined,
    Lagging,
    Left,
    Lost,
    Member,
    Missed,
    Paused,
    Refused,
    Resumed,
    View,
)

_LOG = logging.getLogger("liven.multicast")
_WARNED = (Lost, Dropped, Demoted, Lagging, Evicted, Expelled, Refused)
_OUT = (Left, Expelled)
_INFORMED = (Joined, Left, Paused, Resumed)
_OUTCOMES = {
    "evicted": "evicted: it stood still for too long, and the others went on without it",
    "expelled": "expelled: this program was too slow, and the others went on without it",
}
"""Texts for events whose name and numbers do not explain the outcome."""
_MISSED_GROUPS, _MISSED_SENDERS = 64, 32
"""The groups with missed messages that get a line of their own, and the senders named in each."""


@dataclass(slots=True)
class _MissedMessages:
    """The senders whose messages a group lacks: some by name, and the count of the others."""

    named: list[Missed] = field(default_factory=list)
    more: int = 0

    def tell(self, group: str) -> None:
        """Log them in one line."""
        shown = ", ".join(f"{each.sender} from {each.first} on" for each in self.named)
        rest = f" and {_many(self.more, 'more sender')}" if self.more else ""
        _write(
            logging.WARNING,
            f"group {group!r} lacks messages of these senders: {shown}{rest}",
            event="missed",
            group=group,
            senders=[each.sender for each in self.named],
            first=[each.first for each in self.named],
            known=[each.known for each in self.named],
            more=self.more,
        )


class EventLog:
    """The log of one engine. It remembers the members of each group, to log who joined and who left."""

    def __init__(self) -> None:
        self._members: dict[str, frozenset[int]] = {}
        self._missed: dict[str, _MissedMessages] = {}
        self._missed_elsewhere = _MissedMessages()

    def tell(self, group: str, event: GroupEvent) -> None:
        """Log an event of a group, if it is of a kind that is logged; an empty name means the whole node."""
        if isinstance(event, Evicted | Expelled):
            self._tell_missed()
        if isinstance(event, View):
            self._view(group, event.number, event.members)
        elif isinstance(event, Missed):
            self._note_missed(group, event)
        elif isinstance(event, _WARNED):
            self._write(logging.WARNING, group, event)
        elif isinstance(event, _INFORMED) and _LOG.isEnabledFor(logging.INFO):
            self._write(logging.INFO, group, event)
        if isinstance(event, Evicted):
            self._members.clear()
        elif isinstance(event, _OUT):
            self._members.pop(group, None)

    def _note_missed(self, group: str, event: Missed) -> None:
        """Collect missed messages until the last report, so that a group with many senders takes one line."""
        known = self._missed.get(group)
        if known is None and len(self._missed) < _MISSED_GROUPS:
            known = self._missed[group] = _MissedMessages()
        if known is None or len(known.named) >= _MISSED_SENDERS:
            known = known or self._missed_elsewhere
            known.more += 1
        else:
            known.named.append(event)

    def _tell_missed(self) -> None:
        missed, self._missed = self._missed, {}
        for group, lacking in missed.items():
            lacking.tell(group)
        more, self._missed_elsewhere = self._missed_elsewhere.more, _MissedMessages()
        if more:
            words = f"other groups lack messages of {_many(more, 'sender')}"
            _write(logging.WARNING, words, event="missed", group="", more=more)

    def _view(self, group: str, number: int, members: Sequence[Member]) -> None:
        if not _LOG.isEnabledFor(logging.INFO):
            return  # with thousands of groups, an unread log must cost nothing
        now = frozenset(member.node for member in members)
        before = self._members.get(group, frozenset())
        self._members[group] = now
        came, went = sorted(now - before), sorted(before - now)
        _write(
            logging.INFO,
            f"group {group!r} has {_many(len(now), 'member')} in view {number}: {_change(came, went)}",
            event="view",
            group=group,
            view=number,
            members=len(now),
            came=came,
            went=went,
        )

    def _write(self, level: int, group: str, event: GroupEvent) -> None:
        values = {name: getattr(event, name) for name in type(event).__dataclass_fields__}
        word = type(event).__name__.lower()
        shown = ", ".join(f"{name} {value}" for name, value in values.items())
        where = f"group {group!r}" if group else "this node"
        words = _OUTCOMES.get(word) or f"{word}{' ' if shown else ''}{shown}"
        words = f"{where}: {words}"
        _write(level, words, event=word, group=group, **values)


def failed(reason: str) -> None:
    """Log that the engine has ended by itself."""
    _write(logging.ERROR, f"the engine has ended: {reason}", event="failed", reason=reason)


def epoch(facts: Mapping[str, int], suspected: int) -> None:
    """Log a new epoch of the service, and the count of members removed since the last one for their
    silence."""
    level = logging.WARNING if suspected else logging.INFO
    words = f"epoch {facts['generation']}/{facts['epochs']}: {_many(facts['members'], 'member')}, "
    words += _many(facts["groups"], "group")
    if suspected:
        words += f"; {suspected} removed because they were silent"
    _write(level, words, event="epoch", suspected=suspected, **facts)


def service_found() -> None:
    """Log that the membership service was reached."""
    _write(logging.INFO, "the membership service was reached", event="service", reached=True)


def service_lost() -> None:
    """Log that the membership service is gone."""
    _write(
        logging.INFO, "the membership service is gone; messages still flow", event="service", reached=False
    )


def service_strange(where: str, keys: str, shown: str) -> None:
    """Log that the membership service there has another key than the one of this fingerprint."""
    _write(
        logging.WARNING,
        f"the membership service at {where} does not have the key {shown} of {keys}: copy the file from its "
        "machine, where `liven key` shows another fingerprint",
        event="strange-service",
        where=where,
        keys=keys,
        fingerprint=shown,
    )


def unreadable(count: int, keys: str, shown: str) -> None:
    """Log that datagrams in the name of members do not open with the key of this fingerprint."""
    here = f"with the key {shown} of {keys}" if shown else "without a key, because authentication is off here"
    _write(
        logging.WARNING,
        f"{_many(count, 'datagram')} of other members cannot be read {here}: compare `liven key` on all "
        "computers, and copy the file from one to the others",
        event="unreadable",
        count=count,
        keys=keys,
        fingerprint=shown,
    )


def service_of_another_version(where: str) -> None:
    """Log that the membership service there speaks another version of the protocol."""
    _write(
        logging.WARNING,
        f"the membership service at {where} is of another version of Liven: install the same version on both "
        "machines",
        event="other-version",
        where=where,
    )


def _change(came: Sequence[int], went: Sequence[int]) -> str:
    words = [f"{_some(came)} came"] if came else []
    words += [f"{_some(went)} went"] if went else []
    return ", ".join(words) or "the same as before"


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _some(nodes: Sequence[int]) -> str:
    shown = ", ".join(str(node) for node in nodes[:5])
    return f"{shown} and {len(nodes) - 5} more" if len(nodes) > 5 else shown


def _write(level: int, words: str, **facts: object) -> None:
    _LOG.log(level, "%s", words, extra={"facts": facts})
