"""The store: libraries on disk, in the layout `NAMESPACE/VERSION/metadata.xml` beside `data/`.

An installed version is complete: it is written elsewhere and moved into place in one step. Versions are
installed side by side; a request for version N means N or a higher one, unless a hash pins the exact content.

Libraries allowed for this process only are in a second folder of the same layout, which is deleted with the
process.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from liven.runtime.files import PRIVATE, read_regular, read_start, write_file
from liven.runtime.library.errors import DamagedError, InstalledOtherwiseError, MissingLibraryError
from liven.runtime.library.fetching.bundle import DATA, METADATA, MOST_BYTES, Bundle, content_hash
from liven.runtime.library.temporary_folder import TemporaryFolder
from liven.runtime.reference import ids
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Requirement
from liven.runtime.reference.xml.metadata import Metadata, read_metadata, write_metadata
from liven.runtime.signing.signature import (
    LARGEST_FILE,
    Signature,
    SignatureError,
    Signed,
    fingerprint,
    read_signature,
)

SIGNATURE = "signature.json"
_ASIDE = ".incoming"
_FETCHED = "fetched-from"
"""The file beside `metadata.xml` of a library that a recipe brought: the URL."""
_OWN = "installed-by-person"
"""The file beside `metadata.xml` of a library that the person installed. Earlier versions wrote neither: then
the person's trust tells what a recipe brought (`mark_fetched`)."""
_ONCE = "libraries-"
_LARGEST_METADATA = 1 << 20
_STALE = 3600.0
"""Seconds after which an unfinished installation is from a crash."""


