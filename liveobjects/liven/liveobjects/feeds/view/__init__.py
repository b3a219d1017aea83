"""Feeds on the screen: an object at an earlier moment (`past`), the controls of a replay (`transport`), the
panel of recordings (`panel`), and the faces of plain values (`value`)."""
