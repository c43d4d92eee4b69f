"""Seeded errors put into gold, to have predictions whose faults are known."""
