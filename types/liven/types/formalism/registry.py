"""A registry of formalisms by id. The caller makes one and passes it on; there is no global one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from liven.types.formalism.plugin import Formalism
from liven.types.ids import ClassId


class DuplicateFormalismError(ValueError):
    """Two formalisms claim one id."""


class UnknownFormalismError(KeyError):
    """No formalism is registered under that id."""

    def __init__(self, formalism: ClassId) -> None:
        super().__init__(formalism)
        self.formalism = formalism

    def __str__(self) -> str:
        return f"no formalism {self.formalism} is known here; register the library that brings it"


class Formalisms:
    """Formalisms by id. `generation` grows with each registration, so that cached answers can be recognised
    as old."""

    def __init__(self, formalisms: Iterable[Formalism[Any]] = ()) -> None:
        self._by_id: dict[ClassId, Formalism[Any]] = {}
        self.generation = 0
        for formalism in formalisms:
            self.register(formalism)

    def register(self, formalism: Formalism[Any]) -> None:
        """Add a formalism; adding the same one twice changes nothing, another one under the same id is
        refused."""
        known = self._by_id.get(formalism.id)
        if known is formalism:
            return
        if known is not None:
            raise DuplicateFormalismError(
                f"formalism {formalism.id} is `{known.name}` already; "
                f"give `{formalism.name}` an id of its own"
            )
        self._by_id[formalism.id] = formalism
        self.generation += 1

    def get(self, key: ClassId) -> Formalism[Any]:
        """Return the formalism of that id; raise UnknownFormalismError."""
        try:
            return self._by_id[key]
        except KeyError:
            raise UnknownFormalismError(key) from None

    def find(self, key: ClassId) -> Formalism[Any] | None:
        """Return the formalism of that id, or None."""
        return self._by_id.get(key)

    def __contains__(self, key: ClassId) -> bool:
        return key in self._by_id

    def __iter__(self) -> Iterator[Formalism[Any]]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)
