"""How an image is shown: `make` gives its view."""

from liven.liveobjects.image.view.image_view import ImageView, make

__all__ = ["ImageView", "make"]
