"""Problems of the object that a window shows: the list of them and the badge over the object.

Problems themselves are in `liven.runtime.problems`. Start at `panel`.
"""
