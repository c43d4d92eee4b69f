// icon.mjs: draws vscode-extension/media/icon.png from icon.svg.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const media = join(import.meta.dirname, '..', '..', '..', 'vscode-extension', 'media');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.setContent(`<body style="margin:0">${readFileSync(join(media, 'icon.svg'), 'utf8')}`);
await page.screenshot({ path: join(media, 'icon.png'), omitBackground: true });
await browser.close();
