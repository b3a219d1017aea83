"""A shared desktop: an endless plane on which items lie, with everything that shows and edits it.

The data and its rules are in state, model and commands; the object itself is in object and wire; everything
that needs Qt is in view. Start with README.md, then state."""
