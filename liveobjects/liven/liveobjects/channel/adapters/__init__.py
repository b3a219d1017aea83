"""Adapters: objects between a client and a channel that convert, encrypt or order what passes.

The runtime proposes them where two endpoints do not match (`liven.runtime.checking.adapter_proposals`); none
is inserted automatically. Start with `base.py`, which most of them extend.
"""
