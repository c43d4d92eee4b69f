"""What a task is: the one object through which the engine knows a kind of annotation.

A task says how to split a text into blocks, how to parse blocks into units, which units face
which, how to compare the segments that result, how to add comparisons up, and what to say of all
that. The engine holds the units, keeps the sums, and asks again only for what an edit has
touched. It knows nothing else of trees, spans, classes or stems.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

if TYPE_CHECKING:
    from goldlens.scoring.counts import Figure
    from goldlens.scoring.problems import Place, Problem, Severity
    from goldlens.scoring.sample import Sample
    from goldlens.scoring.segment import Kind, Segment
    from goldlens.scoring.signature import Signature


class Incomparable(ValueError):
    """Two texts cannot be compared. `str` says why and what to do."""


class Unit(Protocol):
    """A block, parsed. Immutable; two units of the same block in the same place are equal."""

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
    def readable(self) -> bool:
        """Whether the block can be held against another at all."""
        ...

    @property
    def glued(self) -> bool:
        """Whether the block before it is not closed: the two are split and parsed together."""
        ...

    @property
    def first(self) -> bool:
        """Whether what the unit says holds only while its block is the file's first."""
        ...

    @property
    def last(self) -> bool:
        """Whether what the unit says holds only while its block is the file's last."""
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
C = TypeVar("C", contravariant=True)


class Opened(Protocol):
    """The units of two texts, and what is known of their comparison, for `Task.compare`."""

    @property
    def gold(self) -> list[Any]: ...  # noqa: D102
    @property
    def pred(self) -> list[Any]: ...  # noqa: D102
    @property
    def counts(self) -> Any: ...  # noqa: D102


class Pairing(Protocol[U]):
    """The segments of two lists of units.

    The segments that hold predicted units come in the order of the prediction.
    """

    def __len__(self) -> int:
        """How many segments there are."""
        ...

    def __getitem__(self, index: int, /) -> Segment:
        """The segment of that number."""
        ...

    def __iter__(self) -> Iterator[Segment]:
        """All segments."""
        ...

    def starts(self, index: int) -> tuple[int, int]:
        """The first gold unit and the first predicted unit of a segment."""
        ...

    def segments_of(self, side: int, start: int, stop: int) -> range:
        """The segments that hold units `start` to `stop` of a side (0 gold, 1 prediction)."""
        ...

    @property
    def agrees(self) -> bool:
        """Whether all of gold faces all of the prediction, in the same order."""
        ...

    def uncompared(self) -> Iterator[int]:
        """The numbers, ascending, of segments that are not compared and not blank."""
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


class Sums(Protocol[C]):
    """What comparisons add up to. The order in which they come and go does not matter."""

    def add(self, comparisons: Sequence[C]) -> None:
        """Takes comparisons in."""
        ...

    def remove(self, comparisons: Sequence[C]) -> None:
        """Takes out comparisons that were added before."""
        ...


class Format(Protocol):
    """How a kind of text is split and parsed, and what its units are called: enough to hold it."""

    @property
    def name(self) -> str:
        """The name of the task, or of the kind of file."""
        ...

    @property
    def fact_names(self) -> tuple[str, ...]:
        """What `facts` counts. The first is what gold's bootstrap draws: sentences, documents."""
        ...

    @property
    def duplicate_code(self) -> str:
        """The code of the problem that a key stands twice; empty where units have no keys."""
        ...

    @property
    def has_header(self) -> bool:
        """Whether the file's first block may be a header, which it would be nowhere else."""
        ...

    def facts(self, unit: Any) -> tuple[int, ...]:
        """Counts of a unit that add up over a file."""
        ...

    def regime(self, facts: Sequence[int]) -> Any:
        """What of a whole file, by its facts, decides how each block is read; else None.

        What it depends on must itself be the same under every regime.
        """
        ...

    def likely_regime(self, text: bytes) -> Any:
        """A guess at the regime of a text, so that it need not be parsed twice."""
        ...

    def excused(self, facts: Sequence[int]) -> Collection[str]:
        """Codes that are said once of such a file, by a notice, and not at each place."""
        ...

    def notices(self, units: Sequence[Any], facts: Sequence[int]) -> list[Problem]:
        """What is to be said once of a whole file; places count units from its first."""
        ...

    def key(self, unit: Any) -> Hashable | None:
        """What names the unit, and should name no other of its file."""
        ...

    def title(self, unit: Any) -> str | None:
        """What to call the unit when it is listed: a sent_id, a document's id."""
        ...

    def key_place(self, unit: Any) -> Place:
        """Where the key of a unit stands; `Place.unit` is 0."""
        ...

    def duplicate_severity(self, unit: Any, first: Any) -> Severity:
        """How bad it is that a unit has the key that another one, `first`, had before it."""
        ...

    def duplicate(self, key: Hashable, place: Place, first: Place, severity: Severity) -> Problem:
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
        at_start: bool = True,
        at_end: bool = True,
        checks: bool = True,
        extra: Collection[str] = (),
        regime: Any = None,
    ) -> list[Any]:
        """The units of consecutive blocks, the first of which is not glued.

        `at_start`: the first block is the file's first; `at_end`: the last one is its last.
        """
        ...


