"""Reading free markup: elements that only their reader understands, kept as a tree of plain values."""

from __future__ import annotations

from lxml import etree

from liven.runtime.reference.model import BLANK, Margin, Markup
from liven.runtime.reference.xml.element import Element
from liven.runtime.reference.xml.names import TYPE


def read_markup(element: Element) -> Markup:
    """Return the tree below `element`. Space between elements is layout, unless there is any other text."""
    pieces, comments = _pieces(element)
    mixed = any(isinstance(piece, str) and not piece.isspace() for piece in pieces)
    elements = any(isinstance(piece, Markup) for piece in pieces)
    if not mixed and (elements or comments):
        pieces = [piece for piece in pieces if isinstance(piece, Markup)]
    return Markup(
        element.tag, _attributes(element), _joined(pieces), Margin(tuple(comments)) if comments else BLANK
    )


def _pieces(element: Element) -> tuple[list[Markup | str], list[str]]:
    node = element.element
    pieces: list[Markup | str] = [node.text or ""]
    comments: list[str] = []
    for child in node:
        if isinstance(child.tag, str):
            pieces.append(read_markup(Element(child, element.text, element.depth + 1)))
        elif child.tag is etree.Comment:
            comments.append(child.text or "")
        pieces.append(child.tail or "")
    return [piece for piece in pieces if piece != ""], comments


def _joined(pieces: list[Markup | str]) -> tuple[Markup | str, ...]:
    """Return adjacent texts, split by a comment, as one."""
    joined: list[Markup | str] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        else:
            joined.append(piece)
    return tuple(joined)


def _attributes(element: Element) -> tuple[tuple[str, str], ...]:
    found = [(str(k), str(v)) for k, v in element.element.attrib.items()]
    return tuple(sorted((k, element.qualified(v) if k == TYPE else v) for k, v in found))
