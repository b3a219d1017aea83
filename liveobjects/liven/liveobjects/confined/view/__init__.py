"""A view across two processes: the confined one paints into a shared picture, the program shows it.

`container` is the view in the program; `screen` makes and paints the author's view in the confined process.
`shared_picture` and `input_events` are what both speak. Nothing that comes from the confined process is
believed: a picture is bytes of a fixed size, and a message that makes no sense ends the process.
"""

from liven.liveobjects.confined.view.container import show

__all__ = ["show"]
