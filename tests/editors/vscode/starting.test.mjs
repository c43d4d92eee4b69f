// A server that takes its time: commands wait for it, as long as the user does.
import assert from 'node:assert/strict';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openWorkbench, until } from './editor.mjs';
import { folder, garden, script, SERVER } from './place.mjs';

const LIMIT = { timeout: 90_000 };
const place = garden();
const bin = folder('bin');
const [server, begun, go] = ['goldlens', 'begun', 'go'].map((name) => join(bin, name));
let workbench;
let page;

before(
  async () => {
    cpSync(join(place, 'runs/alpha/garden.conllu'), join(place, 'fresh.conllu'));
    cpSync(join(place, 'gold/garden.conllu'), join(place, 'truth.conllu'));
    script(
      server,
      `touch '${begun}'\nwhile [ ! -e '${go}' ]; do sleep 0.1; done\nexec '${SERVER}' "$@"`,
    );
    workbench = await openWorkbench(place, { settings: { 'goldlens.server.path': server } });
    page = workbench.page;
    await workbench.open('fresh.conllu');
    await until(() => existsSync(begun), 'the server to begin');
  },
  { timeout: 120_000 },
);
after(async () => {
  // Nothing waits for it any more.
  writeFileSync(go, '');
  await workbench?.close();
});

const waiting = () =>
  page.locator('.notification-toast', { hasText: 'waiting for the server to start' });
const list = () => page.locator('.quick-input-list .monaco-list-row', { hasText: 'truth.conllu' });

test('a command that is not waited for does nothing', LIMIT, async () => {
  await workbench.command('Goldlens: Set Gold…');
  await waiting().getByRole('button', { name: 'Cancel' }).click();
  await waiting().waitFor({ state: 'detached' });
  assert.equal(await list().count(), 0);
});

test('gold that is set while the server starts is set', LIMIT, async () => {
  await workbench.command('Goldlens: Set Gold…');
  await waiting().waitFor();
  await workbench.screenshot('waiting');
  assert.equal(await list().count(), 0, 'nothing is asked before');
  writeFileSync(go, '');
  await workbench.choose('truth.conllu', 'truth.conllu');
  await workbench.statusBar.getByText('LAS 83.77').waitFor();
});

test('a prediction whose gold no other one has is compared with none', LIMIT, async () => {
  await workbench.command('Goldlens: Compare with…');
  const said = page.locator('.notification-toast', { hasText: 'No other prediction of this gold' });
  await said.waitFor();
  await workbench.screenshot('no other');
});
