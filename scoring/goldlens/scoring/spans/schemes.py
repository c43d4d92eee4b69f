"""From tags to spans, and the schemes by which tags may say what they say.

A span is (start, end, label), tokens counted from 0, the end exclusive. The strict reading is
that of seqeval's `mode="strict", scheme=IOB2`; the lenient one that of the script conlleval
(Tjong Kim Sang and Buchholz 2000).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from goldlens.scoring.spans.tags import OUTSIDE, parts

Span: TypeAlias = tuple[int, int, bytes]

READINGS: Final = ("strict", "conlleval")
"""How tags are read: as IOB2 to the letter, or as the script conlleval reads them."""


def strict_spans(tags: Sequence[bytes]) -> list[Span]:
    """The spans of tags read as strict IOB2: `B-X` and any number of `I-X`.

    An `I-X` that continues no such span is ignored. All tags must be valid.
    """
    return _spans(tags, lenient=False)


def lenient_spans(tags: Sequence[bytes]) -> list[Span]:
    """The spans of tags as conlleval reads them: an `I-X` that continues nothing begins a span.

    All tags must be valid.
    """
    return _spans(tags, lenient=True)


def _spans(tags: Sequence[bytes], *, lenient: bool) -> list[Span]:
    found: list[Span] = []
    start = -1
    label = b""
    for k, tag in enumerate(tags):
        if tag == b"O":
            if start >= 0:
                found.append((start, k, label))
                start = -1
            continue
        named = tag[2:] or b"_"
        begins = tag[0] == 66  # B
        if not begins and start >= 0 and named == label:
            continue
        if start >= 0:
            found.append((start, k, label))
            start = -1
        if begins or lenient:
            start, label = k, named
    if start >= 0:
        found.append((start, len(tags), label))
    return found


SIGNS: Final = ("B", "B next", "I first", "open", "E", "E next", "S", "LU", "M")
"""What is counted of tags to tell the schemes apart; see `signs`."""

FIRST: Final = SIGNS.index("I first")

Signs: TypeAlias = tuple[int, ...]

NO_SIGNS: Final[Signs] = (0,) * len(SIGNS)


def signs(tags: Sequence[bytes]) -> Signs:
    """Counts of one sentence's tags that tell the schemes apart, in the order of `SIGNS`.

    They add up over a file. `B` that follow no tag of the same label, and those that do; `I` that
    follow no `B`, `I` or `M` of the same label; `B` and `I` that no tag continues or ends; `E`,
    and those followed by a tag of the same label; `S`; `L` and `U`; `M`.
    """
    begin = begin_next = first = left_open = end = end_next = single = bilou = middle = 0
    before, label_before = b"", b""
    for tag in tags:
        if tag == b"O":
            left_open += before in (b"B", b"I")
            before = label_before = b""
            continue
        part = parts(tag)
        letter, label = part if part else (b"", b"")
        same = before != b"" and label == label_before
        if before in (b"B", b"I"):
            left_open += not same or letter in (b"B", b"S", b"U")
        elif before == b"E":
            end_next += same
        if letter == b"B":
            if same and before in (b"B", b"I"):
                begin_next += 1
            else:
                begin += 1
        elif letter == b"I":
            first += not same or before not in (b"B", b"I", b"M")
        elif letter:
            end += letter == b"E"
            single += letter == b"S"
            bilou += letter in (b"L", b"U")
            middle += letter == b"M"
        before, label_before = letter, label
    left_open += before in (b"B", b"I")
    return begin, begin_next, first, left_open, end, end_next, single, bilou, middle


def scheme_of(counts: Sequence[int]) -> str:
    """The scheme that tags follow, by the sums of their `signs`: IOB2 unless another is evident.

    IOB1 begins a span with `I`, and with `B` only right behind a span of the same label; IOE1 and
    IOE2 mark ends with `E`, likewise; IOBES marks ends and spans of one token, BMES also the
    middle, BILOU calls these `L` and `U` (Ramshaw and Marcus 1995; Tjong Kim Sang and Veenstra
    1999). A few wrong tags make no scheme: most spans have to follow it.
    """
    begin, begin_next, first, left_open, end, end_next, single, bilou, middle = counts
    if bilou > end + single and bilou > left_open:
        return "BILOU"
    if end + single and (begin or single):
        if end + single > left_open:
            return "BMES" if middle else "IOBES"
        return "IOB2"
    if end and not begin_next:
        if end == end_next and left_open:
            return "IOE1"
        if end > left_open:
            return "IOE2"
    if first > 20 * begin and not (end or single or bilou or middle):
        # An I or two by themselves are rather slips than a scheme.
        return "IOB1" if begin_next or first > 2 else "IOB2"
    return "IOB2"


def convert(tags: Sequence[bytes], scheme: str) -> list[bytes]:
    """The tags of one sentence, which follow a scheme, as IOB2.

    Tags that the scheme does not know are left as they are. Raises KeyError for an unknown
    scheme.
    """
    begins, ends = _RULES[scheme]
    found: list[bytes] = []
    before: tuple[bytes, bytes] | None = None
    for tag in tags:
        part = parts(tag)
        if part is None or tag == OUTSIDE:
            found.append(tag)
            before = None
            continue
        letter, label = part
        continues = (
            before is not None
            and before[1] == label
            and letter not in begins
            and before[0] not in ends
        )
        bare = len(tag) == 1
        new = b"I" if continues else b"B"
        found.append(new if bare else new + b"-" + label)
        before = part
    return found


_RULES: Final[Mapping[str, tuple[bytes, bytes]]] = {
    "IOB1": (b"B", b""),
    "IOB2": (b"B", b""),
    "IOE1": (b"", b"E"),
    "IOE2": (b"", b"E"),
    "IOBES": (b"BS", b"ES"),
    "BMES": (b"BS", b"ES"),
    "BILOU": (b"BU", b"LU"),
}
"""Of each scheme, the letters that begin a span in any case, and those that end one."""
