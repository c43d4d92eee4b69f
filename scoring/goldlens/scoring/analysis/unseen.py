"""The forms that a training file has, to tell words that a system may have seen from others."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize


def forms_of(lines: Iterable[bytes]) -> set[str]:
    """The forms of the words in lines of CoNLL-U, in Unicode form NFC, in their own case.

    Words are rows whose ID is a whole number and that have a form: the words of multiword tokens
    count, the tokens themselves and empty nodes do not. Other lines are passed over.
    """
    found: set[bytes] = set()
    for line in lines:
        cells = line.split(b"\t", 2)
        if len(cells) == 3 and cells[0].isdigit():
            found.add(cells[1])
    return {normalize("NFC", form.decode("utf-8", "replace")) for form in found}
