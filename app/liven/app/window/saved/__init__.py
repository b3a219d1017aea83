"""The files that outlive a window: its position, panels and view settings, and the list of the windows that
are open. Start at `saved_state`.
"""
