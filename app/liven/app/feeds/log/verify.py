"""`liven feeds verify`: the damage of a feed, a line each."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from liven.app.feeds.arguments import add_feed, feed_of
from liven.app.feeds.progress import ProgressBar
from liven.app.network.cli import many, printable
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.upkeep.verification import Finding, verify
from liven.runtime.exit_codes import NO, OK


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds verify`."""
    add_feed(parser)
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON array")
    parser.epilog = "It may run while the feed is recorded. Exit code: 0 no damage, 1 damage."


def run(arguments: argparse.Namespace) -> int:
    """Print what is wrong with each recorder's log."""
    is_damaged = False
    rows: list[dict[str, Any]] = []
    for folder in feed_of(arguments).recorders():
        bar = ProgressBar("verifying", "bytes")
        findings = list(verify(folder, bar.show))
        bar.end()
        is_damaged |= any(each.kind.is_damage for each in findings)
        rows += [_row(each) for each in findings]
        if not arguments.json:
            for each in findings:
                print(line_of(each))
            print(_summary(folder, findings))
    if arguments.json:
        print(json.dumps(rows, indent=1))
    return NO if is_damaged else OK


def line_of(finding: Finding) -> str:
    """Return a finding as a line: which file, where, what, and the records that it concerns."""
    place = (
        f"{finding.file}, byte {finding.offset}" if finding.offset or finding.length else f"{finding.file}"
    )
    return f"{printable(place)}: {finding.kind.value}: {printable(finding.text)}{_numbers(finding)}"


def _numbers(finding: Finding) -> str:
    count = finding.end - finding.first
    if not count:
        return ""
    return f" (record {finding.first})" if count == 1 else f" (records {finding.first} to {finding.end - 1})"


def _summary(folder: Path, findings: list[Finding]) -> str:
    log = Log(folder)
    name = printable(folder.name)
    damage = [each for each in findings if each.kind.is_damage]
    if not damage:
        return f"{name}: {many(log.end - log.begin, 'number')} from {log.begin} on, no damage"
    lost = sum(each.end - each.first for each in damage)
    places = many(len(damage), "place")
    return f"{name}: damage in {places}, {many(lost, 'record')} lost; `liven feeds repair` keeps the rest"


def _row(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind.value,
        "damage": finding.kind.is_damage,
        "file": str(finding.file),
        "offset": finding.offset,
        "length": finding.length,
        "first": finding.first,
        "end": finding.end,
        "text": finding.text,
    }
