"""An editor joined to a running daemon: a relay, and what it remembers of the session."""
