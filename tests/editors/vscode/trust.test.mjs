// A server that a folder names runs as soon as the folder is trusted, and not before.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openWorkbench } from './editor.mjs';
import { folder, garden, pathOf, script, SERVER } from './place.mjs';

const place = garden();
const server = join(place, 'goldlens');
const wasRun = join(place, 'was-run');
let workbench;

before(
  async () => {
    script(server, `touch '${wasRun}'\nexec '${SERVER}' "$@"`);
    mkdirSync(join(place, '.vscode'));
    const named = { 'goldlens.server.path': server };
    writeFileSync(join(place, '.vscode', 'settings.json'), JSON.stringify(named));
    workbench = await openWorkbench(place, {
      trust: true,
      settings: {
        'goldlens.server.path': '',
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.banner': 'never',
      },
      env: pathOf(folder('bin')),
    });
  },
  { timeout: 120_000 },
);
after(() => workbench?.close());

test('before: no server, and nothing of the folder is run', { timeout: 60_000 }, async () => {
  await workbench.open('runs/alpha/garden.conllu');
  await workbench.page
    .locator('.notification-toast', { hasText: 'Goldlens is not installed' })
    .waitFor();
  assert.ok(!existsSync(wasRun), 'it was run');
});

test('after: the server of the folder', { timeout: 60_000 }, async () => {
  await workbench.command('Workspaces: Manage Workspace Trust');
  const trust = workbench.page.locator('.workspace-trust-editor .monaco-button', {
    hasText: /^Trust$/,
  });
  await trust.first().click();
  await workbench.open('runs/alpha/garden.conllu');
  await workbench.statusBar.getByText('LAS 83.77').waitFor();
  assert.ok(existsSync(wasRun), 'it was not run');
});
