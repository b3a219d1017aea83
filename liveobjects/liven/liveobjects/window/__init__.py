"""The window: a caption, and a place for one object that can be seen."""
