"""The channels in the recipe of what is recorded, the value classes that travel on them, and the rules that
leave some out. Nothing here is opened. Start at `targets`.
"""
