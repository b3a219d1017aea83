"""`liven top`: what the engines of this user do, as it happens."""
