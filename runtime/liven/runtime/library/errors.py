"""The errors of libraries. Each names the library or the file, and what to do."""

from __future__ import annotations

import re

from liven.runtime.errors import ObjectRuntimeError

_OWN_NAME = re.compile(r"\bliven_bundle_[0-9a-f]{32}\.")
"""The generated package of a bundle's modules, which its author does not know."""


class LibraryError(ObjectRuntimeError):
    """The base of all errors here; never raised itself."""


class UnloadedError(LibraryError):
    """A pinned library is not loaded in this process, so its declarations are unknown."""

    def __init__(self, library: str, sha256: str) -> None:
        super().__init__(
            f"library {library}: the one of sha256 {sha256[:16]}… is not loaded here yet; open the object"
            " once"
        )
        self.library = library


class BundleError(LibraryError):
    """This is not a bundle that can be installed; nothing was changed."""


class NamelessError(BundleError):
    """A module does not name its library, so that it cannot be told from others."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(f"{name} {said}")
        self.said = said

    def mended_by(self, identity: str, other: str = "") -> BundleError:
        """Return the same error with the line that is missing."""
        return BundleError(f'{self}; write LIBRARY = "{identity}" at the top of it{other}')


class InstalledOtherwiseError(LibraryError):
    """The same library and version is installed with other content."""

    def __init__(self, library: str, installed: str, given: str, *, once: bool = False) -> None:
        """`once`: it was allowed for this process only, so that no command can remove it."""
        old = "end this program, and start it again" if once else f"liven library remove '{library}'"
        super().__init__(
            f"{library} is {'here' if once else 'installed'} with other content"
            f" (sha256 {installed[:16]}…; given was {given[:16]}…); give the new content a new version"
            f" (in LIBRARY of a single module, else in metadata.xml), or remove the old one: {old}"
        )
        self.library = library


class MissingLibraryError(LibraryError):
    """No installed library fits."""

    def __init__(self, library: str, wanted: str, installed: tuple[str, ...]) -> None:
        has = f"installed: {', '.join(installed)}" if installed else "no version of it is installed"
        super().__init__(
            f"library {library}: {wanted} is not installed ({has}); `liven library add PATH` installs one"
        )
        self.library = library
        self.installed = installed


class DamagedError(LibraryError):
    """The files on disk differ from those that were installed."""

    def __init__(self, library: str, reason: str) -> None:
        super().__init__(
            f"{library} is damaged: {reason}; remove it with `liven library remove` and add it again"
        )
        self.library = library
        self.reason = reason


class CodeError(LibraryError):
    """The code of a bundle cannot be imported: it raises, exits, loops or exhausts the memory."""

    def __init__(self, library: str, reason: str, detail: str = "") -> None:
        reason = _OWN_NAME.sub("", reason)
        super().__init__(f"{library}: {reason}")
        self.library = library
        self.reason = reason
        self.detail = detail
        """The traceback, for the author."""


class UnfinishedError(CodeError):
    """The first import took too long, perhaps because the machine is busy: it may be tried again."""


class UnprotectedError(UnfinishedError):
    """A library that nobody installed would have to run without protection."""

    def __init__(self, library: str, missing: str) -> None:
        super().__init__(
            library,
            f"it came with a recipe, so its code may run confined only, and this kernel lacks {missing};"
            " install the library if you trust it (liven library add PATH), and it runs with your rights",
        )


class FetchError(LibraryError):
    """The bytes could not be fetched; the text says from where and why."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class RedirectedError(FetchError):
    """The server sends on to another host, which somebody has to allow first."""

    def __init__(self, url: str, target: str) -> None:
        super().__init__(url, f"it sends on to another host, which nobody allowed: {target}")
        self.target = target


class SignatureRedirectedError(RedirectedError):
    """The server sends on to another host for the signature beside a library, and not for the library."""


class WrongSignatureError(LibraryError):
    """The library is not signed by the signer that the reference names."""
