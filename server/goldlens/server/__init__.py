"""The daemon: files and buffers watched, rescored as they change, shown in editors."""
