"""The signs of kinds, painted."""

from liven.liveobjects.signs.view.tiles import SIZE, icon_of, paint_tile

__all__ = ["SIZE", "icon_of", "paint_tile"]
