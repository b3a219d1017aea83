"""The faces of recorded values that have no view of their own: a card for a record, text for others.

Start at `plain_value`.
"""
