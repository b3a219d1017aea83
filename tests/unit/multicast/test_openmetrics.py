from __future__ import annotations

import re

from liven.multicast.engine import measure_names
from liven.multicast.engine.sockets import is_gauge
from liven.multicast.openmetrics import openmetrics
from liven.multicast.published_stats import EngineStats

_SERVICE = {
    "pid": 9,
    "members": 2,
    "groups": 3,
    "regions": 1,
    "connections": 2,
    "generation": 4,
    "epochs": 7,
    "suspicions": 1,
    "strangers": 0,
}
_SAMPLE = re.compile(r'([a-z][a-z0-9_]*)(\{[a-z]+="[^"\n]*"(,[a-z]+="[^"\n]*")*\})? (-?[0-9.e+-]+)')


def shown(engine: str, **stats: int) -> EngineStats:
    return EngineStats(engine, 77, 1.0, ("chat:room",), stats)


def families(text: str) -> dict[str, tuple[str, list[str]]]:
    """Return the families with kind and samples, as a strict reader parses them: contiguous, and each
    once."""
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""]
    found: dict[str, tuple[str, list[str]]] = {}
    last = ""
    for line in lines[:-2]:
        if line.startswith("# TYPE "):
            _, _, last, kind = line.split(" ")
            assert last not in found
            found[last] = (kind, [])
        elif line.startswith("# UNIT "):
            assert line.split(" ")[2] == last
            assert last.endswith("_" + line.split(" ")[3])
        else:
            match = _SAMPLE.fullmatch(line)
            assert match is not None, line
            kind, samples = found[last]
            assert match[1] == (last + "_total" if kind == "counter" else last)
            samples.append(line)
    return found


def test_every_line_is_a_family_or_a_sample_of_the_last_one() -> None:
    stats = dict.fromkeys([*measure_names(), "kernel_drops", "unread_bytes", "groups_paused"], 5)
    found = families(openmetrics(_SERVICE, [shown("1-a", **stats), shown("2-b", **stats)]))
    assert all(len(samples) == 2 for name, (_, samples) in found.items() if "service" not in name)
    assert len(found) == len(stats) + 9


def test_growing_measurements_are_counters_and_times_are_in_seconds() -> None:
    text = openmetrics(None, [shown("1-a", packets_sent=5, views=2, token_rtt=2_500_000)])
    assert 'liven_packets_sent_total{engine="1-a",pid="77"} 5\n' in text
    assert 'liven_views{engine="1-a",pid="77"} 2\n' in text
    assert "# UNIT liven_token_rtt_seconds seconds\n" in text
    assert 'liven_token_rtt_seconds{engine="1-a",pid="77"} 0.0025\n' in text


def test_each_measurement_is_a_counter_or_a_gauge() -> None:
    gauges = {name for name in measure_names() if is_gauge(name)}
    assert {"views", "memory_bytes", "token_rtt"} <= gauges
    assert not gauges & {"packets_sent", "drop_tag", "evictions"}
    assert is_gauge("unread_messages")
    assert not is_gauge("kernel_drops")


def test_the_exposition_is_complete_without_service_or_engines() -> None:
    assert openmetrics(None, []) == "# TYPE liven_service_up gauge\nliven_service_up 0\n# EOF\n"
    assert "liven_service_epochs_total 7\n" in openmetrics(_SERVICE, [])


def test_a_label_is_escaped() -> None:
    assert 'engine="a\\"b\\\\c"' in openmetrics(None, [shown('a"b\\c', views=1)])
