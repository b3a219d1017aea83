"""A formula as a run-time monitor.

It keeps the state of the formula's automaton and a shortest history that leads there: when a state recurs,
the events in between are forgotten, so the history is never longer than the automaton.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from liven.types.explanation import Explanation
from liven.types.formalism.atoms import OTHER, Atom
from liven.types.formalism.plugin import Standing, Violation
from liven.types.formalism.trace.automaton import IMPOSSIBLE, Automaton
from liven.types.formalism.trace.realizability import dischargeable_states
from liven.types.formalism.verdict import Verdict


@dataclass(frozen=True, slots=True)
class _Step:
    text: str
    place: int
    state: int


class TraceMonitor(Verdict):
    """Reads one trace; a broken safety property shows at its event, an unmet `eventually` at the
    disconnect."""

    def __init__(self, automaton: Automaton, formula: str) -> None:
        self._automaton = automaton
        self._formula = formula
        self._places = {str(letter): place for letter, place in automaton.index.items() if letter != OTHER}
        self._path: list[_Step] = []
        self._state = 0
        self._possible: frozenset[int] | None = None
        """The states to which an unknown past may have led; None if the past is known."""

    def forget_past(self) -> None:
        """Begin in the middle: the past may have led to any state in which the formula can still hold."""
        self._possible = frozenset(state for state, hopes in enumerate(self._automaton.hopeful) if hopes)

    @property
    def standing(self) -> Standing:
        return Standing.BROKEN if self._violation else Standing.HOLDS_SO_FAR

    def feed(self, atom: str, now: float) -> None:
        """Read the next event; raise ValueError for an impossible one, such as a second connect."""
        if self._violation:
            return
        place = self._place(atom)
        if self._possible is not None:
            self._narrow(self._possible, _Step(atom, place, IMPOSSIBLE), now)
            return
        then = self._automaton.table[self._state][place]
        if then == IMPOSSIBLE:
            raise ValueError(f"{atom} cannot happen {self._where()}")
        if then != self._state or not self._automaton.hopeful[then]:
            self._go(_Step(atom, place, then), now)

    def _narrow(self, possible: frozenset[int], step: _Step, now: float) -> None:
        """Step from each state to which the past may have led; the formula is broken if no past excuses this
        step."""
        able = {state: self._automaton.table[state][step.place] for state in possible}
        able = {state: then for state, then in able.items() if then != IMPOSSIBLE}
        if not able:
            raise ValueError(f"{step.text} cannot happen any more")
        self._possible = frozenset(then for then in able.values() if self._automaton.hopeful[then])
        if not self._possible:
            told = Explanation(False, "whatever happened before this was watched")
            claim = f"{self._formula}: was broken by {step.text}"
            owed = self._owed_anywhere(frozenset(able), step)
            self._violation = Violation(Explanation(False, claim, (told,)), (step.text,), now, owed)

    def _owed_anywhere(self, states: frozenset[int], last: _Step) -> Literal["", "owner", "peer"]:
        """Return the side that owed the missing event; empty if that depends on the past."""
        answers = {self._owed_by(last, state) for state in states}
        return answers.pop() if len(answers) == 1 else ""

    def advance(self, now: float) -> None:
        """Ignore the time: it changes nothing here."""

    def _where(self) -> str:
        happened = {self._automaton.alphabet.letters[step.place].kind for step in self._path}
        if "disconnect" in happened:
            return "after the disconnect"
        return "while connected" if "connect" in happened else "before the connect"

    def _place(self, atom: str) -> int:
        found = self._places.get(atom)
        if found is not None:
            return found
        letter = _read(atom, self._automaton.alphabet.endpoints)
        if letter is None and not self._automaton.alphabet.scope.whole_object:
            raise ValueError(f"{atom!r} is not an event; feed in.EVENT, out.EVENT, connect or disconnect")
        return self._automaton.place(letter or OTHER)

    def _go(self, step: _Step, now: float) -> None:
        if not self._automaton.hopeful[step.state]:
            self._break(step, now)
            return
        self._state = step.state
        again = next((i for i, old in enumerate(self._path) if old.state == step.state), None)
        if again is None:
            self._path.append(step)
        else:
            del self._path[again + 1 :]

    def _break(self, last: _Step, now: float) -> None:
        steps = _least(self._automaton, [*self._path, last])
        trace = tuple(step.text for step in steps)
        owed = self._owed_by(last, self._state)
        told = Explanation(False, f"this happened: {', '.join(trace)}")
        verb = "was not met by the time of" if owed else "was broken by"
        claim = f"{self._formula}: {verb} {last.text}"
        self._violation = Violation(Explanation(False, claim, (told,)), trace, now, owed)

    def _owed_by(self, last: _Step, state: int) -> Literal["", "owner", "peer"]:
        if self._automaton.alphabet.letters[last.place].kind != "disconnect":
            return ""
        return "owner" if state in dischargeable_states(self._automaton, last.place) else "peer"


def _read(atom: str, endpoints: tuple[str, ...]) -> Atom | None:
    for endpoint in sorted(endpoints, key=len, reverse=True):
        inner = atom.removeprefix(f"{endpoint}.") if endpoint else atom
        kind, _, event = inner.partition(".")
        if (not endpoint or inner != atom) and kind in ("in", "out") and event:
            return Atom(endpoint, "in" if kind == "in" else "out", event)
    return None


def _least(automaton: Automaton, steps: list[_Step]) -> list[_Step]:
    """Return the steps without those that can be left out so that still only the last one breaks the
    formula."""
    place = 0
    while place < len(steps) - 1:
        fewer = steps[:place] + steps[place + 1 :]
        if _breaks_at_last(automaton, fewer):
            steps = fewer
        else:
            place += 1
    return steps


def _breaks_at_last(automaton: Automaton, steps: list[_Step]) -> bool:
    state = 0
    for count, step in enumerate(steps, 1):
        state = automaton.table[state][step.place]
        if state == IMPOSSIBLE or automaton.hopeful[state] == (count == len(steps)):
            return False
    return True
