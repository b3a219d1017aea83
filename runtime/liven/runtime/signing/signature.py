"""A signature: a key, the name that its owner claims, and the proof that both belong to one hash.

The name is part of what is signed, so that nobody can put another name to somebody's signature. It is still
only a claim: everybody may call their own key anything.
"""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from liven.runtime.foreign_text import shown_line

KEY_DIGITS: Final = 64
PROOF_DIGITS: Final = 128
LONGEST_NAME: Final = 60
SUFFIX: Final = ".sig"
"""The name of a signature's file ends so, after that of the file that it signs."""
LARGEST_FILE: Final = 4096
_HEXADECIMAL: Final = frozenset("0123456789abcdef")


class Signed(enum.Enum):
    """The kind of what is signed: a signature for one kind is none for another."""

    LIBRARY = "library"
    OBJECT = "object"


class SignatureError(ValueError):
    """This text is not a signature; the message says why."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature of a hash."""

    signer: str
    """The public key, in hexadecimal."""
    name: str
    """The name that the signer claims."""
    proof: str
    """The ed25519 signature, in hexadecimal."""

    def holds(self, kind: Signed, sha256: str) -> bool:
        """Return True if the signer has signed this hash, as that kind of thing, under that name."""
        return _holds(self, kind, sha256)

    def file(self) -> bytes:
        """Return the content of a file with this signature."""
        fields = {"signer": self.signer, "name": self.name, "signature": self.proof}
        return (json.dumps({"liven": 1, **fields}, indent=1, ensure_ascii=False) + "\n").encode()


def read_signature(data: bytes) -> Signature:
    """Return the signature in a file; raise SignatureError."""
    try:
        found = json.loads(data[: LARGEST_FILE + 1])
        made = Signature(str(found["signer"]), str(found["name"]), str(found["signature"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SignatureError(f"it is not a signature as `liven key sign` writes it ({error})") from None
    if not is_key(made.signer) or not _is_hexadecimal(made.proof, PROOF_DIGITS) or len(data) > LARGEST_FILE:
        raise SignatureError("its key or its signature has the wrong length or other characters than 0-9a-f")
    return made


def is_key(text: str) -> bool:
    """Return True for a public key as files have it: 64 hexadecimal digits."""
    return _is_hexadecimal(text, KEY_DIGITS)


def fingerprint(key: str) -> str:
    """Return a public key as people compare it: its first 32 digits in groups of four.

    128 bits are too many to find a second key for by trying.
    """
    return " ".join(key[at : at + 4] for at in range(0, 32, 4))


def statement(kind: Signed, name: str, sha256: str) -> bytes:
    """Return the bytes that are signed. As JSON, no field can be taken for another, whatever it holds."""
    return json.dumps(["liven signature 1", kind.value, name, sha256], separators=(",", ":")).encode()


def claimed_name(text: str) -> str:
    """Return the name that a signature claims, as it is shown: on one line of limited length."""
    return shown_line(text)[:LONGEST_NAME].strip() or "somebody without a name"


def _is_hexadecimal(text: str, digits: int) -> bool:
    return len(text) == digits and _HEXADECIMAL.issuperset(text)


@lru_cache(maxsize=1024)
def _holds(signature: Signature, kind: Signed, sha256: str) -> bool:
    from nacl.exceptions import BadSignatureError  # libsodium loads only where something is signed
    from nacl.signing import VerifyKey

    try:
        key = VerifyKey(bytes.fromhex(signature.signer))
        key.verify(statement(kind, signature.name, sha256), bytes.fromhex(signature.proof))
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True
