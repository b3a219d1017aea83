"""The distributed type system: it decides whether two endpoints may be connected, and says why.

Terms that stand for types are in `terms`, the relations between them in `matching`, the languages of
constraints in `formalism`. Authors declare types as Python classes (`declare`), known classes are in
`catalogue`, bytes in `codec`, and calls between two declarations of one type in `fronts`. Start with
`terms.value_types`, then `explanation`.
"""
