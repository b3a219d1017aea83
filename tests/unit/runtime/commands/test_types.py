"""`liven types` on a machine where libraries are installed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from liven.runtime.commands import types
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.library.store import Installed, Store
from liven.runtime.reference.xml.metadata import Metadata

BOX = """
from __future__ import annotations
from liven.types.declare import Exports, interface, proxy

@interface
class Post:
    def say(self, words: str) -> None: ...

@proxy(id="11112222333344445555666677778888`{version}", alias="example:{name}")
class Box:
    box: Exports[Post]
    def say(self, words: str) -> None: ...
"""

pytestmark = pytest.mark.slow  # libraries are tried in a child process


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    types.configure(parser)
    return types.run(parser.parse_args(words))


def install(home: Path, version: int, text: str) -> Installed:
    bundle = Bundle(Metadata(0xABC, version, ("box.py",)), {"box.py": text.encode()})
    return Store(home / "data" / "libraries").add(bundle)[0]


def test_the_classes_of_liven_and_of_its_folders_are_listed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("list", "--json") == 0
    aliases = {row["alias"] for row in json.loads(capsys.readouterr().out)["classes"]}
    assert {"liven:folder", "liven:local-folder", "liven:registry"} <= aliases


def test_an_installed_library_is_listed_shown_and_compared(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(home, 1, BOX.format(version=1, name="box"))
    assert run("list", "example:box") == 0
    out = capsys.readouterr().out
    assert "11112222333344445555666677778888`1" in out
    assert out.endswith("1 class\n")
    assert run("show", "example:box") == 0
    assert "say" in capsys.readouterr().out
    assert run("subtype", "example:box", "example:box") == 0


def test_of_two_versions_the_newer_is_listed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for version in (1, 2):
        install(home, version, BOX.format(version=version, name="box"))
    assert run("list", "example:box", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)["classes"]
    assert row["id"] == "11112222333344445555666677778888`2"


def test_a_broken_library_is_reported_and_hides_no_other(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(home, 1, "raise ValueError('no luck')")
    (home / "data" / "libraries" / f"{0xDEF:032X}" / "1").mkdir(parents=True)
    assert run("list", "liven:folder") == 0
    told = capsys.readouterr()
    assert "liven:folder" in told.out
    assert "no luck" in told.err
    assert f"{0xDEF:032X}" in told.err
