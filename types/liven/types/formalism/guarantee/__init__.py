"""The formalism `guarantee`: names of well-known properties, and rules by which one follows from others.

Names and rules are data (`guarantees.toml`, read by `table`); `secure` is the alias that the original
program used. Start with `formalism`.
"""

from liven.types.formalism.guarantee.formalism import (
    GUARANTEE,
    SECURE,
    SECURE_TOO,
    GuaranteeFormalism,
    Guarantees,
)
from liven.types.formalism.guarantee.secure import SecureFormalism
from liven.types.formalism.guarantee.table import GuaranteeTable, Rule, builtin_table

__all__ = [
    "GUARANTEE",
    "SECURE",
    "SECURE_TOO",
    "GuaranteeFormalism",
    "GuaranteeTable",
    "Guarantees",
    "Rule",
    "SecureFormalism",
    "builtin_table",
]
