"""The controls of a replay: the slider over its time, the bar of buttons, and the playbacks that they drive.

Nothing here knows what is replayed. Start at `transport_bar`; a `playback` is what it drives.
"""
