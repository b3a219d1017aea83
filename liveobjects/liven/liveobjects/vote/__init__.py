"""The vote: one question, some answers, one voice for each person."""
