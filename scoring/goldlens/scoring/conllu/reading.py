"""What a careful reading of one CoNLL-U block yields.

A block is the text of one sentence: its comment lines, its rows and the blank line that ends it.
A superfluous blank line is a block of its own without a sentence. Reading never raises on bad
text: what can be read is put into canonical form, and what is wrong becomes a located problem.
"""

from __future__ import annotations

from dataclasses import dataclass

from goldlens.scoring.problems import Problem


@dataclass(frozen=True, slots=True)
class Reading:
    """One block, read.

    `canonical` is the sentence as the vectorised table reads it: no comments, no empty nodes; one
    row a word or multiword token, ten cells each, LF line ends; IDs 1..n; a range `a-b` stands
    before its words and lies inside the sentence (`a-(a-1)` for a token that holds no word), and
    ranges do not overlap; HEAD is a decimal number from 0 to n or one of the `marks`; at most one
    word has
    HEAD 0 and no words form a ring; a blank line at the end. It is empty when the block holds no
    row that can be read.

    `row_lines` gives for each canonical row, in order, its line in the block (from 0).
    `sentence`: the block has a row, readable or not. `readable`: every row could be read, so the
    sentence has a text that can be held against gold's. `words` counts canonical words, `unheaded`
    those of them whose HEAD is `_`.
    """

    canonical: bytes
    row_lines: tuple[int, ...]
    sentence: bool
    readable: bool
    sent_id: bytes | None
    words: int
    unheaded: int
    problems: tuple[Problem, ...]
