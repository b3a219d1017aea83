"""The recipes of drawings: all of a drawing stands in the parameters of its recipe."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from liven.liveobjects.desktop.drawings.ink import USUAL_WIDTH, Ink, decoded, encoded
from liven.liveobjects.desktop.drawings.shape import Shape
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.runtime.reference.xml import read_object, write

SHAPE: Final = "liven:shape"
INK: Final = "liven:ink"
_USUAL: Final = Shape()
Drawing: TypeAlias = Shape | Ink


def drawing_of(recipe: str) -> Drawing | None:
    """Return the drawing that a recipe holds; None for any other recipe."""
    return _read(recipe) if SHAPE in recipe or INK in recipe else None


def shape_of(recipe: str) -> Shape | None:
    """Return the shape that a recipe holds, if it holds one."""
    found = drawing_of(recipe)
    return found if isinstance(found, Shape) else None


def ink_of(recipe: str) -> Ink | None:
    """Return the stroke that a recipe holds, if it holds one."""
    found = drawing_of(recipe)
    return found if isinstance(found, Ink) else None


def is_redrawn(before: str, after: str) -> bool:
    """Return true if two recipes are of the same kind of drawing, so that one may replace the other."""
    old = drawing_of(before)
    return old is not None and type(old) is type(drawing_of(after))


def recipe_of(drawing: Drawing) -> str:
    """Return the recipe of a drawing. Usual values are left out."""
    if isinstance(drawing, Shape):
        values = {
            "outline": drawing.outline if drawing.outline != _USUAL.outline else "",
            "hue": drawing.hue,
            "fill": drawing.fill if drawing.fill != _USUAL.fill else "",
            "line": drawing.line if drawing.line != _USUAL.line else "",
        }
        return _written(SHAPE, values)
    width = drawing.width if drawing.width != USUAL_WIDTH else ""
    return _written(INK, {"points": encoded(drawing.points), "hue": drawing.hue, "width": width})


def _written(kind: str, values: dict[str, str]) -> str:
    parameters = (Parameter(name, Plain("string", value)) for name, value in values.items() if value)
    return write(Reference(kind, tuple(parameters))).decode()


@lru_cache(maxsize=8192)
def _read(recipe: str) -> Drawing | None:
    try:
        found = read_object(recipe)
    except ReadError:
        return None
    if not isinstance(found, Reference) or found.id not in (SHAPE, INK) or found.source is not None:
        return None
    values = {
        one.id: one.value.text
        for one in found.parameters
        if isinstance(one.value, Plain) and not one.value.nil
    }
    if found.id == INK:
        return Ink(decoded(values.get("points", "")), values.get("hue", ""), values.get("width", USUAL_WIDTH))
    return Shape(
        values.get("outline") or _USUAL.outline,
        values.get("hue", ""),
        values.get("fill") or _USUAL.fill,
        values.get("line") or _USUAL.line,
    )
