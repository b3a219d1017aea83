"""The view of a note and its editor. `text_view` is the view, which paints the note; `editor` is its widget;
the other modules are parts of the editor."""

from liven.liveobjects.text.view.editor import NoteEditor
from liven.liveobjects.text.view.text_view import TextView, make

__all__ = ["NoteEditor", "TextView", "make"]
