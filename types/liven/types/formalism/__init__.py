"""Formalisms: the languages in which endpoints promise and demand something of each other, such as `trace` or
`timing`.

One folder for each language; the contract that all of them fulfil is in `plugin`, the list of those that come
with the program in `builtin`.
"""
