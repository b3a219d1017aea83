"""The cost of authentication: the same flows with it off and on, in one run, and the price of a tag.

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


def tags() -> Iterator[Figure]:
    """Measure a tag made and checked by the engine's functions; the call from Python is included."""
    tag, key, nonce, made = (ffi.new("unsigned char[]", size) for size in (16, 32, 12, 16))
    size = ffi.new("unsigned long long *")
    for length in _LENGTHS:
        datagram = ffi.new("unsigned char[]", length)

        def make(datagram: object = datagram, length: int = length) -> None:
            sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
                tag, size, made, 0, datagram, length, ffi.NULL, nonce, key
            )

        def check(datagram: object = datagram, length: int = length) -> None:
            sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
                made, size, ffi.NULL, tag, 16, datagram, length, nonce, key
            )

        yield Figure(f"tag.made.{length}B", best_of(5, 2000, make) * 1e9, "ns")
        yield Figure(f"tag.checked.{length}B", best_of(5, 2000, check) * 1e9, "ns")


def measured(rounds: int) -> Iterator[Figure]:
    """Build the ends in C, and measure."""
    with tempfile.TemporaryDirectory() as folder:
        yield from flows(build(Path(folder)), rounds)
    yield from tags()


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--rounds", type=int, default=3, help="number of measurements of each")
    own, _ = parser.parse_known_args(argv)
    return report("authentication", measured(own.rounds), argv, parser)


if __name__ == "__main__":
    sys.exit(main())
