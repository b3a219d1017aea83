"""Boards of tldraw: files, snapshots and the clipboard. Start at `reader`."""
