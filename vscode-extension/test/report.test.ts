import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inColours } from '../src/report';

const style = ':root { color-scheme: light dark; } @media (prefers-color-scheme: dark) { }';
const text = 'color-scheme: light dark (prefers-color-scheme: dark)';
const page = `<head><style>${style}</style></head><p>${text}</p>`;

test('a page has the colours of the editor, and its text stays as it is', () => {
  const dark = ':root { color-scheme: dark; } @media all { }';
  assert.equal(inColours(page, true), `<head><style>${dark}</style></head><p>${text}</p>`);
  const light = ':root { color-scheme: light; } @media not all { }';
  assert.equal(inColours(page, false), `<head><style>${light}</style></head><p>${text}</p>`);
});
