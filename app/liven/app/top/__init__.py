"""`liven top`: a live table of this user's engines. The figures come from `network.rates`. Start at
`command`."""
