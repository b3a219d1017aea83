"""The measurements of engines and the service in the text format of OpenMetrics.

The label `engine` tells the engines apart; a measurement that only grows is a counter, and its sample ends in
`_total`. The names of groups are not labels: there may be thousands. The format:
https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from liven.multicast.engine.sockets import is_gauge
from liven.multicast.published_stats import EngineStats

_PREFIX = "liven_"
_OF_ENGINES_NOW = frozenset({"groups_paused", "groups_demoted"})
_OF_SERVICES = {
    "members": "gauge",
    "groups": "gauge",
    "regions": "gauge",
    "connections": "gauge",
    "generation": "gauge",
    "epochs": "counter",
    "suspicions": "counter",
    "strangers": "counter",
}
_NANOSECONDS = {"token_interval": "seconds", "token_rtt": "seconds", "ack_time": "seconds"}


def openmetrics(service: Mapping[str, int] | None, engines: Sequence[EngineStats]) -> str:
    """Return the exposition of one moment, including its last line."""
    lines = [*_engine_lines(engines), *_service_lines(service), "# EOF"]
    return "\n".join(lines) + "\n"


def _engine_lines(engines: Sequence[EngineStats]) -> Iterator[str]:
    for name in sorted({name for shown in engines for name in shown.stats}):
        kind = "gauge" if name in _OF_ENGINES_NOW or is_gauge(name) else "counter"
        unit = _NANOSECONDS.get(name)
        family = f"{_PREFIX}{name}" + (f"_{unit}" if unit else "")
        yield f"# TYPE {family} {kind}"
        if unit:
            yield f"# UNIT {family} {unit}"
        for shown in engines:
            if name in shown.stats:
                value = shown.stats[name] / 1e9 if unit else shown.stats[name]
                labels = f'engine="{_escaped(shown.engine)}",pid="{shown.pid}"'
                yield f"{family}{'_total' if kind == 'counter' else ''}{{{labels}}} {value}"


def _service_lines(service: Mapping[str, int] | None) -> Iterator[str]:
    yield f"# TYPE {_PREFIX}service_up gauge"
    yield f"{_PREFIX}service_up {0 if service is None else 1}"
    for name, kind in _OF_SERVICES.items():
        if service is not None and name in service:
            family = f"{_PREFIX}service_{name}"
            yield f"# TYPE {family} {kind}"
            yield f"{family}{'_total' if kind == 'counter' else ''} {service[name]}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
