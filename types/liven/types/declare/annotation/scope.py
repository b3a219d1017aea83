"""The scope in which the names of an author's annotations are looked up."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, get_type_hints

_DECLARE = __name__.removesuffix(".annotation.scope")


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that were visible where a class was declared."""

    module_names: dict[str, Any] = field(hash=False, compare=False, repr=False)
    """The module's own dictionary, so that a class declared further down is seen once it exists."""
    local_names: Mapping[str, Any] = field(hash=False, compare=False, repr=False)

    def look_up(self, annotation: object) -> Any:
        """Return the object that the annotation names; raise NameError for a name that is not defined
        yet."""
        holder = SimpleNamespace(__annotations__={"it": annotation})
        names = dict(self.local_names)
        return get_type_hints(holder, self.module_names, names, include_extras=True)["it"]


def scope_of_caller(cls: type) -> Scope:
    """Return the names visible to the code outside this package that declares `cls`; `cls` itself is one of
    them."""
    frame = sys._getframe()
    while frame.f_back and str(frame.f_globals.get("__name__", "")).startswith(_DECLARE):
        frame = frame.f_back
    outer = {} if frame.f_locals is frame.f_globals else dict(frame.f_locals)
    return Scope(frame.f_globals, outer | {cls.__name__: cls})
