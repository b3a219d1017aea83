"""The keys of a user, to sign and to decrypt. They are created at the first run and stored in one file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nacl.public import PrivateKey
from nacl.signing import SigningKey

_SEED_BYTES: Final = 32


class UserKeyError(Exception):
    """The file of the user's keys cannot be used."""


@dataclass(frozen=True, slots=True)
class UserKeys:
    """The private keys of the user."""

    sign: SigningKey
    box: PrivateKey

    @classmethod
    def make(cls) -> UserKeys:
        """Create new keys."""
        return cls(SigningKey.generate(), PrivateKey.generate())

    @classmethod
    def of_file(cls, path: Path) -> UserKeys:
        """Read the keys from a file, creating it if it is missing. Raises UserKeyError for other content."""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return cls._written(path)
        if len(data) != 2 * _SEED_BYTES:
            raise UserKeyError(f"{path} contains no valid keys; move it away, and new ones are created")
        return cls(SigningKey(data[:_SEED_BYTES]), PrivateKey(data[_SEED_BYTES:]))

    @classmethod
    def _written(cls, path: Path) -> UserKeys:
        made = cls.make()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "wb") as stream:
                stream.write(bytes(made.sign) + bytes(made.box))
                stream.flush()
                os.fsync(stream.fileno())
            os.link(fresh, path)  # when two programs start at once, only one creates the keys
        except FileExistsError:
            return cls.of_file(path)
        finally:
            fresh.unlink(missing_ok=True)
        return made

    @property
    def name(self) -> bytes:
        """The user's identity for others: the key that verifies the user's signatures."""
        return bytes(self.sign.verify_key)

    @property
    def address(self) -> bytes:
        """The key with which others encrypt for the user."""
        return bytes(self.box.public_key)
