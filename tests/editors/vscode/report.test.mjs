// The report in a real browser, opened from the disk: it asks for nothing and complains of nothing.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openBrowser } from './editor.mjs';
import { ARTEFACTS, ROOT, SERVER, folder } from './place.mjs';

const made = folder('report');
const examples = join(ROOT, 'examples');
const shared = process.env.GOLDLENS_SHARED;
let browser;

before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

/** The page of a pair, open in the browser; fails if it asks for something or complains. */
async function opened(gold, pred, colours, ...more) {
  const path = join(made, 'page.html');
  execFileSync(SERVER, ['report', gold, pred, '-o', path, ...more]);
  const { page } = browser;
  const asked = [];
  const complaints = [];
  const onRequest = (request) => asked.push(request.url());
  const onConsole = (message) => complaints.push(message.text());
  const onError = (error) => complaints.push(String(error));
  page.on('request', onRequest);
  page.on('console', onConsole);
  page.on('pageerror', onError);
  await page.emulateMedia({ colorScheme: colours });
  const url = pathToFileURL(path).href;
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  page.off('request', onRequest);
  page.off('console', onConsole);
  page.off('pageerror', onError);
  assert.deepEqual(asked, [url]);
  assert.deepEqual(complaints, []);
  return { page, path };
}

/** The colours that are drawn: of the page, of its text, of the texts in its plots. */
const colours = (page) =>
  page.evaluate(() => {
    const of = (element, name) => getComputedStyle(element)[name];
    return {
      paper: of(document.body, 'backgroundColor'),
      text: of(document.body, 'color'),
      drawn: [...document.querySelectorAll('figure svg text')].map((text) => of(text, 'fill')),
    };
  });

/** How light a colour is, from 0 to 1. */
const lightness = (colour) => {
  const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
};

for (const [scheme, light] of [
  ['light', true],
  ['dark', false],
])
  test(`it can be read in ${scheme} colours`, { timeout: 60_000 }, async () => {
    const gold = join(examples, 'gold', 'garden.conllu');
    const pred = join(examples, 'runs', 'alpha', 'garden.conllu');
    const { page } = await opened(gold, pred, scheme);
    const { paper, text, drawn } = await colours(page);
    assert.equal(lightness(paper) > 0.5, light);
    assert.ok(drawn.length > 100);
    for (const colour of [text, ...drawn])
      assert.ok(Math.abs(lightness(colour) - lightness(paper)) > 0.35, `${colour} on ${paper}`);
    await page.screenshot({ path: join(ARTEFACTS, `report-${scheme}.png`), fullPage: true });
    const first = page.locator('.sentence').first();
    await first.scrollIntoViewIfNeeded();
    await first.screenshot({ path: join(ARTEFACTS, `report-tree-${scheme}.png`) });
    const cut = await page.evaluate(() => document.body.scrollWidth > window.innerWidth);
    assert.equal(cut, false, 'the page itself scrolls sideways');
  });

test('a sentence written from the right is read from there', { timeout: 60_000 }, async () => {
  const row = (number, form, head, relation) =>
    [number, form, '_', 'NOUN', '_', '_', head, relation, '_', '_'].join('\t');
  const words = Array.from({ length: 40 }, (_, k) => `מילה${k}`);
  const text = (relation) =>
    words.map((form, k) => row(k + 1, form, k, k ? relation : 'root')).join('\n') + '\n\n';
  const [gold, pred] = ['gold', 'pred'].map((name) => join(made, `${name}.conllu`));
  writeFileSync(gold, text('nmod'));
  writeFileSync(pred, text('obj'));
  const { page } = await opened(gold, pred, 'light');
  const forms = page.locator('.tree .form');
  const box = await page.locator('.sentence').boundingBox();
  const [first, second] = [await forms.nth(0).boundingBox(), await forms.nth(1).boundingBox()];
  assert.ok(first.x > second.x, 'the second word stands left of the first');
  assert.ok(first.x > box.x + box.width / 2, 'the first word is seen at the right');
  await page.screenshot({ path: join(ARTEFACTS, 'report-right-to-left.png') });
});

test('it is used by the keyboard', { timeout: 60_000 }, async () => {
  const gold = join(examples, 'gold', 'garden.conllu');
  const pred = join(examples, 'runs', 'alpha', 'garden.conllu');
  const { page } = await opened(gold, pred, 'light');
  const seen = new Set();
  for (let k = 0; k < 80; k++) {
    await page.keyboard.press('Tab');
    seen.add(
      await page.evaluate(
        () => document.activeElement?.className || document.activeElement?.tagName,
      ),
    );
  }
  for (const wanted of ['A', 'SUMMARY', 'sentence']) assert.ok(seen.has(wanted), wanted);
});

const ewt = shared && join(shared, 'data', 'ud', 'en_ewt.gold.conllu');
test(
  'a treebank of 25,000 words makes less than 3 MB',
  { timeout: 120_000, skip: !(ewt && existsSync(ewt)) && 'needs GOLDLENS_SHARED' },
  async () => {
    const { page, path } = await opened(ewt, ewt.replace('gold', 'p2'), 'light');
    assert.ok(statSync(path).size < 3_000_000);
    assert.ok(readFileSync(path, 'utf8').includes('The worst sentences'));
    await page.screenshot({ path: join(ARTEFACTS, 'report-ewt.png'), fullPage: true });
  },
);
