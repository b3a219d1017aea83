"""The widget that shows the plane: it receives mouse and key events, hands them to the tools and paints the
frame.

Items paint themselves in items; commands that change a desktop are in desktop/commands. Start in canvas.
"""
