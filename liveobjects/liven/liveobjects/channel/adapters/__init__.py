"""Adapters: objects that stand between a client and a channel, and change what passes.

The runtime proposes them where two endpoints do not match
(`liven.runtime.checking.adapter_proposals`); none inserts itself.
"""
