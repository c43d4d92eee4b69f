"""What a comparison counts: the columns of `metrics`, a row a gold sentence, or in total.

A gold item, and the predicted item aligned with it, count for the gold sentence where the gold
item starts; a predicted item without counterpart for the gold sentence that holds its first
character.
"""

from __future__ import annotations

import numpy as np

from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.cells import Bools, Ints, increments
from goldlens.scoring.ud.compare import Comparison, relations_of
from goldlens.scoring.ud.enhanced import EdgeColumn
from goldlens.scoring.ud.relations import CONTENT
from goldlens.scoring.ud.table import Table


def by_sentence(found: Comparison) -> np.ndarray:
    """Counts for each gold sentence: s x WIDTH, int32."""
    gold, pred = found.gold, found.pred
    s = len(gold.block)
    if s == 1:
        return in_total(found).astype(np.int32)[None]
    out = np.zeros((s, metrics.WIDTH), np.int32)
    _count_gold(out, gold, found.gold_class, found.gold_edges)

    # Which gold sentence each item counts for.
    gold_token_of = np.arange(s).repeat(increments(gold.sentence_token))
    gold_word_of = gold.word_sentence
    pred_of = sentence_at(gold, pred.token_start)
    token_of = pred_of.copy()
    token_of[found.pred_token] = gold_token_of[found.gold_token]
    word_of = word_sentences(found, pred_of)
    sentence_of = pred_of[pred.sentence_token[:-1]]
    gold_sentence, pred_sentence = found.sentence_pairs()
    sentence_of[pred_sentence] = gold_sentence

    out[:, 5] = np.bincount(token_of, minlength=s)
    out[:, 6] = np.bincount(sentence_of, minlength=s)
    out[:, 7] = np.bincount(word_of, minlength=s)
    out[:, 8] = np.bincount(word_of[found.pred_class == CONTENT], minlength=s)
    if found.pred_edges.some:
        out[:, 9] = np.bincount(word_of, found.pred_edges.count, minlength=s)

    out[:, metrics.CORRECT] = np.bincount(gold_token_of[found.gold_token], minlength=s)
    out[gold_sentence, metrics.CORRECT + 1] = 1
    correct = np.array(_correct(found), np.int32)
    by_gold = np.zeros((len(correct), len(gold_word_of)), np.int32)
    by_gold[:, found.gold_word] = correct
    summed = np.add.reduceat(by_gold, gold.sentence_word[:-1], axis=1, dtype=np.int32)
    out[:, metrics.ALIGNED : metrics.ALIGNED + 2] = summed[:2].T
    out[:, metrics.CORRECT + 2] = summed[0]
    out[:, metrics.CORRECT + 3 : metrics.PROBLEM] = summed[2:].T
    out[:, metrics.PROBLEM :] = _problems(found, word_of, token_of)
    return out


def word_sentences(found: Comparison, token_sentences: Ints) -> Ints:
    """The gold sentence that each predicted word counts for.

    `token_sentences`: the one that holds the first character of each predicted token.
    """
    of_words = token_sentences[found.pred.word_token]
    of_words[found.pred_word] = found.gold.word_sentence[found.gold_word]
    return of_words


def in_total(found: Comparison) -> np.ndarray:
    """The sum of `by_sentence` over all gold sentences, without looking at them one by one."""
    gold, pred = found.gold, found.pred
    correct = [
        np.count_nonzero(column) if column.dtype == bool else int(column.sum())
        for column in _correct(found)
    ]
    unaligned = len(found.gold_of) - len(found.gold_word)
    agree = (found.upos_agrees, found.xpos_agrees, found.lemma_agrees, found.feats_agree)
    upos, xpos, lemma, feats = [len(column) - np.count_nonzero(column) for column in agree]
    row = [
        len(gold.multiword),
        len(gold.block),
        len(gold.word_sentence),
        np.count_nonzero(found.gold_class == CONTENT),
        found.gold_edges.total,
        len(pred.multiword),
        len(pred.block),
        len(pred.word_sentence),
        np.count_nonzero(found.pred_class == CONTENT),
        found.pred_edges.total,
        *correct[:2],
        len(found.gold_token),
        len(found.sentence_pairs()[0]),
        correct[0],
        *correct[2:],
        unaligned,
        np.count_nonzero(found.attachment_problems()) - unaligned,
        np.count_nonzero(found.token_problems()),
        sum(map(len, found.sentence_problems())),
        upos + xpos,
        lemma,
        feats,
    ]
    return np.array(row, np.int64)


def uncompared(gold: Table | None, pred: Table | None) -> np.ndarray:
    """The counts of a piece whose sides cannot be compared: s x WIDTH, nothing correct.

    s is the number of gold sentences, or one where there is none; what was predicted counts
    for the first.
    """
    size = len(gold.block) if gold is not None and len(gold.block) else 1
    out = np.zeros((size, metrics.WIDTH), np.int32)
    if gold is not None and len(gold.block):
        _count_gold(out, gold, relations_of(gold)[1], EdgeColumn(gold))
    if pred is not None and len(pred.block):
        out[0, metrics.PREDICTED : metrics.ALIGNED] = (
            len(pred.multiword),
            len(pred.block),
            len(pred.word_sentence),
            np.count_nonzero(relations_of(pred)[1] == CONTENT),
            EdgeColumn(pred).total,
        )
    return out


def _count_gold(out: np.ndarray, gold: Table, classes: Ints, edges: EdgeColumn) -> None:
    out[:, 0] = increments(gold.sentence_token)
    out[:, 1] = 1
    out[:, 2] = increments(gold.sentence_word)
    out[:, 3] = np.bincount(gold.word_sentence[classes == CONTENT], minlength=len(out))
    if edges.some:
        # A sentence whose rows cannot be read may have no words at all.
        out[:, 4] = np.bincount(gold.word_sentence, edges.count, minlength=len(out))


def _correct(found: Comparison) -> list[Bools | Ints]:
    """Over pairs: aligned, content, and for the metrics from UPOS on how many are correct."""
    return [np.ones(len(found.gold_word), bool), found.content, *found.correct().values()]


def _problems(found: Comparison, word_of: Ints, token_of: Ints) -> Ints:
    """The columns of `metrics.PROBLEMS`, by the sentences that predicted items count for."""
    s = len(found.gold.block)
    unaligned = found.gold_of < 0
    wrong = found.attachment_problems()
    offsets = np.concatenate(found.sentence_problems())
    tags = (~found.upos_agrees).astype(np.int64) + ~found.xpos_agrees
    of_pair = found.gold.word_sentence[found.gold_word]
    columns: Ints = np.array(
        [
            np.bincount(word_of[unaligned], minlength=s),
            np.bincount(word_of[wrong & ~unaligned], minlength=s),
            np.bincount(token_of[found.token_problems()], minlength=s),
            np.bincount(sentence_at(found.gold, offsets - 1), minlength=s),
            np.bincount(of_pair, tags, minlength=s),
            np.bincount(of_pair[~found.lemma_agrees], minlength=s),
            np.bincount(of_pair[~found.feats_agree], minlength=s),
        ]
    ).T
    return columns


def sentence_at(gold: Table, offset: Ints) -> Ints:
    """The gold sentence that holds each place of the stream."""
    return gold.sentence_end.searchsorted(offset, side="right")
