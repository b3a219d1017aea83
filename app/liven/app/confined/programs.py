"""The way in which the desktop program runs confined libraries."""

from __future__ import annotations

from typing import Final

from liven.runtime.confined import ConfinedPrograms

WITH_VIEWS: Final = ConfinedPrograms("liven.app.confined.program", "liven.liveobjects.confined.view:show")
