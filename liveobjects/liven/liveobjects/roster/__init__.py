"""The roster: a list of the people who have it open now. Nothing is stored; everything comes over
presence."""
