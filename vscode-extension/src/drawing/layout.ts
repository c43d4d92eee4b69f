/** Where words and arcs of a sentence are drawn: a pure function of the tree and of text widths. */
import type { Tree, Word } from '../protocol';

export type Side = 'gold' | 'pred';

export interface DrawnWord {
  /** The middle of the word. */
  readonly x: number;
  readonly width: number;
}

export interface DrawnArc {
  readonly side: Side;
  /** Numbers of words from 0; no head is the root, or gold's where it is no word of the sentence. */
  readonly dependent: number;
  readonly head: number | undefined;
  readonly label: string;
  readonly wrong: boolean;
  /** As the attribute `d` of an SVG path. */
  readonly path: string;
  /** The points of the arrow's head, at the dependent, as the attribute `points` of a polygon. */
  readonly arrow: string;
  /** The middle of the label. */
  readonly x: number;
  readonly y: number;
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly rtl: boolean;
  /** The base line of the forms; the tags stand one line below. */
  readonly baseline: number;
  readonly words: readonly DrawnWord[];
  readonly arcs: readonly DrawnArc[];
}

/** Distances, in pixels. */
const STEP = 24;
const MARGIN = 16;
const BETWEEN = 18;
/** No word is narrower, nor than the label of an arc that comes from no word. */
const LEAST = 34;
const LABEL_SPACE = 22;
const CORNER = 6;
const OFFSET = 5;
const WORD_HEIGHT = 40;

interface Arc {
  readonly side: Side;
  readonly dependent: number;
  readonly head: number | undefined;
  readonly label: string;
  readonly wrong: boolean;
}

/**
 * A drawing of a tree: gold's arcs above the words and predicted ones below, or predicted ones
 * above where there is no gold. `measure` gives the width of a text in pixels.
 */
export function layout(tree: Tree, measure: (text: string) => number): Drawing {
  const words = tree.words;
  const hasGold = words.some((word) => word.gold !== null);
  const pred = arcsOf(words, 'pred');
  const gold = hasGold ? arcsOf(words, 'gold') : [];
  const above = hasGold ? gold : pred;
  const below = hasGold ? pred : [];
  const arcs = [...above, ...below];
  const widths = words.map((word, number) => {
    const over = arcs.filter((arc) => arc.head === undefined && arc.dependent === number);
    const texts = [word.form, word.upos, ...over.map((arc) => arc.label)];
    return Math.max(...texts.map(measure), LEAST);
  });
  const { middles, width } = positions(widths, arcs, measure);
  const rtl = runsFromTheRight(words);
  const up = levels(above, words.length);
  const down = levels(below, words.length);
  const top = MARGIN + (Math.max(0, ...up) + 0.5) * STEP;
  const bottom = top + WORD_HEIGHT;
  const height = bottom + (below.length ? (Math.max(0, ...down) + 0.5) * STEP : 0) + MARGIN;
  const x = (word: number): number => (rtl ? width - middles[word]! : middles[word]!);
  return {
    width,
    height,
    rtl,
    baseline: top + 16,
    words: words.map((_, word) => ({ x: x(word), width: widths[word]! })),
    arcs: [
      ...above.map((arc, at) => drawn(arc, x, top, -up[at]! * STEP)),
      ...below.map((arc, at) => drawn(arc, x, bottom, down[at]! * STEP)),
    ],
  };
}

