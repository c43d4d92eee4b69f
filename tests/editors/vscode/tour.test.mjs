// What a person does, in the real VS Code: keys, palette, views. One after another, in one window.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openWorkbench, until } from './editor.mjs';
import { ARTEFACTS, garden, ROOT } from './place.mjs';

const folder = garden();
writeFileSync(join(folder, 'notes.md'), '# Results\n\n');
cpSync(join(folder, 'runs/alpha/garden.conllu'), join(folder, 'fresh.conllu'));
writeFileSync(join(folder, 'long.conllu'), chain('word') + chain('מילה'));
let workbench;
let page;

before(
  async () => {
    workbench = await openWorkbench(folder);
    page = workbench.page;
  },
  { timeout: 120_000 },
);
after(() => workbench?.close());

/** A step of the tour; a picture is kept of where one failed. */
const step = (name, run) =>
  test(name, { timeout: 90_000 }, async () => {
    try {
      await run();
    } catch (error) {
      await workbench?.screenshot(`failed ${name}`);
      throw error;
    }
  });

step('squiggles at wrong cells, and the score in the status bar', async () => {
  await workbench.open('runs/alpha/garden.conllu');
  await page.locator('.squiggly-warning').first().waitFor();
  await workbench.statusBar.getByText('LAS 83.77').waitFor();
});

step('the first sentence has names too, beside a comment', async () => {
  const names = await until(() => namesBeside('sent_id = garden-01'), 'names');
  assert.match(names, / UPOS +XPOS +FEATS +HEAD +DEPREL +DEPS +MISC$/);
});

step('columns stand one under another, under their names', async () => {
  const tags = await Promise.all(
    [
      ['seedlings', 'NOUN'],
      ['step', 'VERB'],
      ["n't", 'PART'],
    ].map((at) => leftOf(...at)),
  );
  assert.equal(new Set(tags).size, 1, `${tags}`);
  const header = await page.evaluate(() =>
    [...document.querySelectorAll('.view-line span')]
      .map((span) => getComputedStyle(span, '::after').content)
      .find((text) => /ID.*HEAD/.test(text)),
  );
  assert.match(
    header.replaceAll('\u00a0', ' '),
    /ID +FORM +LEMMA +UPOS +XPOS +FEATS +HEAD +DEPREL +DEPS +MISC/,
  );
  await workbench.screenshot('columns');
});

step('a squiggle comes and goes while typing', async () => {
  await workbench.goTo(20, 1);
  await page.keyboard.type('x');
  await page.locator('.squiggly-error').first().waitFor();
  await workbench.screenshot('typing');
  await page.keyboard.press('Backspace');
  await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
});

step('repairing a relation raises the score, and the status bar says by how much', async () => {
  // “conj” of the last but one word of the third sentence; gold has “orphan”.
  await workbench.goTo(33, lineOf(33).indexOf('conj') + 1);
  await page.keyboard.press('Control+Shift+ArrowRight');
  await page.keyboard.type('orphan');
  await workbench.statusBar.getByText(/LAS 84\.53 \+0\.75/).waitFor();
  await page.keyboard.press('Control+S');
  await workbench.statusBar.getByText(/LAS 84\.53$/).waitFor();
});

step('of a long sentence the tree shows the word of the cursor', async () => {
  await workbench.open('long.conllu');
  await workbench.goTo(25);
  await workbench.command('Goldlens: Show Tree');
  const tree = await treeFrame();
  await inSight(tree, 'word24');
  await workbench.screenshot('tree, long');
  for (const at of [41, 2, 30]) {
    await workbench.goTo(at);
    await inSight(tree, `word${at - 1}`);
  }
  // What is in sight already is not scrolled.
  const before = await firstWord(tree);
  await workbench.goTo(31);
  await inSight(tree, 'word30');
  assert.equal(await firstWord(tree), before);
});

