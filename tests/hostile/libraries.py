"""Hostile libraries, each with the sentence of `liven library add`."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

NAMESPACE = "5E0B1C1F6E5A4C0B9D0C4A1F3B7D2E91"
METADATA = f'<Library id="{NAMESPACE}`1"><Include filename="bad.py"/></Library>'
Make = Callable[[Path], Path]


@dataclass(frozen=True, slots=True)
class Library:
    """One library. `runs` is true if its code is imported before it is refused."""

    make: Make
    said: str
    runs: bool = False


def module(code: str | bytes, name: str = "bad.py") -> Make:
    def make(folder: Path) -> Path:
        text = code if isinstance(code, bytes) else f'LIBRARY = "{NAMESPACE}`1"\n{code}'.encode()
        (folder / name).write_bytes(text)
        return folder / name

    return make


def archive(*files: tuple[str | zipfile.ZipInfo, str | bytes], cut: int = 0) -> Make:
    def make(folder: Path) -> Path:
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
            for name, content in files:
                made.writestr(name, content)
        whole = data.getvalue()
        (folder / "bad.zip").write_bytes(whole[: len(whole) - cut])
        return folder / "bad.zip"

    return make


def with_metadata(text: str | bytes, *more: tuple[str, str | bytes]) -> Make:
    return archive(("metadata.xml", text), ("data/bad.py", ""), *more)


def with_file(name: str, content: str | bytes = "") -> Make:
    return with_metadata(METADATA, (name, content))


def link() -> zipfile.ZipInfo:
    made = zipfile.ZipInfo("data/link.py")
    made.external_attr = (stat.S_IFLNK | 0o777) << 16
    return made


def stating(size: int) -> Make:
    """Return an archive whose directory states another size than its file has."""

    def make(folder: Path) -> Path:
        path = with_file("data/big.py", b"x" * 1000)(folder)
        data = bytearray(path.read_bytes())
        at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"data/big.py"))
        data[at + 24 : at + 28] = size.to_bytes(4, "little")
        path.write_bytes(data)
        return path

    return make


def encrypted(folder: Path) -> Path:
    path = with_file("data/x.py")(folder)
    data = bytearray(path.read_bytes())
    at = 0
    for mark, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = 0
        while (at := data.find(mark, at)) >= 0:
            data[at + flag] |= 1
            at += 4
    path.write_bytes(data)
    return path


def folder_with(*make: Callable[[Path], object]) -> Make:
    def made(folder: Path) -> Path:
        whole = folder / "library"
        (whole / "data").mkdir(parents=True)
        (whole / "metadata.xml").write_text(METADATA)
        for each in make:
            each(whole)
        return whole

    return made


def many(count: int) -> Iterable[tuple[str, str]]:
    return ((f"data/f{number}.py", "") for number in range(count))


def _pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def _pipe_for_metadata(whole: Path) -> None:
    (whole / "metadata.xml").unlink()
    _pipe(whole / "metadata.xml")


def _link(path: Path, target: str) -> Path:
    path.symlink_to(target)
    return path


LIBRARIES: dict[str, Library] = {
    "text called zip": Library(lambda folder: module(b"not a zip", "bad.zip")(folder), "is not a bundle"),
    "archive cut in half": Library(archive(("metadata.xml", METADATA), cut=30), "is not a bundle"),
    "empty archive": Library(archive(), "holds no metadata.xml"),
    "archive without metadata": Library(archive(("data/bad.py", "")), "holds no metadata.xml"),
    "metadata too deep": Library(archive(("a/b/c/metadata.xml", METADATA)), "holds no metadata.xml"),
    "metadata with an entity bomb": Library(
        with_metadata('<!DOCTYPE Library [<!ENTITY a "b">]><Library/>'), "a document type and its entities"
    ),
    "metadata of another kind": Library(with_metadata("<Root/>"), "begins with Library"),
    "metadata without id": Library(with_metadata("<Library/>"), "must have the attribute 'id'"),
    "version of 5,000 digits": Library(
        with_metadata(f'<Library id="{NAMESPACE}`{"9" * 5000}"/>'), "id has 5,033 letters"
    ),
    "version of 500 digits": Library(
        with_metadata(f'<Library id="{NAMESPACE}`{"9" * 500}"/>'), "a library's id"
    ),
    "id that is zero": Library(with_metadata('<Library id="0`1"/>'), "a library's id is"),
    "metadata of 300 kB": Library(with_metadata("<Library>" + " " * 300_000), "larger than the limit"),
    "nothing included": Library(with_metadata(f'<Library id="{NAMESPACE}`1"/>'), "includes nothing"),
    "missing module": Library(archive(("metadata.xml", METADATA)), "which is not in its data/"),
    "module above the folder": Library(
        with_metadata(f'<Library id="{NAMESPACE}`1"><Include filename="../bad.py"/></Library>'), "filename is"
    ),
    "path above the folder": Library(with_file("data/../../evil.py"), "is not a valid name"),
    "absolute path": Library(with_file("data//etc/passwd"), "is not a valid name"),
    "backslashes": Library(with_file("data/a\\..\\b.py"), "is not a valid name"),
    "name that turns the text": Library(with_file("data/\u202eyp.txt"), "is not a valid name"),
    "name with a line break": Library(with_file("data/a\nb.py"), "is not a valid name"),
    "same name in other letters": Library(with_file("data/BAD.py"), "twice"),
    "link in an archive": Library(archive(("metadata.xml", METADATA), (link(), "/etc/passwd")), "is a link"),
    "archive that states 3 GB": Library(stating(3 << 30), "the limit is 2,000 files"),
    "archive that states too little": Library(stating(1), "archive"),
    "locked archive": Library(encrypted, "damaged or locked"),
    "bomb of 100 MB": Library(with_file("data/zeros", bytes(100 << 20)), "the limit is 2,000 files"),
    "2,001 files": Library(with_metadata(METADATA, *many(2_001)), "the limit is 2,000 files"),
    "pipe": Library(lambda folder: _pipe(folder / "bad.py"), "it is a pipe or a device"),
    "pipe called zip": Library(lambda folder: _pipe(folder / "bad.zip"), "it is a pipe or a device"),
    "link to itself": Library(lambda folder: _link(folder / "bad.py", "bad.py"), "is a link that leads"),
    "link in a folder": Library(
        folder_with(lambda whole: _link(whole / "data" / "a.py", "/etc/passwd")), "is a link"
    ),
    "pipe for metadata": Library(
        folder_with(_pipe_for_metadata),
        "holds no metadata.xml",
    ),
    "module without a name": Library(module(b"x = 1"), "does not say which library it is"),
    "module with a wrong name": Library(module(b'LIBRARY = "bomb"'), "which is not a valid library name"),
    "module name of two words": Library(module("", "two words.py"), "is not a valid module name"),
    "broken module": Library(module("def"), "is not valid Python"),
    "module with zero bytes": Library(module(b"\0\0\0"), "is not valid Python"),
    "module in utf-16": Library(module('LIBRARY = "A`1"'.encode("utf-16")), "is not valid Python"),
    "module nested without end": Library(module("x = " + "(" * 5_000 + ")" * 5_000), "is not valid Python"),
    "module of 65 MB": Library(module(b"#" * (65 << 20)), "the limit is"),
    "module that raises": Library(module("raise RuntimeError('planted')"), "planted", runs=True),
    "module that exits": Library(module("import sys\nsys.exit(0)"), "ends the program", runs=True),
    "module that ends the process": Library(module("import os\nos._exit(0)"), "ended the program", runs=True),
    "module that kills itself": Library(
        module("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"), "crashed Python", runs=True
    ),
    "module that crashes": Library(module("import ctypes\nctypes.string_at(0)"), "crashed Python", runs=True),
    "module that recurses": Library(module("def f(): f()\nf()"), "RecursionError", runs=True),
    "module that imports itself": Library(module("import bad"), "imports its own module", runs=True),
    "module that takes all memory": Library(module("x = bytearray(1 << 40)"), "MemoryError", runs=True),
    "module that never ends": Library(module("while True: pass"), "seconds of processor time", runs=True),
    "module that writes a report": Library(
        module("import os\nfor n in range(3, 30):\n    try: os.write(n, b'[[[')\n    except OSError: pass"),
        "corrupted the report of the child process",
        runs=True,
    ),
    "module that writes beside itself": Library(
        module("import pathlib\npathlib.Path(__file__).with_name('more.py').write_text('x = 1')"),
        "its files are not those",
        runs=True,
    ),
    "module that deletes itself": Library(
        module("import os\nos.unlink(__file__)"), "its files are not those", runs=True
    ),
}
