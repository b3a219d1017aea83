"""Colours: a constant one as a stream, and one that all who have it open choose together."""
