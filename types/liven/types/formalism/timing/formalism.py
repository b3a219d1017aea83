"""`timing`: at least p of the time, B at all or some instances within t after A.

formula  = reaction { ";" reaction }
reaction = [share ","] event [where] "within" number unit "after" event
share    = "always" | "at least" number "%" "of the time"
where    = "at all instances" | "at some instance"
unit     = "us" | "ms" | "s" | "min"
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

from liven.types.explanation import Explanation
from liven.types.formalism.atoms import ANY, Atom, resolve
from liven.types.formalism.guarantee import GUARANTEE
from liven.types.formalism.plugin import FormulaError, Vocabulary
from liven.types.formalism.scanner import Scanner
from liven.types.formalism.timing.monitor import TimingMonitor
from liven.types.formalism.timing.reaction import Reaction, Reactions, Where
from liven.types.ids import ClassId

TIMING = ClassId(0xE5AF0A8CB193E56DC4213811D4653D75)

MAX_REACTIONS = 64
"""The most reactions one formula may name."""

_UNITS = {"us": Fraction(1, 10**6), "ms": Fraction(1, 1000), "s": Fraction(1), "min": Fraction(60)}


class TimingFormalism:
    """Predicates are sets of reactions. Monitors judge over the last `window` cases, once there are
    `minimum`."""

    id = TIMING
    name = "timing"

    def __init__(self, window: int = 100, minimum: int = 20) -> None:
        if not 1 <= minimum <= window:
            raise ValueError(f"a minimum of {minimum} cases does not fit a window of {window}")
        self._window = window
        self._minimum = minimum

    def parse(self, text: str, vocabulary: Vocabulary) -> Reactions:
        """Read the formula; raise FormulaError. A reaction in at least 0 % of the cases is dropped."""
        words = Scanner(text)
        found = [_reaction(words, vocabulary)]
        while words.accept(";"):
            found.append(_reaction(words, vocabulary))
            if len(found) > MAX_REACTIONS:
                raise words.error(f"at most {MAX_REACTIONS} reactions may be named")
        words.finish()
        return frozenset(reaction for reaction in found if reaction.share)

    def print(self, predicate: Reactions) -> str:
        """Return the formula as `parse` reads it."""
        return "; ".join(sorted(map(str, predicate)))

    def conjoin(self, predicates: Sequence[Reactions]) -> Reactions:
        return frozenset().union(*predicates)

    def implies(self, provided: Reactions, required: Reactions) -> Explanation:
        """True if each required reaction follows from a provided one: as often, as soon, as widely."""
        reasons = tuple(_reason(provided, wanted) for wanted in sorted(required, key=str))
        left, right = self.print(provided), self.print(required)
        verb = "implies" if all(reasons) else "does not imply"
        return Explanation(
            all(reasons), f"{left or 'nothing'} {verb} {right or 'nothing'}", reasons, left=left, right=right
        )

    def mirror(self, predicate: Reactions) -> Reactions:
        return frozenset(reaction.mirrored() for reaction in predicate)

    def trivial(self, predicate: Reactions) -> bool:
        return not predicate

    def translate(self, predicate: Reactions) -> Iterable[tuple[ClassId, Hashable]]:
        """Yield the guarantee `timed` for any bound."""
        if predicate:
            yield GUARANTEE, frozenset({"timed"})

    def monitor(self, predicate: Reactions) -> TimingMonitor:
        return TimingMonitor(predicate, self._window, self._minimum)

    def realizable(self, provided: Reactions, required: Reactions) -> Explanation:
        """Refuse a promise of an answer that the peer sends, unless the peer is required to send it."""
        for reaction in sorted(provided, key=str):
            asked = any(demand.implies(reaction) for demand in required)
            if reaction.answer.kind != "out" and not asked:
                told = Explanation(
                    False, f"this may happen: {reaction.cause}, then no {reaction.answer} in time"
                )
                claim = (
                    f"{reaction}: its owner alone cannot keep it, since {reaction.answer} is not its to send"
                )
                return Explanation(False, claim, (told,), left=str(reaction))
        return Explanation(True, f"{self.print(provided)}: its owner can keep it")


def _reaction(words: Scanner, vocabulary: Vocabulary) -> Reaction:
    share = _share(words)
    answer = _event(words, vocabulary)
    where = _where(words)
    words.expect("within")
    amount = words.number()
    unit = _UNITS.get(words.peek())
    if unit is None:
        raise words.error(f"expected a unit, one of {', '.join(_UNITS)}")
    words.word()
    words.expect("after")
    return Reaction(_event(words, vocabulary), answer, amount * unit, share, where)


def _share(words: Scanner) -> Fraction:
    share = Fraction(1)
    if words.accept("at", "least"):
        share = words.number() / 100
        if share > 1:
            raise words.error("nothing holds in more than 100% of the cases")
        words.expect("%", "of", "the", "time", ",")
    elif words.accept("always"):
        words.accept(",")
    return share


def _where(words: Scanner) -> Where:
    if words.accept("at", "all", "instances"):
        return "all"
    return "some" if words.accept("at", "some", "instance") else "here"


def _event(words: Scanner, vocabulary: Vocabulary) -> Atom:
    complaint = words.error("expected an event")
    name = words.word()
    try:
        atoms = resolve(name, vocabulary)
    except FormulaError as error:
        raise FormulaError(f"{complaint}: {error}") from None
    if len(atoms) > 1 or atoms[0].event == ANY:
        raise FormulaError(f"{complaint}: a timing is between two events by name")
    return atoms[0]


def _reason(provided: Reactions, wanted: Reaction) -> Explanation:
    alike = sorted(
        (one for one in provided if (one.cause, one.answer) == (wanted.cause, wanted.answer)), key=str
    )
    for one in alike:
        if one.implies(wanted):
            return Explanation(True, f"{wanted}: follows from {one}", left=str(one), right=str(wanted))
    near = f"; provided is only {alike[0]}" if alike else "; nothing is provided about these two events"
    return Explanation(False, f"{wanted}: does not follow{near}", right=str(wanted))
