"""How a note is shown and edited: `make` gives its widget."""

from liven.liveobjects.text.view.note_view import NoteView, make

__all__ = ["NoteView", "make"]
