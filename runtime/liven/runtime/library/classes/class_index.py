"""The index of classes by library: the results of trial imports, cached by the hash of the content.

The cache may be deleted at any time; a library that is not in it is imported on trial again.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from liven.runtime.files import PRIVATE, read_regular, write_file
from liven.runtime.library.errors import CodeError, UnfinishedError
from liven.runtime.library.fetching.bundle import METADATA
from liven.runtime.library.store import Installed, Store
from liven.runtime.library.trial.probe_report import (
    Declared,
    ProbeReport,
    ProbeReportError,
    parsed,
    read_report,
)
from liven.runtime.library.trial.trial_import import probe
from liven.runtime.reference import ids
from liven.types.ids import ClassId

Probe: TypeAlias = Callable[[Installed], tuple[Declared, ...]]

_LARGEST_REPORT = 16 << 20
"""The most bytes of a cached report."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A class that an installed library declares."""

    installed: Installed
    sha256: str
    declared: Declared


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The offers of a store at one moment, the newest first."""

    offers: tuple[Offer, ...]

    def of(self, kind: str, wanted: ClassId) -> list[Offer]:
        """Return the classes that `wanted` may mean."""
        return [
            offer
            for offer in self.offers
            if offer.declared.kind == kind
            and _fits(offer.declared, wanted)
            and _may_hold(offer.installed, wanted)
        ]

    def id_of(self, kind: str, alias: str) -> ClassId | None:
        """Return the id of a class by its alias, without a version: a request by name gets the newest."""
        named = (one.declared for one in self.offers if one.declared.alias == alias)
        found = next((ids.parse(one.id) for one in named if one.kind == kind and one.id), None)
        return None if found is None else ClassId(found.component)


class ClassIndex:
    """The declarations of the libraries of a store."""

    def __init__(self, store: Store, cache: Path, ask: Probe = probe) -> None:
        self.store = store
        self._cache = cache
        self._ask = ask
        self._by = _by()
        self._unfinished: dict[str, ProbeReport] = {}
        """Libraries whose trial import took too long here; another process, or a new request, may succeed."""
        self._probing: dict[str, Lock] = {}
        """One worker makes the trial import that several request at the same time."""
        self._seen: dict[Path, tuple[int, tuple[Offer, ...]]] = {}

    def declares(self, installed: Installed, *, afresh: bool = False) -> tuple[Declared, ...]:
        """Return the classes of a library; raise CodeError if its code cannot be imported."""
        sha256 = installed.recorded()
        told = None if afresh else self._known(sha256)
        if told is None:
            with self._probing.setdefault(sha256, Lock()):
                told = None if afresh else self._known(sha256)
                if told is None:
                    told = self._probed(installed, sha256)
        if told.problem:
            raise CodeError(installed.library, told.problem, told.detail)
        return told.declares

    def snapshot(self, *, ask: bool = True) -> Snapshot:
        """Return everything that the installed libraries declare now.

        A broken library offers nothing and hides no other.

        Without `ask`, only cached results are used: then no code of the libraries runs, not even in a child
        process.
        """
        found = [offer for path in self.store.places() for offer in self._offers(path, ask)]
        return Snapshot(tuple(sorted(found, key=_newest, reverse=True)))

    def _offers(self, path: Path, ask: bool) -> tuple[Offer, ...]:
        """Return the offers at one place; checked again only when its metadata were written again."""
        try:
            stamp = (path / METADATA).stat().st_mtime_ns
            known = self._seen.get(path)
            if known is not None and known[0] == stamp:
                return known[1]
            installed = self.store.at(path)
            told = self.declares(installed) if ask else self._recalled(installed)
        except Exception:  # any error in one library must not hide the others
            return ()
        offers = tuple(Offer(installed, installed.recorded(), one) for one in told)
        if ask:
            self._seen[path] = (stamp, offers)
        return offers

    def _recalled(self, installed: Installed) -> tuple[Declared, ...]:
        told = self._remembered(installed.recorded())
        return told.declares if told is not None else ()

    def _known(self, sha256: str) -> ProbeReport | None:
        return self._remembered(sha256) or self._unfinished.get(sha256)

    def _probed(self, installed: Installed, sha256: str) -> ProbeReport:
        self._unfinished.pop(sha256, None)
        try:
            told = ProbeReport(self._ask(installed))
        except UnfinishedError as error:
            told = ProbeReport((), error.reason, error.detail)
            self._unfinished[sha256] = told
            return told
        except CodeError as error:
            told = ProbeReport((), error.reason, error.detail)
        self._remember(sha256, told)
        return told

    def _remembered(self, sha256: str) -> ProbeReport | None:
        try:
            record = parsed(read_regular(self._cache / f"{sha256}.json", _LARGEST_REPORT))
            if not isinstance(record, dict) or record.get("by") != self._by:
                return None
            return read_report(record.get("told"))
        except (OSError, ProbeReportError):
            return None

    def _remember(self, sha256: str, told: ProbeReport) -> None:
        self._cache.mkdir(parents=True, exist_ok=True)
        place = self._cache / f"{sha256}.json"
        write_file(place, json.dumps({"by": self._by, "told": told.as_record()}).encode(), PRIVATE)


def _by() -> str:
    """Return the versions that made a cached result:
    another Python or another Liven may see other declarations."""
    return f"liven {version('liven')}, {platform.python_implementation()} {platform.python_version()}"


def _may_hold(installed: Installed, wanted: ClassId) -> bool:
    """True if a library may declare the id: its namespace names the library,
    its version that or a higher one."""
    if not wanted.namespace:
        return True
    return installed.namespace == wanted.namespace and installed.version >= wanted.namespace_version


def _fits(declared: Declared, wanted: ClassId) -> bool:
    found = ids.parse(declared.id)
    return found is not None and found.component == wanted.component and found.version >= wanted.version


def _newest(offer: Offer) -> tuple[int, int]:
    found = ids.parse(offer.declared.id)
    return (found.version if found is not None else 0, offer.installed.version)
