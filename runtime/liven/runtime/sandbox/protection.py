"""The protection that this kernel offers, and its use. Code that nobody vouches for runs only behind all of
it, so there is no half of a protection to explain to a person."""

from __future__ import annotations

import os
import pwd
import site
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.sandbox import landlock, syscall_filter
from liven.runtime.sandbox.limits import Limits

_SYSTEM: Final = (
    "/usr/lib",
    "/usr/lib64",
    "/usr/share",
    "/usr/local/lib",
    "/usr/local/share/fonts",
    "/lib",
    "/lib64",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/var/cache/fontconfig",
    "/dev/urandom",
    "/dev/zero",
    "/sys/devices/system/cpu",
    "/nix/store",
)
"""Read by Python, Qt and the C library; they hold nothing of the person's."""
_DEVICES: Final = ("/dev/null",)


class ProtectionError(ObjectRuntimeError):
    """This kernel cannot confine a process; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Protection:
    """The means of this kernel to confine a process."""

    landlock: int
    """The version of Landlock; 0 if there is none."""
    syscall_filter: bool

    @classmethod
    def of_this_kernel(cls) -> Protection:
        """Ask the kernel."""
        return cls(landlock.version(), syscall_filter.available())

    @property
    def missing(self) -> str:
        """Say what is missing for full protection; empty if nothing is."""
        lacks = []
        if self.landlock < landlock.NEEDED:
            lacks.append("Landlock, which closes files (Linux 5.13 or newer, with `lsm=landlock,…`)")
        if not self.syscall_filter:
            lacks.append("seccomp filters on x86-64 or ARM, which close the network and other processes")
        return " and ".join(lacks)

    def __str__(self) -> str:
        return (self.missing and f"this kernel lacks {self.missing}") or (
            f"files: Landlock {self.landlock}; network, processes and signals: seccomp"
        )

    def confine(
        self,
        readable: Iterable[Path],
        writable: Iterable[Path],
        limits: Limits | None = None,
        *,
        private: Iterable[Path] = (),
    ) -> None:
        """Confine this process for good: it reads Python, the system's libraries and `readable`, writes
        `writable`, and reaches neither a network nor another process. Raise ProtectionError, also if a
        `private` folder is among the folders of Python.

        Call it while there is one thread.
        """
        if self.missing:
            raise ProtectionError(f"this kernel lacks {self.missing}")
        programs = program_folders()
        for folder in private:
            above = next((one for one in programs if folder.is_relative_to(one.resolve())), None)
            if above is not None:
                raise ProtectionError(
                    f"{folder} is below {above}, which holds code; choose another LIVEN_HOME"
                )
        try:
            (limits or Limits()).apply()
            devices = [Path(name) for name in _DEVICES]
            landlock.restrict([*programs, *readable], [*devices, *writable])
            syscall_filter.install()
        except OSError as error:
            raise ProtectionError(f"this process cannot be confined: {error}") from error


def program_folders() -> list[Path]:
    """Return the folders of Python, its packages and the system's libraries."""
    paths = [sys.base_prefix, sys.prefix, sys.base_exec_prefix, sys.exec_prefix, *site.getsitepackages()]
    found = [Path(one) for one in (*paths, *sys.path, *_SYSTEM) if one]
    return [one for one in dict.fromkeys(found) if not _holds_homes(one)]


def _holds_homes(folder: Path) -> bool:
    """True for a folder that is, or contains, the person's home or everything: it is never opened whole."""
    home = home_folder()
    whole = folder.resolve()
    return whole == home or whole in home.parents


def home_folder() -> Path:
    """Return the person's home, also where the environment names another one."""
    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir).resolve()
    except KeyError:  # a user without an entry, as in some containers
        return Path.home().resolve()
