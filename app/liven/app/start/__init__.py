"""The start window: the gallery of everything that a person began or opened, with last pictures, search over
names and words, who is where, and patterns with which a new desktop begins.

The list, and the deleted objects, are kept by `liven.app.begun`. Start at `start_window`.
"""
