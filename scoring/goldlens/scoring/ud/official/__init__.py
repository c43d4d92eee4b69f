"""What the official script is given to score: texts that it accepts, and what was done for that."""