step('another sentence begins with its first words, from the right too', async () => {
  const tree = await treeFrame();
  for (const [comment, first] of [
    [43, 'מילה1'],
    [1, 'word1'],
    [43, 'מילה1'],
  ]) {
    await workbench.goTo(comment);
    await inSight(tree, first, '.word');
    if (comment > 1) await workbench.screenshot('tree from the right, long');
    await workbench.goTo(comment + 40);
    await inSight(tree, first.replace('1', '40'));
  }
});

step('the tree of the sentence at the cursor', async () => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await workbench.open('runs/alpha/garden.conllu');
  await workbench.goTo(11);
  // Before the tree takes the focus: VS Code asks for lenses only while the text has it.
  await page.locator('.codelens-decoration', { hasText: 'LAS 8/9' }).first().waitFor();
  await workbench.command('Goldlens: Show Tree');
  await workbench.raisePanel(140);
  const tree = await treeFrame();
  await tree.getByText(/^garden-01: 9 words, 8 rightly attached, 1 wrong: morning$/).waitFor();
  assert.equal(await tree.locator('.arc.gold.wrong').count(), 1);
  assert.equal(await tree.locator('.arc.pred.wrong .label').textContent(), '✗ nmod');
  assert.equal(await tree.locator('.word.current .form').textContent(), 'morning');
  // The keys are for the tree at once.
  await until(async () => /^8 morning/.test(await focusedWord(tree)), 'the word to have the focus');
  await workbench.picture('tree');
});

step('a click on an arc goes to its word', async () => {
  const tree = await treeFrame();
  await tree.locator('.arc.pred .label', { hasText: 'amod' }).click();
  await workbench.statusBar.getByText('Ln 5, Col 1').waitFor();
  await tree.locator('.word.current .form', { hasText: 'old' }).waitFor();
});

step('the tree follows what is typed', async () => {
  const tree = await treeFrame();
  const says = (text) => tree.locator(`.word[aria-label*="${text}"]`);
  await workbench.goTo(11, lineOf(11).indexOf('\t6\t') + 2);
  await says('nmod of 6 roses').waitFor();
  // The cursor stays where it is: it is the text that the tree follows.
  await page.keyboard.press('Delete');
  await says('nmod of 6 roses').waitFor({ state: 'detached' });
  await page.keyboard.type('4');
  await says('nmod of 4 waters').waitFor();
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await says('nmod of 6 roses').waitFor();
});

