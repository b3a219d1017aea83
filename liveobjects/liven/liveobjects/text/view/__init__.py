"""How a note is shown and edited: `make` gives its view."""

from liven.liveobjects.text.view.editor import NoteEditor
from liven.liveobjects.text.view.text_view import TextView, make

__all__ = ["NoteEditor", "TextView", "make"]
