"""The choices of the selected items, such as the colour of notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Protocol

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.drawings.recipes import Drawing, drawing_of, recipe_of
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.drawings.choices import drawing_choices
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.view.choices import Choice, Option


class ChoosingCanvas(Protocol):
    """The part of the canvas that choices need."""

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def state(self) -> Desktop: ...

    @property
    def connectors(self) -> Connectors: ...

    def do(self, command: Command) -> bool: ...

    @property
    def item_views(self) -> ItemViews: ...


def offered(canvas: ChoosingCanvas) -> tuple[Choice, ...]:
    """Return the choices that all selected items have in common. One that differs among them has no chosen
    option. A selected connector has choices of its own."""
    if canvas.connectors.selected is not None:
        return canvas.connectors.choices()
    if _drawings(canvas):
        return drawing_choices(partial(_drawings, canvas), partial(_redraw, canvas))
    found = [{one.key: one for one in canvas.item_views.choices(key)} for key in sorted(canvas.selected)]
    if not found:
        return ()
    common = [key for key in found[0] if all(key in each for each in found)]
    return tuple(_joined([each[key] for each in found]) for key in common)


def are_of_desktop(canvas: ChoosingCanvas) -> bool:
    """Return true if the offered choices are changes of the desktop itself, which are one step already."""
    return canvas.connectors.selected is not None or bool(_drawings(canvas))


def choose(canvas: ChoosingCanvas, choice: str, option: str) -> dict[str, tuple[str, str]]:
    """Choose an option for the selected items. Return the earlier and the new option of each that changed."""
    changed: dict[str, tuple[str, str]] = {}
    for key in sorted(canvas.selected):
        found = _choice(canvas.item_views, key, choice)
        if found is not None and found.chosen() != option:
            changed[key] = (found.chosen(), option)
            found.choose(option)
    return changed


def _drawings(canvas: ChoosingCanvas) -> dict[str, Drawing]:
    """Return the selected drawings by key; none if something else is selected too."""
    found = {key: drawing_of(canvas.state.items[key].reference) for key in sorted(canvas.selected)}
    drawings = {key: one for key, one in found.items() if one is not None}
    return drawings if len(drawings) == len(found) else {}


def _redraw(canvas: ChoosingCanvas, drawings: Mapping[str, Drawing], name: str) -> None:
    recipes = {key: recipe_of(one) for key, one in drawings.items()}
    canvas.do(commands.redraw(canvas.state, recipes, name))


def choose_back(views: ItemViews, choice: str, options: Mapping[str, tuple[str, str]]) -> bool:
    """For each item, choose the first option again if the second one is still chosen. Return True if any item
    changed."""
    done = False
    for key, (wanted, current) in options.items():
        found = _choice(views, key, choice)
        if found is not None and found.chosen() == current:
            found.choose(wanted)
            done = True
    return done


def _choice(views: ItemViews, key: str, choice: str) -> Choice | None:
    return next((one for one in views.choices(key) if one.key == choice), None)


def _joined(choices: list[Choice]) -> Choice:
    """Return one choice for several items."""
    first = choices[0]
    options = tuple(one for one in first.options if all(_has(each, one) for each in choices))

    def chosen() -> str:
        found = {each.chosen() for each in choices}
        return found.pop() if len(found) == 1 else ""

    return replace(first, options=options, chosen=chosen)


def _has(choice: Choice, option: Option) -> bool:
    return any(one.key == option.key for one in choice.options)
