"""A shared plane on which things lie."""
