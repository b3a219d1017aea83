"""The oldest files of the original program, translated to the later form."""

from __future__ import annotations

from liven.runtime.loader.legacy_files import as_later
from liven.runtime.reference.model import ObjectClass, OtherClass, Parameter

SERVICE, DICTIONARY = "{FA968B52DFCF46C8BE7BC07B4068E503}", "0`1:FBB2E5890D0E48CF86A9EAAB234A608E`0"
FOLDER = "D111EEF8754D4EB98ABD90B0260AEF93"
KEYS = (Parameter("KeyClass", OtherClass("ValueClass", "liven:text")),)


def service(interface: str = DICTIONARY, id_: str = SERVICE) -> ObjectClass:
    return ObjectClass(id_, (Parameter("InterfaceClass", OtherClass("InterfaceClass", interface, KEYS)),))


def test_a_service_of_a_dictionary_is_a_dictionary_of_the_same_keys() -> None:
    assert as_later(service()) == ObjectClass(FOLDER, KEYS)


def test_any_other_class_stays_unchanged() -> None:
    others = (service("liven:other"), service(id_=FOLDER), ObjectClass(SERVICE), ObjectClass(FOLDER, KEYS))
    assert all(as_later(other) is other for other in others)