step('the tree by keys: along the words, to the head, into the text', async () => {
  const tree = await treeFrame();
  await workbench.command('Goldlens: Show Tree');
  await until(() => focusedWord(tree), 'a word to have the focus');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowUp');
  assert.match(await focusedWord(tree), /^3 gardener/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('e');
  assert.match(await focusedWord(tree), /^8 morning.*wrong; gold: obl of 4 waters/);
  await page.keyboard.press('Enter');
  await workbench.statusBar.getByText('Ln 11, Col 1').waitFor();
});

step('the tree of a script from the right begins at the right', async () => {
  await workbench.goTo(138);
  const tree = await treeFrame();
  await tree.getByText(/^garden-11: /).waitFor();
  const xs = await tree
    .locator('.word .form')
    .evaluateAll((forms) => forms.map((form) => form.getBoundingClientRect().x));
  assert.ok(xs.length > 5 && xs.every((x, at) => at === 0 || x < xs[at - 1]), `${xs}`);
  const width = await tree.evaluate(() => innerWidth);
  assert.ok(xs[0] > width - 60, `${xs[0]} of ${width}`);
  await workbench.screenshot('tree from the right');
});

step('the tree in the dark and with high contrast', async () => {
  const tree = await treeFrame();
  for (const [theme, kind] of [
    ['Dark Modern', 'vscode-dark'],
    ['Dark High Contrast', 'vscode-high-contrast'],
    ['Light Modern', 'vscode-light'],
  ]) {
    await workbench.command('Preferences: Color Theme', theme);
    await tree.locator(`body.${kind}`).waitFor();
    const seen = await tree.evaluate(() => {
      const fill = (selector) => getComputedStyle(document.querySelector(selector)).fill;
      const ground = getComputedStyle(document.body).backgroundColor;
      return [
        [fill('.word:not(.wrong) .form'), ground],
        [fill('.word.current .form'), fill('.word.current rect')],
      ];
    });
    for (const [text, behind] of seen) assert.notEqual(text, behind, theme);
    await workbench.screenshot(`tree, ${theme}`);
  }
});

step('nothing in the page of the tree breaks its content security policy', async () => {
  const log = readFileSync(join(ARTEFACTS, 'console.log'), 'utf8');
  assert.doesNotMatch(log, /violates the following Content Security Policy/);
  const tree = await treeFrame();
  assert.equal(await tree.locator('[style]:not(html):not(body)').count(), 0);
});

step('a hover, and lenses over sentences', async () => {
  await workbench.goTo(11, 5);
  await workbench.command('Show or Focus Hover');
  await page.locator('.monaco-hover:visible', { hasText: /obl/ }).waitFor();
  await workbench.screenshot('hover');
  await page.keyboard.press('Escape');
  await page.locator('.codelens-decoration', { hasText: 'LAS 8/9' }).first().waitFor();
});

step('a quick fix takes what gold has', async () => {
  await workbench.goTo(11, 39);
  await workbench.command('Quick Fix...');
  const fix = page.locator('.action-widget .monaco-list-row.focused', {
    hasText: "Take gold's HEAD, DEPREL and DEPS",
  });
  await fix.waitFor();
  await workbench.screenshot('quick fix');
  // The first fix has the focus; the list takes no clicks at once.
  await page.keyboard.press('Enter');
  await workbench.statusBar.getByText('LAS 85.28 +0.75').waitFor();
  await page.keyboard.press('Control+Z');
  await workbench.statusBar.getByText(/LAS 84\.53$/).waitFor();
});

step('gold taken by the palette, from anywhere in the line', async () => {
  await workbench.goTo(11);
  await workbench.command('Goldlens: Take Gold', "Take gold's HEAD, DEPREL and DEPS");
  await workbench.statusBar.getByText('LAS 85.28 +0.75').waitFor();
  const tree = await treeFrame();
  await tree.getByText(/^garden-01: 9 words, 9 rightly attached$/).waitFor();
  await page.keyboard.press('Control+Z');
  await workbench.statusBar.getByText(/LAS 84\.53$/).waitFor();
});

step('scores, intervals and problems in the view', async () => {
  await page.locator('.activitybar').getByRole('tab', { name: 'Goldlens' }).click();
  const row = (text) => page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
  await row(/^alphaLAS 84\.53/).waitFor();
  await row(/^alphaLAS 84\.53/).click();
  await row(/^LAS84\.53.*\[\d+\.\d\d, \d+\.\d\d\]/).waitFor();
  await row(/^Problems\d+/).click();
  await row(/^las-error\d+/).waitFor();
});

step('the tooltip of the score is a table with room between its columns', async () => {
  await workbench.statusBar.getByText(/LAS 84\.53/).hover();
  const table = page.locator('.monaco-hover table', { hasText: 'LAS' });
  await table.waitFor();
  assert.doesNotMatch(await table.innerText(), /since save/, 'nothing has changed since');
  await page.screenshot({ path: join(ARTEFACTS, 'tooltip.png') });
  await page.mouse.move(640, 12);
});

step('the lens of results rows makes a new document, and asks for the metrics', async () => {
  const before = readFileSync(join(folder, 'runs/alpha/garden.conllu'), 'utf8');
  await workbench.open('runs/alpha/garden.conllu');
  await workbench.goTo(1);
  await page.locator('.codelens-decoration a', { hasText: 'Insert results rows' }).click();
  await workbench.choose('Markdown', 'Markdown');
  assert.ok((await workbench.picked()).includes('LAS'));
  await workbench.accept();
  await page.locator('.view-line', { hasText: '| parser | mul | LAS |' }).first().waitFor();
  await workbench.command('View: Revert and Close Editor');
  await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  await workbench.command('View: Focus First Editor Group');
  await workbench.statusBar.getByText(/LAS 84\.53$/).waitFor();
  assert.equal(readFileSync(join(folder, 'runs/alpha/garden.conllu'), 'utf8'), before);
});

step('two systems compared', async () => {
  await workbench.command('Goldlens: Compare with…', 'beta');
  const systems = page.locator('.pane', { hasText: 'Systems' });
  await systems.getByText(/\+14\.34 {2}\[\d+\.\d\d, \d+\.\d\d\] {2}A 84\.53, B 70\.19/).waitFor();
  await workbench.picture('scores');
});

step('what costs most, in the view of confusions', async () => {
  await workbench.open('runs/alpha/garden.conllu');
  await confusions()
    .filter({ hasText: /^HEAD VERB → NOUN\+0\.75 LAS {2}5× {2}50\.0%/ })
    .waitFor();
});

step('more examples are shown where they are asked for, and brought into sight', async () => {
  await page.setViewportSize({ width: 900, height: 1000 });
  const heads = confusions().filter({ hasText: /^HEAD VERB → NOUN/ });
  const examples = confusions().filter({ hasText: /garden-\d+, line \d+$/ });
  await heads.click();
  await until(async () => (await examples.count()) === 3, 'three examples');
  await confusions()
    .filter({ hasText: /^2 more…$/ })
    .click();
  await until(async () => (await examples.count()) === 5, 'five examples');
  assert.equal(
    await confusions()
      .filter({ hasText: /more…$/ })
      .count(),
    0,
  );
  await examples.first().click();
  await workbench.statusBar.getByText('7 HEAD').waitFor();
  await until(async () => {
    const cursor = await page.locator('.editor-instance .cursors-layer .cursor').boundingBox();
    const shown = await page.locator('.editor-instance .editor-scrollable').first().boundingBox();
    assert.ok(cursor.x > shown.x && cursor.x + 20 < shown.x + shown.width);
    return true;
  }, 'the cell in sight');
  await page.screenshot({ path: join(ARTEFACTS, 'example in sight.png') });
  await heads.click();
  await page.setViewportSize({ width: 1280, height: 1000 });
});

step('confusions of a column, and a click goes to the word', async () => {
  await workbench.command('Goldlens: Choose the Column of Confusions…', 'DEPREL');
  await confusions()
    .filter({ hasText: /^advmod → mark\+0\.75 LAS {2}1× {2}\d/ })
    .click();
  await confusions()
    .filter({ hasText: /^Whengarden-05, line 49/ })
    .click();
  // The cell of the relation.
  await workbench.statusBar.getByText('Ln 49, Col 41').waitFor();
  await workbench.statusBar.getByText('8 DEPREL').waitFor();
  await workbench.picture('confusions');
});

step('confusions follow what is typed, and the column is remembered', async () => {
  await workbench.goTo(49, lineOf(49).indexOf('mark') + 1);
  await page.keyboard.press('Control+Shift+ArrowRight');
  await page.keyboard.type('advmod');
  const confusion = confusions().filter({ hasText: /^advmod → mark/ });
  await confusion.waitFor({ state: 'detached' });
  await confusions()
    .filter({ hasText: /^ccomp → parataxis/ })
    .waitFor();
  await page.keyboard.press('Control+Z');
  await confusion.waitFor();
  await workbench.open('runs/alpha/places.iob2');
  await confusions()
    .filter({ hasText: /^type: LOC → ORG/ })
    .waitFor();
  await workbench.open('runs/alpha/garden.conllu');
  await confusion.waitFor();
});

step('confusions that were out of sight are those of now', async () => {
  const tab = (name) => page.locator('.activitybar').getByRole('tab', { name });
  const confusion = confusions().filter({ hasText: /^advmod → mark/ });
  await tab('Explorer').click();
  await workbench.goTo(49, lineOf(49).indexOf('mark') + 1);
  await page.keyboard.press('Control+Shift+ArrowRight');
  await page.keyboard.type('advmod');
  await workbench.statusBar.getByText('LAS 85.28 +0.75').waitFor();
  await tab('Goldlens').click();
  await confusions()
    .filter({ hasText: /^ccomp → parataxis/ })
    .waitFor();
  await confusion.waitFor({ state: 'detached' });
  await page.locator('.editor-instance').first().click();
  await page.keyboard.press('Control+Z');
  await confusion.waitFor();
});

step('a report, opened by the palette', async () => {
  await workbench.command('View: Hide Panel');
  await workbench.command('Goldlens: Open Report');
  await page.locator('.tab.active', { hasText: 'Report on garden.conllu (alpha)' }).waitFor();
  const report = await reportFrame();
  await report.locator('svg.tree').first().waitFor({ state: 'attached' });
  assert.equal(await report.locator('script').count(), 0);
  await workbench.picture('report');
  const log = readFileSync(join(ARTEFACTS, 'console.log'), 'utf8');
  assert.doesNotMatch(log, /violates the following Content Security Policy/);
  const heads = report.getByRole('heading', { name: 'Heads' });
  await report.getByRole('link', { name: 'Heads' }).click();
  await until(async () => (await heads.boundingBox()).y < 300, 'the section of heads');
});

step('the report has the colours of the editor', async () => {
  for (const [theme, dark, contrast] of [
    ['Dark Modern', true, false],
    ['Dark High Contrast', true, true],
    ['Light High Contrast', false, true],
    ['Light Modern', false, false],
  ]) {
    await workbench.command('Preferences: Color Theme', theme);
    await until(async () => {
      const report = await reportFrame();
      const [paper, ink] = await report.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body);
        return [backgroundColor, color].map((each) => Number(each.match(/\d+/)[0]));
      });
      if ((paper === (dark ? 0 : 255)) !== contrast) return false;
      return dark ? paper < 60 && ink > 200 : paper > 200 && ink < 60;
    }, theme);
    await workbench.screenshot(`report, ${theme}`);
  }
});

