"""`count`: at least, at most or exactly so many instances of an endpoint are connected.

formula = part { (";" | ",") part }
part    = bound { "and" bound } ["instance" | "instances"] ["of" endpoint] ["connected"]
bound   = ("at least" | "at most" | "exactly") number | "between" number "and" number
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from liven.types.explanation import Explanation
from liven.types.formalism.count.interval import Counts, Interval, meet_all
from liven.types.formalism.count.monitor import CountMonitor
from liven.types.formalism.guarantee import GUARANTEE
from liven.types.formalism.plugin import FormulaError, Vocabulary
from liven.types.formalism.quoting import quoted
from liven.types.formalism.scanner import Scanner
from liven.types.formalism.suggestions import suggestion
from liven.types.ids import ClassId

COUNT = ClassId(0x36BF863C876620767E9B5FD086F7E650)


class CountFormalism:
    """Predicates are intervals; one implies another if it lies inside it."""

    id = COUNT
    name = "count"

    def parse(self, text: str, vocabulary: Vocabulary) -> Counts:
        """Read the formula; raise FormulaError, also if no number would satisfy it."""
        words = Scanner(text)
        found = list(_part(words, vocabulary))
        while words.accept_any(";", ","):
            found.extend(_part(words, vocabulary))
        words.finish()
        counts = meet_all(found)
        for endpoint, interval in counts:
            if interval.empty:
                raise FormulaError(f"{_place(endpoint)}: no number is {interval}")
        return counts

    def print(self, predicate: Counts) -> str:
        """Return the formula as `parse` reads it."""
        parts = [
            f"{interval} instances{_of(endpoint and quoted(endpoint))} connected"
            for endpoint, interval in predicate
        ]
        return "; ".join(parts) or "at least 0 instances connected"

    def conjoin(self, predicates: Sequence[Counts]) -> Counts:
        return meet_all(part for predicate in predicates for part in predicate)

    def implies(self, provided: Counts, required: Counts) -> Explanation:
        """True if each required interval contains the provided one."""
        impossible = any(interval.empty for _, interval in provided)
        known = dict(provided)
        reasons = tuple(
            _reason(endpoint, known.get(endpoint, Interval()), wanted, impossible)
            for endpoint, wanted in required
        )
        left, right = self.print(provided), self.print(required)
        verb = "implies" if all(reasons) else "does not imply"
        return Explanation(all(reasons), f"{left} {verb} {right}", reasons, left=left, right=right)

    def mirror(self, predicate: Counts) -> Counts:
        """Return the same predicate: both ends of a connection count the same instances."""
        return predicate

    def trivial(self, predicate: Counts) -> bool:
        return not predicate

    def translate(self, predicate: Counts) -> Iterable[tuple[ClassId, Hashable]]:
        """Yield the guarantee `exclusive` for at most one instance."""
        if dict(predicate).get("", Interval()).within(Interval(0, 1)):
            yield GUARANTEE, frozenset({"exclusive"})

    def monitor(self, predicate: Counts) -> CountMonitor:
        """Return a monitor that needs the number of instances from outside; a connection shows only one."""
        return CountMonitor(predicate)


def _part(words: Scanner, vocabulary: Vocabulary) -> Iterable[tuple[str, Interval]]:
    bounds = [_bound(words)]
    while words.accept("and"):
        bounds.append(_bound(words))
    words.accept_any("instance", "instances")
    endpoint = _endpoint(words, vocabulary)
    words.accept("connected")
    return [(endpoint, bound) for bound in bounds]


def _bound(words: Scanner) -> Interval:
    if words.accept("at", "least"):
        return Interval(_whole(words))
    if words.accept("at", "most"):
        return Interval(0, _whole(words))
    if words.accept("exactly"):
        number = _whole(words)
        return Interval(number, number)
    if words.accept("between"):
        low = _whole(words)
        words.expect("and")
        return Interval(low, _whole(words))
    raise words.error("expected `at least`, `at most`, `exactly` or `between`")


def _whole(words: Scanner) -> int:
    number = words.number()
    if number.denominator != 1:
        raise words.error("instances are counted in whole numbers")
    return int(number)


def _endpoint(words: Scanner, vocabulary: Vocabulary) -> str:
    known = [name for name, _ in vocabulary.endpoints]
    if not words.accept("of"):
        if known:
            raise words.error("say of which endpoint, as in `of " + known[0] + "`")
        return ""
    if not known:
        raise words.error("this formula is about one endpoint; leave out `of`")
    name = words.word()
    if name not in known:
        raise FormulaError(f"{name!r} is not an endpoint of this object{suggestion(name, known)}")
    return name


def _reason(endpoint: str, provided: Interval, wanted: Interval, impossible: bool) -> Explanation:
    holds = impossible or provided.within(wanted)
    verb = "is within" if holds else "is not within"
    claim = f"{_place(endpoint)}: {provided} {verb} {wanted}"
    return Explanation(holds, claim, subject=endpoint, left=str(provided), right=str(wanted))


def _of(endpoint: str) -> str:
    return f" of {endpoint}" if endpoint else ""


def _place(endpoint: str) -> str:
    return f"instances{_of(endpoint)}"
