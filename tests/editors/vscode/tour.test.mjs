// What a person does, in the real VS Code: keys, palette, views.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openWorkbench, until } from './editor.mjs';
import { garden } from './place.mjs';

let workbench;
let page;
const folder = garden();

before(async () => {
  workbench = await openWorkbench(folder);
  page = workbench.page;
}, { timeout: 120_000 });
after(() => workbench?.close());

test('a squiggle at a wrong head, and the score in the status bar', async () => {
  await workbench.open('runs/alpha/garden.conllu');
  await page.locator('.squiggly-warning').first().waitFor({ timeout: 30_000 });
  await workbench.statusBar.getByText('LAS 83.77').waitFor({ timeout: 30_000 });
  await workbench.screenshot('squiggle');
});
