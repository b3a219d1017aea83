"""What an author hears when a declaration cannot be used."""

from __future__ import annotations

NEWLINE = "\n"


class DeclarationError(TypeError):
    """A declaration that cannot be used; names the class and the member, says why and what to write."""

    def __init__(self, where: str, problem: str, fix: str) -> None:
        super().__init__(f"{where}: {problem}{NEWLINE if NEWLINE in problem else '; '}{fix}")
        self.where = where
        self.problem = problem
        self.fix = fix
