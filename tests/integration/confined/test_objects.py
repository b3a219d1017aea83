"""Objects of a library that a recipe brought run in a process of their own and behave as usual."""

from __future__ import annotations

import os
from pathlib import Path

from tests.integration.confined.conftest import SOURCE, Desk, needs_protection

from liven.runtime.library.placement import Confine, Placement

pytestmark = needs_protection


def test_object_of_a_fetched_library_runs_in_another_process(desk: Desk) -> None:
    desk.bring()
    probe = desk.probe(desk.open(greeting="heard:", times=2))
    probe.send("say", {"text": "hello"})
    desk.wait(lambda: len(probe.heard) >= 3)
    assert probe.heard == [
        ("connect",),
        ("said", {"text": "heard: hello"}),
        ("said", {"text": "heard: hello"}),
    ]
    assert int(desk.do(probe, "os.getpid()")) == desk.process().pid


def test_library_that_the_person_installed_runs_in_this_process(desk: Desk) -> None:
    desk.bring(fetched_from="")
    probe = desk.probe(desk.open())
    assert int(desk.do(probe, "os.getpid()")) == os.getpid()


def test_recipe_asks_for_a_process_of_its_own(desk: Desk) -> None:
    desk.bring(fetched_from="")
    probe = desk.probe(desk.open(confined=True))
    assert int(desk.do(probe, "os.getpid()")) == desk.process().pid


def test_setting_confines_all_libraries_or_none(tmp_path: Path) -> None:
    for confine, fetched_from, apart in ((Confine.ALL, "", True), (Confine.NONE, "https://a.org/b", False)):
        desk = Desk(tmp_path / confine.value, Placement(confine))
        desk.bring(fetched_from=fetched_from)
        probe = desk.probe(desk.open())
        assert (int(desk.do(probe, "os.getpid()")) != os.getpid()) is apart
        desk.close()


def test_installing_the_same_library_by_hand_vouches_for_it(desk: Desk) -> None:
    desk.bring()
    desk.bring(fetched_from="")
    probe = desk.probe(desk.open())
    assert int(desk.do(probe, "os.getpid()")) == os.getpid()


def test_objects_of_one_library_share_a_process_that_ends_when_idle(desk: Desk) -> None:
    desk.bring()
    first, second = desk.open(), desk.open()
    process = desk.process()
    assert len(process) == 2
    for handle in (first, second):
        handle.close()
    desk.handles.clear()
    desk.pass_time(lambda: not desk.session.processes.running, 25)
    desk.wait(lambda: not Path(f"/proc/{process.pid}").exists())


def test_wrong_value_is_refused_before_anything_runs(desk: Desk) -> None:
    desk.bring()
    assert "times" in str(desk.refusal(times="many"))
    assert not desk.session.processes.running


def test_constructor_that_raises_names_its_line(desk: Desk) -> None:
    desk.bring(SOURCE.replace("self.times = times", "self.times = 1 // 0"))
    error = desk.refusal()
    assert "ZeroDivisionError" in error.what and "echo.py" in error.what


def test_neighbour_leaves_and_another_one_comes(desk: Desk) -> None:
    desk.bring()
    handle = desk.open()
    desk.probe(handle).close()
    probe = desk.probe(handle)
    assert desk.do(probe, "1 + 1") == "2"


def test_object_ends_with_its_last_handle(desk: Desk) -> None:
    desk.bring()
    handle = desk.open()
    probe = desk.probe(handle)
    assert desk.do(probe, "gc.collect() * 0") == "0"
    desk.handles.clear()
    handle.close()
    assert probe.heard[-1] == ("disconnect",)
    assert len(desk.process()) == 0
