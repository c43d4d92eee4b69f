import assert from 'node:assert/strict';
import { test } from 'node:test';
import { facingLine, indexAt, sentenceAt, sentences, type Lines } from '../src/sentences';

const text = (content: string): Lines => {
  const lines = content.split('\n');
  return { lineCount: lines.length, lineAt: (line) => ({ text: lines[line]! }) };
};

const TWO = '# sent_id = a\n1\tx\n\n# sent_id = b\n# text = y\n1\ty\n';

test('sentences lie between blank lines', () => {
  assert.deepEqual(sentences(text(TWO)), [
    { start: 0, end: 2, id: 'a' },
    { start: 3, end: 6, id: 'b' },
  ]);
  assert.deepEqual(sentences(text('\n \n1\tx\n')), [{ start: 2, end: 3, id: undefined }]);
  assert.deepEqual(sentences(text('')), []);
});

test('the sentence at a line; a blank line belongs to the one before', () => {
  assert.equal(sentenceAt(text(TWO), 1)?.id, 'a');
  assert.equal(sentenceAt(text(TWO), 2)?.id, 'a');
  assert.equal(sentenceAt(text(TWO), 4)?.id, 'b');
  assert.equal(sentenceAt(text('\n\n1\tx'), 1), undefined);
});

test('of a long sentence the stretch within reach', () => {
  const long = text(Array.from({ length: 100 }, (_, row) => `${row}\tx`).join('\n'));
  assert.deepEqual(sentenceAt(long, 50, 10), { start: 40, end: 61, id: undefined });
  assert.deepEqual(sentenceAt(long, 50), { start: 0, end: 100, id: undefined });
  assert.equal(sentenceAt(text(`1\tx${'\n'.repeat(50)}`), 50, 10), undefined);
});

test('all ways to find a sentence agree', () => {
  const lines = text(TWO);
  const all = sentences(lines);
  for (let line = 0; line < lines.lineCount; line++) {
    assert.deepEqual(sentenceAt(lines, line), all[indexAt(all, line)], `line ${line}`);
  }
});

test('facing lines go by id, else by number', () => {
  const here = sentences(text(TWO));
  const swapped = sentences(text('# sent_id = b\n1\ty\n\n\n# sent_id = a\n1\tx\n'));
  assert.equal(facingLine(here, swapped, 0), 4);
  assert.equal(facingLine(here, swapped, 4), 1);
  const nameless = sentences(text('1\tx\n\n1\ty\n'));
  assert.equal(facingLine(here, nameless, 4), 3);
  assert.equal(facingLine(here, [], 4), 0);
});
