"""The look: every colour, size and duration of the windows (`tokens`), the contrasts that they keep
(`contrast`), and the parts that paint with them (`view`).

The widgets of Qt are dressed by `liven.app.appearance`; the faces of objects are in their own packages.
Start with `tokens`.
"""
