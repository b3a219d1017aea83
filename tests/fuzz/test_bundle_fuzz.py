"""Any bytes offered as a library are a bundle that installs completely, or a BundleError.

By hand, for as long as wanted:  python tests/fuzz/test_bundle_fuzz.py SECONDS [SEED]
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import time
import warnings
import zipfile
from pathlib import Path

import pytest

from liven.runtime.library.errors import BundleError
from liven.runtime.library.fetching.bundle import Bundle, from_archive, from_module
from liven.runtime.library.store import Store
from liven.runtime.library.trial.relative_imports import faults
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml.metadata import Metadata, read_metadata, write_metadata

METADATA = write_metadata(Metadata(0xABCDEF, 3, ("notes.py", "parts"), "Notes"))
FILES = {
    "metadata.xml": METADATA,
    "data/notes.py": b"from . import parts\nfrom .parts.one import x\n",
    "data/parts/__init__.py": b"",
    "data/parts/one.py": b"x = 1\n",
    "data/parts/picture.bin": bytes(range(256)) * 4,
}
MODULE = b'"""A note."""\nLIBRARY = "ABCDEF`3"\n\nclass Note:\n    x: int = 1\n'
NAMES = [
    "data/../x.py",
    "/etc/passwd",
    "data/c:x",
    "data/a\\b",
    "..",
    "data/",
    "metadata.xml",
    "data/notes.py",
    "é/ü",
]


def archive(chance: random.Random) -> bytes:
    """Return a zip archive of a library, perhaps with an odd member or two."""
    stream = io.BytesIO()
    method = chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    prefix = chance.choice(["", "", "notes/", "a/b/", "a/b/c/"])
    with zipfile.ZipFile(stream, "w", method) as made:
        for name, data in FILES.items():
            if chance.random() > 0.03:
                made.writestr(prefix + name, data)
        if chance.random() < 0.3:
            with warnings.catch_warnings(action="ignore"):  # a name that is there already is meant
                made.writestr(zipfile.ZipInfo(prefix + chance.choice(NAMES)), b"x")
    return stream.getvalue()


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes with a few of them changed, lost or doubled."""
    raw = bytearray(data)
    for _ in range(chance.choice((0, 1, 1, 2, 6))):
        at = chance.randrange(len(raw) + 1)
        end = min(len(raw), at + chance.choice((1, 2, 16, 200)))
        match chance.randrange(4):
            case 0:
                del raw[at:end]
            case 1:
                raw[at:end] = chance.randbytes(end - at)
            case 2:
                raw[at:at] = raw[at:end]
            case 3:
                raw[at:end] = bytes(b ^ (1 << chance.randrange(8)) for b in raw[at:end])
    return bytes(raw)


def examine_archive(data: bytes, store: Store) -> bool:
    """Return True if `data` is a bundle; then it is installed and read back unchanged."""
    try:
        bundle = from_archive("x.zip", data)
    except BundleError as error:
        assert str(error)
        return False
    _install(bundle, store)
    return True


def _install(bundle: Bundle, store: Store) -> None:
    installed, _ = store.add(bundle)
    assert dict(installed.files()) == dict(bundle.files)
    assert installed.verified() == bundle.sha256
    inside = installed.data.resolve()
    assert all(path.resolve().is_relative_to(inside) for path in inside.rglob("*"))
    store.remove(installed)


def examine_module(data: bytes) -> bool:
    """Return True if `data` is a module that names its library; its imports can be judged in any case."""
    faults({"notes.py": data})
    try:
        bundle = from_module("notes.py", data)
    except BundleError as error:
        assert str(error)
        return False
    return bundle.metadata.includes == ("notes.py",)


def examine_metadata(data: bytes) -> bool:
    """Return True if `data` are metadata; then they are written and read back unchanged."""
    try:
        metadata = read_metadata(data)
    except ReadError as error:
        assert str(error)
        return False
    return read_metadata(write_metadata(metadata)) == metadata


def run(seconds: float, seed: int) -> tuple[int, int]:
    """Examine bytes for that long; return how many there were, and how many were valid."""
    chance = random.Random(seed)
    stop = time.monotonic() + seconds
    count = sound = 0
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "libraries")
        while time.monotonic() < stop:
            which = chance.randrange(3)
            data = damaged((archive(chance), MODULE, METADATA)[which], chance)
            try:
                match which:
                    case 0:
                        sound += examine_archive(data, store)
                    case 1:
                        sound += examine_module(data)
                    case 2:
                        sound += examine_metadata(data)
            except BaseException:
                sys.stderr.write(f"seed {seed}, number {count}: {data!r}\n")
                raise
            count += 1
        assert not list((Path(folder) / "libraries").glob("[!.]*")), "nothing is left behind"
    return count, sound


def test_damaged_bundles_are_installed_whole_or_refused() -> None:
    count, sound = run(0.7, seed=1)
    assert count > sound > 0


@pytest.mark.slow
def test_damaged_bundles_are_installed_whole_or_refused_for_long() -> None:
    count, sound = run(15, seed=int(time.time()))
    assert count > sound > 0


if __name__ == "__main__":
    times, good = run(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time()))
    sys.stdout.write(f"{times:,} bundles, {good:,} of them sound; the rest refused\n")
