"""Comparing the states of replicas: when to compare, who differs, and the messages people read.

Start with `agreement.py`, which decides whose state is wrong. The objects of one process are compared in
`session/local_comparison.py`.
"""
