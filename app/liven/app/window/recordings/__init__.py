"""The recordings of a window: going back in time in it, and windows that show a recording.

The means are in `app/time_travel`, and the panel of feeds is among the `docks`. Start at `past`; the sign for
those who are recorded is `recording_badge`.
"""
