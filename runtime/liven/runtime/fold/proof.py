"""What an object whose state is an editor's hands to its channel, so that replicas can be compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from liven.runtime.fold.editor import Editor
from liven.runtime.fold.state_proof import Fold, Packing, Proof

S = TypeVar("S")


def proven(editor: Editor[S, Any], fold: Callable[[], Fold], pack: Callable[[S], Any] | None = None) -> Proof:
    """The proof of what is confirmed. `pack` packs a state that may be long, beside the loop; without it
    the object is asked for its checkpoint."""
    return Proof(
        lambda: editor.model.digest(editor.confirmed),
        fold,
        (lambda: Packing(editor.confirmed, pack)) if pack is not None else None,
    )
