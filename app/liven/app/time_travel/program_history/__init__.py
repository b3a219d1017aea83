"""The history that a program keeps by itself of what its windows show."""
