"""Boards of Excalidraw: files, the clipboard, and scenes in pictures. Start at `reader`."""
