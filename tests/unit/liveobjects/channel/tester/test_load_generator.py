"""Sources of intervals, and the text generator that uses them."""

from __future__ import annotations

import os
import socket
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


@pytest.mark.parametrize(
    "line", ["soon 5", "1", "1 2 3", "-1 5", "1 -5", "nan 1", "1e9 1", "1 " + "9" * 5000]
)
def test_an_invalid_script_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    script = tmp_path / "load.txt"
    script.write_text(f"1 5\n{line}\n")
    refused(script, "line 2")


def test_a_missing_script_is_refused(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "No such file")


@pytest.mark.parametrize(
    "kind", ["pipe", "socket", "terminal", "device", "system", "folder", "loop", "large"]
)
def test_a_script_is_a_regular_file_of_limited_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    script = tmp_path / "script"
    if kind == "pipe":
        os.mkfifo(script)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(script.name)
    elif kind == "folder":
        script.mkdir()
    elif kind == "loop":
        script.symlink_to(script)
    elif kind == "large":
        with script.open("wb") as stream:
            stream.truncate(1 << 30)
    else:
        script = Path({"terminal": "/dev/ptmx", "device": "/dev/zero", "system": "/proc/self/maps"}[kind])
    refused(script, _REASONS[kind])


_REASONS = {
    "pipe": "pipe or a device",
    "socket": "socket",
    "terminal": "makes it up",
    "device": "makes it up",
    "system": "makes it up",
    "folder": "Is a directory",
    "loop": "leads to itself",
    "large": "1.1 GB; the limit is 1 MB",
}


def refused(script: Path, why: str) -> None:
    """Build it, which reads nothing; its first answer is the reason, and so is a problem."""
    with Processes() as processes:
        process = processes.process()
        source = process.build(ScriptedInterval, file=str(script)).probe("Generator")
        answer = source.call("next", {})
        processes.settle()
        assert why in str(answer.error)
        assert why in str(processes.expect("it gives no intervals"))


@pytest.mark.parametrize(
    "values", [{"intervalMin": 2.0, "intervalMax": 1.0}, {"sizeMin": -1}, {"sizeMax": 10**7}]
)
def test_empty_ranges_are_refused(values: dict[str, object]) -> None:
    with Processes() as processes, pytest.raises(CallFailedError, match="there is no"):
        processes.process().build(UniformInterval, **values)
