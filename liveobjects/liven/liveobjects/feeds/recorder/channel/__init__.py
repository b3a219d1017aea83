"""Recording of channels that have an order and a log: their confirmed rows become records. Channels without
an order are in `stream`. Start at `channel_archive`.
"""
