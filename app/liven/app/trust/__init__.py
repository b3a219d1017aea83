"""The trust question in a window: what is asked, what was answered, and pictures of what does not run."""
