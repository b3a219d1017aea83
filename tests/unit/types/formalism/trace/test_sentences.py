"""Plain-words sentences, and traces that they allow or forbid."""

from __future__ import annotations

import pytest

from liven.types.formalism.plugin import FormulaError, Vocabulary
from liven.types.formalism.trace import TraceFormalism

SHORT = {"S": "in.Send", "O": "in.Open", "C": "in.Close", "R": "out.Receive", "K": "out.Ack", "z": "in.Both"}


def keeps(traces: TraceFormalism, names: Vocabulary, text: str, trace: str) -> bool:
    """True if the trace, a letter for each event between connect and disconnect, keeps the formula."""
    monitor = traces.monitor(traces.parse(text, names))
    for now, atom in enumerate(["connect", *(SHORT[letter] for letter in trace), "disconnect"]):
        monitor.feed(atom, float(now))
    return monitor.violation is None


MEANINGS = [
    ("Send never precedes Open", ["", "O", "OS", "zOSS"], ["S", "SO", "RSO"]),
    ("Send only after Open", ["", "OS"], ["S", "SO"]),
    ("no Send before Open", ["", "OS"], ["S", "SO"]),
    ("every Receive follows a Send", ["", "S", "SRR", "SzR"], ["R", "RS"]),
    ("every Receive directly follows a Send", ["", "SR", "SRSR"], ["R", "SzR", "SRR"]),
    ("every Send is followed by an Ack", ["", "K", "SK", "SSK"], ["S", "KS", "SKS"]),
    ("every Send is answered by Ack", ["", "SzK"], ["SKS"]),
    ("every Send is directly followed by Ack", ["", "SK", "S", "SKz"], ["SzK", "SS"]),
    ("no Send", ["", "OR"], ["S"]),
    ("no Send after Close", ["", "S", "SC", "C"], ["CS", "CzS"]),
    ("no Receive between Close and Open", ["R", "CO", "COR", "RCOR"], ["CR", "CzR", "COCR"]),
    ("at most one Close", ["", "C"], ["CC", "CzC"]),
    ("at most 2 Send or Open", ["", "SO"], ["SOS", "SSS"]),
    ("at most one Close, and nothing after it", ["", "SC"], ["CS", "CC", "Cz"]),
    ("at most two Close, and nothing after it", ["C", "CzC"], ["CCz", "CCC"]),
    ("at least two Send", ["SS", "SzS"], ["", "S"]),
    ("exactly one Open", ["O", "zO"], ["", "OO"]),
    ("nothing after Close", ["", "zC"], ["Cz", "CC"]),
    ("nothing sent after Close", ["", "zRC", "CS", "CC"], ["CR", "CSK"]),
    ("at most one Ack, and nothing sent after it", ["K", "RKSz"], ["KR", "KK"]),
    ("at most two Close, and nothing sent after it", ["CRC", "CCS"], ["CCR", "CCC"]),
    ("only Send or Receive", ["", "SR"], ["O", "SRK"]),
    ("only Receive after Close", ["z", "zCR"], ["CS", "CRC"]),
    ("Open comes first", ["", "O", "OSS"], ["S", "zO"]),
    ("Open alternates with Close", ["", "O", "OC", "OzCO"], ["C", "OO", "OCC"]),
    ("at most 2 Send between two Ack", ["SS", "SSKSS", "KSzS"], ["SSS", "KSSKSSS"]),
    ("given at least one Open, every Send is answered by Ack", ["S", "OSK"], ["OS", "SO"]),
    ("Send never precedes Open; at most one Close", ["OSC"], ["S", "CC"]),
    ("eventually Close", ["C"], [""]),
    ("never (Send and next Close)", ["SzC"], ["SC"]),
    ("next Open or weakly next disconnect", ["O", ""], ["S"]),
    ("weakly next not Send", ["", "O"], ["S"]),
    ("not Send until Open", ["O", "RO"], ["", "SO"]),
    ("not Send unless Open", ["", "OS", "R"], ["SO"]),
    ("Open release not Send", ["", "R", "O"], ["S", "RSO"]),
    ("always (Ack implies (not Open since Send))", ["SK", "SzKK"], ["K", "SOK"]),
    ("always (Receive implies previously Send)", ["SR"], ["R", "SzR"]),
    ("always (Receive implies historically not Close)", ["R", "RC"], ["CR"]),
    ("eventually Send iff eventually Ack", ["", "SK", "KS"], ["S", "K"]),
    ("(no Send) or (every Send is followed by Ack)", ["", "SK"], ["S"]),
    ("!Send & !Open | Close -> *", [], [""]),
    ("always (connect or disconnect or in.* or out.*)", ["", "SRz"], []),
]


@pytest.mark.parametrize(("text", "kept", "broken"), MEANINGS, ids=[row[0] for row in MEANINGS])
def test_a_formula_means_what_its_words_say(
    text: str, kept: list[str], broken: list[str], trace: TraceFormalism, channel: Vocabulary
) -> None:
    assert [told for told in kept if not keeps(trace, channel, text, told)] == []
    assert [told for told in broken if keeps(trace, channel, text, told)] == []


