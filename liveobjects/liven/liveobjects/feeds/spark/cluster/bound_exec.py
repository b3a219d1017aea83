"""Becomes another program that ends when its parent does.

    python -m liven.liveobjects.feeds.spark.cluster.bound_exec PARENT PROGRAM [ARGUMENT…]

The kernel then sends SIGTERM to the program when the process PARENT has ended, however it ended. It forgets
that at a fork, so a parent cannot arrange it before; a process between the two can, and it costs no other."""

from __future__ import annotations

import os
import signal
import sys

from liven.runtime.sandbox.kernel_calls import end_with_parent


def main(words: list[str]) -> None:
    """Run the program in this process; return only if the parent has ended already."""
    parent, program = int(words[0]), words[1]
    end_with_parent(signal.SIGTERM)
    if os.getppid() == parent:  # otherwise it ended before the line above
        os.execv(program, words[1:])  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main(sys.argv[1:])
