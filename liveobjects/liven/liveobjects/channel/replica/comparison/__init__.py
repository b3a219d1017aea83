"""Comparing the states of replicas: when to compare, who differs, and the messages people see.

Start with `agreement.py`, which decides whom the digests prove wrong. Comparing the objects of one process is
in `session/local_comparison.py`.
"""
