"""A chat: messages from several people in one order. `model` has the rules, `object` the shared object,
`view` the view. Start with `model`."""
