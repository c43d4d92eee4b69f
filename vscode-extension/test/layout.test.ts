import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependents, describeTree, describeWord, headOf } from '../src/drawing/describe';
import { layout, runsFromTheRight, type DrawnArc } from '../src/drawing/layout';
import type { Tree, Word } from '../src/protocol';

const measure = (text: string): number => 8 * text.length;

/** A tree from rows such as “2 old amod 3 | amod 3”: ID, form, relation, head, and gold's two. */
function tree(...rows: string[]): Tree {
  const words = rows.map((row, line): Word => {
    const [own, gold] = row.split('|').map((side) => side.trim().split(' '));
    const [id, form, deprel, head] = own!;
    const facing = gold && { deprel: gold[0]!, head: headIn(gold[1]!), upos: 'X' };
    return {
      id: Number(id),
      form: form!,
      lemma: form!,
      upos: 'X',
      head: headIn(head!),
      deprel: deprel!,
      line,
      gold: facing ?? null,
      correct: facing ? facing.deprel === deprel && facing.head === Number(head) : null,
    };
  });
  return { sent_id: 's', line: 0, words, problems: [] };
}

const headIn = (told: string): number | null => (told === '?' ? null : Number(told));

/** The lowest and highest y of a path, and its left and right ends. */
function box(arc: DrawnArc): { top: number; bottom: number; left: number; right: number } {
  const xs: number[] = [];
  const ys: number[] = [];
  for (const [, letter, numbers] of arc.path.matchAll(/([MVHQ]) ([-\d. ]+)/g)) {
    const each = numbers!.trim().split(' ').map(Number);
    if (letter === 'H') xs.push(each[0]!);
    else if (letter === 'V') ys.push(each[0]!);
    else each.forEach((number, at) => (at % 2 ? ys : xs).push(number));
  }
  return {
    top: Math.min(...ys),
    bottom: Math.max(...ys),
    left: Math.min(...xs),
    right: Math.max(...xs),
  };
}

const LONG = tree(
  '1 a det 2',
  '2 b nsubj 4',
  '3 c advmod 4',
  '4 d root 0',
  '5 e obj 4',
  '6 f nmod 2',
);

test('without gold all arcs run above the words', () => {
  const drawing = layout(LONG, measure);
  assert.equal(drawing.arcs.length, 6);
  for (const arc of drawing.arcs) {
    assert.equal(arc.side, 'pred');
    assert.ok(box(arc).bottom < drawing.baseline, arc.label);
  }
});

test('gold runs above the words and the prediction below', () => {
  const drawing = layout(tree('1 a det 2 | det 2', '2 b root 0 | root 0'), measure);
  assert.deepEqual(
    drawing.arcs.map((arc) => arc.side),
    ['gold', 'gold', 'pred', 'pred'],
  );
  for (const arc of drawing.arcs) {
    const { top, bottom } = box(arc);
    if (arc.side === 'gold') assert.ok(bottom < drawing.baseline);
    else assert.ok(top > drawing.baseline);
  }
});

test('both arcs of a wrong word are marked, those of a right word are not', () => {
  const drawing = layout(tree('1 a det 2 | amod 2', '2 b root 0 | root 0'), measure);
  const wrong = drawing.arcs.filter((arc) => arc.wrong);
  assert.deepEqual(
    wrong.map((arc) => [arc.side, arc.label]),
    [
      ['gold', 'amod'],
      ['pred', 'det'],
    ],
  );
});

test('no two horizontal stretches lie over each other', () => {
  const drawing = layout(LONG, measure);
  const flat = drawing.arcs.filter((arc) => arc.head !== undefined);
  for (const one of flat) {
    for (const other of flat) {
      if (one === other || one.y !== other.y) continue;
      const [a, b] = [box(one), box(other)];
      assert.ok(a.right <= b.left || b.right <= a.left, `${one.label} and ${other.label}`);
    }
  }
});

test('the shorter of two nested arcs runs lower', () => {
  const drawing = layout(LONG, measure);
  const arc = (label: string): DrawnArc => drawing.arcs.find((each) => each.label === label)!;
  assert.ok(arc('advmod').y > arc('nsubj').y);
  assert.ok(arc('nsubj').y > arc('root').y, 'the root is above what runs beside it');
});

