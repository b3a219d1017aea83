"""The question that is asked before new code runs, the answers that were given, and pictures of objects that
do not run.

Loading the code is in `liven.runtime.library`. Start at `policy`; `dialog` is the question itself.
"""
