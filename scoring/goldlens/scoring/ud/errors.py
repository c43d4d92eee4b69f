"""Where a prediction differs from gold: the located problems of one compared segment.

Made on demand from the same `Comparison` that the counts come from, so that there are as many
problems as the counts say. Places are relative: `Place.unit` counts from the segment's first
unit, of the prediction (here) or of gold (there).
"""

from __future__ import annotations

from collections.abc import Sequence

from goldlens.scoring.problems import Place, Problem, Related, Side, problem
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.counting import by_sentence
from goldlens.scoring.ud.features import normal_forms
from goldlens.scoring.ud.places import Rows
from goldlens.scoring.ud.table import (
    DEPREL,
    FEATS,
    FORM,
    HEAD,
    ID,
    LEMMA,
    ROOT,
    UPOS,
    XPOS,
)
from goldlens.scoring.ud.unit import Unit

_MOST_RELATED = 20


def comparison_problems(gold: Sequence[Unit], pred: Sequence[Unit]) -> list[Problem]:
    """The problems of a segment whose sides are compared, in order of place.

    `gold`, `pred`: the units of the segment. Raises GroupTooLarge (see `alignment`).
    """
    return problems_by_segment(gold, pred, [(len(gold), len(pred))])[0]


def problems_by_segment(
    gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[tuple[int, int]]
) -> list[list[Problem]]:
    """The same for segments that follow one another and may be compared in one go.

    `segments` gives how many gold and predicted units each has; places count from their first.
    """
    gold_numbers = [k for size, _ in segments for k in range(size)]
    pred_numbers = [k for _, size in segments for k in range(size)]
    errors = _Errors(Rows(gold, Side.THERE, gold_numbers), Rows(pred, Side.HERE, pred_numbers))
    segment_of_unit = [k for k, (_, size) in enumerate(segments) for _ in range(size)]
    found: list[list[Problem]] = [[] for _ in segments]
    for unit, problems in errors.by_unit().items():
        found[segment_of_unit[unit]] += problems
    for problems in found:
        problems.sort(key=lambda p: (p.place.unit, p.place.line, p.place.start))
    return found


