"""The choices of drawings: outline, colour, fill and line of shapes, colour and width of ink."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from liven.liveobjects.desktop.drawings.ink import WIDTHS, Ink
from liven.liveobjects.desktop.drawings.recipes import Drawing
from liven.liveobjects.desktop.drawings.shape import FILLS, LINES, OUTLINES, Shape
from liven.liveobjects.desktop.state import HUES
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.choices import Choice, Option

_FILL_WORDS: Final = {"tint": "Tint", "solid": "Full", "none": "None"}
Redraw = Callable[[Mapping[str, Drawing], str], object]
"""Gives drawings, by key, another look; the second value names the step."""


def drawing_choices(read: Callable[[], Mapping[str, Drawing]], redraw: Redraw) -> tuple[Choice, ...]:
    """Return the choices that drawings have in common. `read` returns the drawings, by key, as they are."""

    def choice(quality: str, words: str, options: tuple[Option, ...]) -> Choice:
        def chosen() -> str:
            found = {getattr(one, quality) for one in read().values()}
            return str(found.pop()) if len(found) == 1 else "\0"  # no option has this key

        def choose(option: str) -> None:
            value: dict[str, Any] = {quality: option}
            redraw({key: replace(one, **value) for key, one in read().items()}, words)

        return Choice(quality, words, options, chosen, choose)

    look = current_look()
    hues = (Option(name, name.capitalize(), hue) for name, hue in zip(HUES, look.hues, strict=True))
    colours = choice("hue", "Colour", (Option("", "Quiet", look.ink), *hues))
    kinds = {type(one) for one in read().values()}
    if len(kinds) != 1:
        return (colours,) if kinds else ()
    if kinds != {Shape}:
        return (colours, choice("width", "Width", _options(WIDTHS)))
    return (
        choice("outline", "Shape", _options(OUTLINES)),
        colours,
        choice("fill", "Fill", tuple(Option(fill, _FILL_WORDS[fill]) for fill in FILLS)),
        choice("line", "Line", _options(LINES)),
    )


def pen_choices(pen: Callable[[], Ink], choose: Callable[[Ink], object]) -> tuple[Choice, ...]:
    """Return the choices of a pen."""

    def change(pens: Mapping[str, Drawing], _: str) -> None:
        for changed in pens.values():
            assert isinstance(changed, Ink)
            choose(changed)

    return drawing_choices(lambda: {"": pen()}, change)


def _options(names: tuple[str, ...] | Mapping[str, float]) -> tuple[Option, ...]:
    return tuple(Option(name, name.capitalize()) for name in names)
