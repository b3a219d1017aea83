"""The channels that a recipe can name: shared, ordered, group, local, presence, keeper, folder and value
streams.

Each is a proxy class with its endpoints; `session` does the work of the replicated ones. Start with
`shared.py`, the channel that most shared objects use.
"""
