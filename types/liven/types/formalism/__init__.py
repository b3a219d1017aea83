"""Constraint formalisms: the plug-in contract and the stock."""
