"""The chat: what people say, in one order for all."""
