"""The relations of the type system, matching (∝) and subtyping (⊑), each answer with its explanation.

A relation reduces a goal to smaller ones (`goals`, `*_relation`), `solver` decides, and `explanation_tree`
gives the reasons. The languages of constraints are in `formalism`. Start with `matcher`.
"""

from liven.types.matching.matcher import Matcher

__all__ = ["Matcher"]
