"""Small files for the command line to read."""

from __future__ import annotations

from pathlib import Path


def row(number: int, head: int | str, form: str = "w", upos: str = "NOUN") -> str:
    """One word's row; a word whose head is 0 is the root."""
    relation = "root" if head == 0 else "dep"
    return f"{number}\t{form}\t{form}\t{upos}\t_\t_\t{head}\t{relation}\t_\t_\n"


def write(name: str, text: str | bytes) -> str:
    """Writes a file with the folders above it, and gives its name back."""
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return name
