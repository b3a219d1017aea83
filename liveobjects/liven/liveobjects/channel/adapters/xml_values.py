"""Values in neutral form as XML, and back. The program's only XML reader parses it, with its limits."""

from __future__ import annotations

import base64
import binascii
import math
from typing import Any, Final

from liven.runtime.reference.errors import RecipeError
from liven.runtime.reference.model import Markup, Parameter, Properties, Reference
from liven.runtime.reference.xml import compact, read_object

_ID: Final = "liven:value"
_DEEPEST: Final = 60


class NotAValueError(ValueError):
    """XML that is not a value."""


def to_xml(value: Any) -> bytes:
    """Return a neutral value as XML."""
    content = Properties(content=(_element(value, 0),))
    return compact(Reference(_ID, (Parameter("value", content),))).encode()


def from_xml(data: bytes) -> Any:
    """Return the neutral value of the XML. Raises NotAValueError."""
    try:
        read = read_object(data.decode())
    except (RecipeError, ValueError) as error:
        raise NotAValueError(f"the XML is not a value: {error}") from error
    match read:
        case Reference(
            id="liven:value", parameters=(Parameter(value=Properties(content=(Markup() as only,))),)
        ):
            return _value(only, 0)
    raise NotAValueError("the XML is not a value: it has other content")


def _element(value: Any, depth: int) -> Markup:
    if depth > _DEEPEST:
        raise NotAValueError(f"it is nested more than {_DEEPEST} deep")
    match value:
        case None:
            return Markup("nil")
        case bool():
            return Markup("true" if value else "false")
        case int():
            return Markup("int", (), (str(value),))
        case float():
            return Markup("real", (), (value.hex() if math.isfinite(value) else repr(value),))
        case str():
            return _text("text", value)
        case bytes():
            return Markup("octets", (), _coded(value))
        case list():
            return Markup("list", (), tuple(_element(item, depth + 1) for item in value))
        case dict():
            items = ((_text("key", key), _element(item, depth + 1)) for key, item in value.items())
            return Markup("map", (), tuple(Markup("item", (), pair) for pair in items))
    raise NotAValueError(f"{type(value).__name__} is not a neutral value")


def _text(tag: str, text: str) -> Markup:
    """Return the text as it is if XML preserves it, else encoded: XML has no control characters and may
    change spaces."""
    if text and text == text.strip() and text.isprintable():
        return Markup(tag, (), (text,))
    return Markup(tag, (("coded", "base64"),), _coded(text.encode("utf-8", "surrogatepass")))


def _coded(data: bytes) -> tuple[str, ...]:
    return (base64.b64encode(data).decode(),) if data else ()


def _value(element: Markup, depth: int) -> Any:
    if depth > _DEEPEST:
        raise NotAValueError(f"it is nested more than {_DEEPEST} deep")
    inner = [item for item in element.content if isinstance(item, Markup)]
    match element.tag:
        case "nil":
            return None
        case "true" | "false":
            return element.tag == "true"
        case "list":
            return [_value(item, depth + 1) for item in inner]
        case "map":
            return dict(_pair(item, depth + 1) for item in inner)
    return _scalar(element)


def _scalar(element: Markup) -> Any:
    said = "".join(item for item in element.content if isinstance(item, str))
    try:
        match element.tag:
            case "int":
                return int(said)
            case "real":
                return float(said) if said in ("inf", "-inf", "nan") else float.fromhex(said)
            case "octets":
                return base64.b64decode(said, validate=True)
            case "text" | "key":
                return _plain(element, said)
    except (ValueError, binascii.Error) as error:
        raise NotAValueError(f"<{element.tag}> contains {said[:40]!r}: {error}") from error
    raise NotAValueError(f"<{element.tag}> is not a value")


def _plain(element: Markup, said: str) -> str:
    if not element.attributes:
        return said
    return base64.b64decode(said, validate=True).decode("utf-8", "surrogatepass")


def _pair(item: Markup, depth: int) -> tuple[str, Any]:
    inner = [one for one in item.content if isinstance(one, Markup)]
    if item.tag != "item" or len(inner) != 2 or inner[0].tag != "key":
        raise NotAValueError(f"<{item.tag}> is not an item of a map")
    return str(_scalar(inner[0])), _value(inner[1], depth)
