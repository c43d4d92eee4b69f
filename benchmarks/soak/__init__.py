"""Long runs against a real daemon, held to what a fresh evaluation says: `make soak`."""
