"""The choices of a connector: its shape, its heads, its line and its hue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from liven.liveobjects.desktop.state import HEADS, HUES, SHAPES, Style
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.choices import Choice, Option

_HEAD_WORDS: Final = {"none": "Nothing", "arrow": "Arrow", "dot": "Dot"}


def connector_choices(style: Callable[[], Style], restyle: Callable[[Style], None]) -> tuple[Choice, ...]:
    """Return the choices of a connector whose look `style` returns, and which `restyle` changes."""

    def choice(key: str, words: str, options: tuple[Option, ...]) -> Choice:
        return Choice(
            key,
            words,
            options,
            lambda: _key(getattr(style(), key)),
            lambda option: restyle(_with(style(), key, option)),
        )

    heads = tuple(Option(head, _HEAD_WORDS[head]) for head in HEADS)
    hues = zip(HUES, current_look().hues, strict=True)
    return (
        choice("shape", "Line", tuple(Option(shape, shape.capitalize()) for shape in SHAPES)),
        choice("start", "Start", heads),
        choice("end", "End", heads),
        choice("dashed", "Stroke", (Option("", "Solid"), Option("dashed", "Dashed"))),
        choice(
            "hue",
            "Colour",
            (Option("", "Quiet"), *(Option(name, name.capitalize(), colour) for name, colour in hues)),
        ),
    )


def _key(value: object) -> str:
    """Return the key of the option for a value of a style."""
    return value if isinstance(value, str) else "dashed" if value else ""


def _with(style: Style, key: str, option: str) -> Style:
    changed: dict[str, Any] = {key: bool(option) if key == "dashed" else option}
    return replace(style, **changed)
