"""Painted icons: `tiles` makes a coloured tile for each kind, `drawings` has the drawing on it."""

from liven.liveobjects.icons.view.tiles import SIZE, colours_of, icon_of, paint_tile

__all__ = ["SIZE", "colours_of", "icon_of", "paint_tile"]
