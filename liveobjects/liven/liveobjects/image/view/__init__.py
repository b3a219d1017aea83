"""The view of an image. `image_view` is the view, `panel` its widget. `upload_queue` and `upload_job` put
dropped pictures into new images, for desktops and folders too."""

from liven.liveobjects.image.view.image_view import ImageView, make

__all__ = ["ImageView", "make"]