@dataclass(frozen=True, slots=True)
class Installed:
    """One version of one library in the store."""

    namespace: int
    version: int
    path: Path
    metadata: Metadata

    @property
    def library(self) -> str:
        """Its name for messages and commands: `NAMESPACE`VERSION`."""
        return f"{self.namespace:032X}`{self.version}"

    @property
    def data(self) -> Path:
        """The folder of its files."""
        return self.path / DATA

    @property
    def fetched(self) -> bool:
        """True if a recipe brought it; the person allowed that, and did not install it."""
        return (self.path / _FETCHED).exists()

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield every file with its path below `data/`, including foreign ones, which change the hash."""
        for path in sorted(self.data.rglob("*")):
            if path.is_symlink():
                raise DamagedError(self.library, f"{path.name} is a link")
            if path.is_file():
                yield path.relative_to(self.data).as_posix(), read_regular(path, MOST_BYTES)

    def sha256(self) -> str:
        """Return the hash of the files on disk."""
        return content_hash(self.metadata, self.files())

    def recorded(self) -> str:
        """Return the hash at installation.

        Before loading the code, compare it with the files (`verified`).
        """
        return self.metadata.sha256 or self.sha256()

    def signature(self) -> Signature | None:
        """Return the signature that was verified at installation, if it holds for the hash of that time."""
        try:
            found = read_signature(read_start(self.path / SIGNATURE, LARGEST_FILE + 1))
        except (OSError, SignatureError):
            return None
        return found if found.holds(Signed.LIBRARY, self.recorded()) else None

    def is_signed_for(self, wanted: Requirement) -> bool:
        """Return True if the signer in a reference has signed this; the reference itself may prove it."""
        given = Signature(wanted.signer, wanted.signed_as, wanted.signature)
        if wanted.signature and given.holds(Signed.LIBRARY, self.recorded()):
            return True
        kept = self.signature()
        return kept is not None and kept.signer == wanted.signer

    def verified(self) -> str:
        """Return the hash if it is still that of the installation; raise DamagedError."""
        return self.contents()[0]

    def contents(self) -> tuple[str, dict[str, bytes]]:
        """Return the verified hash and the files, read once: the files used are the files verified."""
        files = dict(self.files())
        actual, recorded = content_hash(self.metadata, files.items()), self.metadata.sha256
        if recorded and actual != recorded:
            reason = (
                f"its files are not those that were installed (sha256 {actual[:16]}…, not {recorded[:16]}…)"
            )
            raise DamagedError(self.library, reason)
        return actual, files


Attempt: TypeAlias = Callable[[Installed], object]


@dataclass(frozen=True, slots=True)
class Damaged:
    """A folder in the store that is not a library."""

    path: Path
    reason: str


class Store:
    """The libraries below one folder. Nothing is kept in memory, because other processes write there too."""

    def __init__(self, root: Path, once: Path | None = None) -> None:
        """`once` is the parent for the folder of libraries allowed once; without it, all are kept."""
        self.root = root
        self._once = once
        self._temporary: TemporaryFolder | None = None
        self._making = Lock()

    def close(self) -> None:
        """Delete the libraries that were allowed for this process only."""
        if self._temporary is not None:
            self._temporary.close()
            self._temporary = None

    def add(
        self, bundle: Bundle, attempt: Attempt = lambda _: None, *, keep: bool = True, fetched_from: str = ""
    ) -> tuple[Installed, bool]:
        """Install `bundle`, to `keep` it or for this process only, and return True if it is new.

        Other content under the same version is refused. A new library is passed to `attempt` before it is in
        its place; if that raises, nothing was changed. A library that a recipe brought is marked with the URL
        that it was `fetched_from`; when the person installs the same content, the mark goes.
        """
        namespace, version = bundle.metadata.namespace, bundle.metadata.version
        root = self.root if keep or self._place(namespace, version).exists() else self._for_once()
        target = self._place(namespace, version, root)
        if not target.exists():
            aside = self._aside(root)
            try:
                written = self._write(bundle, aside, fetched_from)
                attempt(self.at(written))
                self.at(written).verified()  # its code has run, and could have changed its files
                target.parent.mkdir(parents=True, exist_ok=True)
                written.rename(target)
                return self.at(target), True
            except OSError:
                if not target.exists():  # another process was first
                    raise
            finally:
                shutil.rmtree(aside, ignore_errors=True)
        same = self._same(self.at(target), bundle)
        if not fetched_from:
            write_file(same.path / _OWN, b"", PRIVATE)
            (same.path / _FETCHED).unlink(missing_ok=True)
        if bundle.signature is not None:
            write_file(same.path / SIGNATURE, bundle.signature.file(), PRIVATE)
        return same, False

    def mark_fetched(self, trusted: Mapping[str, str]) -> None:
        """Mark libraries of earlier versions that the person did not install, but trusted when a recipe
        brought them: `trusted` has the URL of each hash."""
        for one in self.all():
            if isinstance(one, Damaged) or one.metadata.sha256 not in trusted:
                continue
            if not one.fetched and not (one.path / _OWN).exists():
                write_file(one.path / _FETCHED, trusted[one.metadata.sha256].encode(), PRIVATE)

    def remove(self, installed: Installed) -> None:
        """Remove a version in one step. Its running code goes on from memory."""
        aside = self._aside()
        installed.path.rename(aside)
        shutil.rmtree(aside)
        if not any(installed.path.parent.iterdir()):
            installed.path.parent.rmdir()

    def all(self) -> Iterator[Installed | Damaged]:
        """Yield every library, by namespace and version, and every folder that should be one and is not."""
        for path in self.places():
            try:
                yield self.at(path)
            except DamagedError as error:
                yield Damaged(path, error.reason)

    def places(self) -> list[Path]:
        """Return the folders of all versions, damaged ones included."""
        roots = [self.root, *([self._temporary.path] if self._temporary is not None else ())]
        return [path for root in roots for folder in self._folders(root) for path in self._folders(folder)]

    def versions(self, namespace: int) -> list[Installed]:
        """Return the undamaged versions of one library, the highest first."""
        found = [one for one in self.all() if isinstance(one, Installed) and one.namespace == namespace]
        return sorted(found, key=lambda one: one.version, reverse=True)

    def find(self, wanted: Requirement) -> Installed:
        """Return the version that a reference requires; raise MissingLibraryError."""
        identity = ids.parse(wanted.library)
        there = self.versions(identity.component) if identity is not None else []
        installed = [one for one in there if not wanted.signer or one.is_signed_for(wanted)]
        fitting = [one for one in installed if one.version >= wanted.version]
        if wanted.sha256:
            exact = [one for one in installed if one.recorded() == wanted.sha256]
            if exact:
                return exact[0]
        elif fitting:
            return fitting[0]
        pinned = f"the one of sha256 {wanted.sha256[:16]}…, as `liven library list` shows it,"
        said = pinned if wanted.sha256 else f"version {wanted.version} or higher"
        said += f" signed by {fingerprint(wanted.signer)}" if wanted.signer else ""
        names = tuple(f"version {one.version}" for one in there)
        raise MissingLibraryError(ids.brief(wanted.library), said, names)

    def _place(self, namespace: int, version: int, root: Path | None = None) -> Path:
        return (root or self.root) / f"{namespace:032X}" / str(version)

    def _for_once(self) -> Path:
        with self._making:
            if self._once is None:
                return self.root
            if self._temporary is None:
                self._temporary = TemporaryFolder(self._once, _ONCE)
            return self._temporary.path

    def at(self, path: Path) -> Installed:
        """Return the library at `path`; raise DamagedError if it is none, or another than its path says."""
        name = f"{path.parent.name}`{path.name}"
        try:
            metadata = read_metadata(read_regular(path / METADATA, _LARGEST_METADATA))
        except (OSError, ReadError) as error:
            raise DamagedError(name, f"{METADATA}: {error}") from error
        if ids.parse(name) != ids.parse(f"{metadata.namespace:X}`{metadata.version}"):
            said = f"{metadata.namespace:032X}`{metadata.version}"
            raise DamagedError(name, f"its {METADATA} says it is {said}")
        if not (path / DATA).is_dir():
            raise DamagedError(name, f"it has no folder {DATA}/")
        return Installed(metadata.namespace, metadata.version, path, metadata)

    def _same(self, installed: Installed, bundle: Bundle) -> Installed:
        have, given = installed.verified(), bundle.sha256
        if have != given:
            once = self._temporary is not None and installed.path.is_relative_to(self._temporary.path)
            raise InstalledOtherwiseError(installed.library, have, given, once=once)
        return installed

    def _write(self, bundle: Bundle, root: Path, fetched_from: str) -> Path:
        """Write `bundle` below `root` in the store's layout."""
        whole = Store(root)._place(bundle.metadata.namespace, bundle.metadata.version)
        (whole / DATA).mkdir(parents=True)
        for name, data in bundle.files.items():
            place = whole / DATA / name
            place.parent.mkdir(parents=True, exist_ok=True)
            _write(place, data)
        _write(whole / (_FETCHED if fetched_from else _OWN), fetched_from.encode())
        metadata = dataclasses.replace(bundle.metadata, sha256=bundle.sha256)
        _write(whole / METADATA, write_metadata(metadata))
        if bundle.signature is not None:
            _write(whole / SIGNATURE, bundle.signature.file())
        return whole

    def _aside(self, root: Path | None = None) -> Path:
        """Return a new folder of our own on the same disk, and delete what a crash left behind."""
        folder = (root or self.root) / _ASIDE
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # its owner has just moved it into place
                if time.time() - old.stat().st_mtime > _STALE:
                    shutil.rmtree(old, ignore_errors=True)
        return folder / secrets.token_hex(8)

    @staticmethod
    def _folders(folder: Path) -> list[Path]:
        if not folder.is_dir():
            return []
        return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
