"""The runtime: it turns references into running objects and lets them talk to each other.

Types come from the room below; windows, channels and commands' arguments belong to the rooms above. Start
with `objects` (what runs), `reference` (what a file says) and `loader` (from one to the other).
"""
