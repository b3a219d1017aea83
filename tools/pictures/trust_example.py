"""The question about new code that the pictures show."""

from __future__ import annotations

from liven.app.trust.recipe_summary import RecipeSummary
from liven.runtime.library.trust import Question
from liven.runtime.signing.known_signers import Signer

QUESTION = Question(
    "3F2504E04F8911D39A0C0305E82C3301",
    2,
    "5d41402a" * 8,
    "9f86d081884c7d65" * 4,
    "https://example.org/map.zip",
    "City",
    "Ann's laptop",
)
ANN = Signer(QUESTION.signer, QUESTION.signed_as, "2026-11-03")
REACH = RecipeSummary(("home/maps/city",), ("example.org", "tiles.example.org"), ())
