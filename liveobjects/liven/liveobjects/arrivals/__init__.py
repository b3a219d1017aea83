"""What is shown of a thing while its state is still looked for."""
