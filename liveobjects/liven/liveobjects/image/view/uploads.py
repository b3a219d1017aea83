"""The interface of images for desktops and folders: dropped pictures become images.

Other objects import this module only; how a picture is decoded, checked and sent stays inside image/view.
"""

from liven.liveobjects.image.view.decoding import check_whole, is_picture
from liven.liveobjects.image.view.dropped_pictures import DroppedPicture, may_have_picture, pictures_in
from liven.liveobjects.image.view.upload_queue import UploadQueue

__all__ = ["DroppedPicture", "UploadQueue", "check_whole", "is_picture", "may_have_picture", "pictures_in"]
