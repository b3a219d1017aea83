"""Tools for mouse and keyboard: gestures, shortcuts, context menu, arranging, zooming and renaming.

Dropping and pasting are in transfer. Start in gestures for the mouse and in shortcuts for the keyboard."""
