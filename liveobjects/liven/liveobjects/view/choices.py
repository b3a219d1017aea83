"""Choices: properties of an object with a few possible values, such as the paper of a note.

Menus and bars of a host offer them without knowing the object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from liven.liveobjects.view.contract import Action


@dataclass(frozen=True, slots=True)
class Option:
    """One value that can be chosen."""

    key: str
    words: str
    swatch: str = ""
    """The colour `#rrggbb` that stands for it; empty if words do."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One property that a person chooses."""

    key: str
    words: str
    options: tuple[Option, ...]
    chosen: Callable[[], str]
    """Returns the key of the current option."""
    choose: Callable[[str], object]
    """Sets an option by its key. It may raise RefusedError, for example while the channel is full."""


class HasChoices:
    """A view of an object that has choices."""

    def choices(self) -> tuple[Choice, ...]:
        """Return the choices that the object offers now."""
        raise NotImplementedError


def choice_actions(choices: tuple[Choice, ...], group: str) -> tuple[Action, ...]:
    """Return a command for each option, for menus and the command palette."""
    return tuple(
        Action(
            f"{choice.words}: {option.words.lower()}",
            (),
            partial(choice.choose, option.key),
            group,
            part=choice.key,
            ticked=partial(_is_chosen, choice, option),
        )
        for choice in choices
        for option in choice.options
    )


def _is_chosen(choice: Choice, option: Option) -> bool:
    return choice.chosen() == option.key
