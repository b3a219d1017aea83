"""The acquisition of libraries: questions, downloads from public addresses, bundles and their import.

The store of installed libraries is library/store. Start in acquisition.
"""
