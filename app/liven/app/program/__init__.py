"""The desktop program as a whole: its start, its parts, its list of windows and its end.

A single window is in `window`. Start at `desktop_program`; `composition` puts the parts together.
"""
