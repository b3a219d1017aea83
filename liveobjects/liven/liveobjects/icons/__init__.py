"""By what a kind of object is known at a glance, where it does not run."""
