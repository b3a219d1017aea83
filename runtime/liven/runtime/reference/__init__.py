"""References: recipes for building proxies. The model, its identity, and its XML (package `xml`).

Checking a reference is in `checking`, building one in `loader`. Start with `model`.
"""
