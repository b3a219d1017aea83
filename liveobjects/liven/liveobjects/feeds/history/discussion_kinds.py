"""Chats and votes as history sees them: what people said belongs to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from liven.liveobjects.chat import object as chat
from liven.liveobjects.chat.model import ChatModel, Say, Talk, Unsay
from liven.liveobjects.feeds.history.difference import Act, Difference
from liven.liveobjects.feeds.history.field_history import shown
from liven.liveobjects.feeds.history.kind import (
    CannotRestoreError,
    Kind,
    SharedFollower,
    editor_restoration,
    editor_state,
    term,
)
from liven.liveobjects.vote import object as vote
from liven.liveobjects.vote.model import Ask, Cast, Offer, Poll, VoteModel, Withdraw

_COPY: Final = "make a copy of this moment instead"


def _talk_differences(before: Talk, after: Talk) -> tuple[Difference, ...]:
    found = []
    for key in before.order:
        if key not in after.lines:
            line = before.lines[key]
            found.append(Difference(key, Act.REMOVED, shown(line.text), people=(line.person,)))
    for key in after.order:
        if key not in before.lines:
            line = after.lines[key]
            found.append(Difference(key, Act.WRITTEN, shown(line.text), "", (line.person,), line.when * 1000))
    return tuple(found)


def _no_restoration(model: Any, name: str, then: Any, keys: Iterable[str] | None) -> int:
    del model, name, then, keys
    raise CannotRestoreError(f"a chat only goes on, because others have answered; {_COPY}")


def _said(change: Any) -> tuple[str, ...]:
    match change:
        case Say(line):
            return (line.key,)
        case Unsay(key):
            return (key,)
    return ()


CHAT: Final = Kind(
    "chat",
    term(chat.ChatState),
    term(chat.ChatOperation),
    lambda: SharedFollower(
        ChatModel(), chat.WIRE, chat.ChatOperation, chat.ChatState, lambda change, _: _said(change)
    ),
    _talk_differences,
    editor_state,
    _no_restoration,
)


def _poll_differences(before: Poll, after: Poll) -> tuple[Difference, ...]:
    found = []
    if before.question != after.question:
        was = shown(before.question)
        found.append(Difference("question", Act.WRITTEN, shown(after.question), f"it was {was}"))
    old, new = ({one.key: one.text for one in state.answers} for state in (before, after))
    found += [Difference(key, Act.ADDED, shown(new[key])) for key in new if key not in old]
    found += [Difference(key, Act.REMOVED, shown(old[key])) for key in old if key not in new]
    earlier, later = before.counted(), after.counted()
    for key in new:
        if key in old and earlier[key] != later[key]:
            votes = f"{later[key]} votes; it had {earlier[key]}"
            found.append(Difference(f"votes:{key}", Act.CHANGED, shown(new[key]), votes))
    return tuple(found)


def _poll_restoration(now: Poll, then: Poll, keys: frozenset[str] | None) -> tuple[Any, ...]:
    """Restore the question and the answers. Votes belong to the people who cast them."""
    made: list[Any] = []
    if now.question != then.question and (keys is None or "question" in keys):
        made.append(Ask(then.question))
    made += [Withdraw(one.key) for one in now.answers if not then.has(one.key) and _chosen(keys, one.key)]
    made += [
        Offer(one.key, one.text) for one in then.answers if not now.has(one.key) and _chosen(keys, one.key)
    ]
    if not made and now != then:
        raise CannotRestoreError(f"votes belong to the people who cast them; {_COPY}")
    return tuple(made)


def _chosen(keys: frozenset[str] | None, key: str) -> bool:
    return keys is None or key in keys


def _asked(change: Any, state: Poll) -> tuple[str, ...]:
    match change:
        case Ask(_):
            return ("question",)
        case Offer(key, _) | Withdraw(key):
            return (key,)
        case Cast(person, answer):
            return f"votes:{answer}", f"votes:{state.voices.get(person, '')}"
    return ()


VOTE: Final = Kind(
    "vote",
    term(vote.VoteState),
    term(vote.VoteOperation),
    lambda: SharedFollower(VoteModel(), vote.WIRE, vote.VoteOperation, vote.VoteState, _asked),
    _poll_differences,
    editor_state,
    editor_restoration(_poll_restoration),
)
