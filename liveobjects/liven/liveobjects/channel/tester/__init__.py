"""The channel tester: objects that load a channel and check what it delivers.

Start with `object.py`; the rules of the check are in `model.py`.
"""
