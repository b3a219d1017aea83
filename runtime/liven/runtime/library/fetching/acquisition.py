"""Getting a required library that is not installed: ask, fetch, verify, install.

An installed library is used without a question and without a network. The order is fixed: first the trust
question, then the fetch, then the hash, then the first import in a child process. Only then the library is
installed, for good or until this process ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.errors import (
    FetchError,
    LibraryError,
    MissingLibraryError,
    NamelessError,
    RedirectedError,
    SignatureRedirectedError,
    WrongSignatureError,
)
from liven.runtime.library.fetching.bundle import Bundle, from_archive, from_module
from liven.runtime.library.store import Installed
from liven.runtime.library.trust import Permission, Question, Trust
from liven.runtime.objects.reply import Reply
from liven.runtime.reference import ids
from liven.runtime.reference.model import Requirement
from liven.runtime.signing.known_signers import KnownSigners
from liven.runtime.signing.signature import (
    SUFFIX,
    Signature,
    SignatureError,
    Signed,
    claimed_name,
    fingerprint,
    read_signature,
)

Fetch: TypeAlias = Callable[[str], bytes]
"""Returns the bytes at a URL; raises FetchError."""
Errand: TypeAlias = Callable[[Callable[[], "Installed"]], "Reply[Installed]"]
"""Runs a blocking function in a worker."""
MOST_HOSTS = 5
"""Most hosts that send on to the next one."""


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


def from_network(url: str, named: frozenset[str] = frozenset()) -> bytes:
    """Return the bytes at a URL. The network code is imported now, because most programs never fetch.

    `named` are the hosts with a private address that a person has named.
    """
    from liven.runtime.library.fetching.download import fetch

    return fetch(url, named=named)


@dataclass(frozen=True, slots=True)
class Allowed:
    """A question that was asked, and its answer, which may take time."""

    question: Question
    answer: Reply[Permission]


class Acquirer:
    """Finds libraries in the store and installs those that are allowed. Blocks: for worker threads."""

    def __init__(
        self, index: ClassIndex, get: Fetch = from_network, signers: KnownSigners | None = None
    ) -> None:
        """`signers` are those that the person knows; without them, nobody is remembered."""
        self.index = index
        self._get = get
        self._signers = signers

    def installed(self, need: Requirement) -> Installed | None:
        """Return the library, if it is installed."""
        try:
            return self.index.store.find(need)
        except MissingLibraryError:
            return None

    def question(self, need: Requirement, reason: str) -> Question:
        """Return the trust question to ask before fetching; raise MissingLibraryError if the reference has no
        URL, and another LibraryError if its signature is wrong."""
        if not need.url:
            self.index.store.find(need)
        name = self._proven_name(need)
        library = ids.brief(need.library)
        older = self._older_version(need)
        return Question(
            library, need.version, need.sha256, need.signer, need.url, reason, name, installed_version=older
        )

    def _older_version(self, need: Requirement) -> int:
        """Return the newest installed version that is older than the required one; 0 if there is none."""
        identity = ids.parse(need.library)
        there = self.index.store.versions(identity.component) if identity is not None else []
        return max((one.version for one in there if one.version < need.version), default=0)

    def asked(self, need: Requirement, reason: str, ask: Trust) -> Allowed:
        """Ask the question about a library; raise LibraryError if there is nothing to ask."""
        question = self.question(need, reason)
        return Allowed(question, ask(question))

    def sent_on(self, question: Question, error: RedirectedError) -> Question:
        """Return the question about the host that the server sends on to."""
        host = urlsplit(error.url).hostname or ""
        return replace(question, url=error.target, sent_on_from=host)

    async def bring(self, need: Requirement, allowed: Allowed, ask: Trust, errand: Errand) -> Installed:
        """Fetch and install an allowed library, on the dispatcher's thread; raise LibraryError.

        Another host that the server sends on to is asked about again.
        """
        question, leave = allowed.question, await allowed.answer
        url, signature_url = question.url, ""
        for _ in range(MOST_HOSTS):
            if not leave:
                raise UntrustedError(question)
            try:
                return await errand(partial(self.fetch, replace(need, url=url), leave, signature_url))
            except SignatureRedirectedError as error:
                question, signature_url = self.sent_on(question, error), error.target
            except RedirectedError as error:
                question, url = self.sent_on(question, error), error.target
            leave = await ask(question)
        raise FetchError(need.url, f"more than {MOST_HOSTS} hosts send on to one another")

    def fetch(self, need: Requirement, leave: Permission, signature_url: str = "") -> Installed:
        """Fetch and install an allowed library, for good or for this process; raise LibraryError and change
        nothing. `RedirectedError` names another host, which has to be allowed first. The file with the
        signature is beside the library, or at `signature_url`."""
        data = self._get(need.url)
        bundle = _bundle(need, data)
        _demand_content(need, bundle, data)
        if need.signer:
            bundle = replace(bundle, signature=self._demand_signature(need, bundle, signature_url))
            self._refuse_other_key(bundle.signature)
        installed, new = self.index.store.add(
            bundle, self.index.declares, keep=leave is Permission.KEPT, fetched_from=need.url
        )
        if not new:
            self.index.declares(installed)
        self._meet(bundle.signature)
        return installed

    def _proven_name(self, need: Requirement) -> str:
        """Return the name that the signer claims, if the reference itself proves it."""
        if not (need.signer and need.signature and need.sha256):
            return ""
        signature = Signature(need.signer, need.signed_as, need.signature)
        if not signature.holds(Signed.LIBRARY, need.sha256):
            raise WrongSignatureError(
                f"library {ids.brief(need.library)} is not signed by {_who(need)}: its signature is for other"
                " content, or was changed; nothing was fetched. Ask the sender for the file again"
            )
        if self._signers is not None:
            self._signers.refuse_other_key(need.signer, need.signed_as)
        return claimed_name(need.signed_as)

    def _demand_signature(self, need: Requirement, bundle: Bundle, signature_url: str) -> Signature:
        """Return the signature of a library by the signer in the reference, from there or from the file
        beside the library."""
        if need.signature and need.sha256:
            found = Signature(need.signer, need.signed_as, need.signature)
        else:
            url = signature_url or need.url + SUFFIX
            try:
                found = read_signature(self._get(url))
            except RedirectedError as error:
                raise SignatureRedirectedError(error.url, error.target) from None
            except SignatureError as error:
                raise WrongSignatureError(f"{url}: {error}; it was not installed") from None
        if found.signer != need.signer or not found.holds(Signed.LIBRARY, bundle.sha256):
            raise WrongSignatureError(
                f"{need.url} gave library {bundle.library}, which {_who(need)} has not signed; it was not"
                " installed"
            )
        return found

    def _refuse_other_key(self, signature: Signature | None) -> None:
        if self._signers is not None and signature is not None:
            self._signers.refuse_other_key(signature.signer, signature.name)

    def _meet(self, signature: Signature | None) -> None:
        if self._signers is not None and signature is not None:
            self._signers.meet(signature.signer, signature.name)


def _who(need: Requirement) -> str:
    """Return the signer that a reference names, for a message."""
    name = f"“{claimed_name(need.signed_as)}”, " if need.signed_as else ""
    return f"{name}the key {fingerprint(need.signer)}"


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
