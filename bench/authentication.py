"""The cost of encryption: the same flows in clear, with a tag alone and encrypted, in one run, and the price
of a datagram.

    python bench/authentication.py [--json] [--rounds N]

The flows are those of `multicast.py` in Python: engines in processes of their own on loopback, every
message checked by its receivers.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from figure_report import Figure, best_of, report
from multicast_figures.authentication import flows
from multicast_figures.flows import build
from nacl._sodium import ffi  # type: ignore[import-not-found]  # libsodium itself has no stubs
from nacl._sodium import lib as sodium

_LENGTHS = (100, 1472, 65_000)
_HEADER = 32


def datagrams() -> Iterator[Figure]:
    """Measure a datagram sealed and opened in place, with the call from Python. `poly1305` is a tag alone, of
    another cipher of libsodium, for comparison."""
    sodium.sodium_init()  # it chooses the AES instructions; without it the slow form is measured
    key, nonce, made = (ffi.new("unsigned char[]", size) for size in (32, 32, 32))
    size = ffi.new("unsigned long long *")
    for length in _LENGTHS:
        datagram = ffi.new("unsigned char[]", length + 32)
        body = datagram + _HEADER

        def seal(datagram: object = datagram, body: object = body, length: int = length) -> None:
            sodium.crypto_aead_aegis256_encrypt(
                body, size, body, length - _HEADER, datagram, _HEADER, ffi.NULL, nonce, key
            )

        def unseal(datagram: object = datagram, body: object = body, length: int = length) -> None:
            seal()
            sodium.crypto_aead_aegis256_decrypt(
                body, size, ffi.NULL, body, length - _HEADER + 32, datagram, _HEADER, nonce, key
            )

        def tag(datagram: object = datagram, length: int = length) -> None:
            sodium.crypto_aead_aegis256_encrypt(made, size, made, 0, datagram, length, ffi.NULL, nonce, key)

        def poly1305(datagram: object = datagram, length: int = length) -> None:
            sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
                made, size, made, 0, datagram, length, ffi.NULL, nonce, key
            )

        sealed = best_of(5, 2000, seal) * 1e9
        yield Figure(f"datagram.sealed.{length}B", sealed, "ns")
        yield Figure(f"datagram.opened.{length}B", best_of(5, 2000, unseal) * 1e9 - sealed, "ns")
        yield Figure(f"datagram.tag.{length}B", best_of(5, 2000, tag) * 1e9, "ns")
        yield Figure(f"datagram.poly1305.{length}B", best_of(5, 2000, poly1305) * 1e9, "ns")


def measured(rounds: int) -> Iterator[Figure]:
    """Build the ends in C, and measure."""
    with tempfile.TemporaryDirectory() as folder:
        yield from flows(build(Path(folder)), rounds)
    yield from datagrams()


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--rounds", type=int, default=3, help="number of measurements of each")
    own, _ = parser.parse_known_args(argv)
    return report("authentication", measured(own.rounds), argv, parser)


if __name__ == "__main__":
    sys.exit(main())
