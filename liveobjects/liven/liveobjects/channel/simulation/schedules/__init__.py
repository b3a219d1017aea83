"""The schedules of the simulator, each with one kind of misfortune."""
