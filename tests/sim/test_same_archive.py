"""What the simulator proves is what the engine runs: both link one archive of the core, and only that."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from liven.multicast import engine

ROOT = Path(__file__).resolve().parents[2]


def build_folder() -> Path:
    """The folder in which the module that is loaded was built."""
    builds = [
        path.parent for path in ROOT.glob("build/*/_core.c") if (path.parent / "libmcast_core.a").exists()
    ]
    if not builds:
        pytest.skip("the module was not built here, but installed: there is no build folder to look at")
    return max(builds, key=lambda folder: (folder / "build.ninja").stat().st_mtime)


def rules(folder: Path) -> dict[str, str]:
    """What each file of the build is made of."""
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


def test_the_archive_holds_the_very_objects_that_were_compiled() -> None:
    if shutil.which("ar") is None:
        pytest.skip("there is no ar to look into the archive with")
    folder = build_folder()
    archive = folder / "libmcast_core.a"
    names = subprocess.run(
        ["ar", "t", str(archive)], capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(names) > 20
    for name in names:
        inside = subprocess.run(["ar", "p", str(archive), name], capture_output=True, check=True).stdout
        compiled = next((folder / "CMakeFiles" / "mcast_core.dir").rglob(name)).read_bytes()
        assert hashlib.sha256(inside).digest() == hashlib.sha256(compiled).digest()


def test_the_module_offers_both() -> None:
    assert engine.core_version()
    assert engine.setting_names()
