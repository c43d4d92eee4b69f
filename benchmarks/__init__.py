"""What makes every speed claim of this project; `python -m benchmarks` runs them all."""
