"""Leakage: sentences of evaluation folds that stand in training files, too.

A training sentence is *the same* as one of a fold if both have one id, or the same forms (see
`surface`). If no sentence of the folds has its id, the source reference in the id counts: of
`file@number`, the number and the name of the file. One of two names may have more before it
(`train-a.xml@5` is `a.xml@5`), endings such as `.xml` do not count, and a sentence whose id is a
number has the name of the file it stands in. What ids say is verified by the forms.

The folds are held in memory, training files pass by once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from goldlens.scoring.analysis.surface import Block, Sentence
from goldlens.scoring.text import decoded

WAYS: Final = ("both", "id", "forms")
"""By what sentences may be found."""

# A name begins where nothing of one is before it: looked for from there only, ids may be long.
_REFERENCE: Final = re.compile(rb"(?<![^\s/\\:;,|@])([^\s/\\:;,|@]+)@(\d+)")
_ENDING: Final = re.compile(rb"(?:\.(?:xml|tb|txt|conllu|iob2|bio))+\Z", re.I)
_PARTS: Final = re.compile(rb"[-_.]")

Reference = tuple[bytes, bytes]
"""The name of a source file without its ending, and the number of a sentence in it."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A training sentence, and the (first) sentence of a fold that it is.

    `by_id`: their ids say so. `same_forms`: their forms do; one of the two does, or both.
    """

    training: Sentence
    fold: str
    evaluation: Sentence
    by_id: bool
    same_forms: bool


@dataclass(frozen=True, slots=True)
class Split:
    """The numbers of a fold, all of them of its sentences.

    `found` is `by_forms` + `other_forms`; those `by_id` are part of it. `other_forms` have an id
    that stands in training, but there their forms are others. `too_short`, which are not found,
    have forms that stand in training, but fewer tokens than were asked for. `ids` are those of
    the sentences found, in order.
    """

    sentences: int
    by_id: int
    by_forms: int
    other_forms: int
    too_short: int
    ids: tuple[str, ...]

    @property
    def found(self) -> int:
        """How many sentences of the fold are in training."""
        return len(self.ids)

    def as_dict(self) -> dict[str, Any]:
        """The numbers as JSON has them."""
        return {
            "sentences": self.sentences,
            "found": self.found,
            "by_id": self.by_id,
            "by_forms": self.by_forms,
            "other_forms": self.other_forms,
            "too_short": self.too_short,
            "ids": list(self.ids),
        }


@dataclass(slots=True)
class _Named:
    """The sentences of the folds, by number, that one id or one reference names.

    `forms` has those of given forms. `seen`: training has the name. `same`: forms that training
    has under it as well.
    """

    sentences: list[int] = field(default_factory=list)
    forms: dict[bytes, list[int]] = field(default_factory=dict)
    seen: bool = False
    same: set[bytes] = field(default_factory=set)


class Search:
    """The sentences of folds, for which training sentences are looked through one by one.

    `checked` counts the pairs of a training sentence and one of a fold that have the same id,
    `form_identical` those of them that have the same forms.
    """

    def __init__(
        self, folds: Mapping[str, Sequence[Sentence]], way: str = "both", min_tokens: int = 1
    ) -> None:
        """`folds`: sentences by the name of their file; `way` is one of WAYS.

        Without an id that is the same too, forms of fewer than `min_tokens` tokens do not count.
        """
        self.checked = self.form_identical = 0
        self._way, self._min_tokens = way, min_tokens
        self._folds = {fold: len(sentences) for fold, sentences in folds.items()}
        self._all = [(fold, each) for fold, found in folds.items() for each in found]
        self._ids: dict[bytes, _Named] = {}
        self._references: dict[Reference, _Named] = {}
        self._longer: dict[Reference, list[_Named]] = {}
        self._names: list[tuple[_Named, ...]] = []
        self._forms: dict[bytes, int] = {}
        self._seen: set[bytes] = set()
        for at, (fold, sentence) in enumerate(self._all):
            self._forms.setdefault(sentence.forms, at)
            self._names.append(tuple(self._enter(at, sentence, fold)))

    def find(self, sentence: Sentence, file: str) -> Leak | None:
        """The leak that a sentence of the training file `file` is; None if it is none."""
        named = self._named(sentence, file) if self._way != "forms" else []
        for each in named:
            each.seen = True
            if sentence.forms in each.forms:
                each.same.add(sentence.forms)
        self.checked += _distinct([each.sentences for each in named])
        self.form_identical += _distinct([each.forms.get(sentence.forms, []) for each in named])
        alike = self._forms.get(sentence.forms) if self._way != "id" else None
        if alike is not None:
            self._seen.add(sentence.forms)
        if named:
            return self._by_id(sentence, named)
        if alike is None or sentence.tokens < self._min_tokens:
            return None
        return Leak(sentence, *self._all[alike], by_id=False, same_forms=True)

    def splits(self) -> dict[str, Split]:
        """The numbers of each fold, as far as training has been looked through."""
        counts: dict[str, Counter[str]] = {fold: Counter() for fold in self._folds}
        ids: dict[str, list[str]] = {fold: [] for fold in self._folds}
        for (fold, sentence), names in zip(self._all, self._names, strict=True):
            by_id = any(each.seen for each in names)
            seen = sentence.forms in self._seen
            long = sentence.tokens >= self._min_tokens
            by_forms = (seen and long) or any(sentence.forms in each.same for each in names)
            if by_id or by_forms:
                ids[fold].append(title(sentence))
            counts[fold]["by_id"] += by_id
            counts[fold]["by_forms"] += by_forms
            counts[fold]["other_forms"] += by_id and not by_forms
            counts[fold]["too_short"] += seen and not (by_id or by_forms)
        return {
            fold: Split(
                size,
                counts[fold]["by_id"],
                counts[fold]["by_forms"],
                counts[fold]["other_forms"],
                counts[fold]["too_short"],
                tuple(ids[fold]),
            )
            for fold, size in self._folds.items()
        }

    def _enter(self, at: int, sentence: Sentence, fold: str) -> Iterator[_Named]:
        """Enters a sentence of a fold under each of its names."""
        if sentence.sent_id is None:
            return
        found = [self._ids.setdefault(sentence.sent_id, _Named())]
        for reference in dict.fromkeys(_references(sentence.sent_id, fold)):
            known = self._references.get(reference)
            if known is None:
                known = self._references[reference] = _Named()
                for tail in _tails(reference):
                    self._longer.setdefault(tail, []).append(known)
            found.append(known)
        for each in found:
            each.sentences.append(at)
            each.forms.setdefault(sentence.forms, []).append(at)
            yield each

    def _named(self, sentence: Sentence, file: str) -> list[_Named]:
        """What the id of a training sentence names."""
        if sentence.sent_id is None:
            return []
        if (same := self._ids.get(sentence.sent_id)) is not None:
            return [same]
        found: list[_Named] = []
        for reference in _references(sentence.sent_id, file):
            known = map(self._references.get, [reference, *_tails(reference)])
            found += [each for each in known if each is not None]
            found += self._longer.get(reference, [])
        return found

    def _by_id(self, sentence: Sentence, named: Sequence[_Named]) -> Leak:
        """The leak of a sentence that has these names; the same forms come first."""
        same = [at for each in named for at in each.forms.get(sentence.forms, [])[:1]]
        fold, evaluation = self._all[same[0] if same else named[0].sentences[0]]
        return Leak(sentence, fold, evaluation, by_id=True, same_forms=bool(same))


def _distinct(named: Sequence[Sequence[int]]) -> int:
    """How many sentences there are, those that go by several names counted once."""
    return len(named[0]) if len(named) == 1 else len(set().union(*named))


def title(sentence: Sentence) -> str:
    """What to call a sentence: its sent_id, or `#` and its number in the file."""
    return decoded(sentence.sent_id) or f"#{sentence.number}"


def manifest(
    search: Search,
    leaks: Mapping[str, Sequence[Leak]],
    commits: Mapping[str, str | None],
    versions: Mapping[str, Any],
) -> dict[str, Any]:
    """The manifest as JSON has it, once training has been looked through.

    `leaks` by training file. `commits` and `versions` say where the files come from.
    """
    splits = search.splits()
    return {
        "n_sentences": sum(split.found for split in splits.values()),
        "splits": {fold: split.as_dict() for fold, split in splits.items()},
        "files": {file: [title(each.training) for each in found] for file, found in leaks.items()},
        "verified": {"checked": search.checked, "form_identical": search.form_identical},
        "commits": dict(commits),
        "versions": dict(versions),
    }


class Rest:
    """What is left of a training file: it is given all blocks in order, and says what to write.

    Blocks are left out whole. Only where the sentence before lacks the blank line at its end, and
    what is left out stood between it and the next one, a blank line stays, so that the two do not
    become one.
    """

    def __init__(self) -> None:
        self._open = b""
        self._owed = False

    def of(self, block: Block, *, left_out: bool) -> bytes:
        """The bytes to be written for the next block."""
        if not left_out:
            before = self._open if self._owed else b""
            self._owed = False
            self._open = b"" if block.closed else _line_end(block.text)
            return before + block.text
        if block.rest:
            return block.rest
        if not self._open:
            return b""
        self._owed = not block.closed
        if self._owed:
            return b""
        blank = _last_line(block.text)
        self._open = b""
        return blank


def _line_end(text: bytes) -> bytes:
    return next((end for end in (b"\r\n", b"\r", b"\n") if text.endswith(end)), b"\n")


def _last_line(text: bytes) -> bytes:
    end = len(_line_end(text))
    body = text[:-end]
    return text[max(body.rfind(b"\n"), body.rfind(b"\r")) + 1 :]


def _references(sent_id: bytes, file: str) -> list[Reference]:
    """The source references in an id; a number alone is one of the file it stands in."""
    if sent_id.isdigit():
        return [(_bare(file.encode("utf-8", "surrogateescape")), _plain(sent_id))]
    return [(_bare(name), _plain(number)) for name, number in _REFERENCE.findall(sent_id)]


def _bare(file: bytes) -> bytes:
    """The name of a file without its folders and its ending."""
    name = re.split(rb"[/\\]", file)[-1]
    return _ENDING.sub(b"", name) or name


def _plain(number: bytes) -> bytes:
    return number.lstrip(b"0") or b"0"


def _tails(reference: Reference) -> Iterator[Reference]:
    """The reference with less and less of the name's beginning."""
    name, number = reference
    for found in _PARTS.finditer(name):
        if tail := name[found.end() :]:
            yield tail, number
