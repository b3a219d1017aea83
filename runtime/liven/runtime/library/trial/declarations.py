"""The declarations of a bundle's modules, learned in a new catalogue so that contradictions show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.classes.class_form import form_of_entry
from liven.runtime.library.errors import CodeError
from liven.runtime.library.fetching.bundle_import import Modules
from liven.runtime.library.store import Installed, Store
from liven.runtime.library.trial.probe_report import Declared
from liven.types.catalogue import ConflictError, Entry, register
from liven.types.declare import DeclarationError, scan


def declared_by(path: Path) -> tuple[Declared, ...]:
    """Load the library at `path` into this process and return its declarations; raise CodeError."""
    installed = Store(path.parent.parent).at(path)
    modules = Modules()
    try:
        return tuple(_declared(installed, modules))
    finally:
        modules.close()


def _declared(installed: Installed, modules: Modules) -> Iterator[Declared]:
    known = TypeKnowledge.stock()
    for include, module in zip(installed.metadata.includes, modules.load(installed), strict=True):
        try:
            entries = register(known.catalogue, scan(module), known.matcher)
        except (DeclarationError, ConflictError) as error:
            raise CodeError(installed.library, f"{include}: {error}") from error
        for entry in entries:
            yield _row(include, entry)


def _row(include: str, entry: Entry) -> Declared:
    id_ = str(entry.id) if entry.has_id else ""
    name = entry.source.declaration.cls.__qualname__  # type: ignore[attr-defined]  # learned from a class
    return Declared(entry.kind, id_, entry.alias, include, name, entry.source.lines(), form_of_entry(entry))
