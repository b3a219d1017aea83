"""Libraries: bundles of code that declare objects, installed side by side, each version in its own folder.

The first import of new code is in `trial`; building objects from references is in `loader`. Start with
`store` (on disk), then `resolution` (which library builds which part) and `acquisition` (from the network).
"""
