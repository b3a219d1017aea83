"""Painting with the tokens: the look that applies now (`light`), letters, signs, shadows (`shade`), rounded
boxes, rings and handles (`marks`), and values that move (`moves`). Start with `light`.

The faces of objects are painted in their packages, Qt's own widgets in `liven.app.appearance`.
"""
