"""Known classes by id, version and readable name. The caller makes a catalogue and passes it on; none is
global."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from liven.types.catalogue.entry import KINDS, Entry, Kind
from liven.types.catalogue.errors import AmbiguousClassError, UnknownClassError
from liven.types.catalogue.notation import read_type
from liven.types.catalogue.notation_terms import Builder
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.value_types import ValueType

PREFIX = "liven:"
_LONGEST_NAME = 100
"""Longer names get no suggestion: comparing them with all others would take too long."""


class Catalogue:
    """Classes by kind and id, and by their readable names."""

    def __init__(self, formalisms: Formalisms) -> None:
        self.formalisms = formalisms
        self.builder = Builder(self)
        self._entries: list[Entry] = []
        self._by_id: dict[tuple[Kind, int], list[Entry]] = {}
        self._by_name: dict[str, list[Entry]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        for kind in KINDS:
            yield from self.entries(kind)

    def entries(self, kind: Kind) -> Iterator[Entry]:
        """Yield the classes of one kind, in the order they were added."""
        return (entry for entry in self._entries if entry.kind == kind)

    def put(self, entry: Entry) -> None:
        """Add a class without a check; use `register` for declarations."""
        self._entries.append(entry)
        if entry.has_id:
            self._by_id.setdefault((entry.kind, entry.id.component), []).append(entry)
        self.name(entry, entry.alias)
        self.name(entry, f"{entry.origin}.{entry.alias}")

    def name(self, entry: Entry, name: str) -> None:
        """Give a class another name."""
        group = self._by_name.setdefault(name, [])
        if entry not in group:
            group.append(entry)

    def replace(self, known: Entry, new: Entry) -> None:
        """Replace `known` by `new`, which keeps the names of `known` beside its own."""
        groups = [self._entries, self._by_id[(known.kind, known.id.component)], *self._by_name.values()]
        for group in groups:
            group[:] = [new if entry is known else entry for entry in group]
        self.name(new, new.alias)
        self.name(new, f"{new.origin}.{new.alias}")
        self.builder.forget()

    def named(self, name: str, kind: Kind) -> list[Entry]:
        """Return the classes of that kind with exactly this name."""
        return _of_kind(self._by_name.get(name, []), kind)

    def by_id(self, kind: Kind, id_: ClassId) -> Entry | None:
        """Return the class of that kind and id. A version stands for itself or a later one, as in the files.

        Of several versions, an expected type means the lowest, which all others fit; an object to run
        means the newest.
        """
        fitting = [
            entry
            for entry in self._by_id.get((kind, id_.component), ())
            if entry.id.version >= id_.version and id_.namespace in (0, entry.id.namespace)
        ]
        chosen = max if kind == "component" else min
        return chosen(fitting, key=lambda entry: entry.id.version, default=None)

    def exactly(self, kind: Kind, id_: ClassId) -> Entry | None:
        """Return the class of that kind with exactly this id and version."""
        known = self._by_id.get((kind, id_.component), ())
        same = (one for one in known if one.id.version == id_.version)
        return next((one for one in same if id_.namespace in (0, one.id.namespace)), None)

    def find(self, name: str, kind: Kind | None = None) -> Entry:
        """Return the class of that name, alias or id; `value/liven:text` adds the kind where it is
        needed."""
        said, slash, rest = name.partition("/")
        if slash and said in KINDS:
            return self.find(rest, next(one for one in KINDS if one == said))
        found = self._with_id(name, kind) or self._with_alias(name, kind)
        if not found:
            raise UnknownClassError(name, kind, self.near(name, kind))
        if len(found) > 1:
            raise AmbiguousClassError(name, found)
        return found[0]

    def near(self, name: str, kind: Kind | None = None) -> list[str]:
        """Return names that look like this one."""
        if len(name) > _LONGEST_NAME:
            return []
        names = {entry.alias for entry in self._entries if kind in (None, entry.kind)}
        tails = {alias.partition(":")[2] or alias: alias for alias in sorted(names, reverse=True)}
        close = difflib.get_close_matches(name, [*names, *tails], 3, 0.5)
        return list(dict.fromkeys(tails.get(one, one) for one in close))

    def value(self, text: str) -> ValueType:
        """Return the value type that the text spells out."""
        return self.builder.value(read_type(text), {})

    def object(self, text: str) -> ObjectType:
        """Return the object type that the text spells out."""
        return self.builder.object(read_type(text), {})

    def endpoint(self, text: str) -> EndpointType:
        """Return the endpoint type that the text spells out."""
        return self.builder.endpoint(read_type(text), {})

    def term(self, entry: Entry, arguments: tuple[Any, ...] = ()) -> Any:
        """Return the structure of a class with these arguments; raise OpenTemplateError."""
        return self.builder.instance(entry, arguments)

    def _with_id(self, name: str, kind: Kind | None) -> list[Entry]:
        try:
            id_ = ClassId.parse(name)
        except ValueError:
            return []
        found = (self.by_id(one, id_) for one in ([kind] if kind else KINDS))
        return [entry for entry in found if entry is not None]

    def _with_alias(self, name: str, kind: Kind | None) -> list[Entry]:
        known = self._by_name
        found = _of_kind(known.get(name, []), kind) or _of_kind(known.get(PREFIX + name, []), kind)
        return _newest(found)


def _newest(found: list[Entry]) -> list[Entry]:
    """Return the newest version of each class: an alias means that one."""
    ids = {(entry.kind, entry.id.component) for entry in found if entry.has_id}
    if len(ids) == 1 and all(entry.has_id for entry in found):
        return [max(found, key=lambda entry: entry.id.version)]
    return found


def _of_kind(group: list[Entry], kind: Kind | None) -> list[Entry]:
    return [entry for entry in group if kind in (None, entry.kind)]
