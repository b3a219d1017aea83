"""The signers that this person knows: each key under the name by which it was first met.

Trust on first use: the first key that comes with a name has it, and another key with the same name is
refused, as ssh refuses another key of a known host. A person can forget a signer.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final

from liven.runtime.files import read_json, write_file
from liven.runtime.signing.signature import claimed_name, fingerprint, is_key

NAME: Final = "signers.json"
LARGEST: Final = 1024 * 1024
PATIENCE: Final = 2.0
"""Seconds for another program to finish its change."""
_RETRY_AFTER: Final = 0.01
MOST: Final = 2000
"""Most signers; more cannot be met until some are forgotten."""


class SignerError(OSError):
    """The signer is refused, or the file cannot be used; the text says why and what to do."""


class OtherKeyError(SignerError):
    """A known name comes with another key."""

    def __init__(self, known: Signer, key: str) -> None:
        super().__init__(
            f"“{known.name}” is known {known.since_when} with the key {fingerprint(known.key)}, and this is"
            f" signed with the key {fingerprint(key)} under that name: nothing was installed or run. If the"
            " signer tells you, by another way, that the key is new, run"
            f" `liven key forget {known.key[:16]}` and open it again"
        )
        self.known = known


@dataclass(frozen=True, slots=True)
class Signer:
    """One known signer."""

    key: str
    """The public key, in hexadecimal."""
    name: str
    since: str
    """The day of the first meeting: YYYY-MM-DD."""
    trusted: bool = False
    """New versions that this signer has signed are not asked about."""

    @property
    def since_when(self) -> str:
        """The day for people, such as "since 3 November 2026"."""
        return f"since {day_for_people(self.since)}"

    def __str__(self) -> str:
        return f"{self.name}, known {self.since_when}"


_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def day_for_people(day: str) -> str:
    """Return a day, YYYY-MM-DD, as people write it, such as "3 November 2026"."""
    try:
        read = date.fromisoformat(day)
    except ValueError:
        return "an unknown day"
    return f"{read.day} {_MONTHS[read.month - 1]} {read.year}"


class KnownSigners:
    """The file of known signers. If it cannot be read, nobody is known and nobody is added."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of(cls, config: Path) -> KnownSigners:
        """Return the signers that a person knows, by the folder of their settings."""
        return cls(config / NAME)

    def all(self) -> tuple[Signer, ...]:
        """Return the signers in the order in which they were met; raise SignerError."""
        try:
            rows = read_json(self._path, LARGEST)
            found = tuple(_signer(row) for row in rows)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise SignerError(f"{self._path} cannot be read: {error.strerror or error}") from error
        except (ValueError, TypeError, KeyError, AttributeError):
            raise SignerError(
                f"{self._path} cannot be understood; correct it, or move it away to know nobody"
            ) from None
        return found

    def find(self, key: str) -> Signer | None:
        """Return the signer with a key; None if nobody is known by it. Raise SignerError."""
        return next((one for one in self.all() if one.key == key), None)

    def refuse_other_key(self, key: str, name: str) -> None:
        """Raise OtherKeyError if a known signer has this name and another key."""
        wanted = _alike(claimed_name(name))
        for one in self.all():
            if one.key != key and _alike(one.name) == wanted:
                raise OtherKeyError(one, key)

    def meet(self, key: str, name: str, *, trust: bool = False) -> Signer:
        """Remember a signer, by the name of the first meeting, and return it; raise SignerError.

        `trust` adds that new versions are not asked about; it takes that from nobody.
        """
        with self._changing():
            self.refuse_other_key(key, name)
            known = self.find(key)
            made = known or Signer(key, claimed_name(name), time.strftime("%Y-%m-%d"))
            made = replace(made, trusted=made.trusted or trust)
            if made != known:
                others = (one for one in self.all() if one != known)
                self._write(iter((*others, made)))
            return made

    def forget(self, words: str) -> tuple[Signer, ...]:
        """Forget the signers with this name, or with a key that begins so; return them."""
        with self._changing():
            key = words.replace(" ", "").lower()
            by_key = len(key) >= _SHORTEST_KEY
            gone = tuple(
                one
                for one in self.all()
                if _alike(one.name) == _alike(words) or (by_key and one.key.startswith(key))
            )
            if gone:
                self._write(one for one in self.all() if one not in gone)
            return gone

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock of the file, so that two programs do not write over each other's signers."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SignerError(f"{self._path} cannot be changed: {error.strerror or error}") from error
        try:
            self._wait_for(lock)
            yield
        finally:
            os.close(lock)

    def _wait_for(self, lock: int) -> None:
        """Take the lock, which programs hold for a moment; raise SignerError if one does not let go."""
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > limit:
                    raise SignerError(
                        f"another program holds {self._path}.lock and does not let go; end it, and try again"
                    ) from None
                time.sleep(_RETRY_AFTER)

    def _write(self, signers: Iterator[Signer]) -> None:
        rows = [
            {"key": one.key, "name": one.name, "since": one.since, "trusted": one.trusted} for one in signers
        ]
        if len(rows) > MOST:
            raise SignerError(
                f"{MOST:,} signers are known, which is the limit; forget some: liven key forget"
            )
        try:
            write_file(self._path, json.dumps(rows, indent=1, ensure_ascii=False).encode(), 0o600)
        except OSError as error:
            raise SignerError(f"{self._path} cannot be written: {error.strerror or error}") from error


_SHORTEST_KEY: Final = 8


def _signer(row: object) -> Signer:
    if not isinstance(row, dict) or not is_key(str(row["key"])):
        raise TypeError
    trusted = row.get("trusted", False) is True
    return Signer(str(row["key"]), claimed_name(str(row["name"])), str(row["since"]), trusted)


def _alike(name: str) -> str:
    """Return the form in which two names are compared: neither case nor spacing nor width tells two signers
    apart."""
    return " ".join(unicodedata.normalize("NFKC", name).replace("’", "'").casefold().split())
