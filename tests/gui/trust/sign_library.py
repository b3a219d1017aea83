"""A library with code that is always new, and the recipe of an object that needs it."""

from __future__ import annotations

from pathlib import Path

from liven.runtime.library.fetching.bundle import from_module
from liven.runtime.reference.model import NAME, Attribute, Object, Parameter, Plain, Reference, Requirement

LIBRARY = "ABCDEF0123456789ABCDEF0123456789"
SOURCE = f'''
from __future__ import annotations
from liven.types.declare import ExportedUI, proxy

LIBRARY = "{LIBRARY}`1"


VIEW = "liven.liveobjects.counter.view:make"


@proxy(id="11112222333344445555666677778888", alias="example:sign", view=VIEW)
class Sign:
    UI: ExportedUI

    def __init__(self, title: str) -> None:
        self.number = 7

    def watch(self, watcher: object) -> None: ...

    def unwatch(self, watcher: object) -> None: ...

    def add(self, amount: int) -> None: ...
'''


def newer(folder: Path) -> Object:
    """Return the recipe of an object that needs version 2 of the library."""
    path = folder / "newer.py"
    path.write_text(SOURCE.replace(f"{LIBRARY}`1", f"{LIBRARY}`2"), encoding="utf-8")
    sha256 = from_module("newer.py", path.read_bytes()).sha256
    need = Requirement(f"{LIBRARY}`2", 2, sha256, url=path.as_uri())
    title = Parameter("title", Plain("string", "x"))
    return Reference("example:sign", (title,), attributes=(Attribute(NAME, "Sign"),), requires=(need,))


def recipe(folder: Path, *, pinned: bool = True) -> Object:
    path = folder / "sign.py"
    path.write_text(SOURCE, encoding="utf-8")
    sha256 = from_module("sign.py", path.read_bytes()).sha256 if pinned else ""
    need = Requirement(f"{LIBRARY}`1", 1, sha256, url=path.as_uri())
    title = Parameter("title", Plain("string", "x"))
    return Reference("example:sign", (title,), attributes=(Attribute(NAME, "Sign"),), requires=(need,))
