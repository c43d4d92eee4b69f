"""The parts of `goldlens leakage`."""
