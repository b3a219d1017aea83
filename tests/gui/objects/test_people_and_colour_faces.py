"""The painted faces of a roster and of a colour, in each light and at any size."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.gui.objects.painted_face import picture, runs, texts

from liven.liveobjects.colour.object import Colour
from liven.liveobjects.colour.view import ColourView
from liven.liveobjects.look.tokens import Look
from liven.liveobjects.roster.object import Present
from liven.liveobjects.roster.view import RosterView


class People:
    """A roster with these people."""

    def __init__(self, *people: tuple[str, str]) -> None:
        self.watchers: list[object] = []
        self.people = tuple(
            Present(None, name, name, "#148f77", doing)  # type: ignore[arg-type]  # no window
            for name, doing in people
        )


class Chosen:
    """A colour that was chosen."""

    def __init__(self, *, ready: bool = True) -> None:
        self.watchers: list[object] = []
        self.ready = ready
        self.colour = Colour(36, 113, 163, 255)


def roster(*people: tuple[str, str]) -> RosterView:
    return RosterView(People(*people), None)  # type: ignore[arg-type]  # nobody is told


def test_a_roster_shows_people_and_what_they_do(light: Look) -> None:
    view = roster(("Ann Lee", "making tea"), ("Bo", ""))
    seen = runs(view.paint, 220, 150)
    assert {run.text for run in seen} == {"People", "2 here", "AL", "Ann Lee", "making tea", "B", "Bo"}
    inks = {run.text: run.ink for run in seen}
    assert inks["Ann Lee"] == light.ink
    assert inks["making tea"] == light.quiet
    assert inks["AL"] == light.on_people
    painted = picture(view.paint, 220, 150)
    assert painted.pixelColor(28, 49).name() in light.people
    view.close()


def test_an_empty_roster_says_so_and_a_low_one_counts_the_rest(qapp: Any) -> None:
    empty, full = roster(), roster(*((f"N{n}", "") for n in range(9)))
    assert texts(empty.paint, 220, 150) == ["People", "Nobody is here."]
    seen = texts(full.paint, 220, 150)
    assert seen[-1] == "and 7 more"
    assert "N1" in seen
    assert "N2" not in seen
    empty.close()
    full.close()


def test_a_colour_shows_a_well_its_name_and_its_code(light: Look) -> None:
    view = ColourView(Chosen(), None)  # type: ignore[arg-type]
    view.shown_name = "Sea"
    seen = runs(view.paint, 160, 120)
    assert [(run.text, run.ink) for run in seen] == [("Sea", light.ink), ("#2471a3", light.quiet)]
    painted = picture(view.paint, 160, 120)
    assert painted.pixelColor(80, 40).name() == "#2471a3"
    assert painted.pixelColor(80, 4).name() == light.card
    assert texts(view.paint, 160, 60) == []
    view.close()


def test_a_colour_that_is_not_loaded_has_no_code(qapp: Any) -> None:
    view = ColourView(Chosen(ready=False), None)  # type: ignore[arg-type]
    assert texts(view.paint, 160, 120) == ["Colour", "…"]
    view.close()


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 20))
def test_any_size_is_painted(qapp: Any, width: int, height: int, count: int) -> None:
    people, colour = roster(*((f"N{n}", "tea") for n in range(count))), ColourView(Chosen(), None)  # type: ignore[arg-type]
    for view in (people, colour):
        assert picture(view.paint, width, height).pixelColor(0, 0).name() != "#ff00ff"
        view.close()
