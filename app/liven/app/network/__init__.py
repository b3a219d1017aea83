"""How this machine's programs reach one another: settings, and the engine that follows from them."""
