"""The running desktop program: windows on objects, and what surrounds them."""
