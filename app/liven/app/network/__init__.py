"""The network as the commands and windows use it: settings, the log on a terminal, traffic rates, channel
titles.

The protocol itself is in `liven.multicast`. Start at `settings` and `cli`.
"""
