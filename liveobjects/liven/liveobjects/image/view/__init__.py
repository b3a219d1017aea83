"""How an image is shown: `make` gives its view."""

from liven.liveobjects.image.view.face import ImageFace, make

__all__ = ["ImageFace", "make"]
