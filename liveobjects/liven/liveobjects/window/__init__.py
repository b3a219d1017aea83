"""A window object: a caption over one object that people put into it. `model` has the rules, `content` runs
the inner object, `object` joins both, `view` shows them. Start with `model`."""
