"""Garbage collection, each test in a separate process because it changes the whole process."""

from __future__ import annotations

import subprocess
import sys


def said(code: str) -> str:
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return answer.stdout.strip()


def test_no_collection_runs_during_the_start() -> None:
    code = (
        "import gc; from liven.app.program.gc_policy import disable; disable(); before = gc.get_stats()\n"
        "kept = [[] for _ in range(50_000)]; print(before == gc.get_stats())"
    )
    assert said(code) == "True"


_AFTER_THE_START = (
    "import gc, threading, weakref\n"
    "from liven.app.program.gc_policy import TIMES, YOUNGEST, freeze, disable, collect_if_due\n"
    "class Thing: pass\n"
    "def circle():\n    one = Thing(); one.self = one; return weakref.ref(one)\n"
    "def crowd(): return [[] for _ in range(2 * YOUNGEST)]\n"
    "disable(); old = [Thing() for _ in range(1000)]; freeze()\n"
)


def test_later_cycles_are_collected_and_earlier_objects_are_exempt() -> None:
    code = (
        "one = circle(); collect_if_due(); few = one() is not None\n"
        "kept = crowd(); collect_if_due()\n"
        "print(few, one() is None, gc.get_freeze_count() > 1000)"
    )
    assert said(_AFTER_THE_START + code) == "True True True"


def test_no_other_thread_collects() -> None:
    code = (
        "one = circle()\n"
        "worker = threading.Thread(target=crowd); worker.start(); worker.join()\n"
        "alive = one() is not None; kept = crowd(); collect_if_due(); print(alive, one() is None)"
    )
    assert said(_AFTER_THE_START + code) == "True True"


def test_an_object_that_survived_one_collection_is_found_by_a_later_one() -> None:
    code = (
        "one = Thing(); one.self = one; gone = weakref.ref(one)\n"
        "kept = [crowd()]; collect_if_due(); del one; looks = 0\n"
        "while gone() is not None and looks < 2 * TIMES:\n"
        "    kept.append(crowd()); collect_if_due(); looks += 1\n"
        "print(gone() is None, looks >= TIMES - 1)"
    )
    assert said(_AFTER_THE_START + code) == "True True"
