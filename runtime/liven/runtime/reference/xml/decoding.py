"""Conversion of bytes to UTF-8 text that is safe to parse.

This removes all differences between writers: byte order marks, encodings, and the original designer's habit
of declaring UTF-16 on text that is UTF-8. It refuses texts over a limit, and any document type, before they
reach the parser, so that there are no entities and nothing to fetch.
"""

from __future__ import annotations

import re

from liven.runtime.files import readable_size
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml.limits import Limits

_DECLARATION = re.compile(rb"<\?xml\s[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"'][^>]*?\?>")
# Python's codecs that are not simple tables (punycode, utf-7) are refused.
_ALLOWED = re.compile(r"utf-?8|us-ascii|ascii|iso-?8859-?\d{1,2}|windows-125\d|latin-?1", re.IGNORECASE)
_WIDE = re.compile(r"utf-?16([bl]e)?|ucs-?2|iso-10646-ucs-2|utf-?32|ucs-?4", re.IGNORECASE)
_VALUE = re.compile(rb"=\s*+[\"']")
# A tag up to where it ends or breaks; no value of an attribute may hold `<`.
_TAG = re.compile(rb"""<[^!?/](?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+""")
_QUOTED = re.compile(rb""""[^"<]*+"|'[^'<]*+'""")
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32"),  # before UTF-16, whose byte order mark it begins with
    (b"\0\0\xfe\xff", "utf-32"),
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)


def utf8(data: bytes | str, limits: Limits) -> bytes:
    """Return the text as UTF-8 without a byte order mark, within `limits` and without a document type."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(raw) > limits.size:
        raise ReadError(f"the text is larger than the limit of {readable_size(limits.size)}")
    text = raw.removeprefix(b"\xef\xbb\xbf") if isinstance(data, str) else _decoded(raw)
    nodes = text.count(b"<") - text.count(b"</") + len(_VALUE.findall(text))
    if nodes > limits.nodes:
        raise ReadError(f"the text has {nodes:,} tags and attributes; the limit is {limits.nodes:,}")
    _refuse_document_type(text)
    _refuse_crowds(text, limits)
    return text


def _decoded(raw: bytes) -> bytes:
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return raw[3:] if encoding == "utf-8" else _recoded(raw, encoding)
    declared = _DECLARATION.match(raw[:200].lstrip())
    encoding = declared.group(1).decode("ascii") if declared else "utf-8"
    # A wide encoding would have shown a mark or zero bytes above: the declaration is wrong.
    if encoding.lower() in {"utf-8", "utf8"} or _WIDE.fullmatch(encoding):
        return raw
    if not _ALLOWED.fullmatch(encoding):
        raise ReadError(f"the encoding {encoding!r} is not supported; save the file as UTF-8", 1, 1)
    return _recoded(raw, encoding)


def _recoded(raw: bytes, encoding: str) -> bytes:
    try:
        return raw.decode(encoding).encode("utf-8")
    except (UnicodeError, LookupError) as error:
        raise ReadError(f"the bytes are not {encoding}: {error}; save the file as UTF-8") from None


def _refuse_crowds(text: bytes, limits: Limits) -> None:
    """Refuse an element with too many attributes, and too many namespaces in all."""
    namespaces = 0
    for tag in _TAG.finditer(text):
        written = tag[0]
        attributes, bare = 0, written
        if written.count(b'"') + written.count(b"'") > 2 * limits.attributes or b"xmlns" in written:
            bare, attributes = _QUOTED.subn(b"", written)
        namespaces += bare.count(b"xmlns")
        if attributes > limits.attributes:
            reason = f"an element has {attributes:,} attributes; the limit is {limits.attributes:,}"
            raise ReadError(reason, *_position(text, tag.start()))
        if namespaces > limits.namespaces:
            reason = f"more than {limits.namespaces:,} namespaces are declared; declare each once, on Root"
            raise ReadError(reason, *_position(text, tag.start()))


def _position(text: bytes, at: int) -> tuple[int, int]:
    """Return line and column, from 1."""
    return text.count(b"\n", 0, at) + 1, at - text.rfind(b"\n", 0, at)


def _refuse_document_type(text: bytes) -> None:
    """Search everything that may come before the root: space, comments and instructions."""
    at = 0
    while (at := text.find(b"<", at)) >= 0:
        if text.startswith(b"<!--", at):
            end = text.find(b"-->", at)
        elif text.startswith(b"<?", at):
            end = text.find(b"?>", at)
        elif text.startswith(b"<!DOCTYPE", at):
            raise ReadError(
                "a document type and its entities are not supported; remove it", *_position(text, at)
            )
        else:
            return
        if end < 0:
            return
        at = end
