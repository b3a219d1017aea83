"""The only place where a parser is made: no entities, no document types, no network, no huge trees."""

from __future__ import annotations

import re

from lxml import etree

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml import source_locations
from liven.runtime.reference.xml.decoding import utf8
from liven.runtime.reference.xml.element import Element, Text
from liven.runtime.reference.xml.limits import LIMITS, Limits

_TRAIL = re.compile(r", line \d+, column \d+(?= *\(|$).*", re.DOTALL)
_BEGUN = re.compile(r"(?<=[tT]ag |ch: )(\S+) line (\d+)")
"""The parser's messages about the place of a tag: `tag Root line 1`, `mismatch: Parameter line 3`."""


def parse(data: bytes | str, limits: Limits = LIMITS) -> Element:
    """Return the root element of a text; raise ReadError with line, column and path."""
    text = utf8(data, limits)
    # The encoding overrides what the text declares: `utf8` has dealt with that.
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        strip_cdata=True,
    )
    try:
        root = etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        raise _syntax_error(text, error) from None
    return Element(root, Text(text, root, limits), 1)


def _syntax_error(text: bytes, error: etree.XMLSyntaxError) -> ReadError:
    line, column = error.position
    reason = _TRAIL.sub("", error.msg or "").strip() or "this is not XML: the text is empty"
    reason = _BEGUN.sub(lambda found: _begun(found[1], int(found[2]), line), reason)
    place = source_locations.at(text, max(line, 1), max(column, 1))
    return ReadError(f"not well-formed: {reason}", place.line, place.column, place.path)


def _begun(tag: str, begins: int, here: int) -> str:
    """Return a tag and the line where it begins, if that is another;
    two bare line numbers would be confusing."""
    return tag if begins == here else f"{tag} (which begins in line {begins})"