class Task(Protocol):
    """One kind of annotation, with all that its scoring may depend on. Equal tasks are one."""

    @property
    def name(self) -> str:
        """The name of the task."""
        ...

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the problems that a comparison gives."""
        ...

    @property
    def severities(self) -> tuple[Severity, ...]:
        """How severe each of them is by default."""
        ...

    @property
    def unfaced(self) -> Mapping[Kind, str]:
        """The code that says a segment of a kind is not compared."""
        ...

    def format(self, side: int) -> Format:
        """How the texts of a side (GOLD, PRED) are read."""
        ...

    def pair(self, gold: Sequence[Any], pred: Sequence[Any], match: str) -> Pairing[Any]:
        """The segments of two lists of units, which the pairing keeps referring to."""
        ...

    def open_both(self, gold: bytes, pred: bytes) -> Opened | None:
        """Two large texts in one pass, without checks, if that is cheaper than one by one."""
        ...

    def compare(
        self,
        gold: Sequence[Any],
        pred: Sequence[Any],
        segments: Sequence[Segment],
        known: Any = None,
    ) -> list[Any]:
        """The comparison of each segment. `known` is what `open_both` found out already."""
        ...

    def sums(self) -> Sums[Any]:
        """The sums of no comparisons yet."""
        ...

    def tallies(
        self,
        gold: Sequence[Any],
        pred: Sequence[Any],
        segments: Sequence[Segment],
        comparisons: Sequence[Any],
    ) -> Any:
        """How many problems of each of `codes` `problems` would give: segments x codes."""
        ...

    def problems(
        self, gold: Sequence[Any], pred: Sequence[Any], segment: Segment, offset: int
    ) -> list[Problem]:
        """The prediction's problems in a segment; `Place.unit` counts from its first unit."""
        ...

    def problems_of_many(
        self, gold: Sequence[Any], pred: Sequence[Any], segments: Sequence[Segment]
    ) -> list[list[Problem]]:
        """`problems` of compared segments, in ascending order, in less time."""
        ...

    def pair_notices(self, sums: Any, gold: Sequence[Any], pred: Sequence[Any]) -> list[Problem]:
        """What is to be said once of the prediction; places count units from its first."""
        ...

    def size(self, sums: Any, gold: Sequence[int]) -> int:
        """How much of gold there is to be scored, by its facts: sentences, documents, forms."""
        ...

    def figures(
        self, sums: Any, gold: Sequence[int], pred: Sequence[int], *, strict: bool = False
    ) -> dict[str, Figure | None]:
        """The metrics in the usual order; None where undefined.

        `gold` and `pred` are the facts of the two files.
        """
        ...

    def labels(self, sums: Any) -> dict[str, dict[str, float | int | None]]:
        """The figures of each label, by its name; none where a task has no labels."""
        ...

    def skipped(self, sums: Any) -> list[str]:
        """Labels left out of a mean."""
        ...

    def signature(self, match: str, policy: str, *, strict: bool = False) -> Signature:
        """What figures of this task are computed with."""
        ...

    def sample(
        self, comparisons: Sequence[Any], starts: Sequence[int], units: int
    ) -> Sample | None:
        """Counts by bootstrap unit; None if nothing adds up over units.

        Comparison k is about units `starts[k]` and following (as many as it has rows, the last
        of the `units` at most); what comes to fall on one unit adds up.
        """
        ...