step('the report is saved as the server has made it', async () => {
  const saved = join(folder, 'report.html');
  await workbench.command('Goldlens: Save Report…');
  await workbench.accept(saved, /alpha-garden-report\.html$/);
  const text = await until(() => readFileSync(saved, 'utf8'), 'the report on the disk');
  assert.match(text, /^<!doctype html>[^]*Content-Security-Policy[^]*<\/html>\n$/);
  assert.match(text, /@media \(prefers-color-scheme: dark\)/);
  await workbench.command('View: Close Editor');
  await workbench.command('Goldlens: Show Tree');
  await page.locator('.editor-instance').first().click();
});

step('the worst sentence, and the next one with errors', async () => {
  await workbench.open('runs/alpha/garden.conllu');
  await workbench.goTo(1);
  await workbench.command('Goldlens: Next Sentence with Errors');
  await workbench.statusBar.getByText(/^Ln 18,/).waitFor();
  await workbench.command('Goldlens: Previous Sentence with Errors');
  await workbench.statusBar.getByText(/^Ln 11,/).waitFor();
  await workbench.command('Goldlens: Go to the Worst Sentence');
  await workbench.statusBar.getByText(/^Ln 49,/).waitFor();
  await workbench.screenshot('worst');
});

step('gold beside scrolls along', async () => {
  await workbench.goTo(1);
  await workbench.command('Goldlens: Open Gold Beside');
  await until(
    async () => (await page.locator('.editor-instance').count()) === 2,
    'the second editor',
  );
  await page.locator('.editor-instance').first().click();
  await workbench.goTo(150);
  await until(async () => {
    const [left, right] = await Promise.all([0, 1].map(sentencesShown));
    const [[name, top]] = left;
    // But for a part of a line and a lens, which gold has not.
    return name !== 'garden-01' && Math.abs(new Map(right).get(name) - top) < 45;
  }, 'gold to show the sentence that the prediction begins with, as high');
  await workbench.screenshot('beside');
  await page.locator('.editor-instance').nth(1).click();
  await workbench.command('View: Close Editor');
});

