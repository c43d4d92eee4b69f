import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted, width } from '../src/width';

test('letters take one column, with marks or without', () => {
  for (const [text, columns] of [
    ['abc', 3],
    ['e\u0301', 1],
    ['שָׁלוֹם', 4],
    ['\u200fמים', 3],
    ['بَيت', 3],
    ['Ελλάδα', 6],
  ] as const) {
    assert.equal(width(text), columns, text);
  }
});

test('East Asian letters take two, half-width ones one', () => {
  for (const [text, columns] of [
    ['庭園', 4],
    ['カタカナ', 8],
    ['ｶﾀ', 2],
    ['한글', 4],
    ['ＡＢ', 4],
    ['𠮷', 2],
    ['、', 2],
  ] as const) {
    assert.equal(width(text), columns, text);
  }
});

test('a picture takes two, however many characters it has', () => {
  for (const text of ['🍅', '👩‍🌾', '❤️', '🇫🇷', '👍🏽']) assert.equal(width(text), 2, text);
  assert.equal(width('©'), 1);
});

test('the editor counts units on the way to a tab', () => {
  assert.equal(counted('abc'), 3);
  assert.equal(counted('庭園'), 4);
  assert.equal(counted('e\u0301'), 2);
  assert.equal(counted('🍅'), 2);
  assert.equal(counted('שָׁ'), 3);
});
