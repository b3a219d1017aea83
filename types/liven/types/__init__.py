"""The distributed type system: value types, classes, constraints, matching."""
