"""The first import of code that was never run here, in a child process, and what the child may answer.

Installed libraries are in the parent package. Start with `trial_import`.
"""
