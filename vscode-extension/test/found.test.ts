import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { find, onPath, type Where } from '../src/server/found';

const root = mkdtempSync(join(tmpdir(), 'goldlens-found-'));
after(() => rmSync(root, { recursive: true }));

const command = (...parts: string[]): string => {
  const path = join(root, ...parts);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  return path;
};
const environment = command('python', 'bin', 'goldlens');
const searched = command('path', 'goldlens');
const own = command('own', 'bin', 'goldlens');
const inFolder = command('folder', '.venv', 'bin', 'goldlens');

const where = (changes: Partial<Where> = {}): Where => ({
  setting: '',
  trusted: true,
  folder: join(root, 'folder'),
  python: join(root, 'python', 'bin', 'python'),
  ownEnvironment: join(root, 'own'),
  searched: ['relative', join(root, 'nothing'), join(root, 'path')].join(delimiter),
  ...changes,
});

test('the setting comes first, then the environment, the PATH, and our own', () => {
  assert.deepEqual(find(where({ setting: environment })), {
    command: environment,
    from: 'setting',
  });
  assert.deepEqual(find(where()), { command: environment, from: 'python' });
  assert.deepEqual(find(where({ python: undefined })), { command: searched, from: 'path' });
  const nowhere = { python: join(root, 'nothing', 'python'), searched: '' };
  assert.deepEqual(find(where(nowhere)), { command: own, from: 'private' });
  assert.deepEqual(find(where({ ...nowhere, ownEnvironment: join(root, 'x') })), {
    wanted: undefined,
  });
});

test('a setting may be a name, or lie in the folder', () => {
  const found = { command: inFolder, from: 'setting' };
  assert.deepEqual(find(where({ setting: 'goldlens' })), { command: searched, from: 'setting' });
  assert.deepEqual(find(where({ setting: '${workspaceFolder}/.venv/bin/goldlens' })), found);
  assert.deepEqual(find(where({ setting: './.venv/bin/goldlens' })), found);
});

test('a setting that names nothing is no reason to run something else', () => {
  assert.deepEqual(find(where({ setting: '/no/such/goldlens' })), { wanted: '/no/such/goldlens' });
  assert.deepEqual(find(where({ setting: '~/no-such' })), { wanted: join(homedir(), 'no-such') });
  assert.deepEqual(find(where({ setting: root })), { wanted: root }, 'a folder is no command');
});

test('in a folder that is not trusted only the setting and our own count', () => {
  const untrusted = { trusted: false };
  assert.deepEqual(find(where(untrusted)), { command: own, from: 'private' });
  assert.deepEqual(find(where({ ...untrusted, setting: searched })), {
    command: searched,
    from: 'setting',
  });
  for (const setting of ['${workspaceFolder}/.venv/bin/goldlens', './.venv/bin/goldlens']) {
    assert.deepEqual(find(where({ ...untrusted, setting })), { wanted: setting });
  }
});

test('only absolute folders of the PATH are looked into', () => {
  assert.equal(onPath('goldlens', { searched: `.${delimiter}` }), undefined);
});
