"""Plausible data that is made up: an airspace, quotes, earthquakes. The same seed gives the same rows
everywhere.

`invention` says what a generator gives. `recording` brings it into the logs of recorders, `public_formats`
into files of the public formats, and the objects into value streams. Start with `airspace`.
"""
