import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cellSpan,
  columnOf,
  explained,
  figures,
  idOf,
  label,
  listing,
  whereabouts,
  withExamples,
} from '../src/confusions';
import type { Analysis, Confusion } from '../src/protocol';

const confusion = (more: Partial<Confusion>): Confusion => ({
  of: null,
  gold: 'obl',
  pred: 'nmod',
  count: 3,
  share: 17.647,
  gain: 0,
  bound: 2.264,
  places: [],
  ...more,
});

const listed = (column: string, more: Partial<Confusion> = {}) => ({
  column,
  confusion: confusion(more),
});

test('the column that was chosen, or the first of the task', () => {
  assert.equal(columnOf('ud', 'heads')?.name, 'HEAD');
  assert.equal(columnOf('ud', undefined)?.name, 'All Columns');
  assert.equal(columnOf('span', 'heads')?.what, 'label');
  assert.equal(columnOf('stemming', undefined), undefined);
});

test('a confusion has its column only where all columns are shown', () => {
  assert.equal(label(listed('deprel'), 'deprel'), 'obl → nmod');
  assert.equal(label(listed('deprel'), 'overview'), 'DEPREL obl → nmod');
  assert.equal(label(listed('heads', { gold: 'VERB', pred: null }), 'overview'), 'HEAD VERB → –');
  const feature = { of: 'Case', gold: null, pred: 'Gen' };
  assert.equal(label(listed('feats', feature), 'overview'), 'Case: – → Gen');
  const missing = { of: 'missing', gold: 'LOC', pred: null };
  assert.equal(label(listed('label', missing), 'label'), 'missing: LOC → –');
  assert.equal(label(listed('class', { ...missing, gold: null }), 'class'), 'missing');
});

test('what it costs, how often, and of how many', () => {
  assert.equal(figures(confusion({}), 'LAS'), '+0.00 LAS  3×  17.6%');
  assert.equal(figures(confusion({ gain: -0.5 }), 'MLAS'), '−0.50 MLAS  3×  17.6%');
  assert.equal(figures(confusion({ gain: null }), 'LAS'), '3×  17.6%');
  assert.equal(
    explained(listed('deprel'), 'deprel', 'LAS'),
    'obl → nmod: 3 times, 17.65% of the errors of the column. Without it LAS would change by +0.00 points. If these words were right in all that it looks at: +2.26.',
  );
  assert.match(explained(listed('heads'), 'heads', 'LAS'), /the UPOS of gold’s head, and of/);
  assert.match(explained(listed('label', { count: 1, bound: null }), 'label', 'Micro'), /: once, /);
});

const analysis = (costliest: Analysis['costliest'], what: string, all: Confusion[]): Analysis => ({
  metric: 'LAS',
  score: 80,
  costliest,
  sections: [{ what, confusions: { distinct: 9, listed: all } }],
});

test('the costliest come first, and it is said how many there are besides', () => {
  const costliest = [
    { ...confusion({ gain: 2 }), column: 'deprel' },
    { ...confusion({ gain: 1 }), column: 'deprel' },
  ];
  const found = listing(analysis(costliest, 'deprel', [confusion({ gain: 1 })]), 'deprel');
  assert.deepEqual(
    found.listed.map(({ confusion }) => confusion.gain),
    [2, 1],
  );
  assert.equal(found.more, 7);
});

test('where the server names no costliest of a column, the frequent ones by what they cost', () => {
  const label = { ...confusion({}), column: 'label' };
  const frequent = [
    confusion({ of: 'spurious', count: 5, gain: 1 }),
    confusion({ of: 'type', count: 2, gain: 3 }),
    confusion({ of: 'missing', count: 7, gain: 1 }),
  ];
  const found = listing(analysis([label], 'class', frequent), 'class');
  assert.deepEqual(
    found.listed.map(({ column, confusion }) => [column, confusion.of]),
    [
      ['class', 'type'],
      ['class', 'missing'],
      ['class', 'spurious'],
    ],
  );
});

test('where an example is', () => {
  const place = { name: 'garden-01', line: 11, gold_line: 12, text: 'morning' };
  assert.equal(whereabouts(place), 'garden-01, line 11');
  assert.equal(whereabouts({ ...place, line: null }), 'garden-01, gold’s line 12');
  assert.equal(whereabouts({ ...place, name: null }), 'line 11');
});

test('where a cell begins and ends', () => {
  assert.deepEqual(cellSpan('1\tThe\tthe\tDET', 3), [10, 13]);
  assert.deepEqual(cellSpan('1\tThe\tthe\tDET', 1), [2, 5]);
  assert.deepEqual(cellSpan('1\tThe', 3), [0, 0]);
  assert.deepEqual(cellSpan('1\tThe', 0), [0, 1]);
});

test('one kind gets the examples of a later answer, the others keep theirs', () => {
  const place = (line: number) => ({ name: null, line, gold_line: line, text: '' });
  const [few, many] = [[place(1)], [place(1), place(2)]];
  const [noun, verb] = ['NOUN', 'VERB'].map((pred) => listed('heads', { pred, places: few }));
  const answer = [noun!, verb!].map(({ column, confusion }) =>
    listed(column, { ...confusion, places: many }),
  );
  const found = withExamples({ listed: [noun!, verb!], more: 4 }, idOf(verb!), answer);
  assert.deepEqual(
    found.listed.map(({ confusion }) => confusion.places),
    [few, many],
  );
  assert.equal(found.more, 4);
  assert.deepEqual(withExamples(found, idOf(verb!), []), found, 'it is gone from the answer');
});