class _Errors:
    def __init__(self, gold: Rows, pred: Rows) -> None:
        self.gold_rows, self.pred_rows = gold, pred
        self.gold, self.pred = gold.table, pred.table
        self.compared = Comparison(self.gold, self.pred)
        self._by_unit: dict[int, list[Problem]] = {}

    def by_unit(self) -> dict[int, list[Problem]]:
        """The problems of each predicted unit, numbered as in the stretch."""
        pair_of = dict(
            zip(
                self.compared.pred_word.tolist(),
                range(len(self.compared.pred_word)),
                strict=True,
            )
        )
        self._attachment(pair_of)
        self._cells()
        self._tokens()
        self._sentences()
        return self._by_unit

    def _attachment(self, pair_of: dict[int, int]) -> None:
        compared = self.compared
        wrong = compared.attachment_problems().nonzero()[0].tolist()
        if not wrong:
            return
        figures = self._figures()
        for word in wrong:
            pair = pair_of.get(word)
            if pair is None:
                self._unaligned(word)
                continue
            gold_word = int(compared.gold_word[pair])
            figure = figures[int(self.gold.word_sentence[gold_word])]
            if compared.head_agrees[pair]:
                column, message = DEPREL, f"The {self._relations(word, gold_word)}; {figure}"
            else:
                column = HEAD
                message = f"HEAD is {self._head(word)}, gold has {self._gold_head(gold_word)}"
                if not compared.relation_agrees[pair]:
                    message += f"; the {self._relations(word, gold_word)}"
                message += f"; {figure}"
            related = (Related(self.gold_rows.place(gold_word, column), "gold"),)
            self._report_word(word, "las-error", column, message, related)

    def _relations(self, word: int, gold_word: int) -> str:
        ours = self.pred_rows.cell(word, DEPREL) or "empty"
        theirs = self.gold_rows.cell(gold_word, DEPREL) or "nothing"
        return f"relation is {ours}, gold has {theirs}"

    def _figures(self) -> list[str]:
        """The LAS of each gold sentence, as "LAS 7/9"."""
        las = metrics.METRICS["LAS"]
        return [f"LAS {row[las.correct]}/{row[las.gold]}" for row in by_sentence(self.compared)]

    def _head(self, word: int) -> str:
        head = int(self.pred.head_of[word])
        if head < 0:
            return "0 (root)"
        return f"{self.pred_rows.number(head)} ({self.pred_rows.cell(head, FORM)})"

    def _gold_head(self, gold_word: int) -> str:
        """Gold's head, by the prediction's ID where it has that word."""
        head = int(self.gold.head_of[gold_word])
        if head == ROOT:
            return "0 (root)"
        if head < 0:
            return "no head that can be read"
        form = self.gold_rows.cell(head, FORM)
        facing = (self.compared.gold_of == head).nonzero()[0]
        if len(facing):
            return f"{self.pred_rows.number(int(facing[0]))} ({form})"
        return f"its own {self.gold_rows.number(head)} ({form}), which has no counterpart here"

    def _unaligned(self, word: int) -> None:
        token = int(self.pred.word_token[word])
        start, end = int(self.pred.token_start[token]), int(self.pred.token_end[token])
        overlap = (
            ((self.gold.token_start < end) & (self.gold.token_end > start)).nonzero()[0].tolist()
        )
        words = [
            w
            for t in overlap
            for w in range(int(self.gold.token_word[t]), int(self.gold.token_word[t + 1]))
        ]
        forms = " + ".join(self.gold_rows.cell(w, FORM) for w in words[:8])
        more = " + …" if len(words) > 8 else ""
        form = self.pred_rows.cell(word, FORM)
        message = f"No word of gold corresponds to {form!r}; gold has {forms}{more} here"
        related = tuple(
            Related(self.gold_rows.place(w, FORM), "gold's word") for w in words[:_MOST_RELATED]
        )
        self._report_word(word, "word-alignment", FORM, message, related)

    def _cells(self) -> None:
        compared = self.compared
        for agree, column, code, name in (
            (compared.upos_agrees, UPOS, "tag-error", "UPOS"),
            (compared.xpos_agrees, XPOS, "tag-error", "XPOS"),
            (compared.lemma_agrees, LEMMA, "lemma-error", "The lemma"),
            (compared.feats_agree, FEATS, "feats-error", "Features"),
        ):
            for pair in (~agree).nonzero()[0].tolist():
                word, gold_word = int(compared.pred_word[pair]), int(compared.gold_word[pair])
                ours = self.pred_rows.cell(word, column)
                theirs = self.gold_rows.cell(gold_word, column)
                if column == FEATS:
                    message = _features_message(ours, theirs)
                else:
                    message = f"{name} is {ours or 'empty'}, gold has {theirs or 'nothing'}"
                related = (Related(self.gold_rows.place(gold_word, column), "gold"),)
                self._report_word(word, code, column, message, related)

    def _tokens(self) -> None:
        for token in self.compared.token_problems().nonzero()[0].tolist():
            start, end = int(self.pred.token_start[token]), int(self.pred.token_end[token])
            overlap = (
                ((self.gold.token_start < end) & (self.gold.token_end > start))
                .nonzero()[0]
                .tolist()
            )
            forms = " ".join(self.gold_rows.token_cell(t, FORM) for t in overlap[:8])
            form = self.pred_rows.token_cell(token, FORM)
            message = f"Gold has no token {form!r}; its tokens here are {forms}"
            related = tuple(
                Related(self.gold_rows.token_place(t, FORM), "gold's token")
                for t in overlap[:_MOST_RELATED]
            )
            self._report_token(token, "token-boundary", message, related)

    def _sentences(self) -> None:
        only_here, only_there = self.compared.sentence_problems()
        for offset in only_here.tolist():
            token = int(self.pred.token_end.searchsorted(offset))
            message = "The sentence ends here; gold's goes on"
            gold_token = int(self.gold.token_end.searchsorted(offset, side="right"))
            related = (Related(self.gold_rows.token_place(gold_token, FORM), "gold goes on"),)
            self._report_token(token, "sentence-boundary", message, related)
        for offset in only_there.tolist():
            token = int(self.pred.token_end.searchsorted(offset, side="right"))
            gold_token = int(self.gold.token_end.searchsorted(offset, side="right"))
            related = (Related(self.gold_rows.token_place(gold_token, ID), "gold's sentence"),)
            message = "Gold begins a sentence here; this one goes on"
            self._report_token(token, "sentence-boundary", message, related)

    def _report_word(
        self, word: int, code: str, column: int, message: str, related: tuple[Related, ...]
    ) -> None:
        sentence = int(self.pred.word_sentence[word])
        self._report(sentence, code, self.pred_rows.place(word, column), message, related)

    def _report_token(
        self, token: int, code: str, message: str, related: tuple[Related, ...]
    ) -> None:
        sentence = int(self.pred.sentence_token.searchsorted(token, side="right")) - 1
        self._report(sentence, code, self.pred_rows.token_place(token, FORM), message, related)

    def _report(
        self, sentence: int, code: str, place: Place, message: str, related: tuple[Related, ...]
    ) -> None:
        found = problem(code, place, message, related=related)
        self._by_unit.setdefault(self.pred_rows.held[sentence], []).append(found)


def _features_message(ours: str, theirs: str) -> str:
    """Which universal features differ."""
    here = dict(_features(ours))
    there = dict(_features(theirs))
    parts = [
        f"{name}={here[name]}, gold has {name}={there[name]}"
        for name in there
        if name in here and here[name] != there[name]
    ]
    parts += [f"{name}={there[name]} is missing" for name in there if name not in here]
    parts += [f"{name}={here[name]} is not in gold" for name in here if name not in there]
    if not parts:
        return f"Features are {ours}, gold has {theirs}"
    return "; ".join(parts)


def _features(cell: str) -> list[tuple[str, str]]:
    universal, _ = normal_forms(cell.encode())
    pairs = (part.decode("utf-8", "replace").partition("=") for part in universal)
    return [(name, value) for name, _, value in pairs]
