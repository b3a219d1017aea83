"""The verdict that all monitors keep in the same way: the first violation, after which nothing changes."""

from __future__ import annotations

from liven.types.explanation import Explanation
from liven.types.formalism.plugin import Violation


class Verdict:
    """A monitor's verdict."""

    _violation: Violation | None = None

    @property
    def violation(self) -> Violation | None:
        return self._violation

    @property
    def broken(self) -> Explanation | None:
        return self._violation.explanation if self._violation else None
