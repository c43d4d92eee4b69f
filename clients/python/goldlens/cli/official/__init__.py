"""`goldlens score --official`: the official script run beside ours, and every figure of both."""
