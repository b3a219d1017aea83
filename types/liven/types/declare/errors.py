"""The error that authors see when a declaration cannot be used."""

from __future__ import annotations

NEWLINE = "\n"


class DeclarationError(TypeError):
    """A declaration that cannot be used; the text names the class and the member, the reason, and a
    remedy."""

    def __init__(self, where: str, problem: str, fix: str) -> None:
        super().__init__(f"{where}: {problem}{NEWLINE if NEWLINE in problem else '; '}{fix}")
        self.where = where
        self.problem = problem
        self.fix = fix
