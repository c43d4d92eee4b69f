"""MessagePack-RPC: how scripts and other programs speak with the daemon."""
