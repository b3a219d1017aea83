"""Sources of intervals, and the text generator that uses them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.tester.load_generator import ScriptedInterval, TextGenerator, UniformInterval
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.probe import Probe
from liven.types.terms.value_types import TEXT


def heard(probe: Probe) -> list[str]:
    return [values["message"] for name, *rest in probe.heard if name == "receive" for values in rest]  # type: ignore[index]


def generator(process: Process, source: Object) -> tuple[Object, Probe]:
    """Return a generator on a local channel, and another client of that channel."""
    made = process.build(TextGenerator)
    ends = [process.build(LocalChannel, TEXT, TEXT, address="load") for _ in range(2)]
    probe = ends[1].probe()
    process.connect(made, "generator", source, "Generator")
    process.connect(made, "channel", ends[0], "Channel")
    return made, probe


def test_texts_follow_the_script(tmp_path: Path) -> None:
    script = tmp_path / "load.txt"
    script.write_text("1 5\n\n0.5 0\n2 10\n")
    with Processes() as processes:
        process = processes.process()
        made, probe = generator(process, process.build(ScriptedInterval, file=str(script)))
        lengths: list[list[int]] = []
        for seconds in (0.9, 0.2, 0.5, 1.5, 10.0):
            processes.advance(seconds)
            lengths.append([len(text) for text in heard(probe)])
        assert lengths == [[], [5], [5, 0], [5, 0], [5, 0, 10]]
        assert made.instance.sent == 3


def test_random_intervals_stay_within_bounds_and_end(tmp_path: Path) -> None:
    with Processes() as processes:
        process = processes.process()
        values: dict[str, Any] = {"intervalMin": 0.5, "intervalMax": 1.0, "sizeMin": 3, "sizeMax": 6}
        _, probe = generator(process, process.build(UniformInterval, duration=10.0, **values))
        processes.advance(60.0)
        lengths = [len(text) for text in heard(probe)]
        assert 10 <= len(lengths) <= 20
        assert set(lengths) <= {3, 4, 5, 6}


@pytest.mark.parametrize("line", ["soon 5", "1", "1 2 3", "-1 5", "1 -5", "nan 1", "1e9 1"])
def test_an_invalid_script_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    script = tmp_path / "load.txt"
    script.write_text(f"1 5\n{line}\n")
    with Processes() as processes, pytest.raises(CallFailedError, match="line 2"):
        processes.process().build(ScriptedInterval, file=str(script))


def test_a_missing_script_is_refused(tmp_path: Path) -> None:
    with Processes() as processes, pytest.raises(CallFailedError, match="cannot be read"):
        processes.process().build(ScriptedInterval, file=str(tmp_path / "nowhere"))


@pytest.mark.parametrize(
    "values", [{"intervalMin": 2.0, "intervalMax": 1.0}, {"sizeMin": -1}, {"sizeMax": 10**7}]
)
def test_empty_ranges_are_refused(values: dict[str, object]) -> None:
    with Processes() as processes, pytest.raises(CallFailedError, match="there is no"):
        processes.process().build(UniformInterval, **values)
