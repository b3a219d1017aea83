"""The part of the code generator that deals with scalars.

Generated code tests for the exact Python type inline; anything else goes to `scalar_fallback`, which
converts or refuses it.
"""

from __future__ import annotations

from liven.types.codec import scalar_fallback
from liven.types.codec.codegen_scope import Form, Place, SourceBuffer
from liven.types.terms.type_text import brief
from liven.types.terms.value_types import Float, Integer, Scalar


class ScalarSource:
    """Writes the checks of scalars; each method returns the expression of the checked value."""

    def __init__(self, form: Form, script: SourceBuffer) -> None:
        self._form = form
        self._script = script

    def scalar(self, type_: Integer | Float | Scalar, value: str, place: Place) -> str:
        """Check any scalar."""
        if isinstance(type_, Integer):
            return self._whole(type_, value, place)
        if isinstance(type_, Float):
            return self._float(type_, value, place)
        if type_.kind == "bool":
            return self.test(f"{value} is not True and {value} is not False", "bool", value, place)
        if type_.kind == "text":
            return self.text(value, "text", place)
        return self._bytes(type_.kind == "id", value, place)

    def _whole(self, type_: Integer, value: str, place: Place) -> str:
        low, high, expected = type_.low, type_.high, brief(type_)
        test = f"type({value}) is not int or not {low} <= {value} <= {high}"
        if self._form.reading:
            return self.test(test, expected, value, place)
        return self._repair(test, f"whole({value}, {low}, {high}, {expected!r}, {place.path})", value, place)

    def _float(self, type_: Float, value: str, place: Place) -> str:
        if type_.bits == 64:
            repair = f"number({value}, 'float64', {place.path})"
            return self._repair(f"type({value}) is not float", repair, value, place)
        if self._form.reading:
            test = f"type({value}) is not float or rounded_loosely({value}) != {value}"
            return self._repair(test, f"single_read({value}, {place.path})", value, place)
        most = scalar_fallback.SINGLE_MAX
        test = f"type({value}) is not float or not -{most} <= {value} <= {most}"
        return self._repair(test, f"single({value}, {place.path})", value, place)

    def text(self, value: str, expected: str, place: Place) -> str:
        """Check a text, or a value that is written as one."""
        test = f"type({value}) is not str"
        if self._form.reading:
            return self.test(test, expected, value, place)
        return self._repair(test, f"text({value}, {expected!r}, {place.path})", value, place)

    def _bytes(self, is_id: bool, value: str, place: Place) -> str:
        unlike = f"type({value}) is not bytes"
        if is_id:
            return self.test(f"{unlike} or len({value}) != 16", "id of 16 bytes", value, place)
        if self._form.reading:
            return self.test(unlike, "bytes", value, place)
        return self._repair(unlike, f"run_of_bytes({value}, {place.path})", value, place)

    def test(self, wrong: str, expected: str, value: str, place: Place) -> str:
        """Refuse the value if the condition `wrong` is true."""
        self._script.line(place.indent, f"if {wrong}: raise bad({place.path}, {expected!r}, {value})")
        return value

    def _repair(self, unusual: str, repair: str, value: str, place: Place) -> str:
        self._script.line(place.indent, f"if {unusual}: {value} = {repair}")
        return value
