"""Annotations of Python classes: the markers that authors write, and the reader that turns an annotation into
a shape.

The decorators that use the reader are in `declare` itself. Start with `reader` and `shapes`.
"""
