"""The services of a process that its channels share: lines, store, user keys, and titles for people.

`channel.composition` creates them. Start with `channel_system.py`.
"""
