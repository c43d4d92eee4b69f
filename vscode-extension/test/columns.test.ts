import assert from 'node:assert/strict';
import { test } from 'node:test';
import { align, cellsOf, columnAt, header, headerBeside, nameOf } from '../src/columns';

/** Rows as they show: tabs to the next multiple of four, gaps before the cells behind them. */
function shown(rows: readonly string[], least: readonly number[] = []): string[] {
  const { gaps } = align(rows, 4, least);
  return rows.map((text, row) => {
    let out = '';
    let counted = 0;
    [...text].forEach((char, at) => {
      if (char === '\t') {
        const tab = 4 - (counted % 4);
        counted += tab;
        const gap = gaps.find((each) => each.row === row && each.character === at);
        out += ' '.repeat(tab + (gap?.columns ?? 0));
      } else {
        counted += 1;
        out += char;
      }
    });
    return out;
  });
}

test('cells stand one under another', () => {
  assert.deepEqual(shown(['1\tThe\tthe', '2\tgardener\tx', '10\ta\tb']), [
    '1   The         the',
    '2   gardener    x',
    '10  a           b',
  ]);
});

test('comments and lines without tabs are passed over', () => {
  const { gaps } = align(['# text = a\tb', 'broken line', '1\ta\tb', '2\tlonger\tb'], 4);
  assert.deepEqual(new Set(gaps.map((gap) => gap.row)), new Set([2]));
});

test('rows with fewer or more cells are aligned as far as they go', () => {
  assert.deepEqual(shown(['1\ta\tb\tc', '2\tlonger', '3\ta\tlonger\tc']), [
    '1   a   b       c',
    '2   longer',
    '3   a   longer  c',
  ]);
});

test('a column is at least as wide as its name', () => {
  assert.deepEqual(shown(['1\ta\tb', '2\tc\td'], [3, 9]), ['1   a        b', '2   c        d']);
});

test('a wide cell takes fewer columns of gap', () => {
  const { gaps } = align(['庭\tx', 'abcdef\tx'], 4);
  assert.deepEqual(gaps, [{ row: 0, character: 1, columns: 4 }]);
});

test('rows that are wider than any screen are left alone', () => {
  assert.deepEqual(align([`${'a'.repeat(500)}\tb`, 'a\tb'], 4), { gaps: [], starts: [] });
});

test('rows of IOB2 without tabs are parted by spaces, and stand one under another too', () => {
  const rows = ['# sent_id = a', 'northern B-location', '# O', 'of  O', 'alone'];
  const { gaps, starts } = align(rows, 4, [6, 4], 'iob2');
  assert.deepEqual(gaps, [
    { row: 2, character: 1, columns: 7 },
    { row: 3, character: 3, columns: 5 },
  ]);
  assert.deepEqual(starts, [0, 9]);
  assert.deepEqual(align(rows, 4, [], 'conllu').gaps, [], 'of CoNLL-U tabs alone part');
  assert.deepEqual(align(['a b\tO', 'longer\tO'], 4, [], 'iob2').gaps, [
    { row: 0, character: 3, columns: 4 },
  ]);
});

test('the names stand where the columns begin', () => {
  const { starts } = align(['1\tThe\tthe', '2\tgardener\tx'], 4);
  assert.equal(header(['ID', 'FORM', 'LEMMA'], starts), 'ID  FORM        LEMMA');
});

test('without an empty line the names stand beside a comment, those that it leaves room for', () => {
  const rows = [
    '# sent_id = a',
    '# text = The gardener waters',
    '1\tThe\tthe\tDET',
    '2\tgardener\tx\ty',
  ];
  const { starts } = align(rows, 4, [3, 5, 6, 5]);
  assert.deepEqual(starts, [0, 4, 16, 22]);
  const names = ['ID', 'FORM', 'LEMMA', 'UPOS'];
  const beside = headerBeside(rows, names, starts)!;
  assert.equal(rows[beside.row] + beside.text, '# sent_id = a   LEMMA UPOS');
  const even = headerBeside(['# a', '# b', ...rows.slice(2)], names, starts)!;
  assert.deepEqual([even.row, even.text], [1, ' FORM        LEMMA UPOS']);
  assert.equal(headerBeside(rows.slice(1), names, starts), undefined, 'no room');
  assert.equal(headerBeside(rows.slice(2), names, starts), undefined, 'no comment');
});

test('the column of a character, and its name', () => {
  const row = '1\tThe\tthe\tDET';
  const at = (text: string, character: number, language = 'conllu'): number | undefined =>
    columnAt(cellsOf(text, language), character);
  assert.equal(at(row, 0), 0);
  assert.equal(at(row, 1), 0);
  assert.equal(at(row, 2), 1);
  assert.equal(at(row, row.length), 3);
  assert.equal(at('# a\tb', 4), undefined);
  assert.equal(at('of  O', 3, 'iob2'), 0);
  assert.equal(at('of  O', 4, 'iob2'), 1);
  assert.equal(at('# text = a O b', 4, 'iob2'), undefined);
  assert.equal(nameOf('conllu', 6, 10), 'HEAD');
  assert.equal(nameOf('conllu', 10, 11), undefined);
  assert.equal(nameOf('iob2', 1, 2), 'TAG');
  assert.equal(nameOf('iob2', 3, 4), 'TAG');
  assert.equal(nameOf('iob2', 1, 4), undefined);
});
