"""Bundles in this process: side by side, verified, and gone when they are unloaded."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

import pytest

from liven.runtime.library.errors import CodeError, DamagedError
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.library.fetching.bundle_import import PREFIX, Modules, SourceOnly, package_name
from liven.runtime.library.store import Installed, Store
from liven.runtime.reference.xml.metadata import Metadata

Install = Callable[..., Installed]


def bundled() -> list[str]:
    return [name for name in sys.modules if name.startswith(PREFIX)]


def test_two_versions_live_side_by_side(install: Install, modules: Modules) -> None:
    (first,) = modules.load(install(1, main="from . import words\nsaid = words.said", words="said = 1"))
    (second,) = modules.load(install(2, main="from . import words\nsaid = words.said", words="said = 2"))
    assert (first.said, second.said) == (1, 2)
    assert first.__name__ != second.__name__


def test_names_carry_the_hash(install: Install, modules: Modules) -> None:
    installed = install(1)
    (module,) = modules.load(installed)
    assert module.__name__ == f"{package_name(installed.sha256())}.box"
    assert installed.sha256()[:32] in module.__name__


def test_the_same_content_is_loaded_once(install: Install, modules: Modules) -> None:
    installed = install(1)
    assert modules.load(installed) is modules.load(installed)


def test_packages_and_resources_inside_a_bundle_work(
    install: Install, modules: Modules, store: object
) -> None:

    assert isinstance(store, Store)
    files = {
        "parts/__init__.py": b"from .one import said\nfrom . import two",
        "parts/one.py": b"from .two import said",
        "parts/two.py": (
            b"from importlib.resources import files\nsaid = (files(__package__) / 'a.txt').read_text()"
        ),
        "parts/a.txt": b"hello",
    }
    installed, _ = store.add(Bundle(Metadata(9, 1, ("parts",)), files))
    (module,) = modules.load(installed)
    assert module.said == "hello"


def test_no_bytecode_is_written_beside_the_source(install: Install, modules: Modules) -> None:
    installed = install(1)
    modules.load(installed)
    assert [path.name for path in installed.data.rglob("*")] == ["box.py"]
    installed.verified()


def test_code_changed_since_its_installation_is_not_run(install: Install, modules: Modules) -> None:
    installed = install(1, main="raise RuntimeError('it ran')")
    (installed.data / "main.py").write_text("raise RuntimeError('it ran, changed')")
    with pytest.raises(DamagedError):
        modules.load(installed)


LATE = "def late():\n    from . import words\n    return words.said"


@pytest.mark.parametrize("change", ["rewrite", "delete", "add"])
def test_a_late_import_gets_the_verified_source(install: Install, modules: Modules, change: str) -> None:
    installed = install(1, main=LATE, words="said = 'verified'")
    (module,) = modules.load(installed)
    if change == "rewrite":
        (installed.data / "words.py").write_text("said = 'changed'")
    elif change == "delete":
        shutil.rmtree(installed.path)
    else:
        (installed.data / "words").mkdir()
        (installed.data / "words" / "__init__.py").write_text("said = 'added'")
    assert module.late() == "verified"


def test_the_source_that_tracebacks_show_is_the_one_that_runs(install: Install, modules: Modules) -> None:
    installed = install(1, main=LATE, words="")
    (module,) = modules.load(installed)
    (installed.data / "main.py").write_text("changed")
    loader = module.__loader__
    assert isinstance(loader, SourceOnly)
    assert loader.get_source(module.__name__) == LATE


def test_a_file_added_after_installation_is_not_imported(install: Install, modules: Modules) -> None:
    late = "def late():\n    from . import more\n    return more.said"
    installed = install(1, main=late)
    (module,) = modules.load(installed)
    (installed.data / "more.py").write_text("said = 'added'")
    with pytest.raises(ImportError, match="more"):
        module.late()


def test_content_other_than_the_pinned_is_not_run(install: Install, modules: Modules) -> None:
    with pytest.raises(DamagedError, match="abababab"):
        modules.load(install(1, main="raise RuntimeError('it ran')"), "ab" * 32)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise ValueError('seven')", "importing it raised ValueError: seven"),
        ("import sys; sys.exit(3)", r"importing it ends the program \(exit code 3\)"),
        ("from . import nobody", "importing it raised ImportError"),
        ("import nobody_at_all", "importing it raised ModuleNotFoundError"),
        ("import main", "imports its own module 'main' absolutely"),
        ("def", "is not valid Python"),
    ],
)
def test_code_that_cannot_be_imported_is_an_error_and_leaves_nothing_loaded(
    install: Install, modules: Modules, text: str, words: str
) -> None:
    before = bundled()
    with pytest.raises(CodeError, match=words):
        modules.load(install(1, main=text))
    assert bundled() == before


def test_an_unloaded_bundle_can_be_loaded_again(install: Install, modules: Modules) -> None:
    installed = install(1)
    (first,) = modules.load(installed)
    modules.unload(installed.sha256())
    assert bundled() == []
    (second,) = modules.load(installed)
    assert second is not first
    assert first.Box.__name__ == "Box", "who still holds the old code goes on with it"


def test_the_import_machinery_is_left_as_it_was(install: Install) -> None:
    before = list(sys.meta_path)
    modules = Modules()
    modules.load(install(1))
    modules.close()
    modules.close()
    assert sys.meta_path == before
    assert bundled() == []


def test_a_bundle_that_is_not_open_is_not_found(modules: Modules) -> None:
    with pytest.raises(ModuleNotFoundError):
        __import__(f"{PREFIX}0000")
