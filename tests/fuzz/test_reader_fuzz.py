"""Any bytes are a document that the reader reads and writes unchanged, or a ReadError.

By hand, for as long as wanted:  python tests/fuzz/test_reader_fuzz.py SECONDS [SEED]
"""

from __future__ import annotations

import random
import resource
import sys
import time
from pathlib import Path

import pytest

from liven.runtime.reference.xml import ReadError, read, write
from liven.runtime.reference.xml.schema import Schema

SEEDS = [
    path.read_bytes()
    for path in sorted((Path(__file__).parents[1] / "unit/runtime/reference/lookalikes").glob("*.liveobject"))
]
_HEAD = (
    b"<Root xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns:q='http://www.w3.org/2001/XMLSchema'"
)
_INSIDE = b"><Object xsi:type='ReferenceObject' id='a'>%s</Object></Root>"
CROWDS = [
    _HEAD + b"".join(b' x%d = "1"' % n for n in range(20_000)) + _INSIDE % b"",
    _HEAD
    + b"".join(b" xmlns:n%d='urn:%d'" % (n, n) for n in range(8_000))
    + _INSIDE % (b"<Parameter id='a'><Value xsi:type='q:int'>1</Value></Parameter>" * 8_000),
]
"""Texts that took time by the square of their length, before crowds on one element were refused."""
_STARTS = [*SEEDS, *CROWDS]
SCHEMA = Schema.load()
SCRAPS = [
    *(b"<", b">", b"/>", b'"', b"'", b"&", b"&amp;", b"&#0;", b"&#x1F600;", b"]]>", b"<!--", b"-->", b"--"),
    *(
        b"<![CDATA[",
        b"<?x?>",
        b"<!DOCTYPE Root [<!ENTITY a 'b'>]>",
        b"&a;",
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
    ),
    *(
        b"<Object xsi:type='CompositeObject'>",
        b"</Object>",
        b"<Value/>",
        b"<From xsi:type='ReferenceObject'>",
    ),
    *(
        b" xmlns=''",
        b" xmlns:a='urn:a'",
        b" a:b='c'",
        b" xml:space='preserve'",
        b" xsi:nil='true'",
        b" id='{`:}'",
    ),
    *(
        b'encoding="utf-16"',
        b'encoding="latin-1"',
        b"\xc3\xa9",
        b"\r\n",
        b"ParameterReference",
        b"xsd:double",
    ),
]
TOO_LONG = 5.0
"""Seconds for one text of at most a megabyte; a reader that goes back and forth would need far more."""
TOO_MUCH = 400 << 20
"""Bytes by which the process may grow in all."""


def mutated(chance: random.Random) -> bytes:
    """Return a valid file, or one with too many elements, damaged in a few places."""
    data = bytearray(chance.choice(_STARTS))
    for _ in range(chance.choice((1, 1, 2, 4, 12))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 4, 40, 400)))
        match chance.randrange(7):
            case 0:
                del data[at:end]
            case 1:
                data[at:at] = chance.choice(SCRAPS)
            case 2:
                data[at:end] = chance.choice(SCRAPS)
            case 3:
                data[at:at] = data[at:end] * chance.choice((1, 2, 50))
            case 4:
                data[at:end] = chance.randbytes(end - at)
            case 5:
                other = chance.choice(SEEDS)
                data[at:] = other[chance.randrange(len(other)) :]
            case 6:
                data[at:end] = bytes(b ^ (1 << chance.randrange(8)) for b in data[at:end])
    return bytes(data[: 1 << 20])


def examine(data: bytes) -> bool:
    """Return True if `data` was read; fail if it raises anything but a ReadError."""
    start = time.process_time()
    try:
        document = read(data)
    except ReadError as error:
        assert str(error)
        return False
    finally:
        assert time.process_time() - start < TOO_LONG, data
    written = write(document)
    assert read(written) == document, data
    assert SCHEMA.faults(written) == (), data
    return True


def run(seconds: float, seed: int) -> tuple[int, int]:
    """Examine texts for that long; return how many there were, and how many were read."""
    chance = random.Random(seed)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    stop = time.monotonic() + seconds
    texts = sound = 0
    while time.monotonic() < stop:
        data = mutated(chance)
        try:
            sound += examine(data)
        except BaseException:
            sys.stderr.write(f"seed {seed}, text {texts}: {data!r}\n")
            raise
        texts += 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before < TOO_MUCH
    return texts, sound


def test_the_sound_files_pass() -> None:
    assert all(examine(data) for data in SEEDS)


def test_too_many_elements_or_attributes_are_refused_quickly() -> None:
    assert not any(examine(data) for data in CROWDS)


def test_damaged_files_are_read_or_refused() -> None:
    texts, sound = run(0.6, seed=1)
    assert texts > sound > 0, "the damage is neither nothing nor everything"


@pytest.mark.slow
def test_damaged_files_are_read_or_refused_for_long() -> None:
    texts, sound = run(30, seed=int(time.time()))
    assert texts > sound > 0


if __name__ == "__main__":
    count, good = run(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time()))
    sys.stdout.write(f"{count:,} texts, {good:,} of them read; the rest refused\n")
