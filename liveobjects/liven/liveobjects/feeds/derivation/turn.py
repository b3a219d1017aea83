"""The turn to run a query: of the members of a group, the oldest has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from liven.liveobjects.channel.line.transport import LineEvent
from liven.liveobjects.channel.session.typed_line import TypedLine
from liven.multicast.group import View
from liven.runtime.objects.context import Context
from liven.types.terms.value_types import Scalar

_NOTHING_SAID: Final = Scalar("bool")
"""The class of the group's messages, of which there are none."""


class Turn:
    """One member's place in a group. Without a group it is always this member's turn."""

    def __init__(self, context: Context, group: str, changed: Callable[[], object]) -> None:
        self._context = context
        self._group = group
        self._changed = changed
        self._line: TypedLine | None = None
        self._is_oldest = False

    @property
    def is_in_group(self) -> bool:
        """True if there are others who may run the query."""
        return bool(self._group)

    @property
    def is_mine(self) -> bool:
        """True if this member is to run the query."""
        return not self._group or self._is_oldest

    def join(self) -> None:
        """Wait for the turn; `changed` is called when it comes or goes."""
        if self._group and self._line is None:
            self._line = TypedLine(
                self._context, self._group, _NOTHING_SAID, lambda _who, _said: None, self._told, kind="turn"
            )

    def leave(self) -> None:
        """Let the others go on."""
        line, self._line = self._line, None
        self._is_oldest = False
        if line is not None:
            line.close()

    def _told(self, event: LineEvent) -> None:
        if isinstance(event, View) and self._line is not None:
            self._is_oldest = bool(event.members) and event.members[0].node == self._line.me
            self._changed()
