"""One moment of a recording: its author, bookmarks, comparison with others, and copies."""
