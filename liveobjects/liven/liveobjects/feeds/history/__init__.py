"""History: the states of objects at a moment of a recording, their differences, and the way back to one.

Nothing here knows a window. `kinds` lists the objects that can be followed; `reconstruction` computes their
states out of a recording. `desktop_history`, `note_history`, `folder_history` and `field_history` compare two
states of one kind and compute the changes that restore one of them. Start at `kind`.
"""
