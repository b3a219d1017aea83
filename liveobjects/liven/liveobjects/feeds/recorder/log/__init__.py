"""The log of one recorder as its own thread writes it: rows from the channels, limits, upkeep and the places
to go on at. Start at `log_thread`.
"""
