import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bringing, centring, type Stretch } from '../src/drawing/sight';

const at = (from: number, to: number): Stretch => ({ from, to });
const pane = at(100, 300);

test('what is in sight stays where it is', () => {
  for (const word of [at(100, 140), at(180, 220), at(260, 300)]) {
    assert.equal(bringing(pane, word), 0);
  }
});

test('what is out of sight on either side, or cut, comes into the middle', () => {
  for (const word of [at(400, 440), at(-80, -40), at(90, 130), at(261, 301)]) {
    const middle = (word.from + word.to) / 2 - bringing(pane, word);
    assert.equal(middle, 200);
  }
});

test('what is in sight can be put into the middle all the same', () => {
  assert.equal(centring(pane, at(100, 140)), -80);
});

test('of what is longer than the pane the beginning is shown', () => {
  assert.equal(bringing(pane, at(50, 350)), -50);
  assert.equal(centring(pane, at(110, 350)), 10);
});
