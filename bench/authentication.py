"""What authentication costs: the same flows with it off and on, in one run, and the price of a tag.

    python bench/authentication.py [--json] [--rounds N]

The flows are those of `multicast.py` in Python: engines in processes of their own on loopback, every message
checked by its receivers. Targets of the engine are for authentication off, on loopback; here is what the
choice to have it costs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from frame import Figure, best_of, report
from multicast import Ends, Flow, Run
from nacl._sodium import ffi  # type: ignore[import-not-found]  # libsodium itself has no stubs
from nacl._sodium import lib as sodium

from liven.multicast.keys import ensure_keys

_SIZE = 1024
_RECEIVERS = (1, 2)
_LENGTHS = (100, 1472, 65_000)


def flows(rounds: int) -> Iterator[Figure]:
    """Off and on take turns, so that what disturbs one disturbs the other."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        keys = Path(second) / "cluster.key"
        ensure_keys(keys)
        none = Path("no program in C is needed")
        ends = {"off": Ends(none, Path(first)), "on": Ends(none, Path(second), keys)}
        for receivers in _RECEIVERS:
            found: dict[str, list[Run]] = {"off": [], "on": []}
            for _ in range(rounds):
                for name, each in ends.items():
                    found[name].append(each.run(Flow("python", _SIZE, receivers)))
            rate = {name: statistics.median(run.rate for run in runs) for name, runs in found.items()}
            cpu = {name: statistics.median(run.cpu for run in runs) for name, runs in found.items()}
            case = f"{_SIZE}B.1to{receivers}"
            yield Figure(f"{case}.rate.on/off", rate["on"] / rate["off"], "")
            yield Figure(f"{case}.cpu.on/off", cpu["on"] / cpu["off"], "")
            for name in found:
                yield Figure(f"{case}.rate.{name}", rate[name], "msg/s")
                yield Figure(f"{case}.cpu.{name}", cpu[name], "s/M deliveries")


def tags() -> Iterator[Figure]:
    """A tag made and checked by the functions that the engine is handed; the call from Python is included."""
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


def main(argv: list[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--rounds", type=int, default=3)
    own, rest = parser.parse_known_args(argv)
    return report("authentication", [*flows(own.rounds), *tags()], rest)


if __name__ == "__main__":
    sys.exit(main())
