"""Where errors come from, and whether a test is fair."""
