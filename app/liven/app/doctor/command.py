"""`liven doctor`: print each finding as soon as it is known."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict

from liven.app.doctor.all_checks import examine
from liven.app.doctor.finding import Finding, State
from liven.runtime.exit_codes import ENVIRONMENT, OK
from liven.runtime.user_folders import UserFolders

_MARKS = {State.OK: ("ok", "32"), State.MISSING: ("missing", "33"), State.BROKEN: ("broken", "31")}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven doctor`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.epilog = (
        "Each line is `ok`, `missing` (something optional does not work) or `broken` (something that the\n"
        "program needs does not work), with advice below it.\n"
        "Exit code: 0 if nothing is broken, else 3."
    )


def run(arguments: argparse.Namespace) -> int:
    """Check the machine; return 3 if something that the program needs is broken."""
    findings = []
    for finding in examine(os.environ, UserFolders.of_user(os.environ)):
        findings.append(finding)
        if not arguments.json:
            print(_line(finding, colour=bool(sys.stdout and sys.stdout.isatty())), flush=True)
    broken = any(finding.state is State.BROKEN for finding in findings)
    if arguments.json:
        print(json.dumps({"ok": not broken, "findings": [asdict(finding) for finding in findings]}, indent=1))
    return ENVIRONMENT if broken else OK


def _line(finding: Finding, *, colour: bool) -> str:
    word, code = _MARKS[finding.state]
    mark = f"\x1b[{code}m{word:<8}\x1b[0m" if colour else f"{word:<8}"
    fix = f"\n{'':26}→ {finding.fix}" if finding.fix else ""
    return f"{finding.subject:<17} {mark}{finding.detail}{fix}"
