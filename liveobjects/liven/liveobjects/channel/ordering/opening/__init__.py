"""The opening of a view: who takes part, the reports of their histories, the decision which one continues,
and catching up.

Nothing here orders operations. Start in report_round and decision.
"""
