import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takings } from '../src/taking';

const of = (...titles: string[]): { title: string; does: string }[] =>
  titles.map((title, at) => ({ title, does: title.includes('HEAD: 0') ? `${at}` : '' }));

test('cells and words before sentences, each once, and nothing else', () => {
  const actions = of(
    "Take gold's HEAD: 0",
    'Attach 2 → b to the root',
    "Take gold's sentence",
    "Take gold's HEAD and DEPREL for word 2 (sentence)",
    "Take gold's HEAD: 0",
    "Take gold's sentence",
    "Take gold's rows of the sentence",
    'Take the sentence out',
  );
  assert.deepEqual(
    takings(actions, ({ does }) => does).map(({ title }) => title),
    [
      "Take gold's HEAD: 0",
      "Take gold's HEAD and DEPREL for word 2 (sentence)",
      "Take gold's HEAD: 0",
      "Take gold's sentence",
      "Take gold's rows of the sentence",
      'Take the sentence out',
    ],
  );
});
