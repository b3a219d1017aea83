"""The contract between an object's view and the host that shows it (`contract`), and the parts that views
share: labels, messages, painting, accessibility, the loading indicator, keyboard focus, and state listeners.
The views of the single objects are in their own packages. Start with `contract`."""
