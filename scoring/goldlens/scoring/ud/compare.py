"""One comparison, for a piece of any size: gold's table against the prediction's.

Everything that a score or a diagnostic says of two facing pieces comes from here, whether the
piece is one sentence after an edit or a megabyte of a cold run. The pieces must have equal
streams and begin and end at a cut (see `alignment`). What there is to count is in `counting`.
"""

from __future__ import annotations

import numpy as np

from goldlens.scoring.ud.alignment import align, same_spans
from goldlens.scoring.ud.cells import (
    Bools,
    Ints,
    equal,
    every,
    followed,
    is_in,
    preceded,
    some,
)
from goldlens.scoring.ud.enhanced import EdgeColumn, correct_edges
from goldlens.scoring.ud.features import normal_forms
from goldlens.scoring.ud.relations import CONTENT, FUNCTIONAL, relations
from goldlens.scoring.ud.table import (
    DEPREL,
    FEATS,
    LEMMA,
    ROOT,
    UPOS,
    WRONG,
    XPOS,
    Table,
)

_BLANK = 95
_COMPARED = [LEMMA, UPOS, XPOS, FEATS, DEPREL]
_BEHIND = [column + 1 for column in _COMPARED]


class Comparison:
    """What two facing pieces have in common, word by word.

    With a aligned pairs, `gold_word` and `pred_word` (a) are their indices, and every column of
    booleans below is over these pairs. `gold_of` maps each predicted word to its gold word or -1.
    """

    __slots__ = (
        "_every_feature",
        "_gold_cells",
        "_pred_cells",
        "_same",
        "feats_agree",
        "gold",
        "gold_class",
        "gold_edges",
        "gold_of",
        "gold_token",
        "gold_word",
        "head_agrees",
        "lemma_agrees",
        "pred",
        "pred_class",
        "pred_edges",
        "pred_token",
        "pred_word",
        "relation_agrees",
        "upos_agrees",
        "xpos_agrees",
    )

    def __init__(self, gold: Table, pred: Table) -> None:
        """Aligns and compares. Raises GroupTooLarge (see `alignment`)."""
        self.gold, self.pred = gold, pred
        self.gold_word, self.pred_word = align(gold, pred)
        self.gold_of: Ints = np.full(len(pred.word_sentence), -1)
        self.gold_of[self.pred_word] = self.gold_word
        self._gold_cells = gold.word_cells[self.gold_word]
        self._pred_cells = pred.word_cells[self.pred_word]
        self.gold_token, self.pred_token = same_spans(
            gold.token_start, gold.token_end, pred.token_start, pred.token_end
        )
        self._same = self._same_cells()
        self.upos_agrees = self._same[UPOS]
        self.xpos_agrees = self._same[XPOS]
        self.feats_agree, self._every_feature = self._features()
        self.lemma_agrees = self._lemmas()

        gold_number, self.gold_class = relations_of(gold)
        pred_number, self.pred_class = relations_of(pred)
        self.relation_agrees: Bools = gold_number[self.gold_word] == pred_number[self.pred_word]
        self.head_agrees = self._heads()
        self.gold_edges, self.pred_edges = EdgeColumn(gold), EdgeColumn(pred)

    def _same_cells(self) -> dict[int, Bools]:
        """Over pairs, for the columns that are compared: whether the cells are the same bytes.

        All columns in one go: for a single sentence the calls cost more than the cells.
        """
        a, b = self._gold_cells, self._pred_cells
        a_start, b_start = a[:, _COMPARED].T.ravel(), b[:, _COMPARED].T.ravel()
        same = equal(
            self.gold.buffer,
            a_start,
            a[:, _BEHIND].T.ravel() - 1 - a_start,
            self.pred.buffer,
            b_start,
            b[:, _BEHIND].T.ravel() - 1 - b_start,
        ).reshape(len(_COMPARED), -1)
        return dict(zip(_COMPARED, same, strict=True))

    def _features(self) -> tuple[Bools, Bools]:
        """Whether the universal features agree, and whether all do."""
        universal = self._same[FEATS]
        every = universal.copy()
        for k in (~universal).nonzero()[0].tolist():
            a = normal_forms(self._cell(self.gold, self._gold_cells, k, FEATS))
            b = normal_forms(self._cell(self.pred, self._pred_cells, k, FEATS))
            universal[k], every[k] = a[0] == b[0], a[1] == b[1]
        return universal, every

    @staticmethod
    def _cell(table: Table, cells: Ints, k: int, column: int) -> bytes:
        return table.buffer.cell(int(cells[k, column]), int(cells[k, column + 1]) - 1)

    def _lemmas(self) -> Bools:
        """A gold lemma of `_` accepts any."""
        start = self._gold_cells[:, LEMMA]
        blank = (self._gold_cells[:, LEMMA + 1] - start == 2) & (
            self.gold.buffer.byte[start] == _BLANK
        )
        agrees: Bools = self._same[LEMMA] | blank
        return agrees

    def _heads(self) -> Bools:
        """Whether the predicted head is the counterpart of the gold head, root with root."""
        theirs, ours = self.gold.head_of[self.gold_word], self.pred.head_of[self.pred_word]
        # gold_of has one entry more than needed, so that negative heads look up something.
        facing = followed(self.gold_of, -1)[np.maximum(ours, -1)]
        both = (ours >= 0) & (theirs >= 0) & (facing == theirs)
        agrees: Bools = both | ((ours == ROOT) & (theirs == ROOT))
        return agrees

    def _functional_children_differ(self) -> Bools:
        """Over pairs: whether gold's and the prediction's functional children disagree.

        Each functional child that has no equal counterpart under the counterpart of its head
        spoils its head; no lists of children are needed.
        """
        gold, pred = self.gold, self.pred
        kept = (
            (self.gold_class[self.gold_word] == FUNCTIONAL)
            & (gold.head_of[self.gold_word] >= 0)
            & self.head_agrees
            & self.relation_agrees
            & self.upos_agrees
            & self.feats_agree
        )
        lost_gold = (self.gold_class == FUNCTIONAL) & (gold.head_of >= 0)
        lost_gold[self.gold_word[kept]] = False
        lost_pred = (self.pred_class == FUNCTIONAL) & (pred.head_of >= 0)
        lost_pred[self.pred_word[kept]] = False
        spoiled_gold = np.zeros(len(gold.head_of), bool)
        spoiled_gold[gold.head_of[lost_gold]] = True
        spoiled_pred = np.zeros(len(pred.head_of), bool)
        spoiled_pred[pred.head_of[lost_pred]] = True
        return spoiled_gold[self.gold_word] | spoiled_pred[self.pred_word]

    @property
    def attachment_agrees(self) -> Bools:
        """Over pairs: head and relation (subtype apart) agree, as LAS has it."""
        return self.head_agrees & self.relation_agrees

    def attachment_problems(self) -> Bools:
        """Over predicted words: those that get a diagnostic for their attachment.

        Unaligned words and wrong ones; but not those whose own HEAD, or gold's, is bad: these
        have a diagnostic of their own.
        """
        wrong: Bools = self.gold_of < 0
        fine = self.attachment_agrees
        bad = _bad_heads(self.gold)[self.gold_word] | _bad_heads(self.pred)[self.pred_word]
        wrong[self.pred_word[~fine & ~bad]] = True
        return wrong

    def token_problems(self) -> Bools:
        """Over predicted tokens: those whose boundaries gold does not have, and say so.

        Words that do not align already say it, so these are the multiword tokens and the plain
        tokens whose word aligns all the same.
        """
        foreign = np.ones(len(self.pred.multiword), bool)
        foreign[self.pred_token] = False
        if some(foreign):
            plain = foreign & ~self.pred.multiword
            foreign[plain] = self.gold_of[self.pred.token_word[:-1][plain]] >= 0
        return foreign

    def sentence_problems(self) -> tuple[Ints, Ints]:
        """Where only the prediction has a sentence end, and where only gold has one (offsets)."""
        gold_end, pred_end = self.gold.sentence_end, self.pred.sentence_end
        if len(gold_end) == len(pred_end) and every(gold_end == pred_end):
            return gold_end[:0], gold_end[:0]
        return pred_end[~is_in(pred_end, gold_end)], gold_end[~is_in(gold_end, pred_end)]

    def sentence_pairs(self) -> tuple[Ints, Ints]:
        """Sentences with the same span on both sides, gold's index and the prediction's."""
        ends = [self.gold.sentence_end, self.pred.sentence_end]
        starts = [preceded(0, end[:-1]) for end in ends]
        return same_spans(starts[0], ends[0], starts[1], ends[1])

    def correct(self) -> dict[str, Bools | Ints]:
        """Over pairs: which are correct by each metric from UPOS on; of edges how many."""
        content = self.content
        uas = self.head_agrees
        las = uas & self.relation_agrees
        clas = las & content
        tags = self.upos_agrees & self.xpos_agrees
        elas, eulas = correct_edges(
            self.gold_edges, self.pred_edges, self.gold_word, self.pred_word, self.gold_of
        )
        return {
            "UPOS": self.upos_agrees,
            "XPOS": self.xpos_agrees,
            "UFeats": self.feats_agree,
            "AllTags": tags & self.feats_agree,
            "Lemmas": self.lemma_agrees,
            "UAS": uas,
            "LAS": las,
            "CLAS": clas,
            "MLAS": clas
            & self.upos_agrees
            & self.feats_agree
            & ~self._functional_children_differ(),
            "BLEX": clas & self.lemma_agrees,
            "ELAS": elas,
            "EULAS": eulas,
            "UFeatsAll": self._every_feature,
            "AllTagsAll": tags & self._every_feature,
            "LASFull": uas & self._same[DEPREL],
        }

    @property
    def content(self) -> Bools:
        """Over pairs: whether gold's relation is a content relation."""
        content: Bools = self.gold_class[self.gold_word] == CONTENT
        return content


def _bad_heads(table: Table) -> Bools:
    """Words whose HEAD is bad by itself; where there are roots too many, the one that counts too.

    Which of several roots is the right one is for the annotator to say.
    """
    bad: Bools = table.head_of == WRONG
    if len(table.several_roots):
        several = np.zeros(len(table.block), bool)
        several[table.several_roots] = True
        bad |= (table.head_of == ROOT) & several[table.word_sentence]
    return bad


def relations_of(table: Table) -> tuple[Ints, Ints]:
    """The relation of each word, as a number, and its class (see `relations`)."""
    start = table.word_cells[:, DEPREL]
    return relations(table.buffer, start, table.word_cells[:, DEPREL + 1] - 1 - start)