step('results rows, inserted by the palette', async () => {
  await workbench.open('notes.md');
  await workbench.goTo(3);
  await workbench.command('Goldlens: Insert Results Rows at Cursor…', 'runs/alpha/garden');
  // Those of the configuration are picked.
  assert.deepEqual(await workbench.picked(), ['UPOS', 'Lemmas', 'UAS', 'LAS', 'MLAS', 'BLEX']);
  await workbench.screenshot('metrics');
  await workbench.accept();
  await page.locator('.view-line', { hasText: '84.53' }).first().waitFor();
  await page.keyboard.press('Control+S');
  const saved = await until(() => {
    const text = readFileSync(join(folder, 'notes.md'), 'utf8');
    return text.includes('84.53') && text;
  }, 'the rows on the disk');
  assert.match(saved, /^# Results\n\n\| Component \| Language \| Metric \|/);
  assert.match(saved, /\| parser \| mul \| LAS \| 84\.53 \| \[\d+\.\d\d, \d+\.\d\d\] \|/);
  await page.locator('.notification-toast').waitFor({ state: 'detached' });
  await workbench.picture('rows');
});

step('metrics are chosen once, and rows saved to a file', async () => {
  await workbench.open('notes.md');
  const prediction = 'runs/alpha/garden';
  await workbench.command('Goldlens: Save Results Rows to a File…', prediction, 'JSON');
  await workbench.pick('Lemmas', 'UAS', 'MLAS', 'BLEX');
  await workbench.accept();
  await workbench.accept(join(folder, 'rows.json'), /results\.json$/);
  const rows = await until(
    () => JSON.parse(readFileSync(join(folder, 'rows.json'), 'utf8')),
    'rows on the disk',
  );
  assert.deepEqual(
    rows.map(({ component, metric }) => [component, metric]),
    [
      ['parser', 'UPOS'],
      ['parser', 'LAS'],
    ],
  );
  await page.locator('.tab.active', { hasText: 'rows.json' }).waitFor();
  await workbench.open('notes.md');
  await workbench.command('Goldlens: Copy Results Rows…', prediction, 'LaTeX');
  assert.deepEqual(await workbench.picked(), ['UPOS', 'LAS']);
  await page.keyboard.press('Escape');
});

step('without gold the status bar says so, and a click sets it', async () => {
  await workbench.open('fresh.conllu');
  await workbench.statusBar.getByText('no gold').click();
  await workbench.choose('garden.conllu', 'garden.conllu');
  await workbench.statusBar.getByText('LAS 83.77').waitFor();
});

step('a system without a configuration is given a name once', async () => {
  await workbench.open('notes.md');
  const insert = 'Goldlens: Insert Results Rows at Cursor…';
  const row = page.locator('.view-line', { hasText: 'mine' });
  await workbench.command(insert, 'fresh.conllu');
  await workbench.accept();
  await workbench.accept('mine');
  await row.first().waitFor();
  const rows = await row.count();
  await workbench.command(insert, 'fresh.conllu');
  await workbench.accept();
  await until(async () => (await row.count()) === 2 * rows, 'the same rows again');
  await workbench.command('File: Revert File');
});

/** Opens the window again, and waits for what the status bar says of a file. */
async function again(path, said) {
  await workbench.reload();
  await workbench.open(path);
  try {
    await workbench.statusBar.getByText(said).waitFor({ timeout: 20_000 });
  } catch {
    // In a browser VS Code sometimes gives extensions none of the user's settings, and so no server.
    await workbench.reload();
    await workbench.open(path);
    await workbench.statusBar.getByText(said).waitFor();
  }
}

step('gold set by hand is remembered when the window is opened again', async () => {
  await again('fresh.conllu', 'LAS 83.77');
});

step('gold set by hand is forgotten, for good', async () => {
  await workbench.command('Goldlens: Forget the Gold Set by Hand');
  await workbench.statusBar.getByText('no gold').waitFor();
  await again('fresh.conllu', 'no gold');
});

step('a pair written into goldlens.toml', async () => {
  await workbench.command('Goldlens: Set Gold…', 'garden.conllu');
  await workbench.statusBar.getByText('LAS 83.77').waitFor();
  await workbench.command('Goldlens: Write This Pair into goldlens.toml');
  await page.locator('.notification-toast', { hasText: 'The pair is in goldlens.toml' }).waitFor();
  const written = readFileSync(join(folder, 'goldlens.toml'), 'utf8');
  const before = readFileSync(join(ROOT, 'examples', 'goldlens.toml'), 'utf8');
  const pair = '\n[[pair]]\ngold = "gold/garden.conllu"\npred = "fresh.conllu"\n';
  assert.equal(written, before + pair);
  await workbench.statusBar.getByText('LAS 83.77').waitFor();
  await page.locator('.notification-toast').getByRole('button', { name: 'Open goldlens' }).click();
  await page.locator('.editor-group-container.active .tab.active', { hasText: '.toml' }).waitFor();
});

step('a server that is killed is started again', async () => {
  await workbench.open('runs/alpha/garden.conllu');
  const [killed] = servers();
  process.kill(killed, 'SIGKILL');
  await until(() => servers().some((pid) => pid !== killed), 'another server');
  await workbench.goTo(20, 1);
  await page.keyboard.type('x');
  await page.locator('.squiggly-error').first().waitFor();
  await page.keyboard.press('Backspace');
  await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
  await workbench.statusBar.getByText(/LAS 84\.53/).waitFor();
  await workbench.screenshot('restarted');
});

step('the language status says that the server runs', async () => {
  await workbench.open('runs/alpha/garden.conllu');
  await workbench.statusBar.locator('[id="status.languageStatus"]').click();
  const status = page.locator('.hover-language-status', { hasText: 'Goldlens' });
  await status.getByText(/server \d/).waitFor();
  await workbench.screenshot('status');
  await page.keyboard.press('Escape');
});

step('the logs, and what is said with the server', async () => {
  await workbench.command('Goldlens: Show Logs');
  const output = page.locator('.part.panel .view-line');
  await output
    .filter({ hasText: /version.*runs/ })
    .first()
    .waitFor();
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  const settings = { 'goldlens.trace.server': 'messages' };
  writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
  await workbench.command('Output: Show Output Channels...', 'Goldlens Trace');
  await workbench.open('runs/alpha/garden.conllu');
  await workbench.goTo(11, 5);
  await output
    .filter({ hasText: /textDocument/ })
    .first()
    .waitFor();
});

step('the walkthrough', async () => {
  await workbench.command('Welcome: Open Walkthrough...', 'Annotation against gold');
  for (const title of ['Start the server', 'Say what the gold is', 'Publish the figures']) {
    await page.getByText(title, { exact: true }).first().waitFor();
  }
  await workbench.screenshot('walkthrough');
});

/** A line of the prediction on the disk, from 1. */
function lineOf(number) {
  return readFileSync(join(folder, 'runs/alpha/garden.conllu'), 'utf8').split('\n')[number - 1];
}

/** What stands behind a comment, without being in the text. */
function namesBeside(comment) {
  return page.evaluate((comment) => {
    const lines = [...document.querySelectorAll('.view-line')];
    const line = lines.find((each) => each.textContent.replaceAll('\u00a0', ' ').includes(comment));
    const texts = [...line.querySelectorAll('span')].map(
      (span) => getComputedStyle(span, '::after').content,
    );
    const shown = texts.find((text) => /[A-Z]/.test(text));
    return shown?.replaceAll('\u00a0', ' ').replaceAll('"', '');
  }, comment);
}

/** Where a cell of the row of a form begins, in pixels. */
function leftOf(form, cell) {
  return page.evaluate(
    ([form, cell]) => {
      const lines = [...document.querySelectorAll('.view-line')];
      const row = lines.find(
        (line) =>
          /^\d/.test(line.textContent) && line.textContent.split(/[^\S ]+|\u00a0+/).includes(form),
      );
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const at = texts.currentNode.data.indexOf(cell);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + cell.length);
        return Math.round(range.getBoundingClientRect().left);
      }
      throw new Error(`no ${cell} beside ${form}`);
    },
    [form, cell],
  );
}

