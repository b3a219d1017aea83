"""Sentences in plain words for common properties of a trace; `docs/formalisms.md` lists them."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

from liven.types.formalism.atoms import ANY, Atom
from liven.types.formalism.trace.formula import (
    TRUE,
    Formula,
    Next,
    Previously,
    Since,
    always,
    atoms_of,
    conjunction,
    disjunction,
    eventually,
    implication,
    negation,
    once,
)
from liven.types.formalism.trace.tokens import TokenStream

MAX_COUNT = 16
"""The largest number in a sentence."""

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {word: number for number, word in enumerate(_WORDS, 1)}
_ARTICLES = ("a", "an", "any", "each")

Way: TypeAlias = Literal["in", "out"]
_BOTH: tuple[Way, ...] = ("in", "out")


class Source(Protocol):
    """The services that a sentence needs from the reader of the formula."""

    words: TokenStream

    def event(self) -> Formula: ...


def sentence(source: Source) -> Formula | None:
    """Read the sentence that comes next; None if none begins here."""
    words = source.words
    if words.accept("every"):
        return _every(source)
    if words.accept("no"):
        return _no(source)
    if words.accept("only"):
        return _only(source)
    if words.accept("nothing"):
        ways = _ways(words)
        words.expect("after")
        return _nothing_after(_events(source), ways)
    for bound in ("most", "least"):
        if words.accept("at", bound):
            return _counted(source, bound)
    if words.accept("exactly"):
        number, event = _number(source), _events(source)
        return conjunction(_at_most(number, event), _at_least(number, event))
    return _about_events(source) if _verb_follows(words) else None


def _events(source: Source) -> Formula:
    """Read one event, or several joined by `or`, each with or without an article."""
    found = [_one_event(source)]
    while source.words.sees("or"):
        source.words.take()
        found.append(_one_event(source))
    return disjunction(*found)


def _one_event(source: Source) -> Formula:
    words = source.words
    if words.peek().text in _ARTICLES and words.peek(1).is_name:
        words.take()
    return source.event()


def _verb_follows(words: TokenStream) -> bool:
    ahead = 0
    while words.peek(ahead).is_name:
        ahead += 2 if words.peek(ahead).text in _ARTICLES and words.peek(ahead + 1).is_name else 1
        if words.peek(ahead).text != "or":
            break
        ahead += 1
    verb = words.peek(ahead).text, words.peek(ahead + 1).text
    known = (("never", "precedes"), ("only", "after"), ("alternates", "with"), ("comes", "first"))
    return ahead > 0 and verb in known


def _about_events(source: Source) -> Formula:
    events, words = _events(source), source.words
    if words.accept("never", "precedes") or words.accept("only", "after"):
        return _needs_before(events, _events(source))
    if words.accept("comes", "first"):
        return _comes_first(events)
    words.expect("alternates", "with")
    return _alternates(events, _events(source))


def _every(source: Source) -> Formula:
    events, words = _events(source), source.words
    if words.accept("is"):
        directly = words.accept("directly")
        if not directly and words.accept("answered"):
            words.expect("by")
        else:
            words.expect("followed", "by")
        answer = _events(source)
        then = _directly(answer, events) if directly else Next(eventually(answer))
        return always(implication(events, then))
    if words.accept("directly", "follows"):
        return always(implication(events, Previously(_events(source))))
    words.expect("follows")
    return _needs_before(events, _events(source))


def _no(source: Source) -> Formula:
    events, words = _events(source), source.words
    if words.accept("before"):
        return _needs_before(events, _events(source))
    if words.accept("after"):
        return always(implication(events, negation(Previously(once(_events(source))))))
    if words.accept("between"):
        start = _events(source)
        words.expect("and")
        inside = Since(negation(_events(source)), start)
        return always(implication(events, negation(Previously(inside))))
    return always(negation(events))


def _only(source: Source) -> Formula:
    events = _events(source)
    if source.words.accept("after"):
        start = _events(source)
        return _afterwards(start, implication(_anything(disjunction(start, events)), events))
    return always(implication(_anything(events), events))


def _counted(source: Source, bound: str) -> Formula:
    number, events, words = _number(source), _events(source), source.words
    if bound == "least":
        return _at_least(number, events)
    if words.accept("between", "two"):
        return _at_most_between(number, events, _events(source))
    if words.accept(",", "and", "nothing"):
        ways = _ways(words)
        words.expect("after", "it")
        return conjunction(_at_most(number, events), _nothing_after(_nth(number, events), ways))
    return _at_most(number, events)


def _ways(words: TokenStream) -> tuple[Way, ...]:
    """Read the directions that a `nothing` is about; received events are not the owner's own."""
    return ("out",) if words.accept("sent") else _BOTH


def _number(source: Source) -> int:
    word = source.words.take()
    number = _NUMBERS.get(word.text) or (
        int(word.text) if word.text.isdecimal() and len(word.text) < 9 else 0
    )
    if not 1 <= number <= MAX_COUNT:
        raise source.words.error(f"expected a number from one to {MAX_COUNT}, found {word.text!r}", word)
    return number


def _needs_before(events: Formula, earlier: Formula) -> Formula:
    return always(implication(events, once(earlier)))


def _nothing_after(events: Formula, ways: tuple[Way, ...]) -> Formula:
    return _afterwards(events, negation(_anything(events, ways)))


def _directly(answer: Formula, events: Formula) -> Formula:
    ends = (Atom(place, "disconnect") for place in _places(events))
    return Next(disjunction(answer, *ends), strong=False)


def _afterwards(start: Formula, then: Formula) -> Formula:
    return always(implication(start, Next(always(then), strong=False)))


def _comes_first(events: Formula) -> Formula:
    return always(implication(_anything(events), once(events)))


def _alternates(one: Formula, two: Formula) -> Formula:
    """Return a formula for `one` first, then both in turns."""
    open_one = Previously(Since(negation(two), one))
    return conjunction(always(implication(one, negation(open_one))), always(implication(two, open_one)))


def _nth(number: int, events: Formula, path: Formula = TRUE) -> Formula:
    """Return a formula for the position of at least the `number`th of `events` since `path` began to
    hold."""
    seen = events
    for _ in range(number - 1):
        seen = conjunction(events, Previously(Since(path, seen)))
    return seen


def _at_most(number: int, events: Formula) -> Formula:
    return always(negation(_nth(number + 1, events)))


def _at_most_between(number: int, events: Formula, marks: Formula) -> Formula:
    return always(negation(_nth(number + 1, events, negation(marks))))


def _at_least(number: int, events: Formula) -> Formula:
    seen = eventually(events)
    for _ in range(number - 1):
        seen = eventually(conjunction(events, Next(seen)))
    return seen


def _places(events: Formula) -> list[str]:
    return sorted({atom.endpoint for atom in atoms_of(events)})


def _anything(events: Formula, ways: tuple[Way, ...] = _BOTH) -> Formula:
    """Return a formula for any event at the endpoints of `events`, in one of these directions."""
    return disjunction(*(Atom(place, way, ANY) for place in _places(events) for way in ways))
