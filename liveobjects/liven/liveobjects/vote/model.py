"""The rules of a vote: a fold over changes. Each person has one vote and may move it to another answer."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from liven.runtime.fold import PersistentMap, RefusedError
from liven.types.declare import value

MOST_ANSWERS: Final = 50
MOST_VOICES: Final = 100_000
LONGEST: Final = 500
LONGEST_NAME: Final = 60
LONGEST_COLOUR: Final = 20


@value
class Ask:
    """Set the question."""

    question: str


@value
class Offer:
    """Add an answer to choose from."""

    key: str
    text: str


@value
class Withdraw:
    """Remove an answer together with its votes."""

    key: str


@value
class Cast:
    """Cast a person's vote; an empty answer removes it."""

    person: str
    answer: str


@value
class Introduce:
    """Tell the name and the colour of a person, whose key says nothing to others. Without a name, forget
    both."""

    person: str
    name: str
    colour: str


@value
class Voter:
    """The name and the colour that a person gave."""

    name: str
    colour: str


NAMELESS: Final = Voter("", "")
Change: TypeAlias = Ask | Offer | Withdraw | Cast | Introduce


@dataclass(frozen=True, slots=True)
class Poll:
    """The state of a vote."""

    question: str = ""
    answers: tuple[Offer, ...] = ()
    voices: PersistentMap[str, str] = field(default_factory=PersistentMap)
    """The key of each person's answer."""
    people: PersistentMap[str, Voter] = field(default_factory=PersistentMap)
    """The names of people who told them."""

    def counted(self) -> dict[str, int]:
        """Return the number of votes for each answer."""
        found = Counter(self.voices.values())
        return {answer.key: found[answer.key] for answer in self.answers}

    def has(self, key: str) -> bool:
        """Return true if there is such an answer."""
        return any(answer.key == key for answer in self.answers)


class VoteModel:
    """The model of a vote."""

    replacing = (Ask, Cast, Introduce)

    def empty(self) -> Poll:
        return Poll()

    def apply(self, state: Poll, change: Change) -> Poll:
        match change:
            case Ask(question):
                _check(question, "question")
                return replace(state, question=question)
            case Offer():
                return _offer(state, change)
            case Withdraw(key):
                return _withdraw(state, key)
            case Cast(person, answer):
                return _cast(state, person, answer)
            case Introduce(person, name, colour):
                return _introduce(state, person, Voter(name, colour))
        raise RefusedError(f"{type(change).__name__} is not a change of a vote")

    def inverse(self, state: Poll, change: Change) -> tuple[Change, ...]:
        match change:
            case Ask(_):
                return (Ask(state.question),)
            case Offer(key, _):
                return (Withdraw(key),)
            case Withdraw(key):
                again = [answer for answer in state.answers if answer.key == key]
                voices = sorted(person for person, chosen in state.voices.items() if chosen == key)
                return (*again, *(Cast(person, key) for person in voices))
            case Cast(person, _):
                return (Cast(person, state.voices.get(person, "")),)
            case Introduce(person, _, _):
                old = state.people.get(person, NAMELESS)
                return (Introduce(person, old.name, old.colour),)

    def digest(self, state: Poll) -> bytes:
        """Return a hash of the visible state in an order that is the same at every replica."""
        voices = sorted(state.voices.items())
        people = (sorted(state.people.items()),) if state.people else ()  # as older programs without
        seen = ascii((state.question, state.answers, voices, *people))
        return hashlib.blake2b(seen.encode(), digest_size=16).digest()


def _check(text: str, what: str) -> None:
    if len(text) > LONGEST:
        raise RefusedError(f"the {what} has {len(text):,} characters; the limit is {LONGEST}")


def _offer(state: Poll, offer: Offer) -> Poll:
    _check(offer.text, "answer")
    _check(offer.key, "key")
    if not offer.key or not offer.text.strip():
        raise RefusedError("an answer must not be empty")
    if state.has(offer.key):
        raise RefusedError("there is such an answer already")
    if len(state.answers) >= MOST_ANSWERS:
        raise RefusedError(f"the limit is {MOST_ANSWERS} answers")
    return replace(state, answers=(*state.answers, offer))


def _withdraw(state: Poll, key: str) -> Poll:
    if not state.has(key):
        raise RefusedError("that answer was removed already")
    voices = state.voices
    for person, chosen in state.voices.items():
        if chosen == key:
            voices = voices.without(person)
    return replace(state, answers=tuple(one for one in state.answers if one.key != key), voices=voices)


def _introduce(state: Poll, person: str, voter: Voter) -> Poll:
    _check(person, "person's key")
    if len(voter.name) > LONGEST_NAME or len(voter.colour) > LONGEST_COLOUR:
        raise RefusedError(f"the name of a person has up to {LONGEST_NAME} characters")
    if state.people.get(person, NAMELESS) == voter:
        raise RefusedError("that is the name already")
    if not voter.name:
        if person not in state.people:
            raise RefusedError("there is no name to forget")
        return replace(state, people=state.people.without(person))
    if person not in state.people and len(state.people) >= MOST_VOICES:
        raise RefusedError(f"the limit is {MOST_VOICES:,} people")
    return replace(state, people=state.people.with_(person, voter))


def _cast(state: Poll, person: str, answer: str) -> Poll:
    _check(person, "person's key")
    if answer and not state.has(answer):
        raise RefusedError("that answer was removed already")
    if state.voices.get(person, "") == answer:
        raise RefusedError("you have voted for it already")
    if not answer:
        return replace(state, voices=state.voices.without(person))
    if person not in state.voices and len(state.voices) >= MOST_VOICES:
        raise RefusedError(f"the limit is {MOST_VOICES:,} votes")
    return replace(state, voices=state.voices.with_(person, answer))
