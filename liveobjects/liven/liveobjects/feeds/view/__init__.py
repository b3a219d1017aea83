"""Feeds on the screen: the panel of recordings, the transport bar, and an object at an earlier moment.

`time_slider` and `transport_bar` drive any `playback`, whatever its events come from; `past_page` puts them
around an object that is not live. Start at `past_page` and `feed_panel`.
"""
