// Bundles the extension and the page of the tree; with --tests also the tests of what is pure.
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';

const common = { bundle: true, sourcemap: false, legalComments: 'none', logLevel: 'warning' };
const node = { ...common, platform: 'node', target: 'node20', format: 'cjs', external: ['vscode'] };

await build({
  ...node,
  minify: true,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
});
await build({
  ...common,
  minify: true,
  platform: 'browser',
  target: 'chrome118',
  format: 'iife',
  entryPoints: ['webview/sentence.ts', 'webview/sentence.css'],
  outdir: 'dist',
});
if (process.argv.includes('--tests')) {
  const tests = readdirSync('test').filter((name) => name.endsWith('.test.ts'));
  await build({ ...node, entryPoints: tests.map((name) => `test/${name}`), outdir: 'dist-tests' });
}
