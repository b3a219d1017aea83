"""Translation of the original program's oldest files to the later form.

They expect a *service* of the dictionary interface where later files expect a dictionary: an object that
answers calls and sends nothing by itself. A folder answers the same calls, so a dictionary is used in its
place.
"""

from __future__ import annotations

from typing import Final

from liven.runtime.reference.ids import parse
from liven.runtime.reference.model import ObjectClass, OtherClass

_SERVICE: Final = 0xFA968B52DFCF46C8BE7BC07B4068E503
_DICTIONARY: Final = 0xFBB2E5890D0E48CF86A9EAAB234A608E
_FOLDER: Final = "D111EEF8754D4EB98ABD90B0260AEF93"
_GIVEN: Final = "InterfaceClass"


def as_later(expected: ObjectClass) -> ObjectClass:
    """Return the class in the later form; unchanged if it is not one of these."""
    given = {item.id: item.value for item in expected.parameters}
    interface = given.get(_GIVEN)
    if not isinstance(interface, OtherClass) or not _is(interface.id, _DICTIONARY):
        return expected
    if not _is(expected.id, _SERVICE) or expected.constraints or expected.endpoint_constraints:
        return expected
    return ObjectClass(_FOLDER, interface.parameters)


def _is(text: str, number: int) -> bool:
    """True if an id, in any spelling, is the platform's own of that number."""
    found = parse(text)
    return found is not None and found.component == number
