"""The channels that a recipe can name: shared, ordered, group, local, presence, keeper, folder, value
streams.

Each is a proxy class with its endpoints; `session` does the work for those that are replicated. Start with
`shared.py`, the channel that most shared objects use.
"""
