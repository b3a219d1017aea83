"""The desktop program as a whole: its start, its parts and its end.

Windows are in `window`. Start at `main`; `composition` puts the parts together.
"""
