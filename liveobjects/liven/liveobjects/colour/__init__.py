"""Colours: a constant colour as a stream of values, and a colour that people choose together. Start with
`object`."""