/** Whether most words are of a script written from right to left. */
export function runsFromTheRight(words: readonly Pick<Word, 'form'>[]): boolean {
  let balance = 0;
  for (const { form } of words) {
    if (RIGHT_TO_LEFT.test(form)) balance++;
    else if (/\p{L}/u.test(form)) balance--;
  }
  return balance > 0;
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/**
 * The arcs of one side. A head that is no word of the sentence gives none, but that gold's is named
 * over its dependent.
 */
function arcsOf(words: readonly Word[], side: Side): Arc[] {
  const numbers = new Map(words.map((word, number) => [word.id, number]));
  const found: Arc[] = [];
  words.forEach((word, dependent) => {
    const told = side === 'gold' ? word.gold : word;
    if (!told) return;
    const wrong = word.correct === false;
    if (told.head === null) {
      const elsewhere = side === 'gold' && word.gold?.head_form;
      if (!elsewhere) return;
      const label = `${told.deprel} of ${elsewhere}`;
      found.push({ side, dependent, head: undefined, label, wrong });
      return;
    }
    const head = numbers.get(told.head);
    if ((head === undefined && told.head !== 0) || head === dependent) return;
    found.push({ side, dependent, head, label: told.deprel, wrong });
  });
  return found;
}

const first = (arc: Arc): number => Math.min(arc.dependent, arc.head ?? arc.dependent);
const last = (arc: Arc): number => Math.max(arc.dependent, arc.head ?? arc.dependent);
const byLength = (a: Arc, b: Arc): number => last(a) - first(a) - (last(b) - first(b));

/** The middles of the words from the left, so far apart that each arc has room for its label. */
function positions(
  widths: readonly number[],
  arcs: readonly Arc[],
  measure: (text: string) => number,
): { middles: number[]; width: number } {
  const middles: number[] = [];
  let at = MARGIN;
  for (const width of widths) {
    middles.push(at + width / 2);
    at += width + BETWEEN;
  }
  for (const arc of [...arcs].sort(byLength)) {
    const from = first(arc);
    const to = last(arc);
    const lacking = measure(arc.label) + LABEL_SPACE - (middles[to]! - middles[from]!);
    if (from === to || lacking <= 0) continue;
    for (let word = to; word < middles.length; word++) middles[word]! += lacking;
  }
  const end = (middles.at(-1) ?? 0) + (widths.at(-1) ?? 0) / 2;
  return { middles, width: end + MARGIN };
}

/** How high each arc runs, from 1: above all that is nested in it or crosses it and is shorter. */
function levels(arcs: readonly Arc[], words: number): number[] {
  // The gaps between words, one before the first and one behind the last too. A root comes last,
  // and has its label above both gaps beside its word.
  const heights = new Array<number>(words + 1).fill(0);
  const found = new Map<Arc, number>();
  const order = [...arcs].sort(
    (a, b) => Number(a.head === undefined) - Number(b.head === undefined) || byLength(a, b),
  );
  for (const arc of order) {
    const from = arc.head === undefined ? arc.dependent : first(arc) + 1;
    const to = arc.head === undefined ? arc.dependent + 1 : last(arc);
    const level = 1 + Math.max(...heights.slice(from, to + 1));
    heights.fill(level, from, to + 1);
    found.set(arc, level);
  }
  return arcs.map((arc) => found.get(arc)!);
}

/** An arc from the line `y` of its words to `rise` beyond it; up if that is negative. */
function drawn(arc: Arc, x: (word: number) => number, y: number, rise: number): DrawnArc {
  const to = x(arc.dependent);
  const peak = y + rise;
  const sign = Math.sign(rise);
  const arrow = `${to},${y} ${to - 3.5},${y + sign * 7} ${to + 3.5},${y + sign * 7}`;
  if (arc.head === undefined) {
    return { ...arc, path: `M ${to} ${peak} V ${y + sign * 6}`, arrow, x: to, y: peak };
  }
  const towards = Math.sign(to - x(arc.head));
  const from = x(arc.head) + towards * OFFSET;
  const corner = Math.min(CORNER, Math.abs(rise) / 2, Math.abs(to - from) / 2);
  const path = [
    `M ${from} ${y}`,
    `V ${peak - sign * corner}`,
    `Q ${from} ${peak} ${from + towards * corner} ${peak}`,
    `H ${to - towards * corner}`,
    `Q ${to} ${peak} ${to} ${peak - sign * corner}`,
    `V ${y + sign * 6}`,
  ].join(' ');
  return { ...arc, path, arrow, x: (from + to) / 2, y: peak };
}
