"""The layout guard: rules for the folder tree.

A package folder `types/` at the root hides Python's own `types` from everything started there; a package
`liven/` hides the other rooms; a script named like a standard module breaks every script beside it. None
of this shows at once, so a script checks it.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOMS = ("app", "designer", "liveobjects", "runtime", "multicast", "types")
SCRIPTS = ("bench", "tests", "samples", "tools")


def faults(root: Path) -> list[str]:
    """Return every fault of the tree below `root`, each with a remedy."""
    return [*_packages(root), *_names(root), *_rooms(root)]


def _packages(root: Path) -> Iterator[str]:
    roots = [root / room for room in ROOMS] + [root / room / "liven" for room in ROOMS]
    places = [folder / "__init__.py" for folder in roots]
    places += sorted((root / "tests").rglob("__init__.py")) if (root / "tests").is_dir() else []
    for place in places:
        if place.exists():
            yield f"{place.relative_to(root)}: no __init__.py may be here; delete it"


def _names(root: Path) -> Iterator[str]:
    for name in SCRIPTS:
        folder = root / name
        for place in sorted(folder.iterdir()) if folder.is_dir() else ():
            if place.stem in sys.stdlib_module_names and (place.suffix == ".py" or place.is_dir()):
                yield f"{place.relative_to(root)}: has the name of a standard module; rename it"


def _rooms(root: Path) -> Iterator[str]:
    for room in ROOMS:
        yield from _unseen(root, root / room / "liven" / room)
        for needed in (root / room / "README.md", root / room / "liven" / room / "__init__.py"):
            if not needed.is_file():
                yield f"{needed.relative_to(root)}: is missing; each room has one"


def _unseen(root: Path, package: Path) -> Iterator[str]:
    """Yield folders of modules that are not packages: import-linter silently skips them."""
    for folder in sorted({path.parent for path in package.rglob("*.py")} - {package}):
        if not (folder / "__init__.py").is_file():
            name = folder.relative_to(root)
            yield f"{name}: has modules but no __init__.py, so import-linter skips it; add one"


def tree_modules(root: Path) -> set[str]:
    """Return every file of the rooms, by its name in the wheel."""
    found = set()
    for room in ROOMS:
        source = root / room
        for path in (source / "liven").rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".so", ".pyc"):
                found.add(path.relative_to(source).as_posix())
    return found


def wheel_faults(root: Path, wheel: Path) -> list[str]:
    """Return the differences between the files in `wheel` and the tree."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    compiled = {name for name in names if name.endswith(".so")}
    tree = tree_modules(root)
    missing = [f"{name}: is in the tree but not in the wheel" for name in sorted(tree - names)]
    extra = [f"{name}: is in the wheel but not in the tree" for name in sorted(names - compiled - tree)]
    if not any(name.startswith("liven/multicast/_core.") for name in compiled):
        missing.append("liven/multicast/_core: the compiled core is not in the wheel")
    return missing + extra


def main() -> int:
    """Print the faults; for a wheel, also its differences from the tree."""
    root = Path(__file__).resolve().parents[2]
    found = faults(root)
    for name in sys.argv[1:]:
        found += wheel_faults(root, Path(name))
    print("\n".join(found) or "layout: correct")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
