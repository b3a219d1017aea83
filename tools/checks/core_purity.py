"""Check that the core makes no system call: find headers that would allow it, and calls of the C library's
memory, clock and file functions."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

CORE = Path(__file__).resolve().parents[2] / "multicast" / "core"
ALLOWED = {
    f"{name}.h"
    for name in ("assert", "inttypes", "limits", "stdalign", "stdbool", "stddef", "stdint", "string")
}
ALLOWED |= {"stdlib.h"}  # until every leaf gets its memory from its caller
FORBIDDEN = re.compile(r"\b(getenv|rand|srand|time|clock|exit|abort|system|printf|fopen)\s*\(")


def faults(core: Path) -> Iterator[str]:
    """Yield every line that reaches outside, with its place."""
    for path in sorted(core.rglob("*.[ch]")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            header = re.match(r"\s*#\s*include\s*<([^>]+)>", line)
            if header and header[1] not in ALLOWED:
                yield f"{path.relative_to(core)}:{number}: the core may not include <{header[1]}>"
            call = FORBIDDEN.search(line.split("/*")[0].split("//")[0])
            if call and not line.lstrip().startswith("*"):
                yield f"{path.relative_to(core)}:{number}: the core may not call {call[1]}"


def main() -> int:
    """Print the faults."""
    found = list(faults(CORE))
    print("\n".join(found) or "core: makes no system call")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
