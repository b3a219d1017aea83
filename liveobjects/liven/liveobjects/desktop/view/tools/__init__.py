"""The tools of the toolbar that put something on the plane: objects, connectors and frames.

The gestures of the mouse without a tool are in `gestures`. Start in held_tool."""
