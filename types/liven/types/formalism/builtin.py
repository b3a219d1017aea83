"""The formalisms that come with the program; they share one table of guarantees."""

from __future__ import annotations

from typing import Any

from liven.types.formalism.count import CountFormalism
from liven.types.formalism.guarantee import (
    SECURE,
    SECURE_TOO,
    GuaranteeFormalism,
    GuaranteeTable,
    SecureFormalism,
)
from liven.types.formalism.plugin import Formalism
from liven.types.formalism.timing import TimingFormalism
from liven.types.formalism.trace import TraceFormalism


def builtin_formalisms(table: GuaranteeTable | None = None) -> tuple[Formalism[Any], ...]:
    """Return new formalisms; a larger table extends `guarantee` and `trace`."""
    guarantee = GuaranteeFormalism(table)
    return (
        guarantee,
        TraceFormalism(guarantee.table),
        CountFormalism(),
        TimingFormalism(),
        SecureFormalism(guarantee, SECURE),
        SecureFormalism(guarantee, SECURE_TOO),
    )
