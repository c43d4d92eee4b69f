"""What a task is: the one object through which the engine knows a kind of annotation.

A task says how to split a text into blocks, how to parse blocks into units, which units face
which, how to compare the segments that result, and what to say of them. The engine holds the
units, keeps the sums, and asks again only for what an edit has touched. It knows nothing else of
trees, spans, classes or stems.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeVar

from goldlens.scoring.problems import Place, Problem


class Unit(Protocol):
    """A block, parsed. Immutable."""

    @property
    def text(self) -> bytes:
        """The block, byte for byte."""
        ...

    @property
    def lines(self) -> int:
        """How many lines end in the block."""
        ...

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the block by itself."""
        ...

    @property
    def glued(self) -> bool:
        """Whether the block before it is not closed: the two are split and parsed together."""
        ...

    @property
    def last(self) -> bool:
        """Whether what the unit says holds only while its block is the file's last."""
        ...


class Segment(Protocol):
    """Gold units and predicted units that face each other, as ranges of indices."""

    @property
    def gold(self) -> range:
        """Indices of gold units."""
        ...

    @property
    def pred(self) -> range:
        """Indices of predicted units."""
        ...


class Change(Protocol):
    """Segments `at` to `at + removed` were replaced by `added` new ones."""

    @property
    def at(self) -> int: ...  # noqa: D102
    @property
    def removed(self) -> int: ...  # noqa: D102
    @property
    def added(self) -> int: ...  # noqa: D102
    @property
    def alike(self) -> bool:
        """Whether they are the same segments, of the same kind, with other contents."""
        ...


GOLD: Final = 0
PRED: Final = 1
"""The two sides of a pair, as `Pairing` counts them."""

U = TypeVar("U", contravariant=True)


class Opened(Protocol):
    """The units of two texts, and what is known of their comparison, for `Task.compare`."""

    @property
    def gold(self) -> list[Any]: ...  # noqa: D102
    @property
    def pred(self) -> list[Any]: ...  # noqa: D102
    @property
    def counts(self) -> Any: ...  # noqa: D102


class Pairing(Protocol[U]):
    """The segments of two lists of units, in order of the prediction."""

    def __len__(self) -> int:
        """How many segments there are."""
        ...

    def __getitem__(self, index: int, /) -> Any:
        """The segment of that number."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """All segments."""
        ...

    def starts(self, index: int) -> tuple[int, int]:
        """The first gold unit and the first predicted unit of a segment."""
        ...

    def segments_of(self, side: int, start: int, stop: int) -> range:
        """The segments that hold units `start` to `stop` of a side (0 gold, 1 prediction)."""
        ...

    def offset(self, unit: int) -> int:
        """How much of the prediction's text precedes a unit, as its problems count it."""
        ...

    def update(
        self, side: int, start: int, removed: Sequence[U], added: Sequence[U]
    ) -> Sequence[Change]:
        """Units `removed` of a side (0 gold, 1 prediction), from `start`, have become `added`.

        The lists have changed already. Returns the changes to the segments, one after the other;
        a segment replaced by an equal one has new contents. Ends where a fresh pairing of the
        same units would begin.
        """
        ...


class Format(Protocol):
    """How a kind of text is split and parsed, and what its units are called: enough to hold it."""

    name: str
    fact_names: tuple[str, ...]
    """What `facts` counts."""
    duplicate_code: str
    """The code of the problem that a key stands twice."""

    def facts(self, unit: Any) -> tuple[int, ...]:
        """Counts of a unit that add up over a file."""
        ...

    def key(self, unit: Any) -> Hashable | None:
        """What names the unit, and should name no other of its file."""
        ...

    def key_place(self, unit: Any) -> Place:
        """Where the key of a unit stands; `Place.unit` is 0."""
        ...

    def duplicate(self, key: Hashable, place: Place, first: Place) -> Problem:
        """The problem that a key stands at `place` and stood at `first` before."""
        ...

    def split(self, text: bytes) -> list[bytes]:
        """The blocks of a text; joined they are the text."""
        ...

    def is_closed(self, block: bytes) -> bool:
        """Whether what follows a block is split and parsed apart from it."""
        ...

    def parse(
        self,
        blocks: Sequence[bytes],
        *,
        at_end: bool = True,
        checks: bool = True,
        extra: Collection[str] = (),
    ) -> list[Any]:
        """The units of consecutive blocks, the first of which is not glued."""
        ...


class Task(Format, Protocol):
    """One kind of annotation. `width` is the length of its vectors of counts."""

    width: int
    codes: tuple[str, ...]
    """The codes of the problems that a comparison gives."""

    def pair(self, gold: Sequence[Any], pred: Sequence[Any], match: str) -> Pairing[Any]:
        """The segments of two lists of units, which the pairing keeps referring to."""
        ...

    def open_both(self, gold: bytes, pred: bytes) -> Opened:
        """Two large texts in one pass, without checks: cheaper than one by one."""
        ...

    def compare(
        self,
        gold: Sequence[Any],
        pred: Sequence[Any],
        segments: Sequence[Any],
        known: Any = None,
    ) -> list[Any]:
        """For each segment its counts: an array, bootstrap units x `width`.

        `known` is what `open_both` found out already.
        """
        ...

    def tallies(
        self,
        gold: Sequence[Any],
        pred: Sequence[Any],
        segments: Sequence[Any],
        counts: Sequence[Any],
    ) -> Any:
        """How many problems of each of `codes` `problems` would give: segments x codes."""
        ...

    def problems(
        self, gold: Sequence[Any], pred: Sequence[Any], segment: Any, offset: int
    ) -> list[Problem]:
        """The prediction's problems in a segment; `Place.unit` counts from its first unit."""
        ...

    def problems_of_many(
        self, gold: Sequence[Any], pred: Sequence[Any], segments: Sequence[Any]
    ) -> list[list[Problem]]:
        """`problems` of compared segments, in ascending order, in less time."""
        ...
