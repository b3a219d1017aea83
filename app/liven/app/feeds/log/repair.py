"""`liven feeds repair`: damage set aside, every good record kept under its number."""

from __future__ import annotations

import argparse
from pathlib import Path

from liven.app.feeds.arguments import add_feed, feed_of
from liven.app.feeds.log.verify import line_of
from liven.app.feeds.progress import ProgressBar
from liven.app.network.cli import many, printable
from liven.liveobjects.feeds.segment.upkeep.repair import Repaired, repair
from liven.runtime.exit_codes import OK


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds repair`."""
    add_feed(parser)
    parser.epilog = (
        "Nothing may record the feed meanwhile. Damaged bytes are kept in the folder `damaged` of the\n"
        "recorder, which you may delete. The numbers of lost records are never given to others."
    )


def run(arguments: argparse.Namespace) -> int:
    """Repair each recorder's log."""
    for folder in feed_of(arguments).recorders():
        bar = ProgressBar("examining", "files")
        done = repair(folder, bar.show)
        bar.end()
        for each in done.findings:
            print(line_of(each))
        print(_summary(folder, done))
    return OK


def _summary(folder: Path, done: Repaired) -> str:
    name = printable(folder.name)
    if not done.findings and not done.cut:
        return f"{name}: no damage, nothing was changed"
    words = []
    if done.findings:
        words.append(f"{many(done.lost, 'record')} lost")
    if done.aside:
        words.append(f"damaged bytes are in {done.aside[0].parent}")
    if done.cut:
        words.append(f"an unfinished block of {many(done.cut, 'byte')} was cut off")
    return f"{name}: repaired; {', '.join(words)}"
