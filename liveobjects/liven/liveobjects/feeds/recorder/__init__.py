"""Recording: what happens on channels, in the order that everybody confirmed, goes to a log of its own.

`recording` puts the parts together. `target` finds the channels in recipes, `channel` takes the confirmed
order of one, `stream` what has no order, and `log` writes both in a thread of its own. `object` is all of
that as an object in a recipe. `same_object` keeps a feed to one object, and `joined_description` what several
recorders write of it. Reading a log is not here but in `segment`.
"""
