"""What was computed of large texts, kept on disk from one run to the next."""