test('an arc has room for its label', () => {
  const drawing = layout(tree('1 a acl:relcl:adv 2', '2 b root 0'), measure);
  const [arc] = drawing.arcs;
  const { left, right } = box(arc!);
  assert.ok(right - left >= measure('acl:relcl:adv'));
});

test('words do not overlap, and all is inside of the drawing', () => {
  const drawing = layout(LONG, measure);
  drawing.words.reduce((before, word) => {
    assert.ok(word.x - word.width / 2 > before.x + before.width / 2);
    return word;
  });
  for (const arc of drawing.arcs) {
    const { top, left, right } = box(arc);
    assert.ok(top > 0 && left > 0 && right < drawing.width);
  }
  const last = drawing.words.at(-1)!;
  assert.ok(last.x + last.width / 2 < drawing.width);
});

test('a script from the right begins at the right', () => {
  const hebrew = tree('1 הילדה nsubj 2', '2 רואה root 0', '3 פרח obj 2', '4 . punct 2');
  const drawing = layout(hebrew, measure);
  assert.ok(drawing.rtl);
  const xs = drawing.words.map((word) => word.x);
  assert.deepEqual(
    xs,
    [...xs].sort((a, b) => b - a),
  );
});

test('most words decide the direction, and marks have none', () => {
  const forms = (...all: string[]): { form: string }[] => all.map((form) => ({ form }));
  assert.ok(runsFromTheRight(forms('البنت', 'تزرع', 'iPhone', '.', '1')));
  assert.ok(!runsFromTheRight(forms('a', 'ب')));
  assert.ok(!runsFromTheRight(forms('1', '.')));
  assert.ok(!runsFromTheRight([]));
});

test('a head that is none, another sentence’s, or the word itself gives no arc', () => {
  const drawing = layout(tree('1 a dep ?', '2 b dep 9', '3 c dep 3'), measure);
  assert.equal(drawing.arcs.length, 0);
});

test('gold’s head is named where it is no word of the sentence, and has room', () => {
  const told = tree('1 a det 2 | obj ?', '2 b root 0 | root 0');
  const gold = { ...told.words[0]!.gold!, head_form: 'elsewhere' };
  const [word, ...others] = told.words;
  const lacking = { ...told, words: [{ ...word!, gold }, ...others] };
  const drawing = layout(lacking, measure);
  const stub = drawing.arcs.find((arc) => arc.side === 'gold' && arc.dependent === 0)!;
  assert.deepEqual([stub.head, stub.label], [undefined, 'obj of elsewhere']);
  assert.equal(stub.x, drawing.words[0]!.x);
  assert.ok(stub.y > 0 && stub.y < drawing.baseline);
  assert.ok(drawing.words[0]!.width >= measure(stub.label));
  assert.equal(
    describeWord(lacking, 0),
    '1 a, X, det of 2 b, wrong; gold: obj of “elsewhere”, which is no word of this sentence',
  );
});

test('no words, no arcs, a drawing all the same', () => {
  const drawing = layout(tree(), measure);
  assert.deepEqual([drawing.words, drawing.arcs], [[], []]);
  assert.ok(drawing.width > 0 && drawing.height > 0);
});

test('an arrow points at the dependent', () => {
  const drawing = layout(LONG, measure);
  for (const arc of drawing.arcs) {
    const [x] = arc.arrow.split(',').map(Number);
    assert.equal(x, drawing.words[arc.dependent]!.x);
  }
});

test('a word and a tree in words', () => {
  const told = tree('1 a det 2 | amod 3', '2 b root 0 | root 0', '3 c obj 2 | obj 2');
  assert.equal(describeWord(told, 0), '1 a, X, det of 2 b, wrong; gold: amod of 3 c');
  assert.equal(describeWord(told, 1), '2 b, X, root of the sentence, right');
  assert.equal(describeTree(told), 's: 3 words, 2 rightly attached, 1 wrong: a');
  assert.equal(describeTree(tree('1 a root 0')), 's: 1 word, no gold');
  assert.deepEqual(dependents(told, 1), [0, 2]);
  assert.equal(headOf(told, told.words[0]!), 1);
  assert.equal(headOf(told, told.words[1]!), undefined);
});
