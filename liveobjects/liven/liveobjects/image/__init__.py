"""A shared image. `model` has the rules, `upload` sends a picture in slices, `object` is the shared object,
`view` the view with its queue of uploads. Start with `state` and `model`."""
