"""Libraries: bundles of code that declare objects, installed side by side, each version in its own folder."""
