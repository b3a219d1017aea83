"""The registry: a folder with this node's own choices, such as its network, by well-known keys.

The keys themselves are in `reference.well_known_keys`. Start with `store`, the entries on disk.
"""
