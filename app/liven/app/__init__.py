"""The desktop program: windows, settings and the command line; the only room that knows every other."""
