"""The client of the daemon. Still empty: nothing in this version speaks to a daemon."""
