"""Going back in time in a window: a recorded object is shown as it was, compared, restored and copied.

The widgets are in `liveobjects/feeds/view`, the rules in `liveobjects/feeds/history`; here they are joined to
running objects. Start at `past_view`.
"""
