"""Errors of looking up a class in the catalogue, or adding one."""

from __future__ import annotations

from liven.types.catalogue.entry import KIND_NAMES, Entry, Kind


class CatalogueError(LookupError):
    """A question that the catalogue cannot answer."""


class UnknownClassError(CatalogueError):
    """No class has that name or id; `near` lists similar names."""

    def __init__(self, name: str, kind: Kind | None, near: list[str]) -> None:
        what = KIND_NAMES[kind] if kind else "class"
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        super().__init__(f"no {what} is called {name}{hint}")
        self.name = name
        self.near = near


class AmbiguousClassError(CatalogueError):
    """Several classes have that name; the text shows an unambiguous name of each."""

    def __init__(self, name: str, found: list[Entry]) -> None:
        ways = ", ".join(map(_way, found))
        super().__init__(f"{name} is the name of several classes; write one of {ways}")
        self.found = found


class AliasTakenError(ValueError):
    """Two classes of one kind want one alias."""

    def __init__(self, known: Entry, new: Entry) -> None:
        super().__init__(
            f"{new.kind} {new.alias} of {new.origin}: the alias belongs to another class, "
            f"{known.id if known.has_id else 'without id'} of {known.origin}; use a prefix of your own"
        )
        self.known = known
        self.new = new


class ConflictError(ValueError):
    """Two declarations claim one id and version with different structures."""

    def __init__(self, known: Entry, new: Entry, why: str) -> None:
        super().__init__(
            f"{known.kind} {known.id} is declared twice with different structures\n"
            f"{_shown(known)}\n{_shown(new)}\n{why}\n"
            "give one of them another id, or a new version (id`2)"
        )
        self.known = known
        self.new = new


def _way(entry: Entry) -> str:
    """Return a name that means this entry and no other."""
    if entry.has_id:
        return f"{entry.kind}/{entry.alias} ({entry.id}, {entry.origin})"
    return f"{entry.kind}/{entry.origin}.{entry.alias}"


def _shown(entry: Entry) -> str:
    lines = "\n".join(f"    {line}" for line in entry.source.lines())
    return f"  {entry.alias} of {entry.origin}:\n{lines}"
