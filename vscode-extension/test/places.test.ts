import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, inside, keyOf, saysGold, systemName } from '../src/places';

const FOLDERS = [
  { name: 'work', path: '/home/me/work' },
  { name: 'inner', path: '/home/me/work/inner' },
];

test('a file goes by its folder and comes back', () => {
  for (const [file, key] of [
    ['/home/me/work/runs/a.conllu', 'work/runs/a.conllu'],
    ['/home/me/work/inner/a.conllu', 'inner/a.conllu'],
    ['/elsewhere/a.conllu', '/elsewhere/a.conllu'],
    ['/home/me/workshop/a.conllu', '/home/me/workshop/a.conllu'],
  ] as const) {
    assert.equal(keyOf(file, FOLDERS), key);
    assert.equal(fileOf(key, FOLDERS), file);
  }
  assert.equal(fileOf('gone/a.conllu', FOLDERS), undefined);
});

test('the folder may have moved', () => {
  const moved = [{ name: 'work', path: '/mnt/work' }];
  assert.equal(fileOf(keyOf('/home/me/work/a.conllu', FOLDERS), moved), '/mnt/work/a.conllu');
});

test('what lies in a folder', () => {
  assert.ok(inside('/a/b/c', '/a'));
  assert.ok(inside('/a/..b', '/a'));
  assert.ok(!inside('/a', '/a'));
  assert.ok(!inside('/ab/c', '/a'));
});

test('a system is called by its folder, or by its file', () => {
  for (const [file, name] of [
    ['/home/me/work/runs/alpha/test.conllu', 'alpha'],
    ['/home/me/work/alpha.conllu', 'alpha'],
    ['/home/me/work/alpha.pred.conllu', 'alpha'],
    ['/home/me/work/pred/alpha.iob2', 'alpha'],
    ['/home/me/work/predictions/alpha.stems.tsv', 'alpha'],
    ['/elsewhere/alpha.conllu', 'alpha'],
  ] as const) {
    assert.equal(systemName(file, FOLDERS.slice(0, 1)), name, file);
  }
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
