"""The rule by which two lists of units are cut into segments, given what they are alone.

match "stream" and "auto": what lies before the last shared sentence end inside the streams'
common prefix, and behind the first one inside their common suffix, is compared by stream, cut
wherever no alignment reaches over. Of the middle that may be left, "auto" pairs sentences whose
sent_id is unique on both sides and whose streams are equal; each run of the rest is one mismatch.
match "sent_id": sentences are paired by unique sent_id throughout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from goldlens.scoring.segment import Kind
from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.ud.faces import (
    common_prefix,
    common_suffix,
    ends_of,
    equal_streams,
    is_cut,
    stream,
)
from goldlens.scoring.ud.unit import Unit

Row = tuple[Kind, int, int, int, int]
"""A segment: its kind, first gold unit, gold units, first and number of predicted units."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule for two lists of units, of which any ranges may be asked for.

    `ids`: how often each sent_id stands on a side. Lists and counters are the caller's, who may
    change them. Ranges are gold units `g0` to `g1` and predicted units `p0` to `p1` (exclusive).
    """

    gold: Sequence[Unit]
    pred: Sequence[Unit]
    match: str
    ids: tuple[Counter[bytes], Counter[bytes]]

    def segments(self, g0: int, g1: int, p0: int, p1: int) -> tuple[list[Row], tuple[int, int]]:
        """Segments of a pair of ranges, and which of them are the middle."""
        if self.match == "sent_id":
            rows = self.by_sent_id(g0, g1, p0, p1)
            return rows, (0, len(rows))
        ours = stream(self.gold[g0:g1], GOLD), stream(self.pred[p0:p1], PRED)
        if ours[0] == ours[1]:
            rows = self._by_stream(g0, g1, p0, p1)
            return rows, (len(rows), len(rows))
        gx, gy, px, py = self._middle(g0, g1, p0, p1, ours)
        head = self._by_stream(g0, gx, p0, px)
        middle = self.by_sent_id(gx, gy, px, py)
        tail = self._by_stream(gy, g1, py, p1)
        return head + middle + tail, (len(head), len(head) + len(middle))

    def _middle(
        self, g0: int, g1: int, p0: int, p1: int, ours: tuple[bytes, bytes]
    ) -> tuple[int, int, int, int]:
        """The ranges between the common prefix and the common suffix of two streams, `ours`."""
        gold, pred = self.gold, self.pred
        g_ends, p_ends = ends_of(gold[g0:g1], GOLD), ends_of(pred[p0:p1], PRED)
        shared = common_prefix(*ours)
        g_at = {end: k for k, end in g_ends if end <= shared}
        cut = max((end for _, end in p_ends if end in g_at), default=0)
        gx = g0 + (g_at[cut] + 1 if cut else 0)
        px = p0 + (next(k for k, end in p_ends if end == cut) + 1 if cut else 0)
        if cut:
            while gx < g1 and not gold[gx].sentence:
                gx += 1
            while px < p1 and not pred[px].sentence:
                px += 1
        rest = common_suffix(ours[0][cut:], ours[1][cut:])
        g_from = {len(ours[0]) - end: g0 + k + 1 for k, end in g_ends if end > cut}
        p_from = {len(ours[1]) - end: p0 + k + 1 for k, end in p_ends if end > cut}
        g_from[len(ours[0]) - cut], p_from[len(ours[1]) - cut] = gx, px
        last = max((y for y in g_from if y <= rest and y in p_from), default=0)
        gy, py = (g_from[last], p_from[last]) if last else (g1, p1)
        if last:
            while gy < g1 and gy > gx and not gold[gy].sentence:
                gy += 1
            while py < p1 and py > px and not pred[py].sentence:
                py += 1
        return gx, gy, px, py

    def _by_stream(self, g0: int, g1: int, p0: int, p1: int) -> list[Row]:
        """Segments of two ranges with equal streams: a new one wherever nothing reaches over."""
        gold, pred = self.gold, self.pred
        rows: list[Row] = []
        g_begin, p_begin, g, p = g0, p0, g0, p0
        g_end = p_end = 0
        g_last = p_last = None
        while g < g1 or p < p1:
            # Nearly always one sentence faces one, and the next begin a new segment.
            while g == g_begin and p == p_begin and g + 1 < g1 and p + 1 < p1 and not g_end:
                a, b, c, d = gold[g], pred[p], gold[g + 1], pred[p + 1]
                if not (len(a.stream) == len(b.stream) and a.stream and c.stream and d.stream):
                    break
                if not is_cut(a, b, c, d):
                    break
                rows.append((Kind.STREAM, g, 1, p, 1))
                g_begin = g = g + 1
                p_begin = p = p + 1
            if g < g1 and (g_end <= p_end or p == p1):
                unit = gold[g]
                g += 1
                if unit.stream:
                    g_end += len(unit.stream)
                    g_last = unit
            else:
                unit = pred[p]
                p += 1
                if unit.stream:
                    p_end += len(unit.stream)
                    p_last = unit
            if g_end != p_end or g_last is None or p_last is None:
                continue
            # Sentences alone have a stream; blocks without one go with what they follow.
            while g < g1 and not gold[g].stream:
                g += 1
            while p < p1 and not pred[p].stream:
                p += 1
            if g == g1 or p == p1:
                g, p = g1, p1
            elif not is_cut(g_last, p_last, gold[g], pred[p]):
                continue
            rows.append((Kind.STREAM, g_begin, g - g_begin, p_begin, p - p_begin))
            g_begin, p_begin = g, p
            g_last = p_last = None
            g_end = p_end = 0
        if g_begin < g1 or p_begin < p1:
            rows.append((Kind.BLANK, g_begin, g1 - g_begin, p_begin, p1 - p_begin))
        return rows

    def by_sent_id(self, g0: int, g1: int, p0: int, p1: int) -> list[Row]:
        """Segments of two ranges paired by sent_id, in order of the prediction."""
        gold, pred = self.gold, self.pred
        partner = self._partners(g0, g1, p0, p1)
        paired_gold = set(partner.values())
        # A run of unpaired gold sentences stands in the gap behind the pair that precedes it.
        runs: dict[int, tuple[int, int]] = {}
        g = g0
        while g < g1:
            if g in paired_gold:
                g += 1
                continue
            stop = g
            while stop < g1 and stop not in paired_gold:
                stop += 1
            runs[g - 1 if g > g0 else -1] = (g, stop)
            g = stop
        rows: list[Row] = []
        p = p0
        after = -1
        while True:
            stop = p
            while stop < p1 and stop not in partner:
                stop += 1
            a, b = runs.get(after, (0, 0))
            if a == b:
                a = b = after + 1 if after >= 0 else g0
            rows += self._gap(a, b, p, stop)
            if stop == p1:
                return rows
            g = partner[stop]
            kind = Kind.PAIR if equal_streams(gold[g], pred[stop]) else Kind.MISMATCH
            rows.append((kind, g, 1, stop, 1))
            after, p = g, stop + 1

    def _partners(self, g0: int, g1: int, p0: int, p1: int) -> dict[int, int]:
        """The predicted sentences that face one by its sent_id, and which one."""
        if self.match == "stream":
            return {}
        gold, pred = self.gold, self.pred
        g_ids, p_ids = self.ids
        where = {
            u.sent_id: g
            for g in range(g0, g1)
            if (u := gold[g]).sent_id and g_ids[u.sent_id] == 1 and u.sentence
        }
        partner: dict[int, int] = {}
        for p in range(p0, p1):
            unit = pred[p]
            if not unit.sent_id or p_ids[unit.sent_id] != 1 or not unit.sentence:
                continue
            g = where.get(unit.sent_id)
            if g is not None and (self.match == "sent_id" or equal_streams(gold[g], unit)):
                partner[p] = g
        return partner

    def _gap(self, g0: int, g1: int, p0: int, p1: int) -> list[Row]:
        """Segments of a gap between pairs, in which nothing faces anything by sent_id."""
        gold, pred = self.gold, self.pred
        if g0 == g1 and p0 == p1:
            return []
        if self.match != "sent_id":
            some = any(u.sentence for u in gold[g0:g1]) or any(u.sentence for u in pred[p0:p1])
            return [(Kind.MISMATCH if some else Kind.BLANK, g0, g1 - g0, p0, p1 - p0)]
        rows: list[Row] = [
            (Kind.MISSING if gold[g].sentence else Kind.BLANK, g, 1, p0, 0) for g in range(g0, g1)
        ]
        rows += [
            (Kind.EXTRA if pred[p].sentence else Kind.BLANK, g1, 0, p, 1) for p in range(p0, p1)
        ]
        return rows
