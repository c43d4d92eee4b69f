"""Marks that canonical rows have in place of a HEAD that cannot be right."""

from __future__ import annotations

from typing import Final

BAD_HEAD: Final = b"!"
"""The HEAD is missing, out of range, or part of a ring."""

EXTRA_ROOT: Final = b"!0"
"""The word is a root too many."""
