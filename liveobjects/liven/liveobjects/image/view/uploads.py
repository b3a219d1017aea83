"""The interface of images for desktops and folders: dropped pictures become images.

Other objects import this module only; how a picture is decoded, checked and sent stays inside image/view.
"""

from liven.liveobjects.image.view.decoding import is_picture
from liven.liveobjects.image.view.dropped_pictures import may_have_picture, pictures_in
from liven.liveobjects.image.view.upload_queue import UploadQueue

__all__ = ["UploadQueue", "is_picture", "may_have_picture", "pictures_in"]
