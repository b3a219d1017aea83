"""The islands over a desktop that fills its window: name and undo, people, tools, zoom, and the bar of the
selection. A desktop inside another one has none.

`islands` places them all; what the tools do is in `tools`.
"""
