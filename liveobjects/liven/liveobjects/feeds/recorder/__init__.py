"""Recording: what happens on channels, in the order that everybody confirmed, goes to a log of its own.

`recording` puts the parts together. `targets` finds the channels in recipes, `channel_archive` takes the
confirmed order of one channel, `hand_over` brings it to the thread of `log_thread`, and `object` is all of
that as an object in a recipe. `same_object` keeps a feed to one object, `joined_description` what several
recorders write of it, and `log_upkeep` deletes the oldest records. Reading a log is not here but in
`segment`.
"""
