"""The image: a picture that all who have it open see."""
