"""`liven key`: the keys of the cluster."""
