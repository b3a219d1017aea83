"""The tools of the toolbar that put something on the plane: objects, connectors and frames.

What the mouse does without a tool is in gestures. Start in held_tool."""
