"""Gestures of the mouse: what a press starts, and what dragging does to items, handles and zones.

Tools that put something new are in tools, dropping and pasting in transfer. Start in press_tool."""
