"""How the program looks to those who need it otherwise: high contrast, and nothing that moves by itself."""
