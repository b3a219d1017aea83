"""The faults of libraries. Each names the library or the file, and what to do."""

from __future__ import annotations

import re

from liven.runtime.errors import ObjectRuntimeError

_OWN_NAME = re.compile(r"\bliven_bundle_[0-9a-f]{32}\.")
"""The package that a bundle's modules are in: the author knows nothing of it."""


class LibraryError(ObjectRuntimeError):
    """The base of all; never raised itself."""


class UnloadedError(LibraryError):
    """A library that is pinned was not loaded in this process, so what it declares is not known yet."""

    def __init__(self, library: str, sha256: str) -> None:
        super().__init__(
            f"library {library}: the one of sha256 {sha256[:16]}… was not loaded here yet; open the object"
            " once"
        )
        self.library = library


class BundleError(LibraryError):
    """What was given is no bundle that can be installed; nothing was changed."""


class NamelessError(BundleError):
    """A module that does not name its library, so that it could not be told from others."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(f"{name} {said}")
        self.said = said

    def mended_by(self, identity: str, other: str = "") -> BundleError:
        """The same, with the line that is missing."""
        return BundleError(f'{self}; write LIBRARY = "{identity}" at the top of it{other}')


class InstalledOtherwiseError(LibraryError):
    """The same library and version is installed with other content."""

    def __init__(self, library: str, installed: str, given: str, *, once: bool = False) -> None:
        """`once`: it was allowed for this process alone, which no command takes away."""
        old = "end this program, and start it again" if once else f"liven library remove '{library}'"
        super().__init__(
            f"{library} is {'here' if once else 'installed'} with other content"
            f" (sha256 {installed[:16]}…; given was {given[:16]}…); give the new content a new version,"
            f" by LIBRARY in a module alone, else in metadata.xml, or take the old one away: {old}"
        )
        self.library = library


class MissingLibraryError(LibraryError):
    """No library fits."""

    def __init__(self, library: str, wanted: str, installed: tuple[str, ...]) -> None:
        has = f"installed: {', '.join(installed)}" if installed else "no version of it is installed"
        super().__init__(
            f"library {library}: {wanted} is not here ({has}); `liven library add PATH` installs one"
        )
        self.library = library
        self.installed = installed


class DamagedError(LibraryError):
    """What is on the disk is not what was installed."""

    def __init__(self, library: str, reason: str) -> None:
        super().__init__(
            f"{library} is damaged: {reason}; remove it with `liven library remove` and add it again"
        )
        self.library = library
        self.reason = reason


class CodeError(LibraryError):
    """The code of a bundle cannot be taken in: it raises, ends, loops or eats memory when it is imported."""

    def __init__(self, library: str, reason: str, detail: str = "") -> None:
        reason = _OWN_NAME.sub("", reason)
        super().__init__(f"{library}: {reason}")
        self.library = library
        self.reason = reason
        self.detail = detail
        """The traceback, for the author."""


class UnfinishedError(CodeError):
    """The first import took too long, which the machine may be to blame for: it may be tried again."""
