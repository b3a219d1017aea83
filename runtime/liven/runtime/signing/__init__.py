"""Signatures by ed25519: who vouches for a library or an object, and which signers this person knows.

Nothing here knows what is signed, only its hash. Start at `signature`; `own_key` is the person's own key and
`known_signers` the file of the others.
"""
