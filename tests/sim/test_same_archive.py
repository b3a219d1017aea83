"""The simulator and the engine link one archive of the core, and nothing else of it."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.multicast import engine

ROOT = Path(__file__).resolve().parents[2]


def build_folder() -> Path:
    """Return the folder in which the loaded module was built."""
    builds = [
        path.parent for path in ROOT.glob("build/*/_core.c") if (path.parent / "libmcast_core.a").exists()
    ]
    if not builds:
        pytest.skip("the module was not built here, but installed: there is no build folder to look at")
    return max(builds, key=lambda folder: (folder / "build.ninja").stat().st_mtime)


def rules(folder: Path) -> dict[str, str]:
    """Return the inputs of each file of the build."""
    text = (folder / "build.ninja").read_text(encoding="utf-8").replace("$\n", " ")
    return dict(re.findall(r"^build ([^:|]+?)(?: \|[^:]*)?: (.*)$", text, re.MULTILINE))


def test_engine_and_simulator_link_the_same_archive_and_no_object_of_the_core_beside_it() -> None:
    made = rules(build_folder())
    core_object = re.compile(r"mcast_core\.dir/core/\S+\.o")
    linkers = {name: of for name, of in made.items() if "LINKER" in of}
    archive = [name for name, of in linkers.items() if core_object.search(of)]
    assert archive == ["libmcast_core.a"]
    for program in ("run_campaign", next(name for name in linkers if name.startswith("_core."))):
        assert "libmcast_core.a" in linkers[program]


def archive_members(archive: Path) -> Iterator[bytes]:
    """Yield the contents of each object of an archive; file names repeat, so `ar` cannot select one."""
    content = archive.read_bytes()
    assert content.startswith(b"!<arch>\n")
    place = 8
    while place < len(content):
        header = content[place : place + 60]
        size = int(header[48:58])
        if header[:1] != b"/" or header[1:2].isdigit():  # not the symbol table nor the table of long names
            yield content[place + 60 : place + 60 + size]
        place += 60 + size + size % 2


def test_the_archive_holds_exactly_the_compiled_objects() -> None:
    folder = build_folder()
    compiled = (folder / "CMakeFiles" / "mcast_core.dir").rglob("*.o")
    expected = Counter(hashlib.sha256(path.read_bytes()).digest() for path in compiled)
    inside = list(archive_members(folder / "libmcast_core.a"))
    assert len(inside) > 20
    assert Counter(hashlib.sha256(each).digest() for each in inside) == expected


def test_the_module_offers_engine_and_simulator() -> None:
    assert engine.core_version()
    assert engine.setting_names()
