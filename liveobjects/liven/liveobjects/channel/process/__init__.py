"""The services of a process that its channels share: lines, store, name, keys, and the titles people see.

`channel.composition` puts them together; start with `channel_system.py`.
"""
