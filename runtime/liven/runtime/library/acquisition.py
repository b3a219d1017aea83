"""Getting a library that a reference requires and that is not here: asked for, fetched, verified, installed.

Whatever is installed is used without a question and without a network. The order is law: first the trust
question, then the fetch, then the hash, then the first import in a child; only then it is installed,
or stands beside what is installed until this process ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from liven.runtime.library.bundle import Bundle, from_archive, from_module
from liven.runtime.library.class_index import Index
from liven.runtime.library.errors import LibraryError, MissingLibraryError, NamelessError
from liven.runtime.library.store import Installed
from liven.runtime.library.trust import Permission, Question
from liven.runtime.reference import ids
from liven.runtime.reference.model import Requirement

Fetch: TypeAlias = Callable[[str], bytes]
"""Gives the bytes at a URL; raises FetchError."""


class WrongContentError(LibraryError):
    """What was fetched is not what the reference pins, or not the library it names."""


class UntrustedError(LibraryError):
    """Nobody allowed code that is not installed to run."""

    def __init__(self, question: Question) -> None:
        name = f"library {question.library} version {question.version}"
        super().__init__(
            f"{name} is not installed, and nobody allowed it to be fetched from {question.url};"
            " install it with `liven library add PATH`"
        )
        self.question = question


def from_network(url: str) -> bytes:
    """The bytes at a URL. What speaks to servers is loaded now: most programs never fetch."""
    from liven.runtime.library.download import fetch

    return fetch(url)


class Acquirer:
    """Finds libraries in the store, and brings in what is allowed. Blocks: for worker threads."""

    def __init__(self, index: Index, get: Fetch = from_network) -> None:
        self.index = index
        self._get = get

    def installed(self, need: Requirement) -> Installed | None:
        """The library, if it is here."""
        try:
            return self.index.store.find(need)
        except MissingLibraryError:
            return None

    def question(self, need: Requirement, reason: str) -> Question:
        """What somebody must be asked before it is fetched; MissingLibraryError if it says no place."""
        if not need.url:
            self.index.store.find(need)
        return Question(ids.brief(need.library), need.version, need.sha256, need.signer, need.url, reason)

    def fetch(self, need: Requirement, leave: Permission) -> Installed:
        """Brings it in, once the answer was a yes, for good or for this process; raises a LibraryError and
        changes nothing."""
        data = self._get(need.url)
        bundle = _bundle(need, data)
        _demand_content(need, bundle, data)
        installed, new = self.index.store.add(bundle, self.index.declares, keep=leave is Permission.KEPT)
        if not new:
            self.index.declares(installed)
        return installed


def _is_of(need: Requirement, data: bytes) -> bool:
    """Whether a reference pins the file that the library came in, as who makes one may do by mistake."""
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
