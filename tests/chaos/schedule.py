"""One schedule: its world is made, the faults happen, everything is mended, and the judge decides."""

from __future__ import annotations

import json
import math
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.chaos.branches import branched_operations
from tests.chaos.faults import FAULTS, Fault
from tests.chaos.judge import Alone, Evidence, Verdict, judge
from tests.chaos.machine import Member
from tests.chaos.pauses import Disturbance, Pause, longest_pause
from tests.chaos.plan import Plan
from tests.chaos.world import World, strain

BEGIN_WITHIN: Final = 40.0
"""Seconds within which all programs have begun, and have confirmed something."""
CONFIRM_WITHIN: Final = 60.0
"""Seconds within which everything is confirmed at all programs, once every fault has been mended."""
FORGET_AFTER: Final = 20.0
"""Seconds after which a person says that programs which are gone for good will not come back."""
PAUSE_MOST: Final = 30.0
"""Seconds of the longest pause of a healthy program that does not count as stuck."""
_SETTLES: Final = 10.0
"""Seconds after a fault for which its programs do not count as healthy: they are excluded and come back."""
_WORKS_WITHIN: Final = 15.0
_CALM: Final = 1.0


@dataclass
class Outcome:
    """The outcome of one schedule."""

    plan: Plan
    verdict: Verdict
    pause: Pause
    recovery: float
    """Seconds from the last mended fault until everything was confirmed."""
    faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    declarations: int = 0
    """Times that programs were declared gone."""


