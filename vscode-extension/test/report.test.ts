import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inColours } from '../src/report';

const text = 'color-scheme: light dark (prefers-color-scheme: dark) (prefers-contrast: more)';
const page = (style: string): string => `<head><style>${style}</style></head><p>${text}</p>`;
const made = page(`:root { color-scheme: light dark; } @media (prefers-color-scheme: dark) { }
@media (prefers-contrast: more) and (prefers-color-scheme: dark) { }`);

test('a page has the colours of the editor, and its text stays as it is', () => {
  const [always, never] = ['(min-width: 0)', '(max-width: -1px)'];
  for (const [dark, contrast] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const isDark = dark ? always : never;
    const hasContrast = contrast ? always : never;
    assert.equal(
      inColours(made, dark, contrast),
      page(`:root { color-scheme: ${dark ? 'dark' : 'light'}; } @media ${isDark} { }
@media ${hasContrast} and ${isDark} { }`),
    );
  }
});
