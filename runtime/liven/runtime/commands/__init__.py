"""The commands of this room, a module each; imported when chosen, so that each stays light."""
