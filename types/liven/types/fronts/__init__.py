"""Fronts and backs: one declaration's code talking to another's, over the neutral form."""

from liven.types.fronts.fronts import Ask, Conversion, Fronts, Neutral, Post, References, Takers
from liven.types.fronts.value_errors import ValueMismatchError

__all__ = ["Ask", "Conversion", "Fronts", "Neutral", "Post", "References", "Takers", "ValueMismatchError"]
