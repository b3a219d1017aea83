"""Getting a required library that is not installed: ask, fetch, verify, install.

An installed library is used without a question and without a network. The order is fixed: first the trust
question, then the fetch, then the hash, then the first import in a child process. Only then the library is
installed, for good or until this process ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from liven.runtime.library.bundle import Bundle, from_archive, from_module
from liven.runtime.library.class_index import ClassIndex
from liven.runtime.library.errors import LibraryError, MissingLibraryError, NamelessError
from liven.runtime.library.store import Installed
from liven.runtime.library.trust import Permission, Question
from liven.runtime.reference import ids
from liven.runtime.reference.model import Requirement

Fetch: TypeAlias = Callable[[str], bytes]
"""Returns the bytes at a URL; raises FetchError."""


class WrongContentError(LibraryError):
    """The fetched bundle has another hash than the reference pins, or is another library."""


class UntrustedError(LibraryError):
    """Nobody allowed this code, which is not installed, to run."""

    def __init__(self, question: Question) -> None:
        name = f"library {question.library} version {question.version}"
        super().__init__(
            f"{name} is not installed, and nobody allowed fetching it from {question.url};"
            " install it with `liven library add PATH`"
        )
        self.question = question


def from_network(url: str) -> bytes:
    """Return the bytes at a URL. The network code is imported now, because most programs never fetch."""
    from liven.runtime.library.download import fetch

    return fetch(url)


class Acquirer:
    """Finds libraries in the store and installs those that are allowed. Blocks: for worker threads."""

    def __init__(self, index: ClassIndex, get: Fetch = from_network) -> None:
        self.index = index
        self._get = get

    def installed(self, need: Requirement) -> Installed | None:
        """Return the library, if it is installed."""
        try:
            return self.index.store.find(need)
        except MissingLibraryError:
            return None

    def question(self, need: Requirement, reason: str) -> Question:
        """Return the trust question to ask before fetching;
        raise MissingLibraryError if the reference has no URL."""
        if not need.url:
            self.index.store.find(need)
        return Question(ids.brief(need.library), need.version, need.sha256, need.signer, need.url, reason)

    def fetch(self, need: Requirement, leave: Permission) -> Installed:
        """Fetch and install an allowed library, for good or for this process;
        raise LibraryError and change nothing."""
        data = self._get(need.url)
        bundle = _bundle(need, data)
        _demand_content(need, bundle, data)
        installed, new = self.index.store.add(bundle, self.index.declares, keep=leave is Permission.KEPT)
        if not new:
            self.index.declares(installed)
        return installed


def _is_of(need: Requirement, data: bytes) -> bool:
    """True if a reference pins the hash of the archive instead of that of its content, an easy mistake."""
    return hashlib.sha256(data).hexdigest() == need.sha256


def _bundle(need: Requirement, data: bytes) -> Bundle:
    name = PurePosixPath(unquote(urlsplit(need.url).path)).name or "bundle"
    if data.startswith(b"PK") or not name.endswith(".py"):
        return from_archive(name, data)
    try:
        return from_module(name, data)
    except NamelessError as error:
        raise error.mended_by(f"{ids.brief(need.library)}`{need.version or 1}", f", at {need.url}") from None


def _demand_content(need: Requirement, bundle: Bundle, data: bytes) -> None:
    if need.sha256 and bundle.sha256 != need.sha256:
        whose = "which is that of the file, not of the library in it" if _is_of(need, data) else "not that"
        raise WrongContentError(
            f"{need.url} gave library {bundle.library} of sha256 {bundle.sha256}, as `liven library list`"
            f" shows it, and the reference pins {need.sha256}, {whose}; it was not installed"
        )
    wanted = ids.parse(need.library)
    if (
        wanted is None
        or bundle.metadata.namespace != wanted.component
        or bundle.metadata.version < need.version
    ):
        named = f"{ids.brief(need.library)} version {need.version} or higher"
        raise WrongContentError(
            f"{need.url} gave the library {bundle.library}, not {named}; it was not installed"
        )