@pytest.mark.parametrize("text", [row[0] for row in MEANINGS])
def test_a_sentence_read_back_from_operators_is_the_same(
    text: str, trace: TraceFormalism, channel: Vocabulary
) -> None:
    formula = trace.parse(text, channel)
    assert trace.parse(trace.print(formula), channel) == formula


def test_connect_is_recognised_in_any_letter_case(trace: TraceFormalism, channel: Vocabulary) -> None:
    formula = trace.parse("Send never precedes Connect", channel)
    assert trace.trivial(formula)


def test_connect_can_be_an_event_too(trace: TraceFormalism) -> None:
    formula = trace.parse("Send never precedes Connect", Vocabulary(frozenset({"Send", "Connect"})))
    assert not trace.trivial(formula)


def test_a_word_of_the_language_is_an_event_behind_its_direction(trace: TraceFormalism) -> None:
    names = Vocabulary(frozenset({"next", "a", "once"}))
    assert trace.print(trace.parse("every in.next follows in.once", names)) == (
        "always (in.next implies once in.once)"
    )
    assert trace.print(trace.parse("at most one a", names)) == "never (in.a and previously once in.a)"
    with pytest.raises(FormulaError, match=r"an event of that name is in\.next"):
        trace.parse("every next follows a", names)


def test_a_name_that_is_no_word_stands_in_quotes(trace: TraceFormalism) -> None:
    inner = Vocabulary(frozenset({"Set Key", "next", "Set Key.reply"}))
    names = Vocabulary(endpoints=(("every", inner), ("Next Writer", inner)))
    text = 'given "every" is fifo, no "Next Writer"."Set Key" before every.in."next"'
    formula = trace.parse(text, names)
    assert trace.print(formula) == (
        '"every" is fifo implies always ("Next Writer".in."Set Key" implies once every.in.next)'
    )
    assert trace.parse(trace.print(formula), names) == formula
    assert trace.parse('no "Set Key"', inner) == trace.parse('no in."Set Key"', inner)
    assert trace.print(trace.parse('no "Set Key".reply', inner)) == 'never in."Set Key.reply"'
    monitor = trace.monitor(trace.parse('no "Set Key"', inner))
    monitor.feed("connect", 0.0)
    monitor.feed("in.Set Key", 1.0)
    assert monitor.violation is not None


def test_at_an_object_each_event_names_its_endpoint(trace: TraceFormalism, whole: Vocabulary) -> None:
    formula = trace.parse("no channel.Receive before detector.connect", whole)
    monitor = trace.monitor(formula)
    for now, atom in enumerate(["channel.connect", "channel.in.Send"]):
        monitor.feed(atom, float(now))
    assert monitor.violation is None
    monitor.feed("channel.out.Receive", 3.0)
    assert monitor.violation is not None
    assert monitor.violation.trace == ("channel.connect", "channel.out.Receive")


def test_nothing_after_leaves_other_endpoints_free(trace: TraceFormalism, whole: Vocabulary) -> None:
    formula = trace.parse("nothing after channel.Close", whole)
    loud = trace.parse("no detector.Suspect after channel.Close", whole)
    assert not trace.implies(formula, loud)
    assert trace.implies(formula, trace.parse("no channel.Ack after channel.Close", whole))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "at column 1: expected an event, found the end"),
        ("Sned never precedes Open", "at column 1: 'Sned' is not an event here; did you mean Send?"),
        ("every Send is", "at column 14: expected 'followed', found the end"),
        ("every Send is directly answered by Ack", "expected 'followed', found 'answered'"),
        ("every Send loves Ack", "at column 12: expected 'follows', found 'loves'"),
        ("at most seventeen Send", "expected a number from one to 16, found 'seventeen'"),
        ("at most 17 Send", "from one to 16, found '17'"),
        ("at most 0 Send", "from one to 16"),
        ("no Send after", "expected an event, found the end"),
        ("no Send between Open", "expected 'and', found the end"),
        ("nothing Send", "expected 'after', found 'Send'"),
        ("nothing sent Close", "expected 'after', found 'Close'"),
        ("at most one Ack, and nothing before it", "expected 'after', found 'before'"),
        ("given Send", "expected ',', found the end"),
        ("Send Open", "at column 6: 'Open' is left over"),
        ("(Send", r"expected '\)', found the end"),
        ("Send and", "expected an event"),
        ("once eventually Send", "at column 1: 'once' looks back"),
        ("Send since next Open", "at column 6: 'since' looks back"),
        ("Send $ Open", r"at column 6: '\$' has no meaning"),
        ("weakly Send", "expected 'next'"),
        ("always Both", "write in.Both or out.Both"),
        ("given channel is reliable, Send", "'channel' cannot provide a guarantee"),
        ("given peer is relaible, eventually Ack", "did you mean reliable"),
    ],
)
def test_a_meaningless_text_is_refused_with_its_column(
    text: str, complaint: str, trace: TraceFormalism, channel: Vocabulary
) -> None:
    with pytest.raises(FormulaError, match=complaint):
        trace.parse(text, channel)