/** The frame of the tree, in the frame of its view. */
async function treeFrame() {
  return until(async () => {
    for (const frame of page.frames()) if (await frame.locator('#tree').count()) return frame;
    return undefined;
  }, 'the page of the tree');
}

/** Waits until a word of the tree, that of the cursor, can be seen whole. */
async function inSight(tree, form, words = '.word.current') {
  const word = tree.locator(words).filter({ hasText: new RegExp(`^${form}\\D*$`) });
  await until(
    () =>
      word.evaluate((word) => {
        const box = word.getBoundingClientRect();
        const [pane, page] = [document.getElementById('pane'), document.documentElement].map(
          (each) => each.getBoundingClientRect(),
        );
        return (
          box.left >= pane.left &&
          box.right <= pane.right &&
          box.top >= pane.top &&
          box.bottom <= Math.min(pane.bottom, page.height)
        );
      }),
    `${form} in sight`,
  );
}

/** Where the first word of the tree is when it has stopped. */
function firstWord(tree) {
  let last;
  return until(async () => {
    const { x, y } = await tree.locator('.word').first().boundingBox();
    const before = last;
    last = `${x}, ${y}`;
    return last === before && last;
  }, 'the tree to stop');
}

/** A sentence of forty words, most hanging on the one before, some on the first. */
function chain(form) {
  const rows = Array.from({ length: 40 }, (_, k) => {
    const attachment = k ? [k % 3 ? k : 1, 'nmod'] : [0, 'root'];
    return [k + 1, `${form}${k + 1}`, '_', 'NOUN', '_', '_', ...attachment, '_', '_'].join('\t');
  });
  return [`# sent_id = ${form}`, ...rows, '', ''].join('\n');
}

/** The frame of the report, in the frame of its editor. */
async function reportFrame() {
  return until(async () => {
    for (const frame of page.frames()) {
      if (await frame.locator('h1', { hasText: 'garden.conllu against' }).count()) return frame;
    }
    return undefined;
  }, 'the page of the report');
}

/** The rows of the view of confusions. */
const confusions = () =>
  page.locator('.pane', { hasText: 'Confusions' }).locator('.pane-body .monaco-list-row');

const focusedWord = (tree) =>
  tree.evaluate(() => document.activeElement.getAttribute('aria-label'));

/** The sentences whose beginnings an editor shows, from the top, and where these are. */
async function sentencesShown(editor) {
  const lines = page.locator('.editor-instance').nth(editor).locator('.view-lines .view-line');
  const placed = await lines.evaluateAll((all) =>
    all.map((line) => [line.getBoundingClientRect().top, line.textContent]),
  );
  return placed
    .sort(([a], [b]) => a - b)
    .flatMap(([top, text]) => {
      const id = /sent_id\s=\s(\S+)/.exec(text)?.[1];
      return id ? [[id, top]] : [];
    });
}

/** The processes of servers that run in the folder. */
function servers() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return command.includes('lsp') && readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });
}
