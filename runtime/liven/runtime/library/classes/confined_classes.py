"""The classes of confined libraries, known by their forms, so that recipes are checked as usual.

None of a library's code runs in this process. Its objects are built in a process of the library's own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.classes.class_form import ClassForm, read_form
from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.errors import CodeError
from liven.runtime.library.store import Installed
from liven.runtime.library.trial.probe_report import Declared
from liven.runtime.reference import ids
from liven.types.catalogue import Entry, TypeParameter, ValueParameter
from liven.types.catalogue.entry import KINDS
from liven.types.codec.type_form import TypeFormError
from liven.types.ids import ClassId


class ConfinedSource:
    """The source of a class whose code runs elsewhere."""

    confined = True

    def __init__(self, installed: Installed, sha256: str, declared: Declared, form: ClassForm) -> None:
        self.installed = installed
        self.sha256 = sha256
        self.declared = declared
        self.form = form

    @property
    def optional(self) -> frozenset[str]:
        """The value parameters with defaults."""
        return self.form.optional

    def type_parameters(self) -> tuple[TypeParameter, ...]:
        return ()

    def term(self, arguments: tuple[Any, ...]) -> Any:
        del arguments
        return self.form.term

    def value_parameters(self) -> tuple[ValueParameter, ...]:
        return self.form.values

    def lines(self) -> tuple[str, ...]:
        return self.declared.lines


class ConfinedClasses:
    """Learns the classes of confined libraries, each library once."""

    def __init__(self, known: TypeKnowledge, index: ClassIndex) -> None:
        self._known = known
        self._index = index
        self._learned: dict[str, dict[ClassId, Entry]] = {}

    def entry(self, installed: Installed, sha256: str, wanted: Declared) -> Entry:
        """Return the object class of a library; raise LibraryError."""
        self.learn(installed, sha256)
        id_ = ids.parse(wanted.id)
        found = self._learned[sha256].get(id_) if id_ is not None else None
        if found is None:
            why = (
                f"{wanted.alias} takes classes as parameters, or has values that never leave a process, so it"
                " cannot run confined; install the library to run it in this program:"
                " liven library add PATH"
            )
            raise CodeError(installed.library, why)
        return found

    def learn(self, installed: Installed, sha256: str) -> None:
        """Learn all classes of a library, unless that was done; raise LibraryError."""
        if sha256 not in self._learned:
            self._learned[sha256] = self._learn(installed, sha256)

    def entries(self, sha256: str) -> dict[ClassId, Entry] | None:
        """Return the object classes learned from a library; None if it was not learned."""
        return self._learned.get(sha256)

    def _learn(self, installed: Installed, sha256: str) -> dict[ClassId, Entry]:
        """Learn all classes of the library. Those of values and types join the catalogue, for recipes to
        name."""
        found: dict[ClassId, Entry] = {}
        for declared in self._index.declares(installed):
            entry = self._entry(installed, sha256, declared)
            if entry is None:
                continue
            if entry.kind == "component":
                found[entry.id] = entry
            else:
                self._put(entry)
        return found

    def _put(self, entry: Entry) -> None:
        """Add a class for recipes to name. It takes no id and no alias from a class that is known."""
        catalogue = self._known.catalogue
        if catalogue.by_id(entry.kind, ClassId(entry.id.component)) is not None:
            return
        if any(catalogue.named(entry.alias, kind) for kind in KINDS):
            entry = replace(entry, alias=str(entry.id))
        catalogue.put(entry)

    def _entry(self, installed: Installed, sha256: str, declared: Declared) -> Entry | None:
        id_ = ids.parse(declared.id) if declared.id else None
        if declared.form is None or id_ is None:
            return None
        try:
            form = read_form(declared.kind, declared.form, self._known.formalisms)
        except TypeFormError as error:
            raise CodeError(installed.library, f"its trial import reported no valid type: {error}") from None
        source = ConfinedSource(installed, sha256, declared, form)
        kind: Any = declared.kind  # the report's reader has checked it
        return Entry(kind, id_, declared.alias, declared.alias, declared.module, source)
