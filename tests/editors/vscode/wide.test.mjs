// Columns of scripts that are wide, written from the right, or both in one file, to the pixel. This
// needs a font that has all their letters with one or two columns each.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { openWorkbench, until } from './editor.mjs';
import { garden } from './place.mjs';

const FONT = 'Unifont';
const skip = hasFont() ? false : `needs the font ${FONT}: apt-get install fonts-unifont`;
const TAG = /^(ADJ|ADP|AUX|DET|NOUN|PRON|PUNCT|VERB)$/;
let workbench;

before(
  async () => {
    if (skip) return;
    const settings = { 'editor.fontFamily': FONT, 'editor.codeLens': false };
    workbench = await openWorkbench(garden(), { settings });
    await workbench.open('runs/alpha/garden.conllu');
  },
  { timeout: 120_000 },
);
after(() => workbench?.close());

for (const [script, line, forms] of [
  ['Arabic', 126, ['البنت', 'في', 'ها']],
  ['Hebrew', 140, ['ילדה', 'רואה', 'גן']],
  ['Japanese', 153, ['庭', 'あり', '。']],
  ['Chinese', 166, ['小猫', '在', '。']],
]) {
  test(`columns of ${script} rows stand one under another`, { skip, timeout: 60_000 }, async () => {
    await workbench.goTo(line);
    // They are moved a moment after they are shown.
    await until(async () => {
      const seen = await tags();
      const places = forms.map((form) => seen.get(form));
      assert.ok(places[0] !== undefined && new Set(places).size === 1, `${places}`);
      return true;
    }, `${forms} to stand one under another`);
  });
}

/** Where the tag of each form that is shown begins, in pixels. */
async function tags() {
  const rows = await workbench.page.evaluate((source) => {
    const tag = new RegExp(source);
    return [...document.querySelectorAll('.view-line')].flatMap((line) => {
      const cells = line.textContent.split(/[\t\u00a0]+/);
      const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const word = texts.currentNode.data.trim();
        if (!tag.test(word)) continue;
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        return [[cells[1], Math.round(range.getBoundingClientRect().left)]];
      }
      return [];
    });
  }, TAG.source);
  return new Map(rows);
}

function hasFont() {
  try {
    return execFileSync('fc-list', [FONT]).length > 0;
  } catch {
    return false;
  }
}
