"""Recording where there is no confirmed order: groups, shared values, ordered channels without a log, and the
value streams of objects that run here. Each author numbers what it says, so (channel, author, serial) is one
event for every recorder. Begin with `recorded_streams`; `line_member` is the recorder's place in a group."""
