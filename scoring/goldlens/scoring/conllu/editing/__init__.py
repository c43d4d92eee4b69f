"""Changes of a sentence's text: as few bytes as say it, and all that hangs on them."""
