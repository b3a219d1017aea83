"""The look of Qt's own widgets, and the choices of light, contrast and motion, by the user or by the system.

Start at `theme`, which applies the `settings`. The tokens themselves are in `liven.liveobjects.look`.
"""
