"""The key that this person signs with. It is made when it is first needed, and never leaves this computer."""

from __future__ import annotations

import getpass
import json
import os
import socket
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from liven.runtime.files import create_file, open_regular
from liven.runtime.signing.signature import LONGEST_NAME, Signature, Signed, claimed_name, statement

if TYPE_CHECKING:
    from nacl.signing import SigningKey

NAME: Final = "signing.key"
_LARGEST: Final = 4096
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class OwnKeyError(OSError):
    """The file with the key cannot be used; the text says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class OwnKey:
    """The key, and the name that its signatures claim."""

    name: str
    secret: SigningKey

    def __repr__(self) -> str:
        return f"OwnKey({self.name!r}, {self.signer})"  # the secret must never appear in a log

    @property
    def signer(self) -> str:
        """The public key, in hexadecimal."""
        return bytes(self.secret.verify_key).hex()

    def sign(self, kind: Signed, sha256: str) -> Signature:
        """Return this key's signature of a hash."""
        proof = self.secret.sign(statement(kind, self.name, sha256)).signature
        return Signature(self.signer, self.name, proof.hex())


def key_path(config: Path) -> Path:
    """Return the file with the key."""
    return config / NAME


def read_key(config: Path) -> OwnKey | None:
    """Return the key; None if there is none yet. Raise OwnKeyError."""
    path = key_path(config)
    try:
        with open_regular(path) as file:
            _demand_private(path, os.fstat(file.fileno()))
            data = file.read(_LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        if isinstance(error, OwnKeyError):
            raise
        raise OwnKeyError(f"{path} cannot be read: {error.strerror or error}") from error
    return _parsed(path, data)


def make_key(config: Path, name: str = "") -> OwnKey:
    """Make the key and return it; raise OwnKeyError if there is one, or it cannot be saved.

    Without a name it is called after the user and the computer.
    """
    from nacl.signing import SigningKey

    made = OwnKey(claimed_name(name or _default_name()), SigningKey.generate())
    path = key_path(config)
    try:
        config.mkdir(mode=0o700, parents=True, exist_ok=True)
        fields = {"name": made.name, "secret": bytes(made.secret).hex()}
        create_file(path, (json.dumps(fields, ensure_ascii=False) + "\n").encode(), 0o600)
    except FileExistsError:
        raise OwnKeyError(f"{path} exists already; `liven key show` shows it") from None
    except OSError as error:
        raise OwnKeyError(f"{path} cannot be made: {error.strerror or error}") from error
    return made


def ensure_key(config: Path) -> OwnKey:
    """Return the key, made now if there is none. Of two programs that make it at once, both use the first."""
    found = read_key(config)
    if found is not None:
        return found
    try:
        return make_key(config)
    except OwnKeyError:
        found = read_key(config)
        if found is None:
            raise
        return found


def _default_name() -> str:
    try:
        who = getpass.getuser()
    except (KeyError, OSError):
        who = "somebody"
    return f"{who} on {socket.gethostname()}"[:LONGEST_NAME]


def _demand_private(path: Path, found: os.stat_result) -> None:
    if found.st_uid != os.getuid():
        raise OwnKeyError(f"{path} belongs to user {found.st_uid}, not to you; move it away")
    if found.st_mode & _OTHERS:
        raise OwnKeyError(f"other users can read {path}, so anybody may have signed with it: move it away")


def _parsed(path: Path, data: bytes) -> OwnKey:
    from nacl.signing import SigningKey

    try:
        found: Any = json.loads(data)
        return OwnKey(claimed_name(str(found["name"])), SigningKey(bytes.fromhex(found["secret"])))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise OwnKeyError(f"{path} contains no valid key; move it away, and a new one is made") from None
