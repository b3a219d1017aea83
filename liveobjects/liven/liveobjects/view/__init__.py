"""The contract between an object's view and its host (`contract`), and the parts that every view is built
from: labels, accessibility, the loading indicator and keyboard focus.

The views of the single objects are in their own packages. Start with `contract`.
"""
