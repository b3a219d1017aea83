"""Boards and tables of other programs, read as items of ours: Excalidraw, tldraw, CSV. Nothing here uses Qt.

Start at `board`, which is what every reader makes, then `excalidraw`. `items` turns a board into changes of a
desktop; dropping and pasting are in `view/transfer`.
"""
