"""When garbage is looked for. Each in a process of its own, for it is the whole process that is set."""

from __future__ import annotations

import subprocess
import sys


def said(code: str) -> str:
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return answer.stdout.strip()


def test_nothing_is_looked_for_while_the_program_starts() -> None:
    code = (
        "import gc; from liven.app.desk.collecting import hold_off; hold_off(); before = gc.get_stats()\n"
        "kept = [[] for _ in range(50_000)]; print(before == gc.get_stats())"
    )
    assert said(code) == "True"


def test_afterwards_what_goes_in_circles_is_found_and_what_was_there_before_is_passed_over() -> None:
    code = (
        "import gc, weakref\nfrom liven.app.desk.collecting import YOUNGEST, begin, hold_off\n"
        "class Thing: pass\n"
        "hold_off()\nold = [Thing() for _ in range(1000)]\nbegin()\n"
        "one = Thing(); one.self = one; gone = weakref.ref(one); del one\n"
        "kept = [[] for _ in range(2 * YOUNGEST)]\n"
        "print(gc.isenabled(), gone() is None, gc.get_freeze_count() > 1000)"
    )
    assert said(code) == "True True True"
