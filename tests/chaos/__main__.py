"""`python -m tests.chaos`: a campaign of real processes under real faults.

Schedules are drawn one after another until the time is over, each from a seed of its own: `--seed S`,
S + 1, and so on. Prints one JSON object. Exits with 1 if anything was broken; then the folder of each broken
schedule is kept. An interrupted campaign prints the figures so far, and exits with 130.
"""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.chaos.cleanup import end_processes, start_guardian
from tests.chaos.plan import SHAPES, WEIGHTS, Plan, draw
from tests.chaos.power_cut import NoCompilerError, build
from tests.chaos.schedule import Outcome, Schedule, say
from tests.chaos.world import why_not

_DAMAGE = ("lost", "doubled", "reordered", "not_linear", "forgotten", "disagreement", "stuck", "unread")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=3.0, help="begin no schedule after this time (3)")
    parser.add_argument("--seed", type=int, default=None, help="the seed of the first schedule (random)")
    parser.add_argument("--schedules", type=int, default=10**9, help="run at most so many")
    parser.add_argument("--shapes", default=",".join(SHAPES), help="the worlds to draw from (%(default)s)")
    kinds = sorted({kind for weights in WEIGHTS.values() for kind in weights})
    parser.add_argument("--only", default="", help=f"the faults to draw from: {', '.join(kinds)} (all)")
    parser.add_argument("--folder", type=Path, help="where broken schedules are kept (a temporary folder)")
    parser.add_argument("--keep", action="store_true", help="keep the folder of good schedules, too")
    parser.add_argument("--keep-going", action="store_true", help="continue after a broken schedule")
    return parser.parse_args()


def main() -> int:
    """Run the campaign."""
    arguments = _arguments()
    seed = secrets.randbelow(10**6) if arguments.seed is None else arguments.seed
    shapes = tuple(arguments.shapes.split(","))
    reason = why_not() if "hosts" in shapes else ""
    if reason:
        say(f"no schedules with several hosts: {reason}")
        shapes = tuple(each for each in shapes if each != "hosts")
    kinds = frozenset(arguments.only.split(",")) - {""}
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="liven-chaos-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        library = build(folder)
    except NoCompilerError as error:
        say(str(error))
        return 3
    campaign = Campaign(folder, library, is_kept=arguments.keep or arguments.folder is not None)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    interrupted = False
    try:
        campaign.run(seed, arguments, shapes, kinds)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        campaign.close()
    sys.stdout.write(json.dumps(campaign.report(seed), indent=1) + "\n")
    return 130 if interrupted else int(bool(campaign.broken))


class Campaign:
    """The schedules of one call."""

    def __init__(self, folder: Path, library: Path, *, is_kept: bool) -> None:
        self._folder = folder
        self._is_kept = is_kept
        self._library = library
        self._token = secrets.token_hex(16)
        self._guardian = start_guardian(self._token)
        self._outcomes: list[Outcome] = []
        self.broken: list[dict[str, Any]] = []

    def run(
        self, seed: int, arguments: argparse.Namespace, shapes: tuple[str, ...], kinds: frozenset[str]
    ) -> None:
        """Run schedules until the time is over, or one is broken."""
        end = time.monotonic() + 60 * arguments.minutes
        number = 0
        while time.monotonic() < end and number < arguments.schedules:
            plan = draw(seed + number, shapes, kinds)
            self._run(plan, arguments)
            number += 1
            if self.broken and not arguments.keep_going:
                return

    def _run(self, plan: Plan, arguments: argparse.Namespace) -> None:
        folder = self._folder / f"schedule-{plan.seed}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        steps = ", ".join(map(str, plan.steps))
        (folder / "plan.txt").write_text(
            f"{plan.shape}, {plan.members} programs, age {plan.age}, {plan.pace}: {steps}\n"
        )
        outcome = Schedule(plan, folder, self._library, self._token).run()
        self._outcomes.append(outcome)
        verdict = outcome.verdict
        say(
            f"{plan.seed}: {plan.shape} of {plan.members}, {sum(outcome.faults.values())} faults, "
            f"{verdict.acknowledged} of {verdict.operations} acknowledged, longest pause "
            f"{outcome.pause}, recovery {outcome.recovery:.1f} s, {outcome.seconds:.0f} s: "
            + ("good" if verdict.is_good else ", ".join(verdict.faults()))
        )
        if verdict.is_good:
            if not arguments.keep:
                shutil.rmtree(folder)
            return
        again = f"python -m tests.chaos --seed {plan.seed} --schedules 1 --shapes {arguments.shapes}"
        again += f" --only {arguments.only}" if arguments.only else ""
        self.broken.append(
            {
                "seed": plan.seed,
                "plan": [
                    f"{plan.shape}, {plan.members} programs, age {plan.age}, {plan.pace}",
                    *map(str, plan.steps),
                ],
                "faults": verdict.faults(),
                "problems": dict(verdict.problems.most_common(10)),
                "folder": str(folder),
                "repeat": again,
            }
        )

    def report(self, seed: int) -> dict[str, Any]:
        """Return the figures."""
        verdicts = [each.verdict for each in self._outcomes]
        faults: Counter[str] = Counter()
        for each in self._outcomes:
            faults.update(each.faults)
        return {
            "seed": seed,
            "schedules": len(self._outcomes),
            "shapes": Counter(each.plan.shape for each in self._outcomes),
            "seconds": round(sum(each.seconds for each in self._outcomes)),
            "operations": sum(each.operations for each in verdicts),
            "acknowledged": sum(each.acknowledged for each in verdicts),
            **{name: sum(len(getattr(each, name)) for each in verdicts) for name in _DAMAGE},
            "given up by restores": sum(each.given_up for each in verdicts),
            "in branches": sum(each.branched for each in verdicts),
            "declared gone": sum(each.declarations for each in self._outcomes),
            "registers searched": sum(each.registers for each in verdicts),
            "longest pause, s": round(max((each.pause.seconds for each in self._outcomes), default=0.0), 1),
            "longest recovery, s": round(max((each.recovery for each in self._outcomes), default=0.0), 1),
            "faults": dict(sorted(faults.items())),
            "broken": self.broken,
        }

    def close(self) -> None:
        """End everything that is left."""
        end_processes(self._token)
        self._guardian.kill()
        self._guardian.communicate()
        if not self._is_kept and not self.broken:
            shutil.rmtree(self._folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
