"""Matching and subtyping: the relations of the type system, each answer with its explanation."""

from liven.types.matching.matcher import Matcher

__all__ = ["Matcher"]
