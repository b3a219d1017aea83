"""The speed of the formalism `trace`: reading and comparing the commonest sentences, first and again."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from figure_report import Figure, best_of

from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import Formula, TraceFormalism
from liven.types.formalism.trace.automaton import compiled

ENDPOINT = Vocabulary(frozenset({"Send", "Open", "Close"}), frozenset({"Receive", "Ack"}))

COMMONEST = (
    ("no Send before Open", "Open comes first"),
    ("every Receive follows a Send", "every Receive directly follows a Send"),
    (
        "every Send is answered by Ack",
        "every Send is directly followed by Ack; every Send is answered by Ack",
    ),
    ("at most one Close, and nothing after it", "nothing after Close; no Send"),
    ("no Send after Close", "nothing after Close"),
    ("Open alternates with Close", "Open alternates with Close; Open comes first"),
    ("at most 3 Send between two Ack", "at most 2 Send between two Ack"),
    ("no Receive between Close and Open", "no Receive"),
    ("only Send or Receive", "only Send"),
    ("given at least one Open, eventually Ack", "eventually Ack"),
)
"""A demand, and a promise that implies it without being it."""

MILLISECOND = 1000.0
MICROSECOND = 1_000_000.0


def figures() -> list[Figure]:
    """Yield the slowest of the ten forms, from its text to the first answer, and the time for a repeated
    answer."""
    TraceFormalism().parse("no Send", ENDPOINT)
    first = {demand: _first(demand, promise) for demand, promise in COMMONEST}
    refused = {demand: _first(promise, demand) for demand, promise in COMMONEST}
    again = max(_again(demand, promise) for demand, promise in COMMONEST)
    return [
        Figure("trace.first.slowest", max(first.values()) * MILLISECOND, "ms", 5.0),
        Figure("trace.first.sum_of_ten", sum(first.values()) * MILLISECOND, "ms", 50.0),
        Figure("trace.refused.slowest", max(refused.values()) * MILLISECOND, "ms", 5.0),
        Figure("trace.again.slowest", again * MICROSECOND, "µs", 100.0),
        Figure("trace.monitor.event", _event() * MICROSECOND, "µs"),
    ]


def _first(demand: str, promise: str) -> float:
    """Return the time to read both and give the first answer, with nothing cached; the quietest of five."""
    return min(_once(demand, promise) for _ in range(5))


def _once(demand: str, promise: str) -> float:
    compiled.cache_clear()
    traces = TraceFormalism()
    start = perf_counter()
    provided, required = traces.parse(promise, ENDPOINT), traces.parse(demand, ENDPOINT)
    traces.implies(provided, required)
    return perf_counter() - start


def _again(demand: str, promise: str) -> float:
    traces = TraceFormalism()
    provided, required = traces.parse(promise, ENDPOINT), traces.parse(demand, ENDPOINT)
    assert traces.implies(provided, required), (promise, demand)
    return best_of(5, 200, _asking(traces, provided, required))


def _asking(traces: TraceFormalism, provided: Formula, required: Formula) -> Callable[[], object]:
    return lambda: traces.implies(provided, required)


def _event() -> float:
    """Return the time of one event that keeps the formula, at a monitor."""
    traces = TraceFormalism()
    monitor = traces.monitor(traces.parse("no Receive between Close and Open", ENDPOINT))
    monitor.feed("connect", 0.0)
    return best_of(5, 10_000, lambda: monitor.feed("out.Receive", 1.0))
