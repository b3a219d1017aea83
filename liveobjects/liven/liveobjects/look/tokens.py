"""The tokens: colours of four looks by meaning, and the sizes, letters and durations that all looks share.

There are two lights, DAY and DUSK, and a look of high contrast for each. A view takes a colour by its
meaning and never writes a value of its own; `contrast.pairs` lists which colours meet, and how far they
differ at least.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Paper:
    """The colours of a note."""

    sheet: str
    ink: str
    quiet: str
    """Less important letters, and marks such as bullets."""
    edge: str


@dataclass(frozen=True, slots=True)
class Layer:
    """One soft layer of a shadow: how far it lies below the thing, how soft it is, and how dark, of 255."""

    down: float
    blur: float
    dark: int


@dataclass(frozen=True, slots=True)
class Shadows:
    """The shadows by height above the plane; each is a number of layers, none in high contrast."""

    rest: tuple[Layer, ...] = ()
    hover: tuple[Layer, ...] = ()
    lifted: tuple[Layer, ...] = ()
    island: tuple[Layer, ...] = ()
    popover: tuple[Layer, ...] = ()
    dialog: tuple[Layer, ...] = ()


@dataclass(frozen=True, slots=True)
class Letters:
    """One size of letters, in pixels, with the height of its lines and its weight."""

    size: int
    line: int
    weight: int = 400


@dataclass(frozen=True, slots=True)
class Look:
    """All colours of one look. Colours are `#rrggbb`, or `#aarrggbb` where they let the ground through."""

    name: str
    dark: bool
    plane: str
    dots: str
    """The grid of the plane."""
    card: str
    head: str
    """A strip in a card, such as the titles of columns."""
    island: str
    """Things that float over the plane: toolbars, the minimap."""
    popover: str
    """Menus, popovers and dialogs."""
    popover_edge: str
    toast: str
    toast_ink: str
    toast_quiet: str
    toast_act: str
    edge: str
    """The edge of a card."""
    line: str
    """An edge that must be seen by itself, such as that of a check box."""
    rule: str
    faint: str
    """A quiet fill: tracks, bubbles, wells."""
    hover: str
    press: str
    ink: str
    quiet: str
    mute: str
    """Letters that carry no information, as of what is disabled."""
    select: str
    """Things of mine: selection, focus, my answer, the tool in hand."""
    select_soft: str
    on_select: str
    halo: str
    """Around selection and focus, so that they are seen on every ground."""
    accent: str
    """The one thing that a person came to do in a window."""
    accent_hover: str
    on_accent: str
    accent_ink: str
    accent_line: str
    good: str
    good_soft: str
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    scrim: str
    """Over the window, beneath a dialog in it."""
    hues: tuple[str, ...]
    """Series of charts, and kinds of things."""
    people: tuple[str, ...]
    """Colours of people; none is that of the own selection."""
    on_people: str
    papers: Mapping[str, Paper]
    shadows: Shadows
    high_contrast: bool = False
    ring: float = 2
    """Width of the ring around what is selected or has the focus."""
    halo_width: float = 1.5
    edge_width: float = 1


NOTE_RADIUS: Final = 3.0
TICK_RADIUS: Final = 5.0
CONTROL_RADIUS: Final = 8.0
CARD_RADIUS: Final = 10.0
ISLAND_RADIUS: Final = 12.0
DIALOG_RADIUS: Final = 16.0

SMALLEST_HIT: Final = 28
"""Nothing that is pressed is smaller, in pixels."""
TOOL: Final = 40
BUTTON: Final = 32
HANDLE: Final = 10.0
"""A handle as it is seen; the mouse hits it within SMALLEST_HIT."""

TYPE: Final[Mapping[str, Letters]] = MappingProxyType(
    {
        "display": Letters(35, 41, 700),
        "heading1": Letters(27, 33, 700),
        "heading2": Letters(21, 27, 700),
        "heading3": Letters(18, 24, 600),
        "board": Letters(16, 22),
        "title": Letters(16, 20, 600),
        "body": Letters(14, 18),
        "strong": Letters(14, 18, 600),
        "label": Letters(13, 16, 600),
        "caption": Letters(13, 16),
        "micro": Letters(12, 14, 600),
        "number": Letters(48, 52, 600),
    }
)
"""Letters by role, in pixels: a point has another size on each screen, and lines would break elsewhere."""

QUICK: Final = 90
"""Milliseconds of hover and press."""
SHORT: Final = 140
MIDDLE: Final = 200
FLIGHT: Final = 320
"""Milliseconds of a flight of the camera."""

DAY: Final = Look(
    name="day",
    dark=False,
    plane="#f3f5f8",
    dots="#d3dae5",
    card="#ffffff",
    head="#f7f9fc",
    island="#ffffff",
    popover="#ffffff",
    popover_edge="#dde3ec",
    toast="#1c2735",
    toast_ink="#f4f7fb",
    toast_quiet="#a9b7ca",
    toast_act="#ffc368",
    edge="#dde3ec",
    line="#7e8b9e",
    rule="#e6ebf2",
    faint="#eef2f7",
    hover="#0f1c2735",
    press="#1f1c2735",
    ink="#1c2735",
    quiet="#5b6a7e",
    mute="#8a97a9",
    select="#1f6fe0",
    select_soft="#e3eefd",
    on_select="#ffffff",
    halo="#ffffff",
    accent="#ffb347",
    accent_hover="#ffbf63",
    on_accent="#2b1900",
    accent_ink="#9c5300",
    accent_line="#d17200",
    good="#0f7a5d",
    good_soft="#e2f5ee",
    warn="#8f5a00",
    warn_soft="#fff3dc",
    bad="#c22f2a",
    bad_soft="#fdeceb",
    scrim="#5a1c2735",
    hues=("#2268c9", "#d65f2b", "#138a6c", "#c23b78", "#7552c4", "#ad8000", "#0e7f95", "#5f6f86"),
    people=("#c04f1d", "#0f7a5d", "#b8326f", "#7046c0", "#8a6100", "#0b7285", "#55647a"),
    on_people="#ffffff",
    papers=MappingProxyType(
        {
            "sun": Paper("#ffecae", "#35290a", "#77622a", "#ecd384"),
            "apricot": Paper("#ffdcbd", "#3c2410", "#86572f", "#f0bf94"),
            "rose": Paper("#ffd6dd", "#40161f", "#8e4a58", "#f0b4bf"),
            "lilac": Paper("#e5dcff", "#281b47", "#66568f", "#c9bbf2"),
            "sky": Paper("#d3e8ff", "#10263f", "#456688", "#aacdf0"),
            "mint": Paper("#cdf1e1", "#0c3023", "#3a705b", "#a1dbc3"),
            "paper": Paper("#ffffff", "#1c2735", "#5b6a7e", "#d9e0e9"),
            "slate": Paper("#2a3a50", "#f0f5fc", "#aebdd1", "#2a3a50"),
        }
    ),
    shadows=Shadows(
        rest=(Layer(1, 3, 20), Layer(3, 12, 18)),
        hover=(Layer(1, 3, 22), Layer(6, 20, 30)),
        lifted=(Layer(2, 6, 26), Layer(16, 40, 54)),
        island=(Layer(1, 3, 22), Layer(6, 22, 28)),
        popover=(Layer(2, 6, 26), Layer(14, 40, 46)),
        dialog=(Layer(4, 12, 30), Layer(28, 72, 70)),
    ),
)

DUSK: Final = Look(
    name="dusk",
    dark=True,
    plane="#0d1420",
    dots="#28364c",
    card="#151f2f",
    head="#1a2638",
    island="#1a2537",
    popover="#1c283b",
    popover_edge="#33465f",
    toast="#e6edf7",
    toast_ink="#172131",
    toast_quiet="#55647a",
    toast_act="#8a4b00",
    edge="#28374d",
    line="#71829c",
    rule="#27364b",
    faint="#202d41",
    hover="#14c8dcff",
    press="#24c8dcff",
    ink="#e4ecf8",
    quiet="#97a7bf",
    mute="#6d7d95",
    select="#5cabff",
    select_soft="#1b3455",
    on_select="#08182b",
    halo="#0d1420",
    accent="#ffb347",
    accent_hover="#ffc069",
    on_accent="#2b1900",
    accent_ink="#ffbe63",
    accent_line="#ffb347",
    good="#45d3ae",
    good_soft="#15352f",
    warn="#ffc061",
    warn_soft="#382b1c",
    bad="#ff8078",
    bad_soft="#3a2029",
    scrim="#a005090f",
    hues=("#58a6ff", "#ff8f6b", "#41d6b0", "#f277a8", "#b79bff", "#ffd76a", "#53cfe6", "#9fb0c8"),
    people=("#ff8f6b", "#41d6b0", "#f277a8", "#b79bff", "#ffd76a", "#53cfe6", "#9fb0c8"),
    on_people="#0d1420",
    papers=MappingProxyType(
        {
            "sun": Paper("#efd68c", "#2d2208", "#65511a", "#efd68c"),
            "apricot": Paper("#efbe96", "#341d0a", "#6f441d", "#efbe96"),
            "rose": Paper("#edb0bd", "#3a121b", "#753442", "#edb0bd"),
            "lilac": Paper("#c3b4ef", "#22163f", "#514077", "#c3b4ef"),
            "sky": Paper("#9fc8f0", "#0b2138", "#2c4f73", "#9fc8f0"),
            "mint": Paper("#97d8bf", "#08291d", "#235741", "#97d8bf"),
            "paper": Paper("#dbe3ee", "#172131", "#4c5b70", "#dbe3ee"),
            "slate": Paper("#26344a", "#e9f0fa", "#a5b4ca", "#3a4c68"),
        }
    ),
    shadows=Shadows(
        rest=(Layer(1, 3, 90), Layer(4, 14, 70)),
        hover=(Layer(1, 3, 100), Layer(8, 24, 100)),
        lifted=(Layer(2, 8, 110), Layer(18, 44, 150)),
        island=(Layer(1, 3, 100), Layer(8, 26, 110)),
        popover=(Layer(2, 8, 110), Layer(16, 44, 150)),
        dialog=(Layer(4, 14, 120), Layer(30, 80, 190)),
    ),
)

DEFAULT_PAPER: Final = "sun"


def _high(base: Look, name: str, ink: str, paper: str, chosen: str, mute: str) -> Look:
    """Return the look of high contrast beside a light: ink, paper, one colour for what is chosen, and no
    shadow. An edge stands for each tint of DAY and DUSK."""
    papers = MappingProxyType(dict.fromkeys(base.papers, Paper(paper, ink, ink, ink)))
    return replace(
        base,
        name=name,
        plane=paper,
        dots=paper,
        card=paper,
        head=paper,
        island=paper,
        popover=paper,
        popover_edge=ink,
        toast=ink,
        toast_ink=paper,
        toast_quiet=paper,
        toast_act=paper,
        edge=ink,
        line=ink,
        rule=ink,
        faint=paper,
        hover="#00" + paper[1:],
        press="#00" + paper[1:],
        ink=ink,
        quiet=ink,
        mute=mute,
        select=chosen,
        select_soft=paper,
        on_select=paper,
        halo=paper,
        accent=chosen,
        accent_hover=chosen,
        on_accent=paper,
        accent_ink=chosen,
        accent_line=chosen,
        good=ink,
        good_soft=paper,
        warn=ink,
        warn_soft=paper,
        bad=ink,
        bad_soft=paper,
        hues=(ink,) * len(base.hues),
        people=(ink,) * len(base.people),
        on_people=paper,
        papers=papers,
        shadows=Shadows(),
        high_contrast=True,
        ring=3,
        halo_width=0,
        edge_width=2,
    )


HIGH_LIGHT: Final = _high(DAY, "high-light", "#000000", "#ffffff", "#00009f", "#4a4a4a")
HIGH_DARK: Final = _high(DUSK, "high-dark", "#ffffff", "#000000", "#ffff00", "#c8c8c8")
LOOKS: Final[Mapping[str, Look]] = MappingProxyType(
    {one.name: one for one in (DAY, DUSK, HIGH_LIGHT, HIGH_DARK)}
)


def look_of(*, dark: bool, high_contrast: bool) -> Look:
    """Return the look of a light, with or without high contrast."""
    if high_contrast:
        return HIGH_DARK if dark else HIGH_LIGHT
    return DUSK if dark else DAY
