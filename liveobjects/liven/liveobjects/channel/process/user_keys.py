"""The keys of a user, to sign and to decrypt. They are created at the first run and stored in one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nacl.public import PrivateKey
from nacl.signing import SigningKey

from liven.runtime.files import create_file, read_start

NAME: Final = "user.keys"
"""The name of the file."""
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
            data = read_start(path, 2 * _SEED_BYTES + 1)
        except FileNotFoundError:
            return cls._written(path)
        if len(data) != 2 * _SEED_BYTES:
            raise UserKeyError(f"{path} contains no valid keys; move it away, and new ones are created")
        return cls(SigningKey(data[:_SEED_BYTES]), PrivateKey(data[_SEED_BYTES:]))

    @classmethod
    def _written(cls, path: Path) -> UserKeys:
        made = cls.make()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            create_file(path, bytes(made.sign) + bytes(made.box), 0o600)
        except FileExistsError:
            if not path.exists():
                raise UserKeyError(f"{path} links to a missing file; correct it or move it away") from None
            return cls.of_file(path)  # when two programs start at once, only one creates the keys
        return made

    @property
    def name(self) -> bytes:
        """The user's identity for others: the key that verifies the user's signatures."""
        return bytes(self.sign.verify_key)

    @property
    def address(self) -> bytes:
        """The key with which others encrypt for the user."""
        return bytes(self.box.public_key)
