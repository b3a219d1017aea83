"""Both folders against a plain dictionary, under any sequence of operations."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.runtime.objects.probe import Probe
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.runtime.reference.xml import compact
from liven.runtime.testing import Bench

KEYS = st.sampled_from(["a", "b", "note 1", "ä"])
STEPS = st.lists(st.tuples(st.sampled_from(["add", "remove"]), KEYS), max_size=10)


def item(key: str) -> str:
    return compact(Reference("liven:memory-folder", (Parameter("name", Plain("string", key)),)))


@contextmanager
def opened(kind: str) -> Iterator[tuple[Bench, Probe]]:
    place = Path(tempfile.mkdtemp())
    parameter = Parameter("path" if kind == "local" else "name", Plain("string", str(place / "objects")))
    bench = Bench()
    try:
        built = bench.load(Reference(f"liven:{kind}-folder", (parameter,)))
        probe = Probe.joined_to(bench.node, built.handle.endpoint("Endpoint"))
        bench.crank.wait(lambda: ("ready", {}) in probe.heard)
        yield bench, probe
        built.close()
    finally:
        shutil.rmtree(place)


def asked(bench: Bench, probe: Probe, event: str, **values: object) -> Any:
    reply = probe.call(event, values)
    bench.crank.wait(lambda: reply.settled)
    return reply.value()


@pytest.mark.parametrize("kind", ["memory", "local"])
@settings(max_examples=8, deadline=None)
@given(STEPS)
def test_a_folder_is_a_dictionary(kind: str, steps: list[tuple[str, str]]) -> None:
    expected: dict[str, str] = {}
    told: list[tuple[str, str]] = []
    refused = 0
    with opened(kind) as (bench, probe):
        for event, key in steps:
            if (event == "add") == (key in expected):
                refused += 1
            elif event == "add":
                expected[key] = item(key)
                told.append(("added", key))
            else:
                del expected[key]
                told.append(("removed", key))
            values = {"key": key, "object": item(key)} if event == "add" else {"key": key}
            probe.send(event, values)
            wanted, problems = len(told), refused
            bench.crank.wait(
                lambda wanted=wanted, problems=problems: (  # type: ignore[misc]
                    len(_changes(probe)) == wanted and len(bench.problems) == problems
                )
            )
        assert sorted(asked(bench, probe, "keys")) == sorted(expected)
        assert sorted(asked(bench, probe, "objects")) == sorted(expected.values())
        assert asked(bench, probe, "count") == len(expected)
        for key in ("a", "b", "note 1", "ä", "never"):
            found = asked(bench, probe, "try_get_object", key=key)
            assert found == {"result": key in expected, "object": expected.get(key)}
        assert _changes(probe) == told


def _changes(probe: Probe) -> list[tuple[str, str]]:
    told: list[Any] = [heard for heard in probe.heard if heard[0] in ("added", "removed")]
    return [(event, values["key"]) for event, values in told]
