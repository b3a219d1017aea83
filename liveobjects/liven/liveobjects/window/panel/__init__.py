"""The widget of a window."""
