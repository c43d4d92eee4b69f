import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, inside, keyOf, saysGold, systemName } from '../src/places';

const FOLDERS = [
  { name: 'texts', path: '/home/me/texts' },
  { name: 'inner', path: '/home/me/texts/inner' },
];

test('a file goes by its folder and comes back', () => {
  for (const [file, key] of [
    ['/home/me/texts/runs/a.conllu', 'texts/runs/a.conllu'],
    ['/home/me/texts/inner/a.conllu', 'inner/a.conllu'],
    ['/elsewhere/a.conllu', '/elsewhere/a.conllu'],
    ['/home/me/textsshop/a.conllu', '/home/me/textsshop/a.conllu'],
  ] as const) {
    assert.equal(keyOf(file, FOLDERS), key);
    assert.equal(fileOf(key, FOLDERS), file);
  }
  assert.equal(fileOf('gone/a.conllu', FOLDERS), undefined);
});

test('the folder may have moved', () => {
  const moved = [{ name: 'texts', path: '/mnt/texts' }];
  assert.equal(fileOf(keyOf('/home/me/texts/a.conllu', FOLDERS), moved), '/mnt/texts/a.conllu');
});

test('what lies in a folder', () => {
  assert.ok(inside('/a/b/c', '/a'));
  assert.ok(inside('/a/..b', '/a'));
  assert.ok(!inside('/a', '/a'));
  assert.ok(!inside('/ab/c', '/a'));
});

test('a system is called by its folder, or by its file', () => {
  for (const [file, name] of [
    ['/home/me/texts/runs/alpha/test.conllu', 'alpha'],
    ['/home/me/texts/alpha.conllu', 'alpha'],
    ['/home/me/texts/alpha.pred.conllu', 'alpha'],
    ['/home/me/texts/pred/alpha.iob2', 'alpha'],
    ['/home/me/texts/predictions/alpha.stems.tsv', 'alpha'],
    ['/elsewhere/alpha.conllu', 'alpha'],
  ] as const) {
    assert.equal(systemName(file, FOLDERS.slice(0, 1)), name, file);
  }
});

test('of two systems in one folder each is called by its file', () => {
  const [one, two] = ['/home/me/texts/data/beta.conllu', '/home/me/texts/data/gamma.conllu'];
  const folders = FOLDERS.slice(0, 1);
  assert.equal(systemName(one, folders, [one, two]), 'beta');
  assert.equal(systemName(two, folders, [one, two]), 'gamma');
  assert.equal(systemName(one, folders, [one, '/home/me/texts/more/beta.conllu']), 'data');
});

test('what says that it is gold', () => {
  for (const file of [
    '/a/x.gold.conllu',
    '/a/gold.iob2',
    '/a/gold/x.conllu',
    '/a/x.gold.groups.tsv',
  ])
    assert.ok(saysGold(file), file);
  for (const file of ['/a/x.conllu', '/a/golden.conllu', '/gold/a/x.conllu'])
    assert.ok(!saysGold(file), file);
});
