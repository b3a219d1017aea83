"""The signs of kinds, painted."""

from liven.liveobjects.icons.view.tiles import SIZE, colours_of, icon_of, paint_tile

__all__ = ["SIZE", "colours_of", "icon_of", "paint_tile"]
