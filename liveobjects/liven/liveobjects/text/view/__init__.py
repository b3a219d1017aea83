"""How a note is shown and edited: `make` gives its view."""

from liven.liveobjects.text.view.face import NoteFace, make
from liven.liveobjects.text.view.note_view import NoteView

__all__ = ["NoteFace", "NoteView", "make"]
