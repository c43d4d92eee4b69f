"""UD's own validator as a second source of problems, in a process of its own."""
