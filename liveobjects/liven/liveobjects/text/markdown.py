"""Markdown as a note, and a note as Markdown: headings, lists, check boxes, bold, italic and links; anything
else stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from liven.liveobjects.text.document import Delta, Insert, Look, Run

_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_CHECK: Final = re.compile(r"\s*[-*+]\s+\[([ xX])\]\s+(.*)$")
_BULLET: Final = re.compile(r"\s*[-*+]\s+(.*)$")
_NUMBER: Final = re.compile(r"\s*\d{1,9}[.)]\s+(.*)$")
_SPAN: Final = re.compile(
    r"\*\*(?P<bold>[^*\n]+)\*\*"
    r"|__(?P<strong>[^_\n]+)__"
    r"|(?<![\w*])\*(?P<italic>[^*\s][^*\n]*)\*"
    r"|(?<!\w)_(?P<slanted>[^_\s][^_\n]*)_(?!\w)"
    r"|\[(?P<words>[^\]\n]+)\]\((?P<link>[^()\s]+)\)"
    r"|(?P<address>https?://[^\s<>()\"']+)"
)
_LINKS: Final = ("http://", "https://", "mailto:", "liven:")
_SMALLEST_HEADING: Final = 3


def is_web_address(text: str) -> bool:
    """Return True if a text is one web address and nothing else."""
    found = _SPAN.fullmatch(text.strip())
    return found is not None and found.group("address") is not None


def delta_of(markdown: str) -> Delta:
    """Return the edit that writes a text in Markdown into an empty note."""
    made: list[Insert] = []
    for line in markdown.split("\n"):
        words, paragraph = _paragraph(line)
        made += _spans(words)
        made.append(Insert("\n", paragraph))
    return tuple(made)


def _paragraph(line: str) -> tuple[str, Look]:
    if found := _HEADING.match(line):
        return found.group(2), {"heading": min(len(found.group(1)), _SMALLEST_HEADING)}
    if found := _CHECK.match(line):
        look: Look = {"list": "check"}
        return found.group(2), look if found.group(1) == " " else {**look, "checked": True}
    if found := _BULLET.match(line):
        return found.group(1), {"list": "bullet"}
    if found := _NUMBER.match(line):
        return found.group(1), {"list": "number"}
    return line, {}


def _spans(text: str) -> list[Insert]:
    """Return a line with the looks of its characters."""
    made: list[Insert] = []
    at = 0
    for found in _SPAN.finditer(text):
        words, look = _look(found)
        if found.start() > at:
            made.append(Insert(text[at : found.start()], {}))
        made.append(Insert(words, look))
        at = found.end()
    if at < len(text):
        made.append(Insert(text[at:], {}))
    return made


def _look(found: re.Match[str]) -> tuple[str, Look]:
    parts = found.groupdict()
    if parts["bold"] or parts["strong"]:
        return parts["bold"] or parts["strong"], {"bold": True}
    if parts["italic"] or parts["slanted"]:
        return parts["italic"] or parts["slanted"], {"italic": True}
    if parts["address"]:
        return parts["address"], {"link": parts["address"]}
    good = parts["link"].startswith(_LINKS)
    return (parts["words"], {"link": parts["link"]}) if good else (found.group(), {})


def markdown_of(runs: Iterable[Run]) -> str:
    """Return the text of a note in Markdown."""
    lines: list[str] = []
    line: list[str] = []
    number = 0
    for run in runs:
        for at, piece in enumerate(run.text.split("\n")):
            if at:
                number = number + 1 if run.look.get("list") == "number" else 0
                lines.append(_mark(run.look, number) + "".join(line))
                line = []
            if piece:
                line.append(_span(piece, run.look))
    if line:
        lines.append("".join(line))
    return "\n".join(lines)


def _mark(look: Look, number: int) -> str:
    """Return the beginning of a line for the look of its paragraph."""
    heading, kind = look.get("heading"), look.get("list")
    if isinstance(heading, int | float) and heading >= 1:
        return "#" * min(int(heading), _SMALLEST_HEADING) + " "
    if kind == "check":
        return "- [x] " if look.get("checked") else "- [ ] "
    return {"bullet": "- ", "number": f"{number}. "}.get(str(kind), "")


def _span(words: str, look: Look) -> str:
    """Return characters with the signs of their look, which must touch no space."""
    plain = words.strip()
    if not plain:
        return words
    made = plain
    link = look.get("link")
    if isinstance(link, str) and link and link != plain:
        made = f"[{plain}]({link})"
    if look.get("italic"):
        made = f"*{made}*"
    if look.get("bold"):
        made = f"**{made}**"
    start = len(words) - len(words.lstrip())
    return words[:start] + made + words[start + len(plain) :]
