"""Compare the only wheel in a folder with the tree."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.checks.layout import wheel_faults


def main() -> int:
    """Print the differences."""
    root = Path(__file__).resolve().parents[2]
    (wheel,) = Path(sys.argv[1]).glob("*.whl")
    found = wheel_faults(root, wheel)
    print("\n".join(found) or f"{wheel.name} holds the tree")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
