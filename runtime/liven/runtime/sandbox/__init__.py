"""The kernel's means to take rights away from this process for good: files, network, processes, memory.

`protection` is the public part: it says what this kernel offers, and applies all of it. `landlock` closes the
file system, `syscall_filter` the rest, `limits` bounds memory, descriptors and files. Nothing here can be
undone by the process that called it. Who is confined, and why, is decided in `library` and `confined`.
"""

from liven.runtime.sandbox.protection import Protection, ProtectionError

__all__ = ["Protection", "ProtectionError"]
