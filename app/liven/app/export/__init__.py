"""Pictures of what a window shows, as PNG, SVG or PDF files or on the clipboard.

Saving objects is in `window.menus.file_actions`. Start at `picture`.
"""
