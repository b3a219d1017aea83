"""Fronts and backs: generated classes through which the code of one declaration calls that of another.

A front looks like the caller's interface, a back calls the server's object; both speak the neutral form of
values. Bytes are in `codec`. Start with `fronts`.
"""

from liven.types.fronts.fronts import Ask, Conversion, Fronts, Neutral, Post, References, Takers
from liven.types.fronts.value_errors import ValueMismatchError

__all__ = ["Ask", "Conversion", "Fronts", "Neutral", "Post", "References", "Takers", "ValueMismatchError"]
