// Where there is no server: it is said, nothing is run unasked, and the extension makes an
// environment of its own if it may.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openWorkbench } from './editor.mjs';
import { folder, garden, notingPython, pathOf } from './place.mjs';

const bin = folder('bin');
const calls = notingPython(bin);
let workbench;

before(
  async () => {
    workbench = await openWorkbench(garden(), {
      settings: { 'goldlens.server.path': '' },
      env: pathOf(bin),
    });
  },
  { timeout: 120_000 },
);
after(() => workbench?.close());

test('no server: it is said, and nothing is run unasked', { timeout: 60_000 }, async () => {
  await workbench.open('runs/alpha/garden.conllu');
  await workbench.page
    .locator('.notification-toast', { hasText: 'Goldlens is not installed' })
    .waitFor();
  await workbench.screenshot('missing');
  assert.ok(!existsSync(calls), 'Python was called');
});

test(
  'an environment is made after a question, and the server runs',
  { timeout: 90_000 },
  async () => {
    const { page } = workbench;
    await page.locator('.notification-toast').getByRole('button', { name: 'Install…' }).click();
    const dialog = page.locator('.monaco-dialog-box', {
      hasText: 'Install Goldlens for this extension?',
    });
    await dialog.waitFor();
    await workbench.screenshot('question');
    assert.ok(!existsSync(calls), 'Python was called');
    await dialog.getByRole('button', { name: 'Install' }).click();
    await workbench.statusBar.getByText('LAS 83.77').waitFor({ timeout: 60_000 });
    const [check, venv, pip] = readFileSync(calls, 'utf8').trim().split('\n');
    assert.match(check, /^-c /);
    assert.match(venv, /^-m venv --clear .*goldlens\.goldlens\/environment$/);
    assert.equal(pip, '-m pip install --disable-pip-version-check goldlens[plot]');
  },
);
