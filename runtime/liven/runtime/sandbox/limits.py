"""Limits on the memory, descriptors and files of this process, see setrlimit(2)."""

from __future__ import annotations

import resource
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one confined process may take. Time is not among them: its starter watches that."""

    memory: int = 3 << 30
    """Bytes of address space; Python with Qt and numpy takes half of it without using it."""
    resident: int = 1 << 30
    """Bytes of memory in use, which its starter watches."""
    descriptors: int = 256
    """Each view that is shown needs one."""
    threads: int = 512
    """Threads, which its starter watches: the kernel limits only all processes of the user together."""
    file_size: int = 16 << 20
    """Bytes in one file."""
    folder_size: int = 256 << 20
    """Bytes in its own folder and in files that it holds open, which its starter watches."""

    def apply(self) -> None:
        """Limit this process for good."""
        for kind, most in (
            (resource.RLIMIT_AS, self.memory),
            (resource.RLIMIT_NOFILE, self.descriptors),
            (resource.RLIMIT_FSIZE, self.file_size),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_MEMLOCK, 1 << 20),
        ):
            _, allowed = resource.getrlimit(kind)
            wanted = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
            resource.setrlimit(kind, (wanted, wanted))
