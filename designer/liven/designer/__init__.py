"""The visual composer: a model of what is wired together, and the scene that shows it."""