class Schedule:
    """A plan that is being carried out."""

    def __init__(self, plan: Plan, folder: Path, library: Path, token: str) -> None:
        self._plan = plan
        self._folder = folder
        self._world = World(plan, folder, library, token)
        self._faults: Counter[str] = Counter()
        self._disturbances: list[Disturbance] = []
        self._stuck: list[str] = []
        self._recovery = 0.0
        self._strain = 1.0
        """The highest load that there was."""
        self._events = (folder / "events.txt").open("w", buffering=1)

    def run(self) -> Outcome:
        """Carry it out. Everything that it started has ended afterwards."""
        begun = time.monotonic()
        try:
            self._run()
        finally:
            self._world.close()
            self._events.close()
        evidence = Evidence.of_folder(self._folder / "side")
        branches = branched_operations({each.machine.data for each in self._world.members})
        accountable = {each.name for each in self._world.members if self._is_accountable(each)}
        gone = [Alone(each.name, 0.0, math.inf) for each in self._world.members if each.is_gone]
        alone = [*self._world.alone, *gone]
        verdict = judge(evidence, self._world.exempt, self._stuck, branches, accountable, alone)
        pause = longest_pause(evidence, self._disturbances, self._plan.members)
        if pause.seconds > PAUSE_MOST * self._strain:
            verdict.stuck.append(f"nothing was confirmed for {pause}, who was healthy")
        facts = {"faults": verdict.faults(), "longest pause": str(pause), "recovery": self._recovery}
        (self._folder / "verdict.json").write_text(json.dumps(facts, indent=1) + "\n")
        seconds = time.monotonic() - begun
        declarations = sum(each.declarations for each in self._world.members)
        return Outcome(self._plan, verdict, pause, self._recovery, self._faults, seconds, declarations)

    @staticmethod
    def _is_accountable(member: Member) -> bool:
        """Return whether everything that a program has stored must be found again."""
        return member.machine.system.was_always_good and (member.is_taken_over or not member.is_over)

    def _run(self) -> None:
        world = self._world
        for member in world.members:
            member.start()
        if not world.wait(lambda: all(each.last.get("begun") for each in world.members), BEGIN_WITHIN):
            self._give_up("not all programs have begun")
            return
        self._inject()
        if self._finish() and self._plan.starts_again:
            self._start_again()

    def _give_up(self, what: str) -> None:
        self._stuck.append("; ".join([what, *(each.describe() for each in self._world.members)]))
        self._note(self._stuck[-1])

    def _note(self, text: str) -> None:
        self._events.write(f"{time.monotonic():.2f} {text}\n")

    # The faults

    def _inject(self) -> None:
        begun = time.monotonic()
        due = list(self._plan.steps)
        active: list[tuple[float, Fault]] = []
        while (passed := time.monotonic() - begun) < self._plan.seconds or due or active:
            self._let_work()
            while due and due[0].at <= passed:
                step = due.pop(0)
                fault = FAULTS[step.kind](self._world, step)
                if not fault.is_possible or any(type(each) is type(fault) for _, each in active):
                    self._note(f"left out: {step}")
                    continue
                self._note(f"begin: {step}")
                at = time.monotonic()
                fault.begin()
                self._faults[step.kind] += 1
                active.append((time.monotonic() - begun + step.seconds, fault))
                self._disturb(fault, at, step.seconds)
            for _, fault in active:
                fault.go_on()
            for entry in [each for each in active if self._is_over(each, passed)]:
                active.remove(entry)
                self._note(f"mend: {entry[1].step}")
                entry[1].mend()
                self._disturb(entry[1], time.monotonic(), 0.0)
            self._world.wait(lambda: True, 0)
            self._strain = max(self._strain, strain())
            time.sleep(0.02)

    @staticmethod
    def _is_over(entry: tuple[float, Fault], passed: float) -> bool:
        """Return whether a fault is to be mended: after its time, once it has had its effect, or some time
        later."""
        end, fault = entry
        return passed >= end and (fault.has_worked or passed >= end + _WORKS_WITHIN)

    def _disturb(self, fault: Fault, at: float, seconds: float) -> None:
        for member in fault.affected:
            self._disturbances.append(Disturbance(member.name, at - 0.5, at + seconds + _SETTLES))

    def _let_work(self) -> None:
        """Let programs work that have just begun."""
        for member in self._world.members:
            if member.is_up and not member.works:
                member.say(f"work {self._plan.pace}")
                member.works = True

    # The end

    @property
    def _all(self) -> list[Member]:
        return [each for each in self._world.members if not each.is_over]

    def _finish(self) -> bool:
        """Wait until everything is confirmed, and all programs have told the same state."""
        world = self._world
        for member in self._all:
            if not member.is_up:
                if member.exit_code not in (0, -9):
                    self._give_up(f"{member.name} ended by itself with {member.exit_code}")
                    return False
                member.start()
        self._note("all is mended")
        mended_at = time.monotonic()
        if not world.wait(lambda: all(each.last.get("begun") for each in self._all), CONFIRM_WITHIN):
            self._give_up(f"not all programs have begun within {CONFIRM_WITHIN:g} s")
            return False
        for member in self._all:
            member.say("finish")
        if not world.wait(self._is_quiet, FORGET_AFTER):
            self._forget()
        if not world.wait(self._is_quiet, CONFIRM_WITHIN - FORGET_AFTER):
            self._give_up(f"not everything was confirmed within {CONFIRM_WITHIN:g} s")
            return False
        self._recovery = max(self._recovery, time.monotonic() - mended_at)
        self._note("all is confirmed")
        return self._tell()

    def _forget(self) -> None:
        """Let one program declare those gone that do not come back, if anything waits for them."""
        gone = {vote for each in self._world.members if each.is_gone for vote in each.last.get("votes", ())}
        here = {vote for each in self._all for vote in each.last.get("votes", ())}
        if gone - here:
            self._note(f"{self._all[0].name} may declare gone: {', '.join(sorted(gone - here))}")
            self._all[0].say(" ".join(["forget", *sorted(gone - here)]))

    def _is_quiet(self) -> bool:
        """Return whether all programs have confirmed everything and report the same state."""
        members, now = self._all, time.monotonic()
        return (
            all(each.finished and each.finished in each.confirmed for each in members)
            and all(not each.last["waiting"] and now - each.last["t"] < _CALM for each in members)
            and len({each.last["digest"] for each in members}) == 1
        )

    def _tell(self) -> bool:
        for member in self._all:
            member.say("tell")
        if not self._world.wait(lambda: all(each.told for each in self._all), CONFIRM_WITHIN):
            self._give_up("not all programs told their state")
            return False
        return True

    def _start_again(self) -> None:
        """Kill all programs, start them again, and compare: the state is on their disks."""
        self._note("all are killed and started again")
        for member in self._all:
            member.kill()
        for member in self._all:
            member.start()
        self._finish()


def say(text: str) -> None:
    """Print a line about the progress."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
