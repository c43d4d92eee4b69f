// What only the extension host can tell: the checks in inhost/ run there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openBrowser, startServer } from './editor.mjs';
import { folder, garden, INHOST, pathOf, script, SERVER } from './place.mjs';

const LIMIT = { timeout: 150_000 };

test('in a folder that is trusted', LIMIT, () => run('session.js', { folder: garden() }));

test('in a folder that is not trusted', LIMIT, async () => {
  const place = garden();
  const leave = `touch '${place}/was-run'`;
  const server = join(place, 'goldlens');
  script(server, leave);
  script(join(place, 'env', 'bin', 'goldlens'), leave);
  mkdirSync(join(place, '.vscode'));
  const named = { 'goldlens.server.path': server };
  writeFileSync(join(place, '.vscode', 'settings.json'), JSON.stringify(named));
  await run(
    'untrusted.js',
    { folder: place },
    {
      trust: true,
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
      env: { GOLDLENS_TEST_PYTHON: join(place, 'env', 'bin', 'python') },
    },
    ['python'],
  );
});

test('in a folder that is on no disk', LIMIT, async () => {
  const workspace = join(folder('virtual'), 'virtual.code-workspace');
  writeFileSync(workspace, JSON.stringify({ folders: [{ uri: 'memory:/' }] }));
  await run('virtual.js', { workspace }, {}, ['memory']);
});

test('with the active Python environment', LIMIT, async () => {
  const place = folder('python');
  for (const name of ['one', 'two']) {
    script(join(place, name, 'bin', 'goldlens'), `exec '${SERVER}' "$@"`);
  }
  const env = { ...pathOf(place), GOLDLENS_TEST_PYTHON: join(place, 'one', 'bin', 'python') };
  const settings = { 'goldlens.server.path': '' };
  await run('python.js', { folder: garden() }, { settings, env }, ['python']);
});

test('with a daemon', LIMIT, async () => {
  const place = garden();
  const env = { GOLDLENS_RUNTIME_DIR: folder('run'), GOLDLENS_TEST_SERVER: SERVER };
  const daemon = (verb) =>
    execFileSync(SERVER, ['daemon', verb, place], { env: { ...process.env, ...env } });
  daemon('start');
  try {
    await run('daemon.js', { folder: place }, { settings: { 'goldlens.daemon': 'auto' }, env });
  } finally {
    daemon('stop');
  }
});

/**
 * Runs the checks of a file in the extension host of a window with a folder or a workspace open,
 * beside other extensions of inhost/.
 */
async function run(checks, open, options, beside = []) {
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
      ...beside.map((name) => ['extensionDevelopmentPath', remote(join(INHOST, name))]),
      ['extensionTestsPath', remote(join(INHOST, checks))],
    ];
    const query = new URLSearchParams({ ...open, payload: JSON.stringify(payload) });
    await page.goto(`http://${server.address}/?${query}`);
    const answer = await Promise.race([code, wait(130_000, 'nothing', { ref: false })]);
    assert.deepEqual([answer, failures], [0, []]);
  } finally {
    await browser.close();
    await server.close();
  }
}
