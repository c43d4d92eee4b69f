import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configures, insertionOf } from '../src/pairtable';

const [GOLD, PRED] = ['/w/gold/a.conllu', '/w/runs/x/a.conllu'];
const PAIR = '[[pair]]\ngold = "gold/a.conllu"\npred = "runs/x/a.conllu"\n';
const OTHER = '[[pair]]\ngold = "b"\npred = "runs/*/*"\n';

function written(text: string, file = '/w/goldlens.toml', first = false): string {
  const { offset, text: put } = insertionOf(text, file, GOLD, PRED, first);
  return text.slice(0, offset) + put + text.slice(offset);
}

test('a pair is a table at the end', () => {
  assert.equal(written(''), PAIR);
  assert.equal(written('maxProblems = 3\n'), `maxProblems = 3\n\n${PAIR}`);
  assert.equal(written(`${OTHER}# end`), `${OTHER}# end\n\n${PAIR}`);
  assert.equal(written('a = 1\r\n'), `a = 1\r\n\r\n${PAIR.replaceAll('\n', '\r\n')}`);
});

test('paths are relative to the configuration', () => {
  assert.match(written('', '/w/runs/goldlens.toml'), /gold = "\.\.\/gold\/a.conllu"\npred = "x\/a/);
});

test('before another one that matches too, with the comment that is about that one', () => {
  const before = `run = "onSave"\n\n# all runs\n${OTHER}`;
  assert.equal(
    written(before, '/w/goldlens.toml', true),
    `run = "onSave"\n\n${PAIR}\n# all runs\n${OTHER}`,
  );
});

test('in a pyproject.toml the table is in our section', () => {
  const project = '[project]\nname = "x"\n\n[tool.goldlens]\nrun = "onSave"\n';
  assert.ok(configures('pyproject.toml', project));
  assert.ok(!configures('pyproject.toml', '[tool.goldlensx]\n'));
  assert.ok(configures('goldlens.toml', ''));
  const section = PAIR.replace('[[pair]]', '[[tool.goldlens.pair]]');
  assert.equal(written(project, '/w/pyproject.toml'), `${project}\n${section}`);
  const there = '[[tool . goldlens.pair]]\n';
  assert.equal(written(there, '/w/pyproject.toml', true), `${section}\n${there}`);
});

test('a name with signs of globs and quotes matches itself only', () => {
  const { text } = insertionOf('', '/w/goldlens.toml', '/w/g"[1].iob2', '/w/p[1]*?"\\.iob2');
  assert.equal(text, '[[pair]]\ngold = "g\\"[1].iob2"\npred = "p[[]1][*][?]\\"\\\\.iob2"\n');
});

test('pairs as one value are left alone, and it is said', () => {
  assert.throws(() => written('pair = [{gold = "a", pred = "b"}]\n'), /write them as \[\[pair\]\]/);
});
