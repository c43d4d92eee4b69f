import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, problemsOf } from '../src/problems';

const problem = (value: string, message = '') => ({ code: { value }, message });
const cut = problem('problems-cut', '4981 more problems are not shown (maxProblems is 250)');

test('problems are counted by their codes, the most frequent first', () => {
  const found = problemsOf([problem('b'), problem('a'), problem('c'), problem('c')]);
  assert.deepEqual(found, {
    shown: 4,
    more: 0,
    codes: [
      ['c', 2],
      ['a', 1],
      ['b', 1],
    ],
  });
  assert.equal(counted(found), '4');
});

test('where not all are shown it is said how many there are', () => {
  const found = problemsOf([problem('las-error'), cut, { code: 'tag-error', message: '' }]);
  assert.deepEqual([found.shown, found.more], [2, 4981]);
  assert.deepEqual(found.codes.map(([code]) => code).sort(), ['las-error', 'tag-error']);
  assert.equal(counted(found), 'the first 2 of 4983 (goldlens.maxProblems)');
});
