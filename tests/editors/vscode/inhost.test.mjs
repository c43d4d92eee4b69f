// What only the extension host can tell: the checks in inhost/ run there.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openBrowser, startServer } from './editor.mjs';
import { INHOST, garden } from './place.mjs';

test('in a folder that is trusted', { timeout: 150_000 }, () => run('session.js', garden(), {}));

test('in a folder that is not trusted', { timeout: 150_000 }, async () => {
  const folder = garden();
  const server = join(folder, 'goldlens');
  writeFileSync(server, `#!/bin/sh\ntouch '${folder}/was-run'\n`);
  chmodSync(server, 0o755);
  mkdirSync(join(folder, '.vscode'));
  const named = { 'goldlens.server.path': server };
  writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(named));
  await run('untrusted.js', folder, {
    trust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
  });
});

/** Runs the checks of a file in the extension host of a window with a folder open. */
async function run(checks, folder, options) {
  const server = await startServer(options);
  const browser = await openBrowser();
  try {
    const { page } = browser;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const failures = [];
    let ended;
    const code = new Promise((resolve) => (ended = resolve));
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.exposeFunction('codeAutomationExit', ended);
    page.on('console', (message) => {
      const told = /IN-HOST (passed|failed): .*/s.exec(message.text());
      if (told) console.log(told[0]);
      if (told?.[1] === 'failed') failures.push(told[0]);
    });
    // Newer versions run tests only where this switch is on.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        const meta = document.getElementById('vscode-workbench-web-configuration');
        if (!meta) return;
        const settings = JSON.parse(meta.getAttribute('data-settings'));
        settings.developmentOptions = {
          ...settings.developmentOptions,
          enableSmokeTestDriver: true,
        };
        meta.setAttribute('data-settings', JSON.stringify(settings));
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    const remote = (path) => `vscode-remote://${server.address}${path}`;
    const payload = [
      ['extensionDevelopmentPath', remote(server.extension)],
      ['extensionTestsPath', remote(join(INHOST, checks))],
    ];
    const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
    await page.goto(`http://${server.address}/?${query}`);
    const answer = await Promise.race([code, wait(130_000, 'nothing', { ref: false })]);
    assert.deepEqual([answer, failures], [0, []]);
  } finally {
    await browser.close();
    await server.close();
  }
}
