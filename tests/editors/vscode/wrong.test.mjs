// A setting that names a server that is not there: every command says so before it asks anything,
// and what is installed can take its place.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openWorkbench } from './editor.mjs';
import { folder, garden, notingPython, pathOf } from './place.mjs';

const LIMIT = { timeout: 90_000 };
const bin = folder('bin');
notingPython(bin);
let workbench;
let page;

before(
  async () => {
    workbench = await openWorkbench(garden(), {
      settings: { 'goldlens.server.path': '/no/such/goldlens' },
      env: pathOf(bin),
    });
    page = workbench.page;
    await workbench.open('runs/alpha/garden.conllu');
  },
  { timeout: 120_000 },
);
after(() => workbench?.close());

const toast = () =>
  page.locator('.notification-toast', {
    hasText: 'goldlens.server.path names /no/such/goldlens, which is not there.',
  });

test('it is said by itself, and again by every command', LIMIT, async () => {
  await toast().waitFor();
  for (const command of ['Set Gold…', 'Go to the Worst Sentence', 'Open Report', 'Compare with…']) {
    await workbench.command('Notifications: Clear All Notifications');
    await toast().waitFor({ state: 'detached' });
    await workbench.command(`Goldlens: ${command}`);
    await toast().waitFor();
    await toast().getByRole('button', { name: 'Open Settings' }).waitFor();
    assert.equal(await page.locator('.quick-input-widget:visible').count(), 0, command);
  }
  await workbench.screenshot('wrong path');
});

test('what is installed runs if the setting is cleared, which is offered', LIMIT, async () => {
  await toast().getByRole('button', { name: 'Install…' }).click();
  const dialog = page.locator('.monaco-dialog-box', { hasText: 'names /no/such/goldlens' });
  await dialog.waitFor();
  await workbench.screenshot('instead');
  await dialog.getByRole('button', { name: 'Install and Clear the Setting' }).click();
  await workbench.statusBar.getByText('LAS 83.77').waitFor({ timeout: 60_000 });
});
