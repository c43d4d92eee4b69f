"""What the tags of a sentence say by themselves, wherever they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from goldlens.scoring.labels import Entries
from goldlens.scoring.spans.rows import MISSING
from goldlens.scoring.spans.schemes import (
    FIRST,
    NO_SIGNS,
    Signs,
    Span,
    lenient_spans,
    signs,
    strict_spans,
)
from goldlens.scoring.spans.tags import OUTSIDE, is_bare, is_valid, label_of, parts, repaired


class Flaw(Enum):
    """What is wrong with a tag."""

    INVALID = "not a tag of IOB2"
    MISSING = "no tag at all"
    ORPHAN = "an I that continues no span"
    BARE = "a tag without a label"


@dataclass(frozen=True, slots=True)
class Fault:
    """A flaw of a token's tag, and of the `tags` - 1 tags behind it for the same reason.

    `new`: the tag that it evidently stands for, if any.
    """

    token: int
    flaw: Flaw
    tags: int = 1
    new: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence's tags, as they stand in the file, and what they say.

    `entries` counts its spans by label as if all were correct; `signs` tells schemes apart.
    """

    tags: tuple[bytes, ...]
    spans: tuple[Span, ...]
    entries: Entries
    signs: Signs
    faults: tuple[Fault, ...]


def read(tags: Sequence[bytes], *, lenient: bool = False) -> Reading:
    """The reading of a sentence's tags, valid or not; those that are not are read as `O`."""
    kept = tuple(tags)
    if kept.count(OUTSIDE) == len(kept):
        return Reading(kept, (), (), NO_SIGNS, ())
    plain = all(map(_is_plain, set(kept)))
    valid = kept if plain else tuple([tag if is_valid(tag) else OUTSIDE for tag in kept])
    spans = (lenient_spans if lenient else strict_spans)(valid)
    found = signs(kept)
    # Where all tags are plain and every I- follows its like, nothing is at fault.
    faults = () if plain and not found[FIRST] else tuple(_faults(kept, lenient=lenient))
    return Reading(kept, tuple(spans), entries_of(spans), found, faults)


def entries_of(spans: Sequence[Span]) -> Entries:
    """The counts of spans that are all correct, by label in order."""
    labels = sorted([label for _, _, label in spans])
    counts = [(label, labels.count(label)) for label in dict.fromkeys(labels)]
    return tuple([(label, n, n, n) for label, n in counts])


def _is_plain(tag: bytes) -> bool:
    """Whether a tag is `O` or has a label."""
    return tag == OUTSIDE or (tag[:2] in (b"B-", b"I-") and len(tag) > 2)


def _faults(tags: Sequence[bytes], *, lenient: bool) -> list[Fault]:
    found: list[Fault] = []
    # The label that an I- may have here, and what a wrong tag before it may have meant.
    open_label: bytes | None = None
    guess: bytes | None = OUTSIDE
    run: bytes | None = None
    for k, tag in enumerate(tags):
        if not is_valid(tag):
            before = parts(tags[k - 1]) if k else None
            guess = None
            if tag == MISSING:
                found.append(Fault(k, Flaw.MISSING))
            else:
                guess = repaired(tag, before[1] if before and before[0] in b"BIM" else None)
                found.append(Fault(k, Flaw.INVALID, 1, guess))
            open_label = run = None
            continue
        if tag == OUTSIDE:
            open_label = run = None
        else:
            label = label_of(tag)
            orphan = tag[:1] == b"I" and label != open_label and not lenient
            if not orphan:
                open_label, run = label, None
                if is_bare(tag):
                    found.append(Fault(k, Flaw.BARE))
            elif run == label:
                last = found[-1] if found else None
                if last and last.flaw is Flaw.ORPHAN:
                    found[-1] = Fault(last.token, last.flaw, last.tags + 1, last.new)
            else:
                # What follows a wrong tag that may have begun the span is no fault of its own.
                excused = guess is None or (guess != OUTSIDE and label_of(guess) == label)
                if not excused:
                    found.append(Fault(k, Flaw.ORPHAN, 1, b"B" + tag[1:]))
                open_label, run = None, label
        guess = OUTSIDE
    return found
